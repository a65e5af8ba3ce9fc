"""LU factors on the expression graph: elimination in a fixed order, before any code exists.

Entries that are +-1 or 0 fold away, so what is left is close to what one would write by hand. Two
rows that only hold the same two unknowns (a dyad: two bars that meet) are solved together by their
determinant, with one division instead of two that wait for each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, final

from kempe.algebra import Expression

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
