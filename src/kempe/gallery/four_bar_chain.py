"""A row of four-bar loops, one driving the next."""

import math

from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch import count, swing

SHORT, LONG = 1.0, 1.2  # m: uprights of two lengths, so that no loop is a parallelogram


def four_bar_chain(*, loops: int = 10, plane: bool = True) -> Mechanism:
    """`loops` four-bars in a row: every rocker is the next crank, and the first crank swings.

    Uprights stand 1 m apart on the ground, joined by couplers; the first is driven by
    pi/2 + 0.3 sin(2 pi t). Every second upright reaches as far below the ground as above it and
    hands the motion on at its other end: there the next loop is the last one turned by 180 degrees
    about their common foot, so it undoes what the last one did, and a row of any length moves.

    Own: made to measure how cost grows with the number of loops.
    """
    count(loops, "four_bar_chain: loops", 1, 100_000)
    m = Builder(f"chain of {loops} four-bars", plane=plane)
    uprights = [_upright(m, k) for k in range(loops + 1)]
    for k, upright in enumerate(uprights):
        m.revolute(m.ground.at(k, 0), upright.start, name=f"foot{k}")
    for k in range(loops):
        left, right = (SHORT, LONG) if k % 2 == 0 else (LONG, SHORT)
        rise = _side(k) * (right - left)
        coupler = m.bar(
            f"coupler{k}",
            math.hypot(1.0, rise),
            at=(k, _side(k) * left),
            angle=math.atan2(rise, 1.0),
        )
        tip = "back" if k % 2 == 1 and _side(k) < 0 else "end"
        m.revolute(uprights[k].point(tip), coupler.start, name=f"left{k}")
        tip = "back" if k % 2 == 0 and _side(k) < 0 else "end"
        m.revolute(coupler.end, uprights[k + 1].point(tip), name=f"right{k}")
    swing(m, uprights[0].angle, 0.5 * math.pi, 0.3)
    return m.build()


def _side(k: int) -> int:
    """Of the ground: 1 where loop k and an even upright k stand above it, -1 below."""
    return 1 if k % 4 in (0, 3) else -1


def _upright(m: Builder, k: int) -> BodyPart:
    if k % 2 == 0:
        return m.bar(f"upright{k}", SHORT, at=(k, 0), angle=_side(k) * math.pi / 2)
    back = {"back": (-LONG, 0.0)}
    return m.bar(f"upright{k}", LONG, points=back, at=(k, 0), angle=math.pi / 2)
