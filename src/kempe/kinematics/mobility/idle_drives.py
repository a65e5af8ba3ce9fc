"""Drives that do not determine the motion: two that hold the same, one that holds nothing."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.layout import Layout
from kempe.equations import Equations, equations_of
from kempe.kinematics.closing.closing import DENSE, close
from kempe.kinematics.closing.winding import initial_turns
from kempe.kinematics.mobility.finite_motion import Released, released_at
from kempe.results.reports.counts import IdleDrives
from kempe.results.state import State

FloatArray = NDArray[np.float64]

# A combination of driven rates that changes by less than this share of them holds nothing: as near
# to a dead centre as a search ends.
HOLDS = 3e-6
NAMED = 1e-3  # share of such a combination that a drive must have to be named
STEPS = (0.2, -0.2, 0.05)  # rad, and share of the machine's size: where else it is looked at


def idle_drives(layout: Layout, at: State) -> IdleDrives:
    """The drives that do not determine the motion where the mechanism stands; none of large ones.

    With N a basis of what the joints allow and J_d the drives' rows, combinations c of drives with
    c J_d N = 0 hold nothing. Own.
    """
    if layout.n_v > DENSE or not layout.model.drives:
        return IdleDrives()
    equations = equations_of(layout)
    here, surplus, basis = _idle(equations, at.q, at.t)
    if not here:
        return IdleDrives()
    free = released_at(layout, at.q, at.t)
    elsewhere = [_idle(equations, q, at.t)[:2] for q in _around(free, basis)]
    if not elsewhere or not all(names for names, _ in elsewhere):
        return IdleDrives(here, is_general=False, surplus=surplus)
    return IdleDrives(here, is_general=True, surplus=min(surplus, *(n for _, n in elsewhere)))


def idle_at(equations: Equations, q: FloatArray, t: float) -> tuple[str, ...]:
    """Names of drives that do not determine the motion at q, on small mechanisms."""
    return _idle(equations, q, t)[0]


def telling_drives(layout: Layout, places: Sequence[FloatArray], t: float) -> tuple[int, ...]:
    """Drives, by number, that say all that the drives say, where they say most; first ones first.

    `places` are configurations that the joints allow.
    """
    equations = equations_of(layout)
    found: tuple[int, ...] = ()
    for q in places:
        held, _ = _held(equations, q, t)
        told = np.zeros((0, held.shape[1]))
        kept = []
        for k, row in enumerate(held):
            new = row - (row @ told.T) @ told
            new -= (new @ told.T) @ told
            length = float(np.linalg.norm(new))
            if length > HOLDS:
                kept.append(k)
                told = np.vstack([told, new / length])
        found = max(found, tuple(kept), key=len)
    return found


def _idle(equations: Equations, q: FloatArray, t: float) -> tuple[tuple[str, ...], int, FloatArray]:
    """Names of idle drives at q, how many could go, and a basis of what the joints allow there."""
    held, basis = _held(equations, q, t)
    U, values, _ = np.linalg.svd(held)
    idle = U[:, int((values > HOLDS).sum()) :]
    drives = equations.layout.model.drives
    weights = np.abs(idle).max(axis=1, initial=0.0)
    names = tuple(d.gauge.name for d, weight in zip(drives, weights, strict=True) if weight > NAMED)
    return names, idle.shape[1], basis


def _held(equations: Equations, q: FloatArray, t: float) -> tuple[FloatArray, FloatArray]:
    """What drives hold (drives, k) of a basis (k, n_v) of what the joints allow at q, and that."""
    last = initial_turns(equations, t, q)
    J = equations.program.dense_jacobian(equations.evaluate(q, t, last)[1])
    element = np.array([row.element for row in equations.program.shape.rows])
    J = J / equations.layout.step_weights
    J = J / np.maximum(np.linalg.norm(J, axis=1), 1e-300)[:, None]
    joints = np.ascontiguousarray(J[element < equations.layout.first_drive])
    basis = np.eye(equations.layout.n_v)
    if len(joints):
        basis = np.atleast_2d(core.null_space(joints, HOLDS)).reshape(-1, equations.layout.n_v)
    return J[element >= equations.layout.first_drive] @ basis.T, basis


def _around(free: Released, basis: FloatArray) -> list[FloatArray]:
    """Closed places a short way off, the drives let go."""
    equations, rng = free.equations, np.random.default_rng(1876)
    found = []
    for step in STEPS:
        d = rng.standard_normal(len(basis)) @ basis
        d /= max(float(np.abs(d).max(initial=0.0)), 1e-300)
        q = equations.program.retract(free.start.q, step * d / equations.step_weights)
        there = close(equations, q, free.start.t)
        if there.is_closed:
            found.append(there.q)
    return found
