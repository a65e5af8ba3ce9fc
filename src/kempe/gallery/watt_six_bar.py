"""Watt's six-bar."""

import cmath
import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry, four_bar_loop, polar, xy


@entry
def watt_six_bar(
    *,
    crank: float = 0.1,
    coupler: float = 0.28,
    rocker: float = 0.15,
    arm: float = 0.2,
    bend: float = math.radians(30.0),
    link: float = 0.3,
    follower: float = 0.12,
    grounds: tuple[float, float] = (0.25, 0.2),
    start: float = 0.0,
) -> Mechanism:
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
    rod = bar(m, "link", S, E, link)
    output = bar(m, "follower", F, E, follower)
    m.revolute(loop.rocker.arm, rod.start, name="S")
    m.revolute(rod.end, output.end, name="E")
    m.revolute(m.ground.at(*xy(F)), output.start, name="F")
    m.drive(loop.crank.angle, start=start, rpm=60)
    return m.build()
