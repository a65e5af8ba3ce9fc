"""Chains of any length: dyads, four-bars, parallelograms."""

import math

from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch import bar, count, dyad, entry, polar, swing, xy
from kempe.gallery.sketch_of_masses import DOWN, let_go, slender


@entry
def dyad_chain(
    *, dyads: int = 2, crank: float = 1.0, coupler: float = 3.0, rocker: float = 2.5,
    ground: float = 2.8, start: float = 1.0,
) -> Mechanism:  # fmt: skip
    """A crank, and one dyad (coupler and rocker) after the other, each driven by the rocker before.

    One dyad makes a four-bar, two a six-bar, three an eight-bar. A rocker drives the next coupler
    at the crank's radius, so that every dyad closes whatever the one before does, in two ways: the
    chain has 2^dyads separate loops of motion.

    Own: the count is that of the two sides on which each dyad closes.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.dyad_chain(dyads=2).motions())
        chain of 2 dyads: 4 loops - complete.
    """
    count(dyads, "dyad_chain: dyads", 1, 20)
    m = Builder(f"chain of {dyads} dyad{'s' * (dyads > 1)}", plane=True)
    driver = m.bar("crank", crank, at=(0.0, 0.0), angle=start)
    m.revolute(m.ground.at(0.0, 0.0), driver.start, name="O")
    hold, B = driver.end, polar(crank, start)
    for k in range(1, dyads + 1):
        D = complex(ground * k)
        C = dyad(B, D, coupler, rocker)
        rod = bar(m, f"coupler{k}", B, C, coupler)
        swing = bar(m, f"rocker{k}", D, C, rocker, {"knee": (crank, 0.0)})
        m.revolute(hold, rod.start, name=f"B{k}")
        m.revolute(rod.end, swing.end, name=f"C{k}")
        m.revolute(m.ground.at(*xy(D)), swing.start, name=f"D{k}")
        hold, B = swing.knee, D + crank * (C - D) / abs(C - D)
    m.drive(driver.angle, start=start, rpm=60)
    return m.build()


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


@let_go(10.0)
def n_four_bar(
    *, loops: int = 4, length: float = 1.0, mass: float = 1.0, spin: float = 1.0
) -> Mechanism:
    """Parallelograms in a row that go round and round, through the positions where all lie flat.

    Lying flat every crank could go its own way, `loops` + 1 freedoms instead of one; kempe keeps
    to the branch it is on. The first crank is pushed at `spin` (rad/s) from upright.

    Source: [IFToMM] A02.

    Examples:
        >>> import kempe
        >>> row = kempe.gallery.n_four_bar(loops=2).simulate(until=10.0)
        >>> first, last = row["crank0.angle"].values, row["crank2.angle"].values
        >>> bool(abs(first - last).max() < 1e-9)
        True
    """
    count(loops, "n_four_bar: loops", 1, 10_000)
    m = Builder(f"{loops}-four-bar", plane=True, gravity=DOWN)
    rod = slender(mass, length)
    before = None
    for k in range(loops + 1):
        end = {"P": (length, 0.0)} if k == loops else None
        at = (k * length, 0.0)
        crank = m.bar(f"crank{k}", length, points=end, at=at, angle=0.5 * math.pi, inertia=rod)
        m.revolute(m.ground.at(k * length, 0), crank.start, name=f"A{k}")
        if before is None:
            m.rate(crank.angle, -spin)
        else:
            bar = m.bar(f"bar{k}", length, at=(at[0] - length, length), angle=0.0, inertia=rod)
            m.revolute(before.end, bar.start, name=f"B{k}")
            m.revolute(bar.end, crank.end, name=f"C{k}")
        before = crank
    return m.build()
