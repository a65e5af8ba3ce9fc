"""Whether joints went together the way round they are meant to."""

from kempe.compile.layout import Layout
from kempe.geometry import Pose
from kempe.kinematics.closing import FloatArray
from kempe.kinematics.poses import body_pose


def wrong_side(layout: Layout, q: FloatArray) -> tuple[str, str] | None:
    """The first joint that is the wrong way round in the configuration q, and what is wrong."""
    poses: dict[str, Pose] = {}  # X_WB, each made once
    for joint in layout.model.joints:
        if not joint.sides:
            continue
        for body in (joint.I.body, joint.J.body):
            if body not in poses:
                poses[body] = body_pose(layout, q, body)
        X_WI, X_WJ = (poses[m.body] @ m.pose for m in (joint.I, joint.J))
        for side in joint.sides:
            if side.value(X_WI, X_WJ) < 0.0:
                return joint.name, side.wrong
    return None


def has_sides(layout: Layout, q: FloatArray) -> bool:
    """Whether every joint is the right way round in the configuration q."""
    return wrong_side(layout, q) is None
