"""A row of four-bar loops, one driving the next."""

from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism


def four_bar_chain(*, loops: int = 10, plane: bool = True) -> Mechanism:
    """`loops` four-bars in a row: every rocker is the next crank, and the first crank swings.

    Uprights of 1 m stand 1 m apart on the ground (from the second on they are 1.2 m, so that no
    loop is a parallelogram), joined by couplers; the first is driven by pi/2 + 0.3 sin(2 pi t).

    Own: made to measure how cost grows with the number of loops.
    """
    if loops < 1:
        raise BadNumber(f"four_bar_chain: loops is {loops}: at least one is needed.")
    import math

    import numpy as np

    m = Builder(f"chain of {loops} four-bars", plane=plane)
    heights = [1.0 if k % 2 == 0 else 1.2 for k in range(loops + 1)]
    uprights = [
        m.bar(f"upright{k}", heights[k], at=(k, 0), angle=math.pi / 2) for k in range(loops + 1)
    ]
    for k, upright in enumerate(uprights):
        m.revolute(m.ground.at(k, 0), upright.start, name=f"foot{k}")
    for k in range(loops):
        rise = heights[k + 1] - heights[k]
        coupler = m.bar(
            f"coupler{k}", math.hypot(1.0, rise), at=(k, heights[k]), angle=math.atan2(rise, 1.0)
        )
        m.revolute(uprights[k].end, coupler.start, name=f"left{k}")
        m.revolute(coupler.end, uprights[k + 1].end, name=f"right{k}")
    m.drive(uprights[0].angle, lambda t: math.pi / 2 + 0.3 * np.sin(2 * math.pi * t))
    return m.build()
