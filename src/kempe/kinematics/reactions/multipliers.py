"""Multipliers: how hard every row of joints, couplers and drives must push.

    J^T lam = f

f is what inertia and weight ask for. Where rows repeat each other, many multipliers do; the one
taken is the shortest, with lengths measured in sizes of the machine, and beside it stands what may
be added to it.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.equations import Equations

FloatArray = NDArray[np.float64]

# Velocities up to which full matrices are factored, and numbers that are held at a time.
DENSE = 400
AT_A_TIME = 4_000_000


@final
@dataclass(frozen=True, slots=True, eq=False)
class Multipliers:
    """One multiplier a row, (n, rows), and the k combinations that do nothing, (n, k, rows).

    A combination has length 1 where lengths are measured in sizes of the machine; all 0 where
    fewer do nothing in that sample than in another.
    """

    values: FloatArray
    null: FloatArray


def multipliers(equations: Equations, entries: FloatArray, forces: FloatArray) -> Multipliers:
    """lam with J^T lam = f at every sample; `entries` are J's (n, entries), `forces` (n, n_v)."""
    shape = equations.program.shape
    if shape.n_spare == 0:
        values = _by_solved_rows(equations, entries, forces)
        return Multipliers(values, np.zeros((len(forces), 0, shape.n_rows)))
    if shape.n_v <= DENSE:
        return _shortest(equations, entries, forces)
    solved = _by_solved_rows(equations, entries, forces)
    values = np.concatenate([solved, np.zeros((len(forces), shape.n_spare))], axis=1)
    return Multipliers(values, _repeating(equations, entries))


def _by_solved_rows(equations: Equations, entries: FloatArray, forces: FloatArray) -> FloatArray:
    """C J^T lam = C f, with displacements in sizes of the machine, rounded to powers of two."""
    shape = equations.program.shape
    mine = np.flatnonzero(shape.jacobian_rows < shape.n_rows)
    columns = shape.jacobian_columns[mine]
    C = np.exp2(-np.round(np.log2(equations.layout.step_weights)))
    return core.transposed_solutions(
        shape.n_v,
        np.ascontiguousarray(shape.jacobian_rows[mine]),
        np.ascontiguousarray(columns),
        np.ascontiguousarray(entries[:, mine] * C[columns]),
        np.ascontiguousarray(forces * C),
    )


def _repeating(equations: Equations, entries: FloatArray) -> FloatArray:
    """What every spare row says in terms of the solved ones: j_spare - c J_solved = 0."""
    shape = equations.program.shape
    null = np.zeros((len(entries), shape.n_spare, len(shape.rows)))
    for k in range(shape.n_spare):
        mine = np.flatnonzero(shape.jacobian_rows == shape.n_rows + k)
        row = np.zeros((len(entries), shape.n_v))
        row[:, shape.jacobian_columns[mine]] = entries[:, mine]
        null[:, k, : shape.n_rows] = -_by_solved_rows(equations, entries, row)
        null[:, k, shape.n_rows + k] = 1.0
    lengths = np.linalg.norm(null / equations.row_weights, axis=2, keepdims=True)
    return np.asarray(null / lengths)


def _shortest(equations: Equations, entries: FloatArray, forces: FloatArray) -> Multipliers:
    """With W J C = Q R, all in units of the machine: lam = W Q (R^-T C f, 0).

    The last columns of Q are the combinations that do nothing. Source: [GolubVanLoan] 5.7.2.
    """
    shape, n_v = equations.program.shape, equations.program.shape.n_v
    W, C = equations.row_weights, 1.0 / equations.layout.step_weights
    scaled = entries * W[shape.jacobian_rows] * C[shape.jacobian_columns]
    values = np.zeros((len(forces), len(W)))
    null = np.zeros((len(forces), len(W) - n_v, len(W)))
    chunk = max(1, AT_A_TIME // len(W) ** 2)
    for first in range(0, len(forces), chunk):
        some = slice(first, first + chunk)
        J = np.zeros((len(scaled[some]), len(W), n_v))
        J[:, shape.jacobian_rows, shape.jacobian_columns] = scaled[some]
        Q, R = np.linalg.qr(J, mode="complete")
        pushed = np.linalg.solve(np.swapaxes(R[:, :n_v], 1, 2), (C * forces[some])[:, :, None])
        values[some] = W * (Q[:, :, :n_v] @ pushed)[:, :, 0]
        null[some] = W * np.swapaxes(Q[:, :, n_v:], 1, 2)
    return Multipliers(values, null)
