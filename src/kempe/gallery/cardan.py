"""Cardan's joint."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry
from kempe.gallery.sketch_in_space import X_AXIS, Y_AXIS, forked_shaft, marker, turned
from kempe.geometry import GROUND, Pose, Rotation, Vector
from kempe.joints import Universal


@entry
def cardan(
    *,
    bend: float = math.radians(30.0),
    shaft: float = 0.2,
    fork: float = 0.05,
    start: float = 0.0,
) -> Mechanism:
    """Two shafts that meet at an angle, joined by a cross: the output lags and hurries by turns.

    The input lies along z, the output is bent from it by `bend` (rad) about x; at angle 0 the
    input's fork holds the cross along x. tan(output) = cos(bend) tan(input), so the speeds are as
    cos(bend) / (1 - sin^2(bend) sin^2(input)) to 1: between 0.866 and 1.155 at 30 degrees.

    Source: Gerolamo Cardano; Robert Hooke, 1676; [Shigley] ch. 1.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.cardan().kinematics(until=1.0)
        >>> ratio = turn["output_bearing.angle"].rate / turn["input_bearing.angle"].rate
        >>> print(f"{ratio.min():.4f} {ratio.max():.4f}")
        0.8660 1.1547
    """
    m = Builder("Cardan joint")
    bent = Pose(Vector(0.0, 0.0, 0.0), Rotation.about(X_AXIS, bend))
    lag = math.atan2(math.cos(bend) * math.sin(start), math.cos(start))
    first = forked_shaft(m, "input", turned(start), -shaft, fork, "x")
    second = forked_shaft(m, "output", bent @ turned(lag), shaft, fork, "y")
    support = marker(GROUND, bent @ Pose(Vector(0.0, 0.0, shaft), Rotation.identity()))
    drive = m.revolute(m.ground.at(0, 0, -shaft), first.bearing, name="input_bearing")
    m.revolute(support, second.bearing, name="output_bearing")
    m.add(Universal(first.at(0, 0).facing(X_AXIS), second.at(0, 0).facing(Y_AXIS)), "cross")
    m.drive(drive.angle, start=start, rpm=60)
    return m.build()
