"""Kempe's trisector."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry, polar, share, swing, xy


@entry
def kempe_trisector(
    *,
    long: float = 1.0,
    short: float = 0.65,
    start: float = math.radians(180.0),
    amplitude: float = math.radians(90.0),
) -> Mechanism:
    """Three similar crossed parallelograms that divide any angle by three.

    The first has its long side OA on the ground, from (0, 0) along x, and its short side OC at an
    angle a from it; OC is the long side of the second, whose short side OE lies at 2 a; OE is the
    long side of the third, whose short side OG lies at 3 a. OG is driven: it swings by `amplitude`
    about `start` (rad, between 0 and 540 degrees), and OC stands at a third of its angle.

    Source: [Kempe].

    Examples:
        >>> import kempe
        >>> swing = kempe.gallery.kempe_trisector().kinematics(until=1.0)
        >>> bool(abs(swing["OG.angle"].values - 3 * swing["OC.angle"].values).max() < 1e-12)
        True
    """
    m = Builder("Kempe's trisector", plane=True)
    ratio = share(short, long)
    sides = [long, short, short * ratio, short * ratio * ratio]  # OA, OC, OE, OG
    A, C, E, G = (polar(side, n * start / 3.0) for n, side in enumerate(sides))
    B, D, F = (
        dyad(p, q, sides[n + 1], sides[n]) for n, (p, q) in enumerate(((A, C), (C, E), (E, G)))
    )
    ab = bar(m, "AB", A, B, sides[1])
    cb = bar(m, "CB", C, B, sides[0], {"D": (sides[2], 0.0)})
    ed = bar(m, "ED", E, D, sides[1], {"F": (sides[3], 0.0)})
    gf = bar(m, "GF", G, F, sides[2])
    oc, oe, og = (bar(m, name, 0, p, abs(p)) for name, p in (("OC", C), ("OE", E), ("OG", G)))
    m.revolute(m.ground.at(*xy(A)), ab.start, name="A")
    m.revolute(ab.end, cb.end, name="B")
    for spoke, rod, name in ((oc, cb, "C"), (oe, ed, "E"), (og, gf, "G")):
        m.revolute(m.ground.at(0, 0), spoke.start, name=f"O_{name}")
        m.revolute(spoke.end, rod.start, name=name)
    m.revolute(cb.D, ed.end, name="D_pin")
    m.revolute(ed.F, gf.end, name="F_pin")
    swing(m, og.angle, start, amplitude)
    return m.build()
