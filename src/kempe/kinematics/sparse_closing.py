"""Closing the loops of large mechanisms, with sparse matrices."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.compile.program import Program

FloatArray = NDArray[np.float64]

FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-6, 1e-15, 1e12
LONGEST_STEP = 1.5  # in units of the columns: rad, sizes of the machine
MOST_ITERATIONS = 100


def close_sparse(
    program: Program,
    parameters: FloatArray,
    q: FloatArray,
    t: float,
    last: FloatArray,
    rows: FloatArray,
    columns: FloatArray,
    tolerance: float,
) -> tuple[FloatArray, FloatArray, float, int, float]:
    """q, turns, residual, iterations and slope after Levenberg-Marquardt steps from q.

    Source: [More] for the damping, as in the core's search for smaller mechanisms.
    """
    damping, iterations = FIRST_DAMPING, 0
    phi, entries, turns = program.evaluate(parameters, q, t, last)
    f = rows * phi
    if not (np.isfinite(f).all() and np.isfinite(entries).all()):
        return q, turns, np.inf, 0, 0.0
    for iterations in range(MOST_ITERATIONS):  # noqa: B007
        if np.abs(f).max(initial=0.0) <= tolerance:
            break
        J = _jacobian(program, entries, rows, columns)
        while damping < MOST_DAMPING:
            y = _damped(J, f, damping)
            y *= min(1.0, LONGEST_STEP / max(1e-300, float(np.abs(y).max(initial=0.0))))
            trial = program.retract(q, -columns * y)
            phi, entries_there, turns_there = program.evaluate(parameters, trial, t, last)
            if np.linalg.norm(rows * phi) < np.linalg.norm(f):
                break
            damping *= 10.0
        else:
            break
        q, f, turns, entries = trial, rows * phi, turns_there, entries_there
        damping = max(damping * 0.1, LEAST_DAMPING)
    size = float(np.linalg.norm(f))
    slope = _slope(program, entries, rows, columns, f) / size if size > 0.0 else 0.0
    return q, turns, float(np.abs(f).max(initial=0.0)), iterations, slope


def _slope(
    program: Program, entries: FloatArray, rows: FloatArray, columns: FloatArray, f: FloatArray
) -> float:
    """|J^T f|"""
    k = program.shape
    terms = entries * rows[k.jacobian_rows] * columns[k.jacobian_columns] * f[k.jacobian_rows]
    return float(np.linalg.norm(np.bincount(k.jacobian_columns, terms, len(columns))))


def _jacobian(program: Program, entries: FloatArray, rows: FloatArray, columns: FloatArray) -> Any:
    from scipy.sparse import csc_array

    k = program.shape
    scaled = entries * rows[k.jacobian_rows] * columns[k.jacobian_columns]
    return csc_array((scaled, (k.jacobian_rows, k.jacobian_columns)), (len(rows), len(columns)))


def _damped(J: Any, f: FloatArray, damping: float) -> FloatArray:
    """y that minimises |J y - f|^2 + damping |y|^2."""
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import splu

    normal = (J.T @ J + damping * eye_array(J.shape[1])).tocsc()
    solution: FloatArray = splu(normal).solve(J.T @ f)
    return solution
