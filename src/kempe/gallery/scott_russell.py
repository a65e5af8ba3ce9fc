"""The Scott Russell linkage."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, polar, swing, xy


@entry
def scott_russell(
    *,
    crank: float = 1.0,
    start: float = 0.0,
    amplitude: float = math.radians(80.0),
) -> Mechanism:
    """A crank holds the middle of a rod twice its length; one end slides, the other runs square.

    The crank turns about (0, 0), the slider moves along x, and the far end P moves along y exactly:
    y = 2 crank sin(angle). The crank swings by `amplitude` about `start` (rad) once per second; at
    90 degrees the slider stands on the pivot, a change point.

    Source: William Freemantle, patent of 1803; named after John Scott Russell.

    Examples:
        >>> import kempe
        >>> swing = kempe.gallery.scott_russell().kinematics(until=1.0)
        >>> print(f"{swing['rod.P'].position[:, 1].max():.4f}")  # 2 sin(80 deg)
        1.9696
    """
    m = Builder("Scott Russell linkage", plane=True)
    B = polar(crank, start)
    foot = complex(2.0 * B.real)
    a = m.bar("crank", crank, at=(0, 0), angle=start)
    b = m.bar(
        "rod", 2.0 * crank, points={"P": (2.0 * crank, 0.0)}, at=xy(foot), angle=math.pi - start
    )
    c = m.body("slider", at=xy(foot))
    m.revolute(m.ground.at(0, 0), a.start, name="A")
    m.revolute(a.end, b.at(crank, 0), name="B")
    m.revolute(b.start, c.at(0, 0), name="C")
    m.prismatic(m.ground.at(0, 0), c.at(0, 0), name="guide")
    swing(m, a.angle, start, amplitude)
    return m.build()
