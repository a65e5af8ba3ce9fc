"""Closing loops from a guess: damped Gauss-Newton, in units of the machine's size."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.layout import Layout
from kempe.compile.program.program import Program
from kempe.equations import Equations
from kempe.kinematics.closing.winding import Winding
from kempe.results.state import State

FloatArray = NDArray[np.float64]

FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-6, 1e-15, 1e12
LONGEST_TURN = 1.5  # rad a step; places enter linearly, and may go any way
ROUNDINGS = 4.0  # of the largest coordinate that a row may add up
ROUNDINGS_OF_TERMS = 8.0  # of every term of a row, in units of its last place

# Weighted residual: lengths over the size of the machine, angles in rad; beyond half a turn,
# or further off than the machine is large, beside what rounding leaves of such numbers.
ASSEMBLED = 1e-12
TIGHTER = 0.1  # of it: where a search stops
MOST_ITERATIONS = 1000  # most take ten; links almost in a line have narrow, bent valleys
# A loop of hundreds of links, hung anywhere, takes 50 to 950; another attempt is as good as more.
MOST_SPARSE_ITERATIONS = 500
DENSE = 400  # velocities up to which full matrices are quicker than sparse ones
FAR = 100.0  # sizes of the machine beyond which the rounding of places counts
# |J^T f| / |f| below which no small displacement brings the parts nearer to each other.
STATIONARY = 1e-3


@final
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Closing(State):
    """A state that a search has ended in: closed where its residual says so."""

    residual: float = 0.0  # weighted
    iterations: int = 0
    slope: float = 0.0  # |J^T f| / |f|: 0 where the misfit cannot be made smaller nearby
    starts: int = 1  # from how many configurations it was searched, where it is open

    @property
    def is_closed(self) -> bool:
        """Whether every loop is closed to rounding."""
        return self.residual <= ASSEMBLED

    @property
    def is_stationary(self) -> bool:
        """Whether the search has settled."""
        return self.slope <= STATIONARY


def close_sparse(
    equations: Equations, start: State, rows: FloatArray, columns: FloatArray
) -> Closing:
    """Levenberg-Marquardt steps from a start, `rows` and `columns` the weights; it may be open.

    A step is not longer than what turns bodies a little. Turns that follow from others are counted
    on from step to step, the others from the start. A long chain that is put together from afar
    moves as a whole. Its coordinates are rounded by their own size, not by that of a link: what
    that alone leaves open counts as closed.

    Source: [More] for the damping, as in the core's search for smaller mechanisms.
    """
    program, layout = equations.program, equations.layout
    q, t, last, followed = start.q, start.t, start.turns, Winding(equations).follows
    turning = np.append(layout.coordinates.is_angular, np.zeros(layout.n_own, dtype=bool))
    damping, iterations = FIRST_DAMPING, 0
    ease = _ease(q, columns, turning)
    phi, entries, turns = equations.evaluate(q, t, last)
    f = rows * phi
    if not (np.isfinite(f).all() and np.isfinite(entries).all()):
        return Closing(t, q, turns=turns, residual=np.inf)
    for iterations in range(MOST_SPARSE_ITERATIONS):  # noqa: B007
        if np.abs(f).max(initial=0.0) <= TIGHTER * ASSEMBLED * ease:
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
    residual = float(np.abs(f).max(initial=0.0)) / _ease(q, columns, turning)
    return Closing(t, q, turns=turns, residual=residual, iterations=iterations, slope=slope)


def _ease(q: FloatArray, columns: FloatArray, turning: NDArray[np.bool_]) -> float:
    """How many times the tolerance rounding of the coordinates leaves open; at least 1."""
    size = float(columns[~turning].max(initial=0.0)) or 1.0
    reach = float(np.abs(q).max(initial=0.0)) / size
    return max(1.0, ROUNDINGS * float(np.finfo(float).eps) * reach / (TIGHTER * ASSEMBLED))


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


def close(
    equations: Equations,
    q: FloatArray,
    t: float,
    *,
    stiffness: FloatArray | None = None,
    held: NDArray[np.bool_] | None = None,
    ease: FloatArray | None = None,
    last: FloatArray | None = None,
    turned: Mapping[str, float] | None = None,
) -> Closing:
    """Levenberg-Marquardt from q; the result may still be open: see its residual.

    `stiffness` multiplies the weights of rows, `ease` the units of displacements; those that are
    `held` stay 0. Turns are counted on from `last`, or as they start at q if it is omitted, with
    those that readings have `turned` (rad, by name).
    """
    return close_each(
        equations,
        [q],
        t,
        stiffness=stiffness,
        held=held,
        ease=ease,
        turns=None if last is None else [last],
        turned=turned,
    )[0]


def close_each(
    equations: Equations,
    starts: Sequence[FloatArray],
    t: float,
    *,
    stiffness: FloatArray | None = None,
    held: NDArray[np.bool_] | None = None,
    ease: FloatArray | None = None,
    turns: Sequence[FloatArray] | None = None,
    turned: Mapping[str, float] | None = None,
) -> list[Closing]:
    """Levenberg-Marquardt from each of several configurations of one model, as `close` from one."""
    rows, columns = equations.row_weights, 1.0 / equations.layout.step_weights
    if stiffness is not None:
        rows = rows * stiffness
    if ease is not None:
        columns = columns * ease
    if held is not None:
        columns = np.where(held, 0.0, columns)
    winding, p = Winding(equations), equations.parameters
    if turns is None:
        turns = [winding.first(t, q, turned or {}) for q in starts]
    pairs = zip(starts, turns, strict=True)
    states = [State(t, q, turns=last) for q, last in pairs]
    begun = [replace(at, q=winding.begun(at)) for at in states]
    if equations.layout.n_v > DENSE or not begun:
        return [close_sparse(equations, at, rows, columns) for at in begun]
    variants = p[None] if len(begun) == 1 else np.tile(p, (len(begun), 1))
    q, last = np.array([at.q for at in begun]), np.array(turns)
    ends = close_many(equations, variants, q, t, last, rows, columns)
    found = [
        Closing(
            t,
            winding.welded(ends.q[k]),
            turns=ends.turns[k],
            residual=float(ends.residual[k]),
            iterations=int(ends.iterations[k]),
            slope=float(ends.slope[k]),
        )
        for k in range(len(begun))
    ]
    return [
        replace(end, residual=residual_at(equations, end, rows)[0])
        if not end.is_closed
        and (_has_turned(equations.layout, end) or _is_far(equations.layout, end))
        else end
        for end in found
    ]


def residual_at(equations: Equations, at: State, rows: FloatArray) -> tuple[float, FloatArray]:
    """The weighted residual at a state, beside what rounding leaves of it, and the turns there.

    An angle of 1e6 turns is known to 1e-9 rad, a place at 1e6 m to 1e-10 m: a row is not off by
    more than ASSEMBLED where it is off by less than the rounding of its terms.
    """
    phi, entries, turns = equations.evaluate(at.q, at.t, at.turns)
    noise = rows * _rounding_of_rows(equations, at.q, turns, entries)
    residual = rows * np.abs(phi) / np.maximum(1.0, noise / (TIGHTER * ASSEMBLED))
    return float(residual.max(initial=0.0)), turns


def _rounding_of_rows(
    equations: Equations, q: FloatArray, last: FloatArray, entries: FloatArray
) -> FloatArray:
    """What rounding leaves in every row because bodies have turned often or are far off: rad, m."""
    layout, shape, at = equations.layout, equations.program.shape, equations.layout.coordinates
    turned = float(np.abs(last).max(initial=0.0))
    sizes = np.zeros(layout.n_v)
    if layout.model.plane:
        sizes[at.angles] = np.abs(q[at.angles]) + turned
    else:
        sizes[at.bodies_v][at.is_angular] = turned
    sizes[at.bodies_v][~at.is_angular] = np.abs(at.places(q)).ravel()
    terms = np.abs(entries) * sizes[shape.jacobian_columns]
    summed = np.bincount(shape.jacobian_rows, terms, len(shape.rows))
    return np.asarray(ROUNDINGS_OF_TERMS * np.finfo(float).eps * summed, dtype=np.float64)


def _has_turned(layout: Layout, end: Closing) -> bool:
    """Whether angles are so large that their rounding may keep a row open."""
    angles = end.q[layout.coordinates.angles] if layout.model.plane else end.turns
    most = max(float(np.abs(x).max(initial=0.0)) for x in (angles, end.turns))
    return np.isfinite(end.residual) and most > math.pi


def _is_far(layout: Layout, end: Closing) -> bool:
    """Whether bodies are so far off that the rounding of their places may keep a row open."""
    most = float(np.abs(layout.coordinates.places(end.q)).max(initial=0.0))
    return math.isfinite(end.residual) and most > FAR * layout.size


def close_many(
    equations: Equations,
    parameters: FloatArray,
    q: FloatArray,
    t: float,
    last: FloatArray,
    rows: FloatArray,
    columns: FloatArray,
) -> "core.Closings":
    """Close the loops of many variants of one structure: row k of the arrays is variant k."""
    shape = equations.program.shape
    return core.close_loops(
        equations.program.system,
        np.ascontiguousarray(parameters),
        np.ascontiguousarray(q),
        np.ascontiguousarray(last),
        t,
        rows,
        columns,
        np.ascontiguousarray(shape.jacobian_rows, dtype=np.int32),
        np.ascontiguousarray(shape.jacobian_columns, dtype=np.int32),
        np.flatnonzero(Winding(equations).follows).astype(np.int32),
        TIGHTER * ASSEMBLED,
        MOST_ITERATIONS,
    )
