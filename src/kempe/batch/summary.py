"""What is kept of a reading where its samples are not: least, largest, mean and last."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.cuda.sweep_text import SUMMARY

FloatArray = NDArray[np.float64]

ROWS: Final = len(SUMMARY)
LEAST, LARGEST, MEAN, LAST = range(ROWS)


def summary_of(values: FloatArray) -> FloatArray:
    """The rows (orders, scalars, 4, ...) of samples (orders, scalars, samples, ...).

    The third row is the sum, from which `as_means` makes the mean.
    """
    with np.errstate(all="ignore"):  # those that have ended hold anything
        rows = (values.min(axis=2), values.max(axis=2), values.sum(axis=2), values[:, :, -1])
    return np.stack(rows, axis=2)


def as_means(values: FloatArray, samples: int) -> None:
    """Make means of the sums in rows of summaries, in place."""
    with np.errstate(all="ignore"):
        values[:, :, MEAN] /= samples
