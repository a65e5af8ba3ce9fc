"""Two Cardan joints in a row."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry
from kempe.gallery.sketch_in_space import X_AXIS, Y_AXIS, forked_shaft, marker, placed, turned
from kempe.geometry import GROUND, Pose, Rotation, Vector
from kempe.joints import Cylindrical, Universal


@entry
def double_cardan(
    *,
    bend: float = math.radians(30.0),
    shaft: float = 0.15,
    middle: float = 0.3,
    fork: float = 0.05,
    start: float = 0.0,
) -> Mechanism:
    """A propeller shaft: two equal Cardan joints undo each other, and output follows input exactly.

    Input and output are parallel, along z; the middle shaft is bent from them by `bend` (rad) about
    x, and its two forks lie in one plane. The middle shaft turns unevenly, the output not at all;
    the output's bearing lets it slide.

    Source: [Shigley] ch. 1.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.double_cardan().kinematics(until=1.0)
        >>> bool(abs(turn["output.angle"].values - turn["input.angle"].values).max() < 1e-12)
        True
    """
    m = Builder("double Cardan joint")
    bent = Pose(Vector(0.0, 0.0, 0.0), Rotation.about(X_AXIS, bend))
    lag = math.atan2(math.cos(bend) * math.sin(start), math.cos(start))
    far = bent.point(Vector(0.0, 0.0, middle))
    beyond = Pose(far, Rotation.identity())
    first = forked_shaft(m, "input", turned(start), -shaft, fork, "x")
    tips = {
        "left": (0.0, -fork, 0.0),
        "right": (0.0, fork, 0.0),
        "far_left": (0.0, -fork, middle),
        "far_right": (0.0, fork, middle),
    }
    second = placed(m, "middle", bent @ turned(lag), tips)
    third = forked_shaft(m, "output", beyond @ turned(start), shaft, fork, "x")
    support = marker(GROUND, beyond @ Pose(Vector(0.0, 0.0, shaft), Rotation.identity()))
    m.revolute(m.ground.at(0, 0, -shaft), first.bearing, name="input_bearing")
    m.add(Cylindrical(support, third.bearing), "output_bearing")
    m.add(Universal(first.at(0, 0).facing(X_AXIS), second.at(0, 0).facing(Y_AXIS)), "first_cross")
    near, end = second.at(0, 0, middle).facing(Y_AXIS), third.at(0, 0).facing(X_AXIS)
    m.add(Universal(near, end), "second_cross")
    m.drive(first.angle, start=start, rpm=60)
    return m.build()
