"""Markers: frames fixed on bodies. Joints, measures and forces hold on to markers."""

import math
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber
from kempe.geometry.pose import Pose
from kempe.geometry.rotation import Rotation
from kempe.geometry.vector import Vector
from kempe.notebook import in_cell, table_html

GROUND = "ground"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Marker:
    """A frame on a body: the body's name and the pose X_BM (m, rad) of the frame in it.

    A rotation about z is one of the plane, whichever way it was made.
    """

    body: str
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: Rotation = field(default_factory=Rotation.identity)

    def __post_init__(self) -> None:
        if len(self.position) != 3:
            raise BadNumber(
                f"a marker's position on {self.body!r} needs 3 numbers, it has"
                f" {len(self.position)}: {self.position}."
            )
        if not all(math.isfinite(c) for c in self.position):
            raise BadNumber(
                f"a marker on {self.body!r} lies at {self.position}: every coordinate must be"
                " finite."
            )
        R = self.rotation
        if R.angle is None and R.is_about_z:
            object.__setattr__(self, "rotation", Rotation.planar(math.atan2(R.x.y, R.x.x)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Marker) and self._numbers == other._numbers

    def __hash__(self) -> int:
        return hash(self._numbers)

    @property
    def _numbers(self) -> tuple[object, ...]:
        R = self.rotation
        return (self.body, *self.position, R.angle, *R.x, *R.y, *R.z)

    @property
    def pose(self) -> Pose:
        """X_BM."""
        return Pose(Vector(*self.position), self.rotation)

    def turned(self, angle: float) -> "Marker":
        """A marker at this place with the frame turned by `angle` (rad) about its own z."""
        return replace(self, rotation=self.rotation @ Rotation.planar(angle))

    def facing(self, direction: ArrayLike) -> "Marker":
        """A marker at this place with z along `direction` (2 or 3 numbers, in the body's axes)."""
        d = np.zeros(3)
        given = np.atleast_1d(np.asarray(direction, dtype=np.float64))
        if given.shape not in ((2,), (3,)):
            raise BadNumber(f"a direction has 2 or 3 numbers, this one has shape {given.shape}.")
        d[: len(given)] = given
        return replace(self, rotation=Rotation.with_z(d))

    def mirrored(self) -> "Marker":
        """A marker at this place with z the other way round (a half turn about x)."""
        half = Rotation(Vector(1.0, 0.0, 0.0), Vector(0.0, -1.0, 0.0), Vector(0.0, 0.0, -1.0))
        return replace(self, rotation=self.rotation @ half)

    def _repr_html_(self) -> str:
        """What a notebook shows: the body, where on it, and how it is turned."""
        R = self.rotation
        axes = [", ".join(f"{c:.6g}" for c in axis) for axis in (R.x, R.y, R.z)]
        where = ", ".join(in_cell(c) for c in self.position)
        return table_html(["", "at [m]", "x axis", "y axis", "z axis"], [[self.body, where, *axes]])
