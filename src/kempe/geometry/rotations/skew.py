"""Skew matrices, axial vectors, and Rodrigues' formula."""

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber
from kempe.geometry.array import floats
from kempe.geometry.rotations.abstract import Floats, rows_of


def skew(vectors: ArrayLike) -> Floats:
    """The matrix (..., 3, 3) of the vector product: skew(a) b = a x b.

    Source: [Pissanetzky] p. 8, the tilde.
    """
    rows, lead = rows_of(vectors, (3,), "a vector")
    m = np.zeros((len(rows), 3, 3))
    m[:, 2, 1], m[:, 0, 2], m[:, 1, 0] = rows.T
    m[:, 1, 2], m[:, 2, 0], m[:, 0, 1] = -rows.T
    return m.reshape(*lead, 3, 3)


def axial(matrices: ArrayLike) -> Floats:
    """The vector (..., 3) of the skew part of each matrix: axial(skew(a)) = a."""
    rows, lead = rows_of(matrices, (3, 3), "a matrix")
    a = 0.5 * (rows[:, (7, 2, 3)] - rows[:, (5, 6, 1)])
    return np.asarray(a).reshape(*lead, 3)


def rodrigues(axes: ArrayLike, angles: ArrayLike) -> Floats:
    """The matrix (..., 3, 3) of a turn by an angle (rad) about a unit axis.

    R = 1 + sin(t) skew(a) + (1 - cos(t)) skew(a)^2

    Source: [Pissanetzky] eq. 1.47, where it is spelt Rodriguez.
    """
    a, t = floats(axes), floats(angles)
    if a.shape[-1:] != (3,) or not (abs(np.linalg.norm(a, axis=-1) - 1.0) <= 1e-6).all():
        raise BadNumber(
            "Rodrigues' formula needs axes (..., 3) of length one: divide them by their lengths."
        )
    S, t = skew(a), t[..., None, None]
    return np.asarray(np.eye(3) + np.sin(t) * S + 2.0 * np.sin(0.5 * t) ** 2 * (S @ S))
