"""Watt's parallel motion."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, entry, share, swing, xy


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
