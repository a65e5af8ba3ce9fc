"""Stephenson's six-bar."""

import cmath

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry, four_bar_loop, xy


@entry
def stephenson_six_bar(
    *,
    crank: float = 0.1,
    coupler: float = 0.4,
    rocker: float = 0.4,
    ground: float = 0.35,
    point: tuple[float, float] = (0.74641, -0.2),
    link: float = 0.315,
    follower: float = 0.25,
    pivot: tuple[float, float] = (0.325, 0.873),
    start: float = 0.0,
) -> Mechanism:
    """A dwell: the follower stands still for a third of the turn, although the crank never does.

    The coupler point P draws a curve that is nearly an arc of radius `link` while the crank goes
    from 120 to 240 degrees; a link joins P to the follower, which turns about `pivot`. As long as P
    is on the arc, the link's other end stays at its centre: the follower keeps still within 0.07
    degrees and swings by 35.6 in all. `point` lies on the coupler (x along it, y to its left).

    Source: [NortonMachinery] ch. 3, single dwells; Stephenson's third chain; Own dimensions.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.stephenson_six_bar().kinematics(until=1.0)
        >>> print(turn["follower.angle"].ptp("deg"))
        35.58 deg
    """
    m = Builder("Stephenson six-bar", plane=True)
    lengths = (crank, coupler, rocker)
    loop = four_bar_loop(m, 0, complex(ground), lengths, start, points=(None, {"P": point}, None))
    P = loop.B + complex(*point) * cmath.rect(1.0, cmath.phase(loop.C - loop.B))
    F = complex(*pivot)
    E = dyad(F, P, follower, link)
    rod = bar(m, "link", P, E, link)
    output = bar(m, "follower", F, E, follower)
    m.revolute(loop.coupler.P, rod.start, name="pin")
    m.revolute(rod.end, output.end, name="E")
    m.revolute(m.ground.at(*xy(F)), output.start, name="F")
    m.drive(loop.crank.angle, start=start, rpm=60)
    return m.build()
