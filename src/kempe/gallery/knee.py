"""The knee's cruciate ligaments."""

import cmath
import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import bar, dyad, entry, polar, swing, xy


@entry
def knee(
    *, anterior: float = 0.032, posterior: float = 0.030, femur: float = 0.013,
    plateau: tuple[float, float] = (0.026, 0.006), thigh: float = 0.05,
    flexion: float = math.radians(120.0),
) -> Mechanism:  # fmt: skip
    """The knee as a crossed four-bar: two cruciate ligaments between the shin and the thigh bone.

    The shin bone is the ground: its ends of the anterior and posterior ligament lie at (0, 0) and
    (-plateau[0], -plateau[1]), front to the right. The thigh bone P hangs on both ligaments, whose
    crossing is at every moment the centre it turns about; it bends from straight to `flexion` (rad)
    and back once per second, and the centre moves back as it bends.

    Source: [Mueller] the crossed four-bar; Own dimensions, of the size of a human knee.

    Examples:
        >>> import kempe
        >>> bend = kempe.gallery.knee().kinematics(until=1.0)
        >>> print(bend["femur.angle"].ptp("deg"))
        120 deg
    """
    m = Builder("the knee's cruciate four-bar", plane=True)
    A, D = 0j, complex(-plateau[0], -plateau[1])
    straight = math.radians(-50.0)  # of the line between the femur's ends of the ligaments
    angle = straight + 0.5 * flexion
    across = polar(femur, angle)
    # the femur's end of the anterior ligament lies `across` from that of the posterior one
    B = dyad(D - across, A, posterior, anterior)
    up = polar(thigh, 0.5 * math.pi - straight)
    front = m.bar("anterior", anterior, at=xy(A), angle=cmath.phase(B - A))
    back = bar(m, "posterior", D, B + across, posterior)
    bone = m.bar("femur", femur, at=xy(B), angle=angle, points={"P": xy(up)})
    m.revolute(m.ground.at(*xy(A)), front.start, name="A")
    m.revolute(front.end, bone.start, name="B")
    m.revolute(back.end, bone.end, name="C")
    m.revolute(m.ground.at(*xy(D)), back.start, name="D")
    swing(m, bone.angle, angle, 0.5 * flexion)
    return m.build()
