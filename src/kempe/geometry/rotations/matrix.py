"""Orientation matrices, and how to mend one that drifted."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.algebra.native import core
from kempe.errors import BadNumber
from kempe.geometry.number import Floats
from kempe.geometry.rotation import ROTATION_TOLERANCE
from kempe.geometry.rotations.abstract import (
    AbstractRepresentation,
    quaternions_by,
    rows_of,
    written_by,
)


@final
@dataclass(frozen=True, slots=True)
class Matrix(AbstractRepresentation):
    """R_AB, 3 x 3: its columns are the axes of B in A, and R_AB v_B = v_A.

    Source: [Pissanetzky] eq. 1.33, 1.51.
    """

    shape: ClassVar = (3, 3)

    def quaternions(self, numbers: ArrayLike) -> Floats:
        """With a scalar that is not negative. Source: [Shepperd]."""

        def kernel(rows: Floats, q: Floats) -> int:
            return core.quaternions_of_matrices(rows, ROTATION_TOLERANCE, q)

        return quaternions_by(kernel, numbers, (3, 3), "a rotation matrix", _advice)

    def of_quaternions(self, q: Floats) -> Floats:
        """R = 1 + 2 w skew(u) + 2 skew(u)^2, q = (w, u)."""
        return written_by(core.matrices_of_quaternions, q, (3, 3))


def _advice(row: Floats) -> str:
    m = row.reshape(3, 3)
    if not np.isfinite(m).all():
        return "Every entry must be finite."
    error = float(np.abs(m.T @ m - np.eye(3)).max())
    if error > ROTATION_TOLERANCE:
        return (
            f"Its columns are off from orthonormal by {error:.3g}; `orthonormal` gives the nearest"
            " rotation."
        )
    return "It mirrors (determinant -1): swap or negate one axis."


def orthonormal(matrices: ArrayLike) -> Floats:
    """The rotation nearest to each matrix (..., 3, 3), in the sum of squares of all entries.

    R = U diag(1, 1, det(U V^T)) V^T for M = U S V^T

    Source: [Markley1988]; refused where two singular values are zero to rounding, or where the
    nearest is not unique.
    """
    rows, lead = rows_of(matrices, (3, 3), "a matrix to mend")
    m = rows.reshape(-1, 3, 3)
    if not np.isfinite(m).all():
        raise BadNumber("a matrix to mend has an entry that is not finite.")
    U, S, Vt = np.linalg.svd(m)
    side = np.linalg.det(U @ Vt)
    unique = S[:, 1] + side * S[:, 2] > 1e-12 * S[:, 0]
    if not unique.all():
        row = int(np.argmin(unique))
        raise BadNumber(
            f"no rotation is nearest to matrix number {row}: its singular values are"
            f" {S[row].tolist()} and its determinant has the sign {side[row]:+.0f}."
            " Measure it again.",
            row=row,
        )
    U[:, :, 2] *= side[:, None]
    return np.asarray(U @ Vt).reshape(*lead, 3, 3)
