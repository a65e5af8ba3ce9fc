"""The linkage of Sarrus."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, swing
from kempe.gallery.sketch_in_space import Y_AXIS, marker, placed
from kempe.geometry import GROUND, Pose, Rotation, Vector


@entry
def sarrus(
    *,
    arm: float = 0.3,
    width: float = 0.15,
    start: float = math.radians(40.0),
    amplitude: float = math.radians(30.0),
) -> Mechanism:
    """Two pairs of arms, folding at right angles to each other, lift a plate exactly straight.

    Each pair is hinged to the base and to the plate `width` from their middle, one along x, one
    along y. The plate P stays level over the base, at 2 arm sin a, a being the angle of the lower
    arms, which swing by `amplitude` about `start` (rad). It was the first linkage to move exactly
    straight.

    Source: Pierre-Frederic Sarrus, 1853.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.sarrus().kinematics(until=1.0)
        >>> bool(abs(turn["plate.P"].position[:, :2]).max() < 1e-12)
        True
    """
    m = Builder("linkage of Sarrus")
    rise = 2.0 * arm * math.sin(start) if math.isfinite(start) else start
    w = width
    points = {
        "P": (0.0, 0.0, 0.0),
        "a": (w, -w, 0.0),
        "b": (w, w, 0.0),
        "c": (-w, w, 0.0),
        "d": (-w, -w, 0.0),
    }
    plate = placed(m, "plate", Pose(Vector(0.0, 0.0, rise), Rotation.identity()), points)
    hinge = Rotation.about((1.0, 0.0, 0.0), 0.5 * math.pi)  # its axis is -y
    for word, turn in (("x", 0.0), ("y", 0.5 * math.pi)):
        face = Pose(Vector(0.0, 0.0, 0.0), Rotation.planar(turn))
        edge = face @ Pose(Vector(width, 0.0, 0.0), hinge)
        tip = Pose(Vector(arm, 0.0, 0.0), Rotation.identity())
        ends = {"start": (0.0, 0.0, 0.0), "end": (arm, 0.0, 0.0)}
        at_lower = face @ Pose(Vector(width, 0.0, 0.0), Rotation.about(Y_AXIS, -start))
        at_upper = (
            at_lower
            @ tip
            @ Pose(Vector(0.0, 0.0, 0.0), Rotation.about(Y_AXIS, 2.0 * start - math.pi))
        )
        placed(m, f"lower_{word}", at_lower, ends)
        placed(m, f"upper_{word}", at_upper, ends)
        near, far = Pose(Vector(0.0, 0.0, 0.0), hinge), tip @ Pose(Vector(0.0, 0.0, 0.0), hinge)
        foot = m.revolute(marker(GROUND, edge), marker(f"lower_{word}", near), name=f"foot_{word}")
        m.revolute(
            marker(f"lower_{word}", far), marker(f"upper_{word}", near), name=f"elbow_{word}"
        )
        m.revolute(marker(f"upper_{word}", far), marker(plate.name, edge), name=f"top_{word}")
        if word == "x":
            swing(m, foot.angle, start, amplitude)
    return m.build()
