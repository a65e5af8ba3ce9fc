"""What constraints on bars share. A bar is the line through two points, its start and its end."""

from kempe.geometry.curves.domain import Domain
from kempe.geometry.pose import Pose
from kempe.geometry.vector import Scalar, Vector

SHARES = Domain(0.0, 1.0)  # of a bar, from its start to its end


def along(X_WA: Pose, X_WB: Pose) -> Vector:
    """u = p_WB - p_WA, the bar from A to B."""
    return X_WB.position - X_WA.position


def flexible(*bars: tuple[Vector, Scalar | None]) -> list[Vector]:
    """Those of some bars, each with its length where that is fixed, that can shrink to nothing."""
    return [u for u, length in bars if length is None]


def squared_length(u: Vector, known: Scalar | None) -> Scalar:
    """|u|^2, a number where the bar's length is known."""
    return u.square if known is None else known * known


def squared_distance(X_WP: Pose, X_WA: Pose, u: Vector, known: Scalar | None) -> Scalar:
    """|(P - A) x u|^2 / |u|^2, the squared distance of P from the bar."""
    return (X_WP.position - X_WA.position).cross(u).square / squared_length(u, known)


def share_of(place: Vector, X_WA: Pose, X_WB: Pose) -> float:
    """Where along a bar the foot of a place lies, kept between its ends."""
    u = along(X_WA, X_WB)
    share = float((place - X_WA.position) @ u) / max(float(u.square), 1e-300)
    return min(max(share, SHARES.low), SHARES.high)
