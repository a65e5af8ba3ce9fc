"""Closing the loops of large mechanisms, with sparse matrices."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.compile.program.program import Program
from kempe.equations import Equations
from kempe.results.state import State

FloatArray = NDArray[np.float64]

FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-6, 1e-15, 1e12
LONGEST_TURN = 1.5  # rad a step; places enter linearly, and may go any way
MOST_ITERATIONS = 100
ROUNDINGS = 4.0  # of the largest coordinate that a row may add up


def close_sparse(
    equations: Equations,
    start: State,
    rows: FloatArray,
    columns: FloatArray,
    tolerance: float,
    turning: NDArray[np.bool_],
    followed: NDArray[np.bool_] | bool = False,
) -> tuple[FloatArray, FloatArray, float, int, float]:
    """q, turns, residual, iterations and slope after Levenberg-Marquardt steps from a start.

    `turning` are the columns that turn bodies: a step is not longer than what turns them a little.
    Turns that are `followed` are counted on from step to step, the others from the start. A long
    chain that is put together from afar moves as a whole. Its coordinates are rounded by their own
    size, not by that of a link: what that alone leaves open counts as closed.

    Source: [More] for the damping, as in the core's search for smaller mechanisms.
    """
    program, q, t, last = equations.program, start.q, start.t, start.turns
    damping, iterations = FIRST_DAMPING, 0
    ease = _ease(q, columns, turning, tolerance)
    phi, entries, turns = equations.evaluate(q, t, last)
    f = rows * phi
    if not (np.isfinite(f).all() and np.isfinite(entries).all()):
        return q, turns, np.inf, 0, 0.0
    for iterations in range(MOST_ITERATIONS):  # noqa: B007
        if np.abs(f).max(initial=0.0) <= tolerance * ease:
            break
        J = _jacobian(program, entries, rows, columns)
        while damping < MOST_DAMPING:
            y = _damped(J, f, damping)
            if y is None:
                damping *= 10.0
                continue
            turn = float(np.abs(columns * y)[turning].max(initial=0.0))
            y *= min(1.0, LONGEST_TURN / max(1e-300, turn))
            trial = program.retract(q, -columns * y)
            phi, entries_there, turns_there = equations.evaluate(trial, t, last)
            if np.linalg.norm(rows * phi) < np.linalg.norm(f):
                break
            damping *= 10.0
        else:
            break
        q, f, turns, entries = trial, rows * phi, turns_there, entries_there
        last = np.where(followed, turns, last)
        damping = max(damping * 0.1, LEAST_DAMPING)
    size = float(np.linalg.norm(f))
    slope = _slope(program, entries, rows, columns, f) / size if size > 0.0 else 0.0
    ease = _ease(q, columns, turning, tolerance)
    return q, turns, float(np.abs(f).max(initial=0.0)) / ease, iterations, slope


def _ease(
    q: FloatArray, columns: FloatArray, turning: NDArray[np.bool_], tolerance: float
) -> float:
    """How many times the tolerance rounding of the coordinates leaves open; at least 1."""
    size = float(columns[~turning].max(initial=0.0)) or 1.0
    reach = float(np.abs(q).max(initial=0.0)) / size
    return max(1.0, ROUNDINGS * float(np.finfo(float).eps) * reach / tolerance)


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


def _damped(J: Any, f: FloatArray, damping: float) -> FloatArray | None:
    """y that minimises |J y - f|^2 + damping |y|^2; None where rounding swallows the damping."""
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import splu

    normal = (J.T @ J + damping * eye_array(J.shape[1])).tocsc()
    try:
        solution: FloatArray = splu(normal).solve(J.T @ f)
    except RuntimeError:  # exactly singular: what is free is free to the last bit
        return None
    return solution if np.isfinite(solution).all() else None
