"""The configurations in which every loop is closed, and how to move among them.

Displacements here are scaled: lengths in sizes of the machine, angles in radians. The shortest
displacement is the smallest in that measure, whatever the bodies weigh.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.layout import Layout
from kempe.equations.rank import independent_rows
from kempe.kinematics.closing.curve_ends import refuse_curves
from kempe.kinematics.mobility.finite_motion import Released
from kempe.results.state import State

FloatArray = NDArray[np.float64]

# Inverse iterations that find the weakest direction, from nothing and from one nearby.
FIRST_SEARCH, LATER_SEARCH = 30, 3


@final
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoopState(State):
    """A state with its misfit and Jacobian; the loops are closed where the misfit is 0."""

    phi: FloatArray  # independent rows, scaled
    spare: FloatArray  # the rows that repeat them, scaled
    entries: FloatArray  # of the independent rows' Jacobian, scaled

    @property
    def misfit(self) -> float:
        """The largest scaled residual of the independent rows; NaN counts as infinite."""
        worst = float(np.abs(self.phi).max(initial=0.0))
        return worst if np.isfinite(worst) else np.inf


@final
@dataclass(frozen=True, slots=True, eq=False)
class Weakness:
    """The smallest singular value of J with its vectors: J w = sigma u.

    Where sigma is 0 the ways to move split: branches cross.
    """

    sigma: float
    u: FloatArray
    w: FloatArray


@final
class ClosedLoops:
    """Corrections and free motions of a mechanism near configurations that close its loops.

    With the loops' Jacobian J, and M the identity in scaled displacements:

    [M J^T; J 0] [d; lam] = [push; -phi]

    phi = 0: d is the part of the push that the loops let through; push = 0: d is the shortest
    displacement that closes them. Rows that repeat others are left out and only watched.
    """

    def __init__(self, released: Released) -> None:
        equations, layout = released.equations, released.equations.layout
        refuse_curves(layout, "dragged")
        self._equations, self._t = equations, released.start.t
        shape = equations.program.shape
        kept = independent_rows(equations.scaled_jacobian(released.start))
        kept.sort(key=lambda k: (shape.rows[k].element, shape.rows[k].place))
        self._kept = np.array(kept, dtype=np.intp)
        self._spare = np.setdiff1d(np.arange(len(shape.rows)), self._kept)
        self._weights = equations.row_weights
        self.scale = 1.0 / layout.step_weights  # of displacements
        place = np.full(len(shape.rows), -1)
        place[self._kept] = np.arange(len(kept))
        self._mine = np.flatnonzero(place[shape.jacobian_rows] >= 0)
        self._rows = place[shape.jacobian_rows[self._mine]]
        self._columns = shape.jacobian_columns[self._mine]
        self._factors = self._weights[shape.jacobian_rows[self._mine]] * self.scale[self._columns]
        elements = [shape.rows[k].element for k in kept]
        self._solver, self._blocks, self._n_blocks = _solver(
            layout, elements, self._rows, self._columns
        )
        self._still = np.zeros(layout.n_v)
        self._factored: LoopState | None = None
        self._guess: FloatArray | None = None  # of the weakest direction

    @property
    def freedom(self) -> int:
        """How many ways there are to move."""
        return len(self.scale) - len(self._kept)

    def place(self, q: FloatArray, last: FloatArray) -> LoopState:
        """The misfit and Jacobian at a configuration; turns are counted on from `last`."""
        phi, entries, turns = self._equations.evaluate(q, self._t, last)
        phi = phi * self._weights
        entries = entries[self._mine] * self._factors
        return LoopState(
            self._t, q, turns=turns, phi=phi[self._kept], spare=phi[self._spare], entries=entries
        )

    def moved(self, place: LoopState, d: FloatArray) -> LoopState:
        """Where the scaled displacement d leads."""
        return self.place(self._equations.program.retract(place.q, d * self.scale), place.turns)

    def correction(self, place: LoopState, L: FloatArray, gap: FloatArray) -> FloatArray:
        """The shortest d, to first order, that closes the loops and has L d = gap."""
        d = self._solve(place, self._still, -place.phi)[0]
        if len(L):
            Y = self.let_through(place, L)
            d = d + (gap - L @ d) @ np.linalg.pinv(Y @ L.T) @ Y
        return d

    def let_through(self, place: LoopState, pushes: FloatArray) -> FloatArray:
        """The parts of the pushes (k, n_v) that close no loop and open none: N N^T push."""
        return self._solve(place, pushes, np.zeros((len(pushes), len(self._kept))))[0]

    def weakness(self, place: LoopState) -> Weakness:
        """The smallest singular value, by inverse iteration from where it was last."""
        d, sigma = np.zeros(len(self.scale)), np.inf
        if not len(self._kept):
            return Weakness(sigma, np.zeros(0), d)
        y, steps = self._guess, LATER_SEARCH
        if y is None:
            y, steps = 1.0 + np.sqrt(2.0) * np.arange(len(self._kept)) % 1.0, FIRST_SEARCH
        for _ in range(steps):
            y = y / np.linalg.norm(y)
            d, lam = self._solve(place, self._still, y)  # J d = y, d shortest
            sigma, y = 1.0 / float(np.linalg.norm(d)), -lam
        self._guess = y
        w = d * sigma
        u = self.applied(place, w)
        return Weakness(sigma, u / np.linalg.norm(u), w)

    def strength(self, place: LoopState, weakness: Weakness) -> float:
        """u . J w elsewhere: what has become of the weakest direction; it keeps its sign."""
        return float(weakness.u @ self.applied(place, weakness.w)) if len(weakness.u) else np.inf

    def applied(self, place: LoopState, d: FloatArray) -> FloatArray:
        """J d: by how much a displacement opens the loops."""
        image = np.zeros(len(self._kept))
        np.add.at(image, self._rows, place.entries * d[self._columns])
        return image

    def _solve(
        self, place: LoopState, f: FloatArray, g: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        if self._factored is not place:
            blocks = np.zeros(self._n_blocks)
            blocks[self._blocks] = place.entries
            self._solver.factor(blocks)
            self._factored = place
        found = self._solver.solve(f, g)
        return found.a, found.lam


def _solver(
    layout: Layout, elements: list[int], rows: NDArray[np.intp], columns: NDArray[np.int32]
) -> tuple["core.SchurLDLT", NDArray[np.intp], int]:
    """A solver with a block for every element and body it holds, every entry's place in the blocks,
    and how many numbers they have.
    """
    n = layout.coordinates.n_each
    named = list(dict.fromkeys(elements))
    first_row = [elements.index(e) for e in named]
    counts = [elements.count(e) for e in named]
    joint = np.array([named.index(e) for e in elements], dtype=np.intp)[rows]
    bodies, parts = layout.coordinates.body_of(columns)
    starts, touched, offsets, offset = [0], [], {}, 0
    for k, count in enumerate(counts):
        mine = sorted({int(b) for b in bodies[joint == k]})
        for body in mine:
            offsets[k, body] = offset
            offset += count * n
        touched += mine
        starts.append(len(touched))
    places = [
        offsets[int(k), int(b)] + (int(r) - first_row[k]) * n + int(part)
        for k, b, r, part in zip(joint, bodies, rows, parts, strict=True)
    ]
    solver = core.SchurLDLT(
        np.full(layout.n_bodies, n, dtype=np.int32),
        np.array(counts, dtype=np.int32),
        np.array(starts, dtype=np.int32),
        np.array(touched, dtype=np.int32),
    )
    solver.set_mass(np.tile(np.eye(n).ravel(), layout.n_bodies))
    return solver, np.array(places, dtype=np.intp), offset
