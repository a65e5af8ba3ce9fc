"""What constraints on bars share. A bar is the line through two points, its start and its end."""

from kempe.geometry.pose import Pose
from kempe.geometry.vector import Scalar, Vector


def along(X_WA: Pose, X_WB: Pose) -> Vector:
    """u = p_WB - p_WA, the bar from A to B."""
    return X_WB.position - X_WA.position


def squared_length(u: Vector, known: Scalar | None) -> Scalar:
    """|u|^2, a number where the bar's length is known."""
    return u.square if known is None else known * known


def squared_distance(X_WP: Pose, X_WA: Pose, u: Vector, known: Scalar | None) -> Scalar:
    """|(P - A) x u|^2 / |u|^2, the squared distance of P from the bar."""
    return (X_WP.position - X_WA.position).cross(u).square / squared_length(u, known)
