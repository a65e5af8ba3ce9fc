"""Putting a mechanism together: damped Gauss-Newton from a guess, nearest solution first."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout import Layout
from kempe.compile.program import Program
from kempe.errors import AssemblyError
from kempe.geometry import Pose
from kempe.kinematics.placement import first_guess
from kempe.kinematics.poses import body_pose
from kempe.model.links import pinned_links, reach_gap
from kempe.model.topology import Loop, topology

FloatArray = NDArray[np.float64]

ASSEMBLED = 1e-12  # weighted residual: lengths over the size of the machine, angles in rad
MOST_ITERATIONS = 60
ATTEMPTS = 24
DENSE = 400  # velocities up to which full matrices are quicker than sparse ones


@final
@dataclass(frozen=True, slots=True)
class Assembled:
    """A configuration that closes every loop at time t."""

    q: FloatArray
    last: FloatArray  # unwrapped turns
    residual: float  # weighted
    iterations: int


def assemble(layout: Layout, program: Program, t: float) -> Assembled:
    """The configuration nearest to the guesses that closes every loop at time t.

    Bodies without a guess are placed anew in every attempt; with guesses for all there is one
    attempt. Minimises |phi|^2 by Levenberg-Marquardt steps on the manifold of the coordinates.

    Source: [More] for the damping; rows in units of the machine's size, Own.
    """
    guessed = all(b.guess is not None for b in layout.model.moving)
    best: Assembled | None = None
    for attempt in range(1 if guessed else ATTEMPTS):
        found = close(layout, program, first_guess(layout, attempt, t), t)
        if best is None or found.residual < best.residual:
            best = found
        if found.residual <= ASSEMBLED:
            break
    assert best is not None
    if best.residual > ASSEMBLED:
        raise _not_assembled(layout, program, best, t)
    _check_sides(layout, best.q)
    return best


def initial_turns(layout: Layout, program: Program, t: float, q: FloatArray) -> FloatArray:
    """Where counted turns start: at the value their drive or joint holds them at, or as q is."""
    turns = []
    for number, reading in program.shape.counted:
        element = layout.elements[number]
        X = [body_pose(layout, q, m.body) @ m.pose for m in element.markers]
        turns.append(element.first_turns(t, X)[reading])
    return np.array(turns, dtype=float)


def row_weights(layout: Layout, program: Program) -> FloatArray:
    """1 / size for rows in metres, 1 for the others."""
    return np.array([1.0 / layout.size if r.unit == "m" else 1.0 for r in program.shape.rows])


def step_weights(layout: Layout) -> FloatArray:
    """1 / size for linear displacements and own unknowns, 1 for angles."""
    chart = layout.chart
    one = [1.0 if angular else 1.0 / layout.size for angular in chart.angular]
    own = [unknown.scale / layout.size for _, unknown in layout.own_unknowns]
    return np.concatenate([np.tile(np.array(one), layout.n_bodies), own])


def close(layout: Layout, program: Program, q: FloatArray, t: float) -> Assembled:
    """Levenberg-Marquardt from q; the result may still be open: see its residual."""
    rows, columns = row_weights(layout, program), 1.0 / step_weights(layout)
    last, p = initial_turns(layout, program, t, q), layout.parameters
    damping, iterations = 1e-6, 0
    phi, entries, turns = program.evaluate(p, q, t, last)
    f = rows * phi
    if not (np.isfinite(f).all() and np.isfinite(entries).all()):
        return Assembled(q, turns, np.inf, 0)
    for iterations in range(MOST_ITERATIONS):  # noqa: B007
        if np.abs(f).max(initial=0.0) <= ASSEMBLED * 0.1:
            break
        while damping < 1e12:
            d = -columns * _damped(program, entries, rows, columns, f, damping)
            d *= min(1.0, 1.5 / max(1e-300, float(np.abs(d / columns).max())))
            trial = program.retract(q, d)
            phi, entries_trial, turns_trial = program.evaluate(p, trial, t, last)
            if np.linalg.norm(rows * phi) < np.linalg.norm(f):
                q, f, entries, turns = trial, rows * phi, entries_trial, turns_trial
                damping = max(damping * 0.1, 1e-15)
                break
            damping *= 10.0
        else:
            break
    return Assembled(q, turns, float(np.abs(f).max(initial=0.0)), iterations)


def _damped(
    program: Program,
    entries: FloatArray,
    rows: FloatArray,
    columns: FloatArray,
    f: FloatArray,
    damping: float,
) -> FloatArray:
    """d that minimises |J d - f|^2 + damping |d|^2, in scaled units."""
    k = program.shape
    scaled = entries * rows[k.jacobian_rows] * columns[k.jacobian_columns]
    if k.n_v <= DENSE:
        J = np.zeros((len(k.rows), k.n_v))
        J[k.jacobian_rows, k.jacobian_columns] = scaled
        stacked = np.vstack([J, np.sqrt(damping) * np.eye(k.n_v)])
        right = np.concatenate([f, np.zeros(k.n_v)])
        d: FloatArray = np.linalg.lstsq(stacked, right, rcond=None)[0]
        return d
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import splu

    shape = (len(k.rows), k.n_v)
    sparse: Any = csc_array((scaled, (k.jacobian_rows, k.jacobian_columns)), shape=shape)
    normal = (sparse.T @ sparse + damping * eye_array(k.n_v)).tocsc()
    solution: FloatArray = splu(normal).solve(sparse.T @ f)
    return solution


def _not_assembled(layout: Layout, program: Program, best: Assembled, t: float) -> AssemblyError:
    phi, _, _ = program.evaluate(layout.parameters, best.q, t, best.last)
    weighted = np.nan_to_num(np.abs(phi) * row_weights(layout, program), nan=np.inf)
    worst = int(np.argmax(weighted))
    row = program.shape.rows[worst]
    element = layout.elements[row.element]
    facts = {"joint": element.name, "misfit": float(abs(phi[worst])), "residual": best.residual}
    if not np.isfinite(best.residual):
        return AssemblyError(
            f"{element.name!r} has no value where {layout.model.name!r} starts, at t = {t:g} s:"
            f" row {row.place + 1} is {phi[worst]:g}, or its derivative is not finite. Give the"
            " bodies another first guess, or mend the formula there.",
            **facts,
        )
    too_short = _too_short(layout)
    if too_short is not None:
        return AssemblyError(too_short, **facts)
    if row.unit == "1":
        misfit = f"the axes of {element.name!r} out of line by {abs(phi[worst]):.3g} rad or more"
        advice = "Straighten the axes of its markers"
    else:
        misfit = f"{element.name!r} open by {abs(phi[worst]):.3g} {row.unit}"
        advice = "Change a length near it, start the drive elsewhere"
    loops = [lp for lp in topology(layout.model).loops if element.name in _names(lp)]
    where = f"the loop {loops[0]}" if loops else repr(layout.model.name)
    return AssemblyError(
        f"{where} cannot be put together at t = {t:g} s from the given start: the best fit leaves"
        f" {misfit}. {advice}, or give the bodies a better first guess.",
        **facts,
    )


def _names(loop: Loop) -> set[str]:
    return {joint.name for joint in loop.joints}


def _too_short(layout: Layout) -> str | None:
    """What is wrong with a loop of hinges one of whose links is longer than all others."""
    for loop in topology(layout.model).loops:
        links = pinned_links(loop)
        if links is None:
            continue
        longest, gap = reach_gap(links)
        if gap > 0.0:
            others = longest.length - gap
            return (
                f"the loop {loop} cannot be closed: {longest.body!r} is {longest.length:.12g} m"
                f" between its hinges and the other links reach only {others:.12g} m. Shorten"
                f" {longest.body!r} below {others:.12g} m, or lengthen the others by"
                f" {gap:.3g} m in all."
            )
    return None


def _check_sides(layout: Layout, q: FloatArray) -> None:
    poses: dict[str, Pose] = {}  # X_WB, each made once
    for joint in layout.model.joints:
        if not joint.sides:
            continue
        for body in (joint.I.body, joint.J.body):
            if body not in poses:
                poses[body] = body_pose(layout, q, body)
        X_WI, X_WJ = (poses[m.body] @ m.pose for m in (joint.I, joint.J))
        for side in joint.sides:
            if side.value(X_WI, X_WJ) < 0.0:
                raise AssemblyError(
                    f"joint {joint.name!r} went together the wrong way round: {side.wrong}. Turn"
                    " one marker by 180 degrees, give a better first guess, or say flip=True if"
                    " that is on purpose.",
                    joint=joint.name,
                )
