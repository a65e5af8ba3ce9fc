"""What can still move in a position: the null space of the rows, body by body."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.layout import Layout
from kempe.equations import Equations
from kempe.equations.rank import REDUNDANT, independent_rows, sparse_rows
from kempe.kinematics.closing.closing import DENSE
from kempe.kinematics.closing.poses import body_pose
from kempe.kinematics.mobility.passive_spin import spin_directions, square_to, without_spins
from kempe.results import BodyMotion, FreeMotion
from kempe.results.reports.idle_spins import Spinner
from kempe.results.state import State

FloatArray = NDArray[np.float64]

# A body takes part in a free motion where it moves by this share of what moves most.
TAKES_PART = 1e-6
A_FEW = 12  # motions that are told of many bodies


def free_motions(
    equations: Equations, at: State, passive: Sequence[Spinner] = ()
) -> tuple[FreeMotion, ...]:
    """A basis of the motions that the rows allow at a place, each with as few bodies as can be.

    The spins of what is `passive` come last. Of many bodies, the first few of these motions.
    """
    spins = spin_directions(equations.layout, at.q, passive)
    if equations.layout.n_v > DENSE:
        rows = sparse_rows(equations, at)
        k = len(rows.free)  # what comes last moves fewest bodies
        some = [rows.motion(np.eye(1, k, place)[0]) for place in range(max(0, k - A_FEW), k)]
        basis = np.array(some).reshape(-1, equations.layout.n_v)
        others = _other_than_spins(basis, spins)
    else:
        J = equations.scaled_jacobian(at)
        basis = np.atleast_2d(core.null_space(np.ascontiguousarray(J), REDUNDANT))
        others = _separated(without_spins(basis.reshape(-1, equations.layout.n_v), spins))
    return (
        *(_motion(equations.layout, row, at.q) for row in others),
        *(replace(_motion(equations.layout, row, at.q), is_idle_spin=True) for row in spins),
    )


def _other_than_spins(free: FloatArray, spins: FloatArray) -> FloatArray:
    """Some free motions, the spins taken out of them; not those that say nothing beside others."""
    free = free / np.maximum(np.linalg.norm(free, axis=1), 1e-300)[:, None]
    left = square_to(free, spins)
    left = left[np.linalg.norm(left, axis=1) > TAKES_PART]
    return np.asarray(left[sorted(independent_rows(left))])


def _separated(basis: FloatArray) -> FloatArray:
    """The same space by vectors with many zeros: Gauss-Jordan, largest entries first."""
    basis = basis.copy()
    for k in range(len(basis)):
        rest = np.abs(basis[k:])
        i, j = divmod(int(rest.argmax()), rest.shape[1])
        basis[[k, k + i]] = basis[[k + i, k]]
        basis[k] /= basis[k, j]
        others = np.arange(len(basis)) != k
        basis[others] -= np.outer(basis[others, j], basis[k])
    return basis


def _motion(layout: Layout, scaled: FloatArray, q: FloatArray) -> FreeMotion:
    by_body = layout.coordinates.v_by_body
    sizes = np.abs(by_body(scaled)).max(axis=1)
    order = [
        int(k) for k in np.argsort(-sizes, kind="stable") if sizes[k] > TAKES_PART * sizes.max()
    ]
    moved = by_body(scaled / sizes.max() / layout.step_weights)
    return FreeMotion(tuple(_body(layout, k, moved[k], q) for k in order))


def _body(layout: Layout, k: int, d: FloatArray, q: FloatArray) -> BodyMotion:
    name = layout.model.moving[k].name
    X_WB = body_pose(layout, q, name)
    if layout.model.plane:
        v, w = np.array([d[0], d[1], 0.0]), np.array([0.0, 0.0, d[2]])
    else:
        v, w = d[:3], X_WB.rotation.matrix() @ d[3:]
    x, y, z = (float(c) for c in X_WB.position)
    return BodyMotion(
        name,
        (x, y, z),
        (float(v[0]), float(v[1]), float(v[2])),
        (float(w[0]), float(w[1]), float(w[2])),
        layout.size,
    )
