"""Elimination on the expression graph, in a fixed order: of J, and of S = J M^-1 J^T.

Entries that are +-1 or 0 fold away before any code exists. Nothing is pivoted: who runs the code
compares every pivot with what it was, or with the diagonal it came from. Two rows of J that only
hold the same two unknowns (a dyad: two bars that meet) are solved together by their determinant,
with one division instead of two that wait for each other.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression
from kempe.algebra.native import core
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.trace.shape import Row

IntArray = NDArray[np.int32]

SparseRow = dict[int, Expression]
Order = Sequence[tuple[int, int]]


class _Step(Protocol):
    def forward(self, right: list[Expression], x: SparseRow) -> None:
        """What the step does to the right-hand side on the way down."""

    def backward(self, right: list[Expression], x: SparseRow) -> None:
        """The unknowns of the step, on the way up."""


@final
@dataclass(frozen=True, slots=True)
class _Pivot:
    row: int
    column: int
    inverse: Expression  # 1 / pivot
    upper: SparseRow
    lower: list[tuple[int, Expression]]  # (row, multiplier)

    def forward(self, right: list[Expression], x: SparseRow) -> None:
        for row, multiplier in self.lower:
            right[row] = right[row] - multiplier * right[self.row]

    def backward(self, right: list[Expression], x: SparseRow) -> None:
        total = right[self.row]
        for column, entry in self.upper.items():
            total = total - entry * x[column]
        x[self.column] = total * self.inverse


@final
@dataclass(frozen=True, slots=True)
class _Dyad:
    rows: tuple[int, int]
    columns: tuple[int, int]
    block: tuple[Expression, Expression, Expression, Expression]  # [[a, b], [c, d]]
    inverse: Expression  # 1 / (a d - b c)
    lower: list[tuple[int, Expression]]  # (row, its entry in the second column)

    def forward(self, right: list[Expression], x: SparseRow) -> None:
        a, b, c, d = self.block
        f, g = right[self.rows[0]], right[self.rows[1]]
        x[self.columns[0]] = (d * f - b * g) * self.inverse
        x[self.columns[1]] = (a * g - c * f) * self.inverse
        for row, entry in self.lower:
            right[row] = right[row] - entry * x[self.columns[1]]

    def backward(self, right: list[Expression], x: SparseRow) -> None:
        pass


@final
@dataclass(frozen=True, slots=True)
class Elimination:
    """The factors of a square matrix; `pivots` are those that are not constant.

    The sign of the product of the pivots is that of the determinant, up to a sign that is the same
    for all values.
    """

    steps: list[_Step]
    pivots: list[Expression]
    pivot_rows: list[int]  # the row of each of them; of a dyad, its first

    def solve(self, b: Sequence[Expression]) -> list[Expression]:
        """x with A x = b."""
        right, x = list(b), dict[int, Expression]()
        for step in self.steps:
            step.forward(right, x)
        for step in reversed(self.steps):
            step.backward(right, x)
        return [x[k] for k in range(len(b))]


def eliminate(rows: Sequence[SparseRow], order: Order) -> Elimination:
    """Gaussian elimination with the pivots (row, column) in the given order."""
    return _Eliminator(rows, order).run()


@final
class _Eliminator:
    def __init__(self, rows: Sequence[SparseRow], order: Order) -> None:
        self.work = [dict(row) for row in rows]
        self.order = order
        self.holders: dict[int, set[int]] = {}
        for k, entries in enumerate(self.work):
            for column in entries:
                self.holders.setdefault(column, set()).add(k)
        self.pivots: list[Expression] = []
        self.pivot_rows: list[int] = []

    def run(self) -> Elimination:
        steps: list[_Step] = []
        k = 0
        while k < len(self.order):
            if self._is_dyad(k):
                steps.append(self._dyad(k))
                k += 2
            else:
                steps.append(self._pivot(*self.order[k]))
                k += 1
        return Elimination(steps, self.pivots, self.pivot_rows)

    def _is_dyad(self, k: int) -> bool:
        """Whether pivots k and k + 1 are two rows that hold the same two unknowns and no other."""
        if k + 1 >= len(self.order):
            return False
        (r1, c1), (r2, c2) = self.order[k], self.order[k + 1]
        both = {c1, c2}
        return (
            self.work[r1].keys() == both
            and self.work[r2].keys() == both
            and self.holders[c1] == {r1, r2}
            and self.work[r1][c1].constant is None
        )

    def _dyad(self, k: int) -> _Dyad:
        (r1, c1), (r2, c2) = self.order[k], self.order[k + 1]
        a, b = self.work[r1][c1], self.work[r1][c2]
        c, d = self.work[r2][c1], self.work[r2][c2]
        determinant = a * d - b * c
        self.pivots.append(determinant)
        self.pivot_rows.append(r1)
        below = sorted(self.holders[c2] - {r1, r2})
        lower = [(row, self.work[row].pop(c2)) for row in below]
        return _Dyad((r1, r2), (c1, c2), (a, b, c, d), 1.0 / determinant, lower)

    def _pivot(self, pivot_row: int, pivot_column: int) -> _Pivot:
        upper = self.work[pivot_row]
        pivot = upper.pop(pivot_column)
        if pivot.constant is None:
            self.pivots.append(pivot)
            self.pivot_rows.append(pivot_row)
        inverse = 1.0 / pivot
        for column in (pivot_column, *upper):
            self.holders[column].discard(pivot_row)
        lower = []
        for row in sorted(self.holders[pivot_column]):
            multiplier = self.work[row].pop(pivot_column) * inverse
            lower.append((row, multiplier))
            self._subtract(row, multiplier, upper)
        return _Pivot(pivot_row, pivot_column, inverse, upper, lower)

    def _subtract(self, row: int, multiplier: Expression, upper: SparseRow) -> None:
        target = self.work[row]
        for column, entry in upper.items():
            term = multiplier * entry
            value = target[column] - term if column in target else -term
            if value.is_zero:
                target.pop(column, None)
                self.holders[column].discard(row)
            else:
                target[column] = value
                self.holders[column].add(row)


@final
@dataclass(frozen=True, slots=True)
class InverseMass:
    """M^-1 of bodies: rows of the inverse by velocity, entries that are zero left out."""

    rows: Mapping[int, SparseRow]

    def times(self, x: Mapping[int, Expression]) -> SparseRow:
        """M^-1 x, by velocity."""
        result: SparseRow = {}
        for column, value in x.items():
            for k, entry in self.rows[column].items():  # symmetric
                term = entry * value
                result[k] = result[k] + term if k in result else term
        return {k: e for k, e in sorted(result.items()) if not e.is_zero}

    def without(self, velocities: Collection[int]) -> "InverseMass":
        """M^-1 where these velocities are moved by no mass of their own."""
        return InverseMass({k: {} if k in velocities else row for k, row in self.rows.items()})


@final
@dataclass(frozen=True, slots=True)
class SchurFactors:
    """L D L^T = S, by row; L's columns hold the rows below.

    Pivots of `negative` rows are told with the sign turned.
    """

    order: Sequence[int]
    lower: Mapping[int, SparseRow]  # column of L: later row -> entry
    inverse: Mapping[int, Expression]  # 1 / pivot
    pivots: list[Expression]  # in order
    diagonals: list[Expression]  # of S, in order; of a negative row, what its square makes of it

    def solve(self, right: Sequence[Expression]) -> list[Expression]:
        """S x = right."""
        x = list(right)
        for k in self.order:
            for row, entry in self.lower[k].items():
                x[row] = x[row] - entry * x[k]
        for k in self.order:
            x[k] = x[k] * self.inverse[k]
        for k in reversed(self.order):
            for row, entry in self.lower[k].items():
                x[k] = x[k] - entry * x[row]
        return x


def schur_complement(J: Sequence[SparseRow], M: InverseMass) -> list[SparseRow]:
    """S = J M^-1 J^T, both triangles, row by row."""
    eased = [M.times(row) for row in J]  # rows of J M^-1
    holders: dict[int, list[int]] = {}
    for i, row in enumerate(J):
        for column in row:
            holders.setdefault(column, []).append(i)
    S: list[SparseRow] = [{} for _ in J]
    for i, row in enumerate(eased):
        met = sorted({j for column in row for j in holders.get(column, ()) if j <= i})
        for j in met:
            shared = [c for c in row if c in J[j]]
            terms = [row[c] * J[j][c] for c in shared]
            total = sum(terms[1:], terms[0])
            if not total.is_zero:
                S[i][j] = total
                S[j][i] = total
    return S


def bordered(
    S: Sequence[SparseRow], J: Sequence[SparseRow], massless: Sequence[int]
) -> list[SparseRow]:
    """[S B; B^T 0], B = the columns of J whose velocities have no mass."""
    n = len(S)
    rows: list[SparseRow] = [*map(dict, S), *({} for _ in massless)]
    for k, column in enumerate(massless, n):
        for i, row in enumerate(J):
            if column in row:
                rows[i][k] = rows[k][i] = row[column]
    return rows


def bordered_order(
    order: Sequence[int], J: Sequence[SparseRow], massless: Sequence[int]
) -> list[int]:
    """The order of rows, every velocity without mass after the last row that it stands in.

    With S positive all pivots of rows are positive then, and those of the others negative.
    """
    found: list[int] = []
    places = {row: place for place, row in enumerate(order)}
    last = [max(places[i] for i in order if column in J[i]) for column in massless]
    for place, row in enumerate(order):
        found.append(row)
        found += [len(order) + k for k, end in enumerate(last) if end == place]
    return found


def factors(
    S: Sequence[SparseRow], order: Sequence[int], negative: Collection[int] = ()
) -> SchurFactors:
    """Eliminate the rows of S in the given order."""
    work = [dict(row) for row in S]
    lower: dict[int, SparseRow] = {}
    inverse: dict[int, Expression] = {}
    pivots: list[Expression] = []
    done: set[int] = set()
    for k in order:
        pivot = work[k][k]
        pivots.append(-pivot if k in negative else pivot)
        inverse[k] = 1.0 / pivot
        done.add(k)
        below = {r: e for r, e in work[k].items() if r not in done}
        lower[k] = {r: e * inverse[k] for r, e in below.items()}
        rows = sorted(below)
        for a, i in enumerate(rows):
            for j in rows[: a + 1]:
                term = lower[k][i] * below[j]
                value = work[i][j] - term if j in work[i] else -term
                work[i][j] = value
                work[j][i] = value
    diagonals = [_made_of(S, k) if k in negative else S[k][k] for k in order]
    return SchurFactors(order, lower, inverse, pivots, diagonals)


def _made_of(S: Sequence[SparseRow], k: int) -> Expression:
    """What the pivot of a row without diagonal would be, were all others apart."""
    terms = [entry * entry / S[i][i] for i, entry in S[k].items()]
    return sum(terms[1:], terms[0])


def transposed_product(J: Sequence[SparseRow], lam: Sequence[Expression]) -> SparseRow:
    """J^T lam, by velocity."""
    result: SparseRow = {}
    for row, multiplier in zip(J, lam, strict=True):
        for column, entry in row.items():
            term = entry * multiplier
            result[column] = result[column] + term if column in result else term
    return result


def product(row: SparseRow, x: Mapping[int, Expression], zero: Expression) -> Expression:
    """One row of J times a vector by velocity."""
    terms = [entry * x[column] for column, entry in row.items() if column in x]
    return sum(terms[1:], terms[0]) if terms else zero


def saddle_blocks(
    rows: Sequence[Row], entry_rows: IntArray, entry_columns: IntArray, at: Coordinates
) -> "core.Saddle":
    """Which element touches which bodies, and where every entry of J stands in dense blocks."""
    elements = np.array([row.element for row in rows], dtype=np.int64)
    begins = np.flatnonzero(np.diff(elements, prepend=-1))  # first row of each group
    counts = np.diff(begins, append=len(elements))
    group = np.repeat(np.arange(len(begins)), counts)[entry_rows]
    bodies, size = at.n_bodies, at.n_each
    body, part = at.body_of(entry_columns)
    touches, which = np.unique(group * bodies + body, return_inverse=True)
    owner = touches // max(bodies, 1)
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(begins)))])
    offsets = np.concatenate([[0], np.cumsum(counts[owner] * size)])[:-1]
    places = part * counts[group] + entry_rows - begins[group]
    places = places + offsets[which] if len(places) else places
    return core.Saddle(
        body_sizes=_integers([size] * bodies),
        joint_rows=counts.astype(np.int32),
        touch_starts=starts.astype(np.int32),
        touch_bodies=(touches % max(bodies, 1)).astype(np.int32),
        rows=entry_rows,
        columns=entry_columns,
        places=places.astype(np.int32),
    )


def dense_entries(saddle: "core.Saddle", at: Coordinates) -> tuple[IntArray, IntArray]:
    """Row and velocity of every number of the dense blocks, block after block, by columns."""
    heights, starts = saddle.joint_rows, saddle.touch_starts
    owner = np.repeat(np.arange(len(heights)), np.diff(starts))
    first_rows = np.cumsum(heights) - heights
    counts = heights[owner] * at.n_each
    touch = np.repeat(np.arange(len(owner)), counts)
    local = np.arange(len(touch)) - np.repeat(np.cumsum(counts) - counts, counts)
    height = heights[owner][touch]
    rows = first_rows[owner][touch] + local % height
    columns = at.column_of(saddle.touch_bodies[touch], local // height)
    return rows.astype(np.int32), columns.astype(np.int32)


def elimination_order(rows: Sequence[Row], bodies: Sequence[Sequence[int]]) -> list[int]:
    """The rows in a minimum degree order of the elements that share a body."""
    elements = list(dict.fromkeys(row.element for row in rows))
    members = {e: [k for k, row in enumerate(rows) if row.element == e] for e in elements}
    holders: dict[int, list[int]] = {}
    for place, e in enumerate(elements):
        for body in {b for b in bodies[e] if b >= 0}:
            holders.setdefault(body, []).append(place)
    pairs = {(a, b) for group in holders.values() for a in group for b in group if a < b}
    order = core.minimum_degree_order(
        len(elements),
        _integers(a for a, _ in sorted(pairs)),
        _integers(b for _, b in sorted(pairs)),
        _integers(len(members[e]) for e in elements),
    )
    return [k for place in order for k in members[elements[int(place)]]]


def _integers(numbers: Iterable[int]) -> IntArray:
    return np.array(list(numbers), dtype=np.int32)
