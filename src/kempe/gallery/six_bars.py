"""Six-bars: a four-bar and a link to a follower."""

import cmath
import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry, four_bar_loop, four_bar_with_point, polar, xy
from kempe.geometry import Marker


@entry
def stephenson_six_bar(
    *, crank: float = 0.1, coupler: float = 0.4, rocker: float = 0.4, ground: float = 0.35,
    point: tuple[float, float] = (0.74641, -0.2), link: float = 0.315, follower: float = 0.25,
    pivot: tuple[float, float] = (0.325, 0.873), start: float = 0.0,
) -> Mechanism:  # fmt: skip
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
    lengths = (crank, coupler, rocker)
    m, loop = four_bar_with_point("Stephenson six-bar", ground, lengths, start, point)
    P = loop.B + complex(*point) * cmath.rect(1.0, cmath.phase(loop.C - loop.B))
    F = complex(*pivot)
    E = dyad(F, P, follower, link)
    _follow(m, "pin", loop.coupler.P, (P, E, F), (link, follower))
    m.drive(loop.crank.angle, start=start, rpm=60)
    return m.build()


@entry
def watt_six_bar(
    *, crank: float = 0.1, coupler: float = 0.28, rocker: float = 0.15, arm: float = 0.2,
    bend: float = math.radians(30.0), link: float = 0.3, follower: float = 0.12,
    grounds: tuple[float, float] = (0.25, 0.2), start: float = 0.0,
) -> Mechanism:  # fmt: skip
    """Two four-bars in a row: the rocker of the first carries an arm that drives the second.

    The crank turns about (0, 0), the rocker at `grounds[0]` from it along x, the follower at
    `grounds[1]` from that. The arm stands `bend` (rad) ahead of the rocker. Here the rocker swings
    by 96.9 degrees and the follower by 136.6, more than one four-bar gives with so sound angles
    between its links.

    Source: [Shigley] ch. 1, Watt's chain with a three-hinged link on the ground; Own dimensions.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.watt_six_bar().kinematics(until=1.0)
        >>> print(turn["rocker.angle"].ptp("deg"), turn["follower.angle"].ptp("deg"))
        96.91 deg 136.6 deg
    """
    m = Builder("Watt six-bar", plane=True)
    D, F = complex(grounds[0]), complex(grounds[0] + grounds[1])
    tip = polar(arm, bend)
    loop = four_bar_loop(
        m, 0, D, (crank, coupler, rocker), start, points=(None, None, {"arm": xy(tip)})
    )
    S = D + tip * cmath.rect(1.0, cmath.phase(loop.C - D))
    E = dyad(S, F, link, follower)
    _follow(m, "S", loop.rocker.arm, (S, E, F), (link, follower))
    m.drive(loop.crank.angle, start=start, rpm=60)
    return m.build()


def _follow(
    m: Builder,
    name: str,
    hold: Marker,
    places: tuple[complex, complex, complex],
    lengths: tuple[float, float],
) -> None:
    """A link from a point of the four-bar to E, and the follower about F that it moves."""
    P, E, F = places
    link, follower = bar(m, "link", P, E, lengths[0]), bar(m, "follower", F, E, lengths[1])
    m.revolute(hold, link.start, name=name)
    m.revolute(link.end, follower.end, name="E")
    m.revolute(m.ground.at(*xy(F)), follower.start, name="F")
