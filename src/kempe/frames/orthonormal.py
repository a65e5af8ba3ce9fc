"""Matrices that have drifted from a rotation, and the rotation next to them."""

import numpy as np

from kempe.errors import NotOrthogonal
from kempe.frames.arrays import FloatArray, transposed

# How far R^T R may be from the identity before the matrix is a mistake rather than worn: files lose
# a dozen digits, integrators half of them.
WORN = 1e-6
# Below this the matrix is left alone: it is what rounding makes of a product of rotations.
ROUNDING = 1e-14


def drift(R: FloatArray) -> float:
    """How far the worst of the matrices is from orthonormal: the largest entry of R^T R - 1."""
    if R.size == 0:
        return 0.0
    if not np.isfinite(R).all():
        return float("inf")
    return float(np.abs(transposed(R) @ R - np.eye(3)).max())


def orthonormalised(R: FloatArray, *, limit: float = WORN) -> tuple[FloatArray, float]:
    """The rotations nearest to the matrices (..., 3, 3), and how far the worst had drifted.

    R = U S V^T  ->  U V^T

    A matrix beyond `limit`, or one that mirrors, is refused. Source: [GolubVanLoan] 12.4.1.
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
    if R.size and float(np.linalg.det(R).min()) < 0.0:
        raise NotOrthogonal(
            "this matrix mirrors (determinant -1): swap or negate one axis.", error=error
        )
    if error <= ROUNDING:
        return R, 0.0
    U, _, Vt = np.linalg.svd(R)
    return U @ Vt, error
