"""Whether joints went together the way round they are meant to."""

from kempe.compile.layout.layout import Layout
from kempe.equations import Equations
from kempe.geometry import GROUND, Pose
from kempe.joints import AbstractJoint
from kempe.kinematics.closing.closing import FloatArray
from kempe.kinematics.closing.given_poses import TOLD_TURN, TOLD_WAY, Given
from kempe.kinematics.closing.poses import body_pose
from kempe.kinematics.closing.winding import initial_turns


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


def put_wrong(equations: Equations, t: float, given: Given) -> tuple[str, str] | None:
    """The first joint that the given poses alone close the wrong way round, and what is wrong.

    Such a body was put so: turning it over would be half a turn away from all that was said. It
    counts as closed where nothing would be told of a start that far off.
    """
    at = equations.layout.coordinates
    placed = {GROUND} | {
        body.name
        for k, body in enumerate(equations.layout.model.moving)
        if given.counts[at.v_of(k)].all()
    }
    suspects = {
        k: wrong
        for k, joint in enumerate(equations.layout.model.joints)
        if all(marker.body in placed for marker in joint.markers)
        and (wrong := _opposed(equations.layout, given.q, joint)) is not None
    }
    if not suspects:
        return None
    rows = equations.program.shape.rows
    last = initial_turns(equations, t, given.q)
    phi = equations.evaluate(given.q, t, last)[0] * equations.row_weights
    for k, wrong in suspects.items():
        mine = [(r.unit, abs(x)) for r, x in zip(rows, phi, strict=True) if r.element == k]
        if all(x <= (TOLD_WAY if unit == "m" else TOLD_TURN) for unit, x in mine):
            return equations.layout.model.joints[k].name, wrong
    return None


def _opposed(layout: Layout, q: FloatArray, joint: AbstractJoint) -> str | None:
    """What is wrong with a joint that is clearly the wrong way round."""
    if not joint.sides:
        return None
    X_WI, X_WJ = (body_pose(layout, q, m.body) @ m.pose for m in (joint.I, joint.J))
    wrong = (side.wrong for side in joint.sides if side.value(X_WI, X_WJ) < -TOLD_TURN)
    return next(wrong, None)
