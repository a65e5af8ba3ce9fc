"""Closing loops from a guess: damped Gauss-Newton, in units of the machine's size."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.layout import Layout
from kempe.equations import Equations
from kempe.kinematics.closing.sparse_closing import close_sparse
from kempe.kinematics.closing.winding import (
    followed_turns,
    has_sums,
    initial_turns,
    rounding_of_rows,
    stroked,
    welded,
    wound,
)
from kempe.results.state import State

FloatArray = NDArray[np.float64]

# Weighted residual: lengths over the size of the machine, angles in rad; beyond half a turn,
# or further off than the machine is large, beside what rounding leaves of such numbers.
ASSEMBLED = 1e-12
TIGHTER = 0.1  # of it: where a search stops
MOST_ITERATIONS = 1000  # most take ten; links almost in a line have narrow, bent valleys
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


def close(
    equations: Equations,
    q: FloatArray,
    t: float,
    *,
    stiffness: FloatArray | None = None,
    held: NDArray[np.bool_] | None = None,
    ease: FloatArray | None = None,
    last: FloatArray | None = None,
) -> Closing:
    """Levenberg-Marquardt from q; the result may still be open: see its residual.

    `stiffness` multiplies the weights of rows, `ease` the units of displacements; those that are
    `held` stay 0. Turns are counted on from `last`, or as `initial_turns` says if it is omitted.
    """
    turns = None if last is None else [last]
    return close_each(equations, [q], t, stiffness=stiffness, held=held, ease=ease, turns=turns)[0]


def close_each(
    equations: Equations,
    starts: Sequence[FloatArray],
    t: float,
    *,
    stiffness: FloatArray | None = None,
    held: NDArray[np.bool_] | None = None,
    ease: FloatArray | None = None,
    turns: Sequence[FloatArray] | None = None,
) -> list[Closing]:
    """Levenberg-Marquardt from each of several configurations of one model, as `close` from one."""
    rows, columns = equations.row_weights, 1.0 / equations.layout.step_weights
    if stiffness is not None:
        rows = rows * stiffness
    if ease is not None:
        columns = columns * ease
    if held is not None:
        columns = np.where(held, 0.0, columns)
    if turns is None:
        turns = [initial_turns(equations, t, q) for q in starts]
    pairs = zip(starts, turns, strict=True)
    begun = [wound(equations, q, t, last) for q, last in pairs]
    if equations.layout.model.couplers or has_sums(equations.layout):
        pairs = zip(begun, turns, strict=True)
        begun = [stroked(equations, q, t, last) for q, last in pairs]
    p = equations.parameters
    if equations.layout.n_v > DENSE:
        turning = np.concatenate(
            [
                equations.layout.coordinates.is_angular,
                np.zeros(equations.layout.n_own, dtype=bool),
            ]
        )
        return [
            _closed_sparse(equations, State(t, q, turns=last), rows, columns, turning)
            for q, last in zip(begun, turns, strict=True)
        ]
    if not begun:
        return []
    variants = p[None] if len(begun) == 1 else np.tile(p, (len(begun), 1))
    ends = close_many(equations, variants, np.array(begun), t, np.array(turns), rows, columns)
    found = [
        Closing(
            t,
            welded(equations, ends.q[k]),
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


def _closed_sparse(
    equations: Equations,
    start: State,
    rows: FloatArray,
    columns: FloatArray,
    turning: NDArray[np.bool_],
) -> Closing:
    q, turns, residual, iterations, slope = close_sparse(
        equations, start, rows, columns, TIGHTER * ASSEMBLED, turning, followed_turns(equations)
    )
    return Closing(start.t, q, turns=turns, residual=residual, iterations=iterations, slope=slope)


def residual_at(equations: Equations, at: State, rows: FloatArray) -> tuple[float, FloatArray]:
    """The weighted residual at a state, beside what rounding leaves of it, and the turns there.

    An angle of 1e6 turns is known to 1e-9 rad, a place at 1e6 m to 1e-10 m: a row is not off by
    more than ASSEMBLED where it is off by less than the rounding of its terms.
    """
    phi, entries, turns = equations.evaluate(at.q, at.t, at.turns)
    noise = rows * rounding_of_rows(equations, at.q, turns, entries)
    residual = rows * np.abs(phi) / np.maximum(1.0, noise / (TIGHTER * ASSEMBLED))
    return float(residual.max(initial=0.0)), turns


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
        np.flatnonzero(followed_turns(equations)).astype(np.int32),
        TIGHTER * ASSEMBLED,
        MOST_ITERATIONS,
    )
