"""Matrices that have drifted from a rotation, and the rotation next to them."""

import math

import numpy as np

from kempe.errors import NotOrthogonal
from kempe.frames.states.arrays import FloatArray, transposed
from kempe.geometry.rotations import orthonormal

# How far R^T R may be from the identity before the matrix is a mistake rather than worn: files lose
# a dozen digits, integrators half of them.
WORN = 1e-6
# Below this the matrix is left alone: it is what rounding makes of a product of rotations.
ROUNDING = 1e-14


def drift(R: FloatArray) -> float:
    """How far the worst of the matrices is from orthonormal: the largest entry of R^T R - 1."""
    if R.size == 0:
        return 0.0
    if R.shape == (3, 3):
        return _drift(R.tolist())
    if not np.isfinite(R).all():
        return float("inf")
    return float(np.abs(transposed(R) @ R - np.eye(3)).max())


def _drift(rows: list[list[float]]) -> float:
    """The same of one matrix; plain numbers are ten times faster here than arrays."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    products = (
        a * a + d * d + g * g - 1.0,
        b * b + e * e + h * h - 1.0,
        c * c + f * f + i * i - 1.0,
        a * b + d * e + g * h,
        a * c + d * f + g * i,
        b * c + e * f + h * i,
    )
    worst = max(map(abs, products))
    return worst if math.isfinite(sum(products)) else math.inf


def _smallest_determinant(R: FloatArray) -> float:
    if R.shape == (3, 3):
        (a, b, c), (d, e, f), (g, h, i) = R.tolist()
        return float(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))
    return float(np.linalg.det(R).min())


def orthonormalised(R: FloatArray, *, limit: float = WORN) -> tuple[FloatArray, float]:
    """The rotations nearest to the matrices (..., 3, 3), and how far the worst had drifted.

    A matrix beyond `limit`, or one that mirrors, is refused.
    """
    if R.shape[-2:] != (3, 3):
        raise NotOrthogonal(f"a rotation matrix is 3 x 3, this one is {R.shape}.", shape=R.shape)
    error = drift(R)
    if not error <= limit:
        raise NotOrthogonal(
            f"this is no rotation matrix: its columns are off from orthonormal by {error:.3g}, and"
            f" {limit:g} is allowed. Orthonormalise it on purpose with"
            " kempe.frames.orthonormalised(matrix, limit=...), or give a quaternion.",
            error=error,
        )
    if R.size and _smallest_determinant(R) < 0.0:
        raise NotOrthogonal(
            "this matrix mirrors (determinant -1): swap or negate one axis.", error=error
        )
    if error <= ROUNDING:
        return R, 0.0
    return orthonormal(R), error
