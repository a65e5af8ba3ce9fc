"""S = J M^-1 J^T and its factors L D L^T on the expression graph, in a fixed order.

Entries that are +-1 or 0 fold away before any code exists. Nothing is pivoted: who runs the code
compares every pivot with the diagonal it came from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from kempe.algebra import Expression

SparseRow = dict[int, Expression]


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


@final
@dataclass(frozen=True, slots=True)
class SchurFactors:
    """L D L^T = S, by row; L's columns hold the rows below."""

    order: Sequence[int]
    lower: Mapping[int, SparseRow]  # column of L: later row -> entry
    inverse: Mapping[int, Expression]  # 1 / pivot
    pivots: list[Expression]  # in order
    diagonals: list[Expression]  # of S, in order

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


def factors(S: Sequence[SparseRow], order: Sequence[int]) -> SchurFactors:
    """Eliminate the rows of S in the given order."""
    work = [dict(row) for row in S]
    lower: dict[int, SparseRow] = {}
    inverse: dict[int, Expression] = {}
    pivots: list[Expression] = []
    done: set[int] = set()
    for k in order:
        pivot = work[k][k]
        pivots.append(pivot)
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
    return SchurFactors(order, lower, inverse, pivots, [S[k][k] for k in order])


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
