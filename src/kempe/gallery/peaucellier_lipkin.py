"""The inversor of Peaucellier and Lipkin."""

import math

from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch import bar, dyad, entry, polar, swing


@entry
def peaucellier_lipkin(
    *,
    crank: float = 1.0,
    arm: float = 2.5,
    side: float = 1.3,
    start: float = 0.0,
    amplitude: float = math.radians(90.0),
) -> Mechanism:
    """Seven bars that draw an exact straight line: the first linkage in the plane that did.

    Two arms from O = (0, 0) hold a rhombus by opposite corners, so that |OC| |OP| is constant; the
    crank moves C on a circle about (crank, 0) through O, and P runs along the line
    x = (arm^2 - side^2) / (2 crank). The crank swings by `amplitude` about `start` (rad) once per
    second; where |OC| = arm - side, at 106 degrees here, the arms are folded and it cannot go on.

    Source: Charles-Nicolas Peaucellier, 1864; Yom Tov Lipman Lipkin, 1871; [Kempe].

    Examples:
        >>> import kempe
        >>> swing = kempe.gallery.peaucellier_lipkin().kinematics(until=1.0)
        >>> bool(abs(swing["far_left.P"].position[:, 0] - 2.28).max() < 1e-12)
        True
    """
    m = Builder("Peaucellier-Lipkin linkage", plane=True)
    C = crank + polar(crank, start)
    driver = bar(m, "crank", complex(crank), C, crank)
    m.revolute(m.ground.at(crank, 0), driver.start, name="Q")
    ends: dict[str, tuple[BodyPart, BodyPart, BodyPart]] = {}
    corners = {"left": dyad(0, C, arm, side), "right": dyad(C, 0, side, arm)}
    P = sum(corners.values()) - C
    for word, corner in corners.items():
        near = bar(m, f"near_{word}", C, corner, side)
        far = bar(m, f"far_{word}", corner, P, side, {"P": (side, 0.0)})
        long = bar(m, f"arm_{word}", 0, corner, arm)
        m.revolute(m.ground.at(0, 0), long.start, name=f"O_{word}")
        m.revolute(driver.end, near.start, name=f"C_{word}")
        m.revolute(long.end, near.end, name=f"near_pin_{word}")
        m.revolute(long.end, far.start, name=f"far_pin_{word}")
        ends[word] = (near, far, long)
    m.revolute(ends["left"][1].end, ends["right"][1].end, name="tip")
    swing(m, driver.angle, start, amplitude)
    return m.build()
