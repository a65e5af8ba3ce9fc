"""The arm of an excavator."""

import cmath
import math

from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch import bar, dyad, entry, polar, swing, xy
from kempe.geometry import Marker

BOOM, STICK, BUCKET = 5.7, 2.9, 1.5  # m, hinge to hinge, and to the teeth
BOOM_EYES = {"lift": (2.3, 0.2), "crowd": (2.9, 0.9), "elbow": (2.6, 0.8)}
STICK_EYES = {"horn": (-0.85, 0.3), "curl": (0.1, 0.6), "pivot": (2.45, 0.0)}
LEVER, LINK, BUCKET_EYE = 0.65, 0.6, (0.05, 0.45)
CHASSIS_EYE = complex(0.75, -0.8)


@entry
def excavator_arm(
    *,
    boom: float = math.radians(38.0),
    stick: float = math.radians(-80.0),
    bucket: float = math.radians(-105.0),
    strokes: tuple[float, float, float] = (0.25, 0.35, 0.25),
) -> Mechanism:
    """Boom, stick and bucket of a digger, moved by three hydraulic cylinders.

    The boom turns about (0, 0). `boom`, `stick` and `bucket` are their angles (rad) at the start;
    the cylinders are driven, by `strokes` (m) to either side, so that the teeth P go round: reach
    out, dig, curl, lift. Each cylinder's length follows from the triangle it spans; the bucket
    hangs on a lever and a link, a four-bar on the stick.

    Source: Own dimensions, of a machine of twenty tonnes.

    Examples:
        >>> import kempe
        >>> kempe.gallery.excavator_arm().kinematics(until=1.0).outcome.name
        'Done'
    """
    m = Builder("excavator arm", plane=True)
    A = polar(BOOM, boom)
    B = A + polar(STICK, stick)
    b1 = m.bar("boom", BOOM, at=(0, 0), angle=boom, points=BOOM_EYES)
    b2 = m.bar("stick", STICK, at=xy(A), angle=stick, points=STICK_EYES)
    teeth = {"P": (BUCKET, 0.0), "eye": BUCKET_EYE, "floor": (0.75, -0.75), "heel": (0.1, -0.6)}
    b3 = m.body("bucket", points=teeth, at=xy(B), angle=bucket, outline=tuple(teeth))
    eye = B + complex(*BUCKET_EYE) * polar(1.0, bucket)
    pivot = A + complex(*STICK_EYES["pivot"]) * polar(1.0, stick)
    knuckle = dyad(pivot, eye, LEVER, LINK)
    lever = bar(m, "lever", pivot, knuckle, LEVER)
    link = bar(m, "link", knuckle, eye, LINK)
    m.revolute(m.ground.at(0, 0), b1.start, name="foot")
    m.revolute(b1.end, b2.start, name="elbow_pin")
    m.revolute(b2.end, b3.at(0, 0), name="wrist")
    m.revolute(b2.pivot, lever.start, name="lever_pin")
    m.revolute(lever.end, link.start, name="knuckle")
    m.revolute(link.end, b3.eye, name="bucket_pin")
    eyes = (
        ("lift", m.ground.at(*xy(CHASSIS_EYE)), CHASSIS_EYE, b1.lift, _on(b1, "lift", 0, boom)),
        ("crowd", b1.crowd, _on(b1, "crowd", 0, boom), b2.horn, _on(b2, "horn", A, stick)),
        ("curl", b2.curl, _on(b2, "curl", A, stick), lever.end, knuckle),
    )
    for (name, I, a, J, b), stroke, phase in zip(eyes, strokes, (0.0, 1.6, 3.2), strict=True):
        _cylinder(m, name, (I, J), (a, b), stroke, phase)
    return m.build()


def _on(part: BodyPart, point: str, origin: complex, angle: float) -> complex:
    """Where a point of a body lies at the start."""
    x, y, _ = part.point(point).position
    return origin + complex(x, y) * polar(1.0, angle)


def _cylinder(
    m: Builder,
    name: str,
    eyes: tuple[Marker, Marker],
    ends: tuple[complex, complex],
    stroke: float,
    phase: float,
) -> None:
    """Barrel and piston rod between two eyes; the length between the eyes swings by the stroke."""
    length = abs(ends[1] - ends[0])
    angle = cmath.phase(ends[1] - ends[0])
    rod = 0.55 * length  # the piston rod, from its eye to the piston
    barrel = m.bar(f"{name}_barrel", 0.6 * length, at=xy(ends[0]), angle=angle)
    piston = m.body(
        f"{name}_rod",
        points={"piston": (-rod, 0.0), "eye": (0.0, 0.0)},
        at=xy(ends[1]),
        angle=angle,
        outline=("piston", "eye"),
    )
    m.revolute(eyes[0], barrel.start, name=f"{name}_base")
    m.revolute(eyes[1], piston.eye, name=f"{name}_eye")
    bore = m.prismatic(barrel.start, piston.piston, name=f"{name}_bore")
    swing(m, bore.displacement, length - rod, stroke, phase)
