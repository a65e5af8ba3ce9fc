"""Drives that do not determine the motion: two that hold the same, one that holds nothing."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout import Layout
from kempe.compile.program import Program
from kempe.kinematics.assembly import Assembled, initial_turns, step_weights
from kempe.kinematics.closing import DENSE, close
from kempe.kinematics.evaluator import evaluator
from kempe.kinematics.released import Released, released_at
from kempe.results.idle_drives import IdleDrives

FloatArray = NDArray[np.float64]

# A combination of driven rates that changes by less than this share of them holds nothing: as near
# to a dead centre as a search ends.
HOLDS = 3e-6
TAKES_PART = 1e-3  # share of such a combination that a drive must have to be named
STEPS = (0.2, -0.2, 0.05)  # rad, and share of the machine's size: where else it is looked at


def idle_drives(layout: Layout, at: Assembled, t: float) -> IdleDrives:
    """The drives that do not determine the motion where the mechanism stands; none of large ones.

    With N a basis of what the joints allow and J_d the drives' rows, combinations c of drives with
    c J_d N = 0 hold nothing. Own.
    """
    if layout.n_v > DENSE or not layout.model.drives:
        return IdleDrives()
    program = evaluator(layout)
    here, surplus, basis = _idle(layout, program, at.q, t)
    if not here:
        return IdleDrives()
    free = released_at(layout, at.q, t)
    elsewhere = [_idle(layout, program, q, t)[0] for q in _around(free, basis)]
    return IdleDrives(here, bool(elsewhere) and all(elsewhere), surplus)


def idle_at(layout: Layout, program: Program, q: FloatArray, t: float) -> tuple[str, ...]:
    """Names of drives that do not determine the motion at q, on small mechanisms."""
    return _idle(layout, program, q, t)[0]


def telling_drives(layout: Layout, places: Sequence[FloatArray], t: float) -> tuple[int, ...]:
    """Drives, by number, that say all that the drives say, where they say most; first ones first.

    `places` are configurations that the joints allow.
    """
    program = evaluator(layout)
    found: tuple[int, ...] = ()
    for q in places:
        held, _ = _held(layout, program, q, t)
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


def _idle(
    layout: Layout, program: Program, q: FloatArray, t: float
) -> tuple[tuple[str, ...], int, FloatArray]:
    """Names of idle drives at q, how many could go, and a basis of what the joints allow there."""
    held, basis = _held(layout, program, q, t)
    U, values, _ = np.linalg.svd(held)
    idle = U[:, int((values > HOLDS).sum()) :]
    drives = layout.model.drives
    weights = np.abs(idle).max(axis=1, initial=0.0)
    names = tuple(
        d.gauge.name for d, weight in zip(drives, weights, strict=True) if weight > TAKES_PART
    )
    return names, idle.shape[1], basis


def _held(
    layout: Layout, program: Program, q: FloatArray, t: float
) -> tuple[FloatArray, FloatArray]:
    """What drives hold (drives, k) of a basis (k, n_v) of what the joints allow at q, and that."""
    last = initial_turns(layout, program, t, q)
    J = program.dense_jacobian(program.evaluate(layout.parameters, q, t, last)[1])
    element = np.array([row.element for row in program.shape.rows])
    J = J / step_weights(layout)
    J = J / np.maximum(np.linalg.norm(J, axis=1), 1e-300)[:, None]
    joints = np.ascontiguousarray(J[element < layout.first_drive])
    basis = np.eye(layout.n_v)
    if len(joints):
        basis = np.atleast_2d(core.null_space(joints, HOLDS)).reshape(-1, layout.n_v)
    return J[element >= layout.first_drive] @ basis.T, basis


def _around(free: Released, basis: FloatArray) -> list[FloatArray]:
    """Closed places a short way off, the drives let go."""
    rng = np.random.default_rng(1876)
    found = []
    for step in STEPS:
        d = rng.standard_normal(len(basis)) @ basis
        d /= max(float(np.abs(d).max(initial=0.0)), 1e-300)
        q = free.program.retract(free.start.q, step * d / step_weights(free.layout))
        there = close(free.layout, free.program, q, free.t)
        if there.is_closed:
            found.append(there.q)
    return found
