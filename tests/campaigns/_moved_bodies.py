"""Motions of bodies as NumPy arrays, and forces with what they store and take along them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import kempe as kp
from kempe.forces import AbstractForce


@dataclass(frozen=True)
class Motion:
    """Origins, orientations, velocities and spins (body axes) of one body at every sample."""

    p: np.ndarray
    R: np.ndarray
    v: np.ndarray
    w: np.ndarray

    @classmethod
    def of(cls, q: np.ndarray, v: np.ndarray) -> "Motion":
        s, x, y, z = q[:, 3:].T  # scalar first
        rows = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (x * z + s * y)],
            [2 * (x * y + s * z), 1 - 2 * (x * x + z * z), 2 * (y * z - s * x)],
            [2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)],
        ]
        return cls(q[:, :3], np.moveaxis(np.array(rows), 2, 0), v[:, :3], v[:, 3:])

    def at(self, place: np.ndarray) -> np.ndarray:
        return self.p + self.R @ place

    def speed(self, place: np.ndarray) -> np.ndarray:
        """Velocity of a place that is given in body axes."""
        return self.v + np.einsum("kij,kj->ki", self.R, np.cross(self.w, place))

    def kinetic(self, inertia: kp.Inertia) -> np.ndarray:
        centre = self.speed(np.asarray(inertia.centre))
        spin = np.einsum("ki,ij,kj->k", self.w, inertia.tensor, self.w)
        return 0.5 * (inertia.mass * (centre**2).sum(axis=1) + spin)


@dataclass(frozen=True)
class Acts:
    """A force on a body, and what it has stored along a motion of that body."""

    force: AbstractForce
    stored: Callable[[Motion], Any]
    only_takes: bool  # a spring or a damper: nothing comes out that was not put in
    # what it takes beyond that (W) at times (n,) along the motions of all bodies; None: not known
    takes: Callable[[np.ndarray, list[Motion]], np.ndarray] | None = None
