"""The screw of a displacement: one axis, a turn about it and a slide along it."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from kempe.geometry.number import Floats
from kempe.geometry.rotations.axis_angle import AxisAngle
from kempe.geometry.rotations.exponential import displacement_rows
from kempe.geometry.rotations.matrix import Matrix

# A turn below this angle (rad) has its axis too far away to mean anything: it is a slide.
NO_TURN = 1e-12


@final
@dataclass(frozen=True, slots=True, eq=False)
class Screw:
    """Axis through `point` along `direction`, `angle` (rad) about it and `slide` (m) along it."""

    direction: Floats  # (..., 3), unit
    point: Floats  # (..., 3), m, of the axis, nearest to the origin
    angle: Floats  # (...), rad, in [0, pi]
    slide: Floats  # (...), m

    @classmethod
    def of(cls, displacements: ArrayLike) -> "Screw":
        """The screw of displacements X (..., 4, 4).

        p = (r' + cot(t/2) a x r') / 2,  r' = r - (a.r) a

        A pure slide has its axis through the origin along the slide; no displacement has z.

        Source: [LynchPark] sec. 3.3.2 (Chasles and Mozzi).
        """
        X, lead = displacement_rows(displacements)
        written = AxisAngle().of_quaternions(Matrix().quaternions(X[:, :3, :3]))
        a, t, r = written[:, :3].copy(), written[:, 3], X[:, :3, 3]
        length = np.linalg.norm(r, axis=1)
        slides = t < NO_TURN
        along = slides & (length > 0)
        a[along] = r[along] / length[along, None]
        d = np.einsum("ij,ij->i", a, r)
        square = r - d[:, None] * a
        half = np.where(slides, 0.5 * np.pi, 0.5 * t)
        p = 0.5 * (square + (np.cos(half) / np.sin(half))[:, None] * np.cross(a, square))
        p[slides] = 0.0
        return cls(
            a.reshape(*lead, 3),
            p.reshape(*lead, 3),
            np.where(slides, 0.0, t).reshape(lead),
            d.reshape(lead),
        )

    @property
    def pitch(self) -> Floats:
        """Slide per radian (m); infinite for a pure slide."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(
                self.angle > 0, self.slide / self.angle, np.copysign(np.inf, self.slide)
            )

    def displacement(self) -> Floats:
        """X (..., 4, 4): R about the axis, r = p - R p + d a."""
        numbers = np.concatenate([self.direction, self.angle[..., None]], axis=-1)
        R = Matrix().of_quaternions(AxisAngle().quaternions(numbers))
        X = np.zeros((*self.angle.shape, 4, 4))
        X[..., :3, :3] = R
        X[..., :3, 3] = (
            self.point
            - np.einsum("...ij,...j->...i", R, self.point)
            + self.slide[..., None] * self.direction
        )
        X[..., 3, 3] = 1.0
        return X
