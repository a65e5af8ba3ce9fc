"""Which rows say something new: independent ones, by pivoting, in one place or in several."""

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.equations import Equations

FloatArray = NDArray[np.float64]

# A row that the others determine to this share of its own length is redundant. Constraint rows are
# products of direction cosines: rounding leaves 1e-15, a hinge tilted by 1e-6 rad leaves 1e-6.
REDUNDANT = 1e-9
# Where branches meet, a search ends only within the square root of its tolerance: a start whose
# smallest singular value is below this stands in a singular position.
SINGULAR = 3e-6

# Logarithm of the factor by which an exchange of rows must enlarge their volume to be made.
LARGER = 1e-3
# Noise on rows of length 1: far above rounding, far below what makes rows sound.
BLUR = 1e-7


def independent_rows(J: FloatArray) -> list[int]:
    """Rows of J that are independent, in the order they were taken."""
    if len(J) == 0:
        return []
    found = core.rank_revealing_rows(np.ascontiguousarray(J), REDUNDANT)
    return [int(k) for k in found.independent]


def steadied_rows(positions: FloatArray, kept: list[int], fixed: int) -> list[int]:
    """Rows that determine the motion well in all of several positions, from rows that do in one.

    `positions` is (k, rows, columns); the last `fixed` rows kept stay. Two rows, one kept and one
    spare, are exchanged as long as that enlarges the least volume of the kept rows, over that of
    all rows, among the positions:

    vol(kept with i for j) = |c_ij| vol(kept),  J_spare = C J_kept

    Rows are blurred a little, so that those which are dependent somewhere have a volume to enlarge.

    Source: [Goreinov] for one position; the least of several: Own.
    """
    chosen = list(kept)
    blur = BLUR * np.random.default_rng(1876).standard_normal(positions.shape)
    J = positions + blur
    whole = 0.5 * np.linalg.slogdet(np.swapaxes(J, 1, 2) @ J)[1]
    for _ in range(len(chosen)):
        spare = [k for k in range(J.shape[1]) if k not in chosen]
        solved, others = (np.swapaxes(J[:, rows], 1, 2) for rows in (chosen, spare))
        volume = np.linalg.slogdet(solved)[1] - whole
        C = np.linalg.solve(solved, others)[:, : len(chosen) - fixed]
        after = (np.log(np.abs(C)) + volume[:, None, None]).min(axis=0)
        j, i = np.unravel_index(int(after.argmax()), after.shape)
        if not after[j, i] > volume.min() + LARGER:
            break
        chosen[int(j)] = spare[int(i)]
    return chosen


def drive_rows(equations: Equations) -> NDArray[np.bool_]:
    """Which rows are those of drives."""
    first = equations.layout.first_drive
    return np.array([r.element >= first for r in equations.program.shape.rows], dtype=bool)
