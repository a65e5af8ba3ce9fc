"""A constant-velocity joint."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry
from kempe.gallery.sketch_in_space import X_AXIS, forked_shaft, marker, turned
from kempe.geometry import GROUND, Pose, Rotation, Vector
from kempe.joints import ConstantVelocity


@entry
def constant_velocity(
    *,
    bend: float = math.radians(30.0),
    shaft: float = 0.2,
    fork: float = 0.05,
    start: float = 0.0,
) -> Mechanism:
    """Two shafts that meet at an angle and turn alike at every moment, as at a driven front wheel.

    The input lies along z, the output is bent from it by `bend` (rad) about x. What joins them, six
    balls in grooves or a tripod, is left to the joint: it keeps both spins equal.

    Source: [Hunt] on constant-velocity couplings; Alfred Rzeppa, 1927.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.constant_velocity().kinematics(until=1.0)
        >>> ratio = turn["output_bearing.angle"].rate / turn["input_bearing.angle"].rate
        >>> bool(abs(ratio - 1.0).max() < 1e-12)
        True
    """
    m = Builder("constant-velocity joint")
    bent = Pose(Vector(0.0, 0.0, 0.0), Rotation.about(X_AXIS, bend))
    first = forked_shaft(m, "input", turned(start), -shaft, fork, "x")
    second = forked_shaft(m, "output", bent @ turned(start), shaft, fork, "x")
    support = marker(GROUND, bent @ Pose(Vector(0.0, 0.0, shaft), Rotation.identity()))
    drive = m.revolute(m.ground.at(0, 0, -shaft), first.bearing, name="input_bearing")
    m.revolute(support, second.bearing, name="output_bearing")
    m.add(ConstantVelocity(first.at(0, 0), second.at(0, 0)), "joint", flip=True)
    m.drive(drive.angle, start=start, rpm=60)
    return m.build()
