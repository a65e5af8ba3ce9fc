"""The wobble-plate pump."""

import math

import numpy as np

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import count, entry, root
from kempe.gallery.sketch_in_space import (
    X_AXIS,
    Y_AXIS,
    Z_AXIS,
    FloatArray,
    marker,
    placed,
    triple,
    turned,
)
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.solids import Cylinder
from kempe.joints import PerpendicularAxes, Rod

WIDE, HIGH = 0.2, 0.3  # of the plate's radius: a piston's radius and height


@entry
def wobble_plate(
    *, cylinders: int = 5, radius: float = 0.08, tilt: float = math.radians(15.0),
    rod: float = 0.12, start: float = 0.0,
) -> Mechanism:  # fmt: skip
    """A slanted shaft makes a plate wobble without turning; its rim pushes pistons up and down.

    The shaft turns about z; the plate sits on a journal tilted by `tilt` (rad) and is kept from
    turning as by a cross, its y axis staying square to the world's x. Rods join points on the
    circle of that radius to pistons above, `cylinders` of them.

    Source: [Shigley] ch. 1, wobble plate; Own dimensions.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.wobble_plate().kinematics(until=1.0)
        >>> print(turn["piston1.z"].ptp("mm"))
        41.41 mm
    """
    count(cylinders, "wobble_plate: cylinders", 1, 24)
    m = Builder(f"wobble-plate pump of {cylinders} cylinders")
    journal = Rotation.about(Y_AXIS, tilt)
    normal = (Rotation.planar(start) @ journal).z
    y = normal.cross(Vector(1.0, 0.0, 0.0))
    y = y / (float(y.norm) or math.nan)
    level = Rotation(y.cross(normal), y, normal)
    arm = {"low": (0.0, 0.0, -0.5 * rod), "start": (0.0, 0.0, 0.0)}
    shaft = placed(m, "shaft", turned(start), arm)
    rim = {f"rim{k + 1}": triple(_on_circle(radius, k, cylinders)) for k in range(cylinders)}
    plate = placed(m, "plate", Pose(Vector(0.0, 0.0, 0.0), level), rim)
    m.revolute(m.ground.at(*arm["low"]), shaft.low, name="bearing")
    m.revolute(
        marker("shaft", Pose(Vector(0.0, 0.0, 0.0), journal)), plate.at(0, 0), name="journal"
    )
    fork = PerpendicularAxes(m.ground.at(0, 0).facing(X_AXIS), plate.at(0, 0).facing(Y_AXIS))
    m.add(fork, "fork")
    for k in range(cylinders):
        bore = _on_circle(radius, k, cylinders)
        ball = level.apply(Vector(*triple(bore)))
        lift = float(ball.z) + root(rod * rod - (ball.x - bore[0]) ** 2 - (ball.y - bore[1]) ** 2)
        at = (float(bore[0]), float(bore[1]), lift)
        head = Cylinder(WIDE * radius, HIGH * radius)
        piston = m.body(f"piston{k + 1}", at=at, rotation=Rotation.identity(), shape=head)
        guide = m.ground.at(float(bore[0]), float(bore[1]), 0.0)
        m.prismatic(guide, piston.at(0, 0), along=Z_AXIS, name=f"bore{k + 1}")
        m.add(Rod(plate.point(f"rim{k + 1}"), piston.at(0, 0), length=rod), f"rod{k + 1}")
    m.drive(shaft.angle, start=start, rpm=60)
    return m.build()


def _on_circle(radius: float, k: int, n: int) -> FloatArray:
    angle = math.tau * k / n
    return radius * np.array([math.cos(angle), math.sin(angle), 0.0])
