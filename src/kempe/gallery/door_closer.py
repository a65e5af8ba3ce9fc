"""A door that is pushed open and closes by itself."""

import math

from kempe.errors import BadNumber
from kempe.events import Stop
from kempe.forces import Control, SpringDamper
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_of_masses import let_go, slender
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.number import positive
from kempe.geometry.solids import Cuboid, Plate
from kempe.joints import Rod

PINION = (0.24, 0.05)  # m, of the closer's axle on the door
BRACKET = (-0.12, 0.15)  # m, where the link is held on the frame
ARM, LINK = 0.22, 0.26  # m
THICK = 0.04  # m, of the door
# Beside the door the arm turns forward as it shuts; a is the door's angle.
HOME = "last + (closing - last) * 0.5 * (1 + tanh((a - latch) / change))"
OIL = f"-(opening + ({HOME} - opening) * 0.5 * (1 + tanh(x_rate / slow))) * x_rate"


@let_go(8.0, "door.P")
def door_closer(
    *, push: float = 32.0, spring: float = 9.0, preload: float = 12.0, closing: float = 60.0,
    width: float = 0.9, mass: float = 25.0,
) -> Mechanism:  # fmt: skip
    """A door is pushed open, and its closer brings it back against oil, without slamming.

    Seen from above. The closer on the door turns an arm, which a link holds on to the frame. A
    spring winds up as the door opens: `preload` (N m) where it is shut, and `spring` (N m/rad)
    more. Oil lets the arm swing out, holds it back by `closing` (N m s/rad) on the way home, and
    over the last 8 deg by less, so that the bolt still snaps in. Somebody pushes it by `push` (N m)
    and less and less, until 1.5 s. The frame is a stop.

    Own: masses and sizes.

    Examples:
        >>> import kempe
        >>> visit = kempe.gallery.door_closer().simulate(until=8.0)
        >>> shut = [event for event in visit.events if event.kind == "impact"][-1]
        >>> print(f"open to {visit['hinge.angle'].to('deg').max():.0f} deg, shut at {shut.t:.1f} s")
        open to 85 deg, shut at 6.0 s
    """
    positive(width, "the width of the door")
    if not width > PINION[0]:
        raise BadNumber(f"the door is {width:g} m wide: it must be wider than {PINION[0]:g} m.")
    m = Builder("door closer", plane=True)
    solid = Cuboid((width, THICK, 2.0))
    inertia = solid.inertia(mass=mass, at=Pose(Vector(0.5 * width, 0.0, 0.0), Rotation.identity()))
    door = m.body(
        "door", points={"P": (width, 0), "pinion": PINION}, at=(0, 0), angle=0.0, inertia=inertia
    )
    m.shape(door, solid, at=(0.5 * width, 0))
    m.shape(door, Plate(_box(0.05, 0.34, 0.5 * THICK, 0.08), 0.05))
    for name, middle in (("hinge_post", -0.13), ("bolt_post", width + 0.13)):
        post = _box(middle - 0.12, middle + 0.12, -0.06, 0.03)
        m.shape(m.ground, Plate(post, 1.0), name=name)
    angle = _elbow()
    arm = m.bar("arm", ARM, at=PINION, angle=angle, inertia=slender(0.3, ARM))
    hinge = m.revolute(m.ground.at(0, 0), door.at(0, 0), name="hinge")
    axle = m.revolute(door.pinion, arm.start, name="axle")
    m.add(Rod(m.ground.at(*BRACKET), arm.end, length=LINK), "link")
    free = angle + preload / positive(spring, "the spring")
    m.force(SpringDamper(axle.angle, stiffness=spring, free=free), "spring")
    numbers = {
        "opening": 0.5,
        "closing": closing,
        "last": 0.75 * closing,
        "latch": math.radians(8.0),
        "change": math.radians(2.0),
        "slow": 0.01,
    }
    valves = tuple(numbers), tuple(numbers.values())
    m.force(Control(axle.angle, OIL, (hinge.angle,), ("a",), *valves), "oil")
    m.force(Control(hinge.angle, f"{push!r} * cos({math.pi / 3.0!r} * min(t, 1.5))^2"), "visitor")
    m.event(Stop(hinge.angle, low=0.0, high=math.radians(95.0)), "frame")
    return m.build()


def _box(left: float, right: float, low: float, high: float) -> tuple[tuple[float, float], ...]:
    return ((left, low), (right, low), (right, high), (left, high))


def _elbow() -> float:
    """The angle of the arm where the door is shut, by the law of cosines."""
    x, y = BRACKET[0] - PINION[0], BRACKET[1] - PINION[1]
    far = math.hypot(x, y)
    bend = math.acos((ARM**2 + far**2 - LINK**2) / (2.0 * ARM * far))
    return math.atan2(y, x) - bend
