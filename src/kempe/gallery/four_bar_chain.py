"""A row of four-bar loops, one driving the next."""

from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism


def four_bar_chain(*, loops: int = 10, plane: bool = True) -> Mechanism:
    """`loops` four-bars in a row: every rocker is the next crank, and the first crank swings.

    Uprights of 1 m stand 1 m apart on the ground, joined at their tops by couplers of 1 m; the
    first is driven by pi/2 + 0.5 sin(2 pi t), and all follow it.

    Source: the assembly of the IFToMM benchmark A02, driven instead of falling.
    """
    if loops < 1:
        raise BadNumber(f"four_bar_chain: loops is {loops}: at least one is needed.")
    import math

    import numpy as np

    m = Builder(f"chain of {loops} four-bars", plane=plane)
    uprights = [m.bar(f"upright{k}", 1, at=(k, 0), angle=math.pi / 2) for k in range(loops + 1)]
    for k, upright in enumerate(uprights):
        m.revolute(m.ground.at(k, 0), upright.start, name=f"foot{k}")
    for k in range(loops):
        coupler = m.bar(f"coupler{k}", 1, at=(k, 1), angle=0)
        m.revolute(uprights[k].end, coupler.start, name=f"left{k}")
        m.revolute(coupler.end, uprights[k + 1].end, name=f"right{k}")
    m.drive(uprights[0].angle, lambda t: math.pi / 2 + 0.5 * np.sin(2 * math.pi * t))
    return m.build()
