"""Parallelograms, crossed or not, that copy a motion or divide an angle."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry, polar, share, swing, xy


@entry
def pantograph(
    *, ratio: float = 2.0, near: float = 0.25, far: float = 0.25, crank: float = 0.06,
    centre: tuple[float, float] = (0.32, 0.0),
) -> Mechanism:  # fmt: skip
    """A jointed parallelogram: the pen P draws `ratio` times what the tracing point T follows.

    The linkage is pinned at O = (0, 0). `near` and `far` are the lengths from O to the elbow of T
    and from there to T; O, T and P stay on one line. A crank about `centre` leads T round a circle,
    so P draws one `ratio` times as large.

    Source: Christoph Scheiner, Pantographice, 1631; the skew one: [Kempe].

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.pantograph().kinematics(until=1.0)
        >>> bool(abs(turn["far.P"].position - 2.0 * turn["inner.T"].position).max() < 1e-12)
        True
    """
    m = Builder("pantograph", plane=True)
    K = complex(*centre)
    T = K + crank
    A = dyad(0, T, near, far)
    B = ratio * A
    long = bar(m, "near", 0, A, ratio * near)
    across = bar(m, "far", B, ratio * T, ratio * far, {"P": (ratio * far, 0.0)})
    inner = bar(m, "inner", A, T, far, {"T": (far, 0.0)})
    outer = bar(m, "outer", T, T + B - A, (ratio - 1.0) * near)
    driver = m.bar("crank", crank, at=centre, angle=0.0)
    m.revolute(m.ground.at(0, 0), long.start, name="O")
    m.revolute(long.at(near, 0), inner.start, name="A")
    m.revolute(long.end, across.start, name="B")
    m.revolute(across.at(far, 0), outer.end, name="C")
    m.revolute(inner.end, outer.start, name="T_pin")
    m.revolute(m.ground.at(*centre), driver.start, name="K")
    m.revolute(driver.end, inner.end, name="hand")
    m.drive(driver.angle, rpm=60)
    return m.build()


@entry
def parallel_motion(
    *,
    beam: float = 1.0,
    radius_rod: float = 0.75,
    link: float = 0.5,
    amplitude: float = math.radians(18.0),
) -> Mechanism:
    """The beam engine's guide: a pantograph that copies Watt's straight line to the piston rod.

    Beam and radius rod turn about (0, 0) and (beam + radius_rod, -link); the back link joins the
    beam, at the distance `beam`, to the rod. A parallelogram on the beam carries that motion out to
    the piston rod P, at 1 + beam / radius_rod times the distance. The beam swings by `amplitude`
    (rad) either way, once per second.

    Source: James Watt, patent of 1784, a six-bar of Watt's chain.

    Examples:
        >>> import kempe
        >>> swing = kempe.gallery.parallel_motion().kinematics(until=1.0)
        >>> P, W = (swing[name].position for name in ("piston_link.P", "back_link.W"))
        >>> bool(abs(P - (1 + 1 / 0.75) * W).max() < 1e-12)
        True
    """
    m = Builder("Watt's parallel motion", plane=True)
    # the straight-line point W divides the back link as the other arm is to both
    part = share(radius_rod, beam + radius_rod)
    out = share(beam, part)
    M, E, F, G = (complex(beam), complex(out), complex(beam, -link), complex(out, -link))
    Q = complex(beam + radius_rod, -link)
    long = m.bar("beam", out, at=(0, 0), angle=0.0)
    rod = bar(m, "radius_rod", Q, F, radius_rod)
    back = bar(m, "back_link", M, F, link, {"W": (part * link, 0.0)})
    front = bar(m, "piston_link", E, G, link, {"P": (link, 0.0)})
    level = bar(m, "parallel_bar", F, G, out - beam)
    m.revolute(m.ground.at(0, 0), long.start, name="O")
    m.revolute(m.ground.at(*xy(Q)), rod.start, name="Q")
    m.revolute(long.at(beam, 0), back.start, name="M")
    m.revolute(long.end, front.start, name="E")
    m.revolute(back.end, rod.end, name="F_rod")
    m.revolute(back.end, level.start, name="F_bar")
    m.revolute(level.end, front.end, name="G")
    swing(m, long.angle, 0.0, amplitude)
    return m.build()


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
