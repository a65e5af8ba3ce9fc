"""A Cardan shaft with flywheels."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_in_space import X_AXIS, Y_AXIS, marker
from kempe.gallery.sketch_of_masses import let_go
from kempe.geometry import GROUND, Inertia, Pose, Rotation, Vector
from kempe.geometry.solids import Cylinder
from kempe.joints import Universal


@let_go(2.0, "output.P")
def cardan_shaft(
    *,
    bend: float = math.radians(35.0),
    shaft: float = 0.2,
    fork: float = 0.05,
    driver: float = 0.5,
    driven: float = 2.0,
    spin: float = 10.0,
) -> Mechanism:
    """Two flywheels on shafts that meet at an angle: neither can turn evenly, they trade speed.

    The wheels weigh `driver` and `driven` (kg). No torque acts and the energy stays, so that the
    input turns with w^2 (I1 + I2 n^2) = const, n = cos(bend) / (1 - sin^2(bend) sin^2(a)).

    Source: [Shigley] ch. 1 for the ratio n.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.cardan_shaft().simulate(until=2.0)
        >>> speed = turn["input_bearing.angle"].rate
        >>> print(f"{speed.min():.3f} to {speed.max():.3f} rad/s")
        7.275 to 10.000 rad/s
    """
    m = Builder("Cardan shaft")
    bent = Pose(Vector(0.0, 0.0, 0.0), Rotation.about(X_AXIS, bend))
    here = Pose.identity()
    shafts = []
    for name, pose, along, mass in (
        ("input", here, -shaft, driver),
        ("output", bent, shaft, driven),
    ):
        tip = (fork, 0.0, 0.0) if name == "input" else (0.0, fork, 0.0)
        points = {
            "bearing": (0.0, 0.0, along),
            "left": (-tip[0], -tip[1], 0.0),
            "P" if name == "output" else "right": tip,
        }
        shafts.append(
            m.body(
                name,
                points=points,
                outline=tuple(points),
                at=(0, 0, 0),
                rotation=pose.rotation,
                inertia=_wheel(fork, mass),
            )
        )
    first, second = shafts
    support = marker(GROUND, bent @ Pose(Vector(0.0, 0.0, shaft), Rotation.identity()))
    turn = m.revolute(m.ground.at(0, 0, -shaft), first.bearing, name="input_bearing")
    m.revolute(support, second.bearing, name="output_bearing")
    m.add(Universal(first.at(0, 0).facing(X_AXIS), second.at(0, 0).facing(Y_AXIS)), "cross")
    m.rate(turn.angle, spin)
    return m.build()


def _wheel(radius: float, mass: float) -> Inertia:
    return Cylinder(radius, 0.4 * radius).inertia(mass=mass)
