"""Turns about one fixed axis."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber
from kempe.geometry.number import Floats, floats
from kempe.geometry.rotation import ROTATION_TOLERANCE
from kempe.geometry.rotations.abstract import AbstractRepresentation, rows_of


@final
@dataclass(frozen=True, slots=True)
class AxialRotator(AbstractRepresentation):
    """(t,): a turn by one angle t (rad) about an axis that is part of the convention.

    Written, -pi <= t <= pi; a rotation about any other axis is refused.

    Source: [Pissanetzky] p. 68.
    """

    axis: tuple[float, float, float]  # any length but zero

    shape: ClassVar = (1,)

    def __post_init__(self) -> None:
        given = floats(self.axis)
        if given.shape != (3,) or not np.isfinite(given).all() or not given.any():
            raise BadNumber(
                f"an axis is three numbers, finite and not all zero: this one is {self.axis}."
            )
        x, y, z = (float(c) for c in given)
        object.__setattr__(self, "axis", (x, y, z))

    @property
    def direction(self) -> Floats:
        """The axis with length one."""
        largest = np.asarray(self.axis) / np.abs(self.axis).max()
        return np.asarray(largest / np.linalg.norm(largest))

    def quaternions(self, numbers: ArrayLike) -> Floats:
        """q = (cos t/2, a sin t/2)."""
        rows, lead = rows_of(numbers, (1,), "an angle about an axis")
        if not np.isfinite(rows).all():
            raise BadNumber("an angle about an axis must be finite.")
        half = 0.5 * rows
        return np.hstack([np.cos(half), np.sin(half) * self.direction]).reshape(*lead, 4)

    def of_quaternions(self, q: Floats) -> Floats:
        """t = 2 atan2(u . a, w)."""
        rows, lead = rows_of(q, (4,), "a quaternion")
        sine = rows[:, 1:] @ self.direction
        off = np.abs(rows[:, 1:] - sine[:, None] * self.direction).max(axis=1)
        if not (off <= ROTATION_TOLERANCE).all():
            row = int(np.argmax(off))
            raise BadNumber(
                f"rotation number {row} is no turn about {self.axis}: its own axis is"
                f" {rows[row, 1:].tolist()}. Write it as a rotation vector or a quaternion.",
                row=row,
            )
        half = np.arctan2(np.where(rows[:, 0] < 0, -sine, sine), np.abs(rows[:, 0]))
        return np.asarray(2.0 * half).reshape(*lead, 1)
