"""A tray on a four-bar that swings past a post and under a shelf."""

import cmath
import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry, xy
from kempe.geometry.solids import Cuboid, Cylinder, Plate


@entry
def tray_and_post(
    *, crank: float = 0.2, coupler: float = 0.6, rocker: float = 0.5, spacing: float = 0.7,
    width: float = 0.04, post: tuple[float, float] = (0.54, 0.66), radius: float = 0.05,
) -> Mechanism:  # fmt: skip
    """A tray on the coupler of a crank-rocker swings towards a post, and strikes it.

    Bars are plates of a `width`, the tray stands on the coupler, and a round post of a `radius` and
    a shelf are fixed to the ground. Crank and rocker lie in a layer behind the others. Ask
    `interference` of its motion: the tray strikes the post, and clears the shelf.

    Source: Own dimensions.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.tray_and_post().kinematics(until=1.0)
        >>> found = turn.interference()
        >>> [pair.name for pair in found.touching]
        ['coupler.tray - ground.post']
    """
    m = Builder("tray and post", plane=True)
    A, D = 0j, complex(spacing, 0.0)
    B = A + crank
    C = dyad(B, D, coupler, rocker)
    a = m.bar("crank", crank, at=xy(A), angle=0.0)
    b = bar(m, "coupler", B, C, coupler)
    c = m.bar("rocker", rocker, at=xy(D), angle=cmath.phase(C - D))
    m.shape(m.ground, Cylinder(radius, 0.1), at=post, name="post")
    m.shape(m.ground, Cuboid((0.4, 0.03, 0.1)), at=(0.25, 0.75), name="shelf")
    for part, length, layer in ((a, crank, -0.02), (b, coupler, 0.0), (c, rocker, -0.02)):
        m.shape(part, Cuboid((length + width, width, 0.01)), at=(length / 2.0, 0.0, layer),
                name="plate")  # fmt: skip
    rim = ((0.3, 0.02), (0.6, 0.02), (0.6, 0.16), (0.57, 0.16), (0.57, 0.05), (0.3, 0.05))
    m.shape(b, Plate(tuple((x * coupler / 0.6, y) for x, y in rim), 0.02), name="tray")
    m.revolute(m.ground.at(*xy(A)), a.start, name="motor")
    m.revolute(a.end, b.start, name="pin")
    m.revolute(b.end, c.end, name="knuckle")
    m.revolute(m.ground.at(*xy(D)), c.start, name="pivot")
    m.drive(a.angle, speed=math.tau)
    return m.build()
