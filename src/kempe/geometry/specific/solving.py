"""Rates of coordinates from velocities: small linear systems, one per row."""

import numpy as np
from numpy.typing import ArrayLike

from kempe.geometry.array import floats
from kempe.geometry.rotations.abstract import Floats

# The determinant by the product of the columns' lengths, 1 at best: six digits are left at this.
SINGULAR = 1e-10
# The share of a velocity that coordinates with fewer freedoms may leave out: measured data's noise.
FOLLOWED = 1e-6


def applied(matrix: Floats, vector: ArrayLike) -> Floats:
    """M x, one vector for every matrix."""
    return np.asarray(np.einsum("...ij,...j->...i", matrix, floats(vector)))


def solved(M: Floats, b: Floats) -> tuple[Floats, int | None]:
    """x (..., n) with M x = b, M (..., m, n), m >= n; and the first row that has no answer."""
    lead, (m, n) = M.shape[:-2], M.shape[-2:]
    matrices, right = M.reshape(-1, m, n), b.reshape(-1, m)
    lengths = np.linalg.norm(matrices, axis=1)
    if m == n:
        good = np.abs(np.linalg.det(matrices)) > SINGULAR * lengths.prod(axis=1)
    else:
        good = (lengths > SINGULAR).all(axis=1)
    if not good.all():
        return np.empty(0), int(np.argmin(good))
    if m == n:
        x = np.linalg.solve(matrices, right[..., None])[..., 0]
        return floats(x).reshape(*lead, n), None
    x = (np.linalg.pinv(matrices) @ right[..., None])[..., 0]
    left_over = np.linalg.norm((matrices @ x[..., None])[..., 0] - right, axis=1)
    good = left_over <= FOLLOWED * np.linalg.norm(right, axis=1)
    return x.reshape(*lead, n), None if good.all() else int(np.argmin(good))
