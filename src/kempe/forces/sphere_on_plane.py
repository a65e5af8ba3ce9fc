"""A ball on a floor, a disc on a line."""

from dataclasses import dataclass
from typing import final

from kempe.forces.contact import AbstractContact, Touch
from kempe.geometry import Axis, Pose, Scalar, Vector
from kempe.units import Metres


@final
@dataclass(frozen=True)
class SphereOnPlane(AbstractContact):
    """A ball about the origin of J on the plane through I square to an axis of I.

    gap = (p_WJ - p_WI) . n - r

    `normal` is the axis of I that points out of the ground; the plane has no end. In the plane it
    is a disc on a line, and the normal X or Y. Laws of the contact: `AbstractContact`.

    Own.
    """

    normal: Axis
    radius: Metres

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_positive({"radius": "m"})

    def touches(self, X_WI: Pose, X_WJ: Pose) -> list[Touch]:
        return [ball_on_plane(X_WI, self.normal, X_WJ.position, self.radius)]


def ball_on_plane(X_WI: Pose, normal: Axis, centre: Vector, radius: Scalar) -> Touch:
    """Where a ball of `radius` (m) about a `centre` (m) is nearest to the plane of I.

    The plane goes through the origin of `X_WI`, square to its axis `normal`; all in world axes.
    """
    n = X_WI.axis(normal)
    gap = (centre - X_WI.position) @ n - radius
    return Touch(gap, n, centre - n * (radius + 0.5 * gap))
