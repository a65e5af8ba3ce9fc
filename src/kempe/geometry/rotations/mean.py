"""The mean of orientations."""

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber
from kempe.geometry.array import floats
from kempe.geometry.rotations.abstract import Floats
from kempe.geometry.rotations.quaternion import Quaternion

# Eigenvalues nearer to each other than this share leave the mean's direction to rounding.
UNDECIDED = 1e-12


def mean(q: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """The unit quaternion (4,), scalar first, nearest to quaternions (n, 4), whatever their signs.

    The eigenvector of sum w_k q_k q_k^T with the largest eigenvalue: it makes the weighted sum of
    sin^2(t_k / 2) least, t_k the angles from the mean.

    Source: [Markley2007].
    """
    rows = Quaternion().quaternions(np.reshape(floats(q), (-1, 4)))
    if not len(rows):
        raise BadNumber("there is no mean of no rotations.")
    if weights is None:
        M = rows.T @ rows
    else:
        w = floats(weights).ravel()
        if w.shape != (len(rows),) or not (np.isfinite(w) & (w >= 0)).all() or not w.any():
            raise BadNumber(
                f"{len(rows)} rotations need as many weights, finite, not negative, not all zero."
            )
        M = (rows * w[:, None]).T @ rows
    values, vectors = np.linalg.eigh(M)
    if values[3] - values[2] <= UNDECIDED * values[3]:
        raise BadNumber(
            "these rotations lie so evenly that none is nearest to all: give weights, or fewer."
        )
    best = vectors[:, 3]
    return np.asarray(-best if best[0] < 0 else best)
