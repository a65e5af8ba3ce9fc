"""Corners on a floor: any convex body with flat sides, a polygon on a line."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

from kempe.errors import BadNumber
from kempe.forces.contact import AbstractContact, Touch
from kempe.geometry import Axis, Pose, Vector
from kempe.geometry.number import finite
from kempe.units import Metres


@final
@dataclass(frozen=True)
class CornersOnPlane(AbstractContact):
    """The corners of a body J, each with a force of its own, on the plane through I.

    gap_k = (X_WJ c_k - p_WI) . n

    `corners` c_k (m) are given in the frame of J; those of a convex body with flat sides are all
    that can touch a plane, and in the plane those of a polygon that can touch a line. `normal` is
    the axis of I that points out of the ground. The stiffness is that of one corner. Laws of the
    contact: `AbstractContact`.

    Own.
    """

    normal: Axis
    corners: tuple[tuple[Metres, Metres, Metres], ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        given: Any = self.corners
        corners = tuple(
            tuple(finite(x, f"a corner of {self._called}", "m") for x in corner) for corner in given
        )
        if not corners or any(len(corner) not in (2, 3) for corner in corners):
            raise BadNumber(f"{self._called} needs corners (x, y, z), not {given!r}.")
        object.__setattr__(self, "corners", tuple((*corner, 0.0)[:3] for corner in corners))

    def touches(self, X_WI: Pose, X_WJ: Pose) -> list[Touch]:
        places = (Vector(*corner) for corner in self.corners)
        return corners_on_plane(X_WI, self.normal, X_WJ, places)


@final
@dataclass(frozen=True)
class BoxOnPlane(AbstractContact):
    """A box, its middle at the origin of J and its sides along the axes of J, on the plane of I.

    gap_k = (X_WJ c_k - p_WI) . n,  c_k = (+-x/2, +-y/2, +-z/2)

    `normal` is the axis of I that points out of the ground. The stiffness is that of one of the
    eight corners; in the plane two of them lie behind each other. Laws of the contact:
    `AbstractContact`.

    Own.
    """

    normal: Axis
    x: Metres  # side along x
    y: Metres
    z: Metres

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_positive({"x": "m", "y": "m", "z": "m"})

    def touches(self, X_WI: Pose, X_WJ: Pose) -> list[Touch]:
        halves = [(-0.5 * side, 0.5 * side) for side in (self.x, self.y, self.z)]
        places = [Vector(x, y, z) for x in halves[0] for y in halves[1] for z in halves[2]]
        return corners_on_plane(X_WI, self.normal, X_WJ, places)


def corners_on_plane(
    X_WI: Pose, normal: Axis, X_WJ: Pose, corners: Iterable[Vector]
) -> list[Touch]:
    """The `corners` (m) of the frame `X_WJ` over the plane through `X_WI`, square to `normal`."""
    n, found = X_WI.axis(normal), []
    for corner in corners:
        place = X_WJ.point(corner)
        gap = (place - X_WI.position) @ n
        found.append(Touch(gap, n, place - n * (0.5 * gap)))
    return found
