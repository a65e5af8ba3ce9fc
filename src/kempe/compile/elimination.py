"""LU factors on the expression graph: elimination in a fixed order, before any code exists.

Entries that are +-1 or 0 fold away, so what is left is close to what one would write by hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from kempe.algebra import Expression

SparseRow = dict[int, Expression]


@final
@dataclass(frozen=True, slots=True)
class _Step:
    row: int
    column: int
    inverse: Expression  # 1 / pivot
    upper: SparseRow
    lower: list[tuple[int, Expression]]  # (row, multiplier)


@final
@dataclass(frozen=True, slots=True)
class Elimination:
    """The factors of a square matrix; `pivots` are those that are not constant."""

    steps: list[_Step]
    pivots: list[Expression]

    def solve(self, b: Sequence[Expression]) -> list[Expression]:
        """x with A x = b."""
        right, x = list(b), dict[int, Expression]()
        for step in self.steps:
            for row, multiplier in step.lower:
                right[row] = right[row] - multiplier * right[step.row]
        for step in reversed(self.steps):
            total = right[step.row]
            for column, entry in step.upper.items():
                total = total - entry * x[column]
            x[step.column] = total * step.inverse
        return [x[k] for k in range(len(self.steps))]


def eliminate(rows: Sequence[SparseRow], order: Sequence[tuple[int, int]]) -> Elimination:
    """Gaussian elimination with the pivots (row, column) in the given order."""
    work = [dict(row) for row in rows]
    holders: dict[int, set[int]] = {}
    for k, entries in enumerate(work):
        for column in entries:
            holders.setdefault(column, set()).add(k)
    steps, pivots = [], []
    for pivot_row, pivot_column in order:
        upper = work[pivot_row]
        pivot = upper.pop(pivot_column)
        if pivot.constant is None:
            pivots.append(pivot)
        inverse = 1.0 / pivot
        for column in (pivot_column, *upper):
            holders[column].discard(pivot_row)
        lower = []
        for row in sorted(holders[pivot_column]):
            multiplier = work[row].pop(pivot_column) * inverse
            lower.append((row, multiplier))
            _subtract(work[row], multiplier, upper, holders, row)
        steps.append(_Step(pivot_row, pivot_column, inverse, upper, lower))
    return Elimination(steps, pivots)


def _subtract(
    target: SparseRow,
    multiplier: Expression,
    upper: SparseRow,
    holders: dict[int, set[int]],
    row: int,
) -> None:
    for column, entry in upper.items():
        term = multiplier * entry
        value = target[column] - term if column in target else -term
        if value.is_zero:
            target.pop(column, None)
            holders[column].discard(row)
        else:
            target[column] = value
            holders[column].add(row)
