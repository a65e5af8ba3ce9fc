"""Accelerations and multipliers: one symmetric system for each row of an array."""

import numpy as np

from kempe.errors import SingularCoordinates
from kempe.geometry.rotations.abstract import Floats

# The smallest pivot by the largest, after rows and columns are scaled to unit diagonals: six digits
# are left at this.
SINGULAR = 1e-10


def saddle_solution(
    M: Floats, C: Floats, right: Floats, rest: Floats, what: object
) -> tuple[Floats, Floats]:
    """x (..., n) and mu (..., m) of  M x - C^T mu = right,  C x = rest.

    Coordinates are first scaled so that M has ones on its diagonal (a body's mass and moments may
    be apart by many powers of ten), and rows so that each has length one.
    """
    n, m = M.shape[-1], C.shape[-2]
    lead = np.broadcast_shapes(M.shape[:-2], C.shape[:-2], right.shape[:-1], rest.shape[:-1])
    diagonal = np.einsum("...ii->...i", M)
    largest = diagonal.max(axis=-1, keepdims=True, initial=0.0)
    scale = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, np.where(largest > 0, largest, 1.0)))
    rows = C * scale[..., None, :]
    length = np.linalg.norm(rows, axis=-1, keepdims=True)
    length = np.where(length > 0.0, length, 1.0)
    K = np.zeros((*lead, n + m, n + m))
    K[..., :n, :n] = M * scale[..., :, None] * scale[..., None, :]
    K[..., n:, :n] = rows / length
    K[..., :n, n:] = np.swapaxes(K[..., n:, :n], -1, -2)
    b = np.empty((*lead, n + m))
    b[..., :n], b[..., n:] = right * scale, rest / length[..., 0]
    values = np.linalg.svd(K, compute_uv=False)
    good = values[..., -1] > SINGULAR * values[..., 0]
    if not np.all(good):
        row = int(np.argmin(np.ravel(good)))
        raise SingularCoordinates(
            f"the equations of motion of row {row} have no one answer: {what!r} is singular there,"
            " a part without mass is free, or constraints repeat each other.",
            row=row,
        )
    x = np.linalg.solve(K, b[..., None])[..., 0]
    return x[..., :n] * scale, -x[..., n:] / length[..., 0]
