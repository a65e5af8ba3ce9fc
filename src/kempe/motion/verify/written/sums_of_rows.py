"""Whether polynomials vanish, nearly, wherever others do: as sums of multiples of those.

    t = sum_k lam_k g_k + rest,   |rest| <= sum over monomials m of |rest_m| prod of bounds of m

Multipliers lam_k, polynomials themselves, are found by least squares, and whatever they are, what
is left over is bounded: t is no larger than that wherever all g_k vanish. Coefficients are formed
in long doubles, with bounds of what these round.

Own: a certificate of the kind of Hilbert's Nullstellensatz, with numbers that are rounded.
"""

import itertools
import math
import time
from collections.abc import Mapping, Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.motion.verify.written.polynomial import Monomial, Polynomial, Ring, by_unknowns

LONG = np.longdouble
ROUNDED = float(np.finfo(LONG).eps) * 4.0
DOUBLE = 2.0**-52
MOST_COLUMNS = 4000
MOST_ROWS = 6000
MOST_ENTRIES = 6_000_000
TOLD = 1e-9  # rows without a coefficient beyond are roundings, and say nothing
MOST = 1e4  # multipliers beyond would make something of roundings
NOISE = 1e-13  # multipliers below are left out: what they are for is rounding
GOOD = 1e-11  # what is left over where a sum was found
MOST_DEGREE = 6
TRIES = 1  # of targets without a sum, before the others are let be
DAMPED = 1e-9
TURNS = 6
FloatArray = NDArray[np.float64]

Numbers = dict[Monomial, tuple[float, float]]  # coefficients, and what they are off by


@final
class SumsOfRows:
    """Sums of multiples of `rows`; unknowns are at most `bounds` in size, 1 unless said.

    After the `deadline`, of time.monotonic(), none is looked for.
    """

    def __init__(
        self,
        ring: Ring,
        rows: Sequence[Polynomial],
        bounds: Mapping[int, float] | None = None,
        deadline: float = math.inf,
    ) -> None:
        self.deadline = deadline
        self.ring, self.bounds = ring, dict(bounds or {})
        told = [self._numbers(row) for row in rows]
        sizes = [max((abs(c) for c, _ in row.values()), default=0.0) for row in told]
        self.rows = [row for row, size in zip(told, sizes, strict=True) if size > TOLD]
        self.seen = [frozenset(g for m in row for g in m) for row in self.rows]

    def left_over(self, targets: Sequence[Polynomial]) -> list[float]:
        """How large targets can be where all rows vanish; inf where no sum was found."""
        numbers = [self._numbers(t) for t in targets]
        found = [self._size(t) for t in numbers]
        for k, size in enumerate(found):
            found[k] = size if size <= GOOD else math.inf
        for reach in (0, 1, 2, 3):
            groups: dict[tuple[frozenset[int], int], list[int]] = {}
            for k, t in enumerate(numbers):
                if found[k] == math.inf:
                    key = self._around(t, reach), max([2, *map(len, t)])
                    groups.setdefault(key, []).append(k)
            for (inside, degree), which in groups.items():
                for k, size in zip(
                    which, self._try([numbers[k] for k in which], inside, degree), strict=True
                ):
                    found[k] = min(found[k], size)
        for more, rounds in ((0, 2), (1, 2), (2, 2), (2, 3)):
            waiting = [k for k, size in enumerate(found) if size == math.inf]
            for tried, k in enumerate(waiting):
                found[k] = self._near(numbers[k], more, rounds)[0]
                if found[k] == math.inf and tried >= TRIES:
                    break  # more of them hardly have one
        return found

    def _around(self, target: Numbers, reach: int) -> frozenset[int]:
        """Unknowns of a target, and of rows that share some with it, so many times."""
        inside = frozenset(g for m in target for g in m)
        for _ in range(reach):
            inside = inside.union(*(s for s in self.seen if s & inside))
        return inside

    def _try(self, targets: Sequence[Numbers], inside: frozenset[int], degree: int) -> list[float]:
        """What is left over with the rows of these unknowns, up to a degree."""
        none = [math.inf] * len(targets)
        own = [row for row, seen in zip(self.rows, self.seen, strict=True) if seen <= inside]
        if not own or degree > MOST_DEGREE:
            return none
        letters = sorted(inside)
        columns: list[tuple[int, Monomial]] = []
        for i, row in enumerate(own):
            room = degree - max(map(len, row))
            if room < 0:
                continue
            if sum(math.comb(len(letters) + k - 1, k) for k in range(room + 1)) > MOST_COLUMNS:
                return none
            for k in range(room + 1):
                columns += [(i, m) for m in itertools.combinations_with_replacement(letters, k)]
            if len(columns) > MOST_COLUMNS:
                return none
        return self._solved(targets, own, columns)

    def _near(self, target: Numbers, more: int, rounds: int) -> list[float]:
        """What is left over with multiples of rows that share products with a target, and so on."""
        degree = min(MOST_DEGREE, max(map(len, target)) + more)
        columns: dict[tuple[int, Monomial], None] = {}
        seen, new = set(target), set(target)
        for _ in range(rounds):
            beside: set[Monomial] = set()
            for i, row in enumerate(self.rows):
                room = degree - max(map(len, row))
                for term in row:
                    for whole in new:
                        m = _quotient(whole, term)
                        if m is None or len(m) > room or (i, m) in columns:
                            continue
                        columns[i, m] = None
                        beside |= {tuple(sorted(t + m)) for t in row}
                    if len(columns) > MOST_COLUMNS // 2:
                        return [math.inf]
            new = beside - seen
            seen |= beside
        return self._solved([target], self.rows, list(columns)) if columns else [math.inf]

    def _solved(
        self,
        targets: Sequence[Numbers],
        own: Sequence[Numbers],
        columns: Sequence[tuple[int, Monomial]],
    ) -> list[float]:
        """What is left over of targets with multiples of rows, each with its product."""
        none = [math.inf] * len(targets)
        if time.monotonic() > self.deadline:
            return none
        places: dict[Monomial, int] = {}
        rows, cols, values, offs = [], [], [], []
        for c, (i, m) in enumerate(columns):
            for term, (value, off) in own[i].items():
                joint = tuple(sorted(term + m))
                rows.append(places.setdefault(joint, len(places)))
                cols.append(c)
                values.append(value)
                offs.append(off)
        for t in targets:
            for m in t:
                places.setdefault(m, len(places))
        if len(places) > MOST_ROWS or len(places) * max(1, len(columns)) > MOST_ENTRIES:
            return none
        M = np.zeros((len(places), len(columns)))
        np.add.at(M, (rows, cols), values)
        b = np.zeros((len(places), len(targets)))
        b_off = np.zeros_like(b)
        for k, t in enumerate(targets):
            for m, (value, off) in t.items():
                b[places[m], k], b_off[places[m], k] = value, off
        lam = _least(M, b)
        lam[np.abs(lam) < NOISE] = 0.0
        is_wild = np.abs(lam).max(axis=0, initial=0.0) > MOST
        left = b.astype(LONG)
        size = np.abs(b) * ROUNDED * len(columns)
        r, which = np.array(rows), np.array(cols)
        v, o = np.array(values), np.array(offs)
        for k in range(len(targets)):
            products = v.astype(LONG) * lam[which, k]
            np.subtract.at(left[:, k], r, products)
            np.add.at(
                size[:, k], r, np.abs(lam[which, k]) * (o + np.abs(v) * ROUNDED * len(columns))
            )
        weights = np.ones(len(places))
        for m, place in places.items():
            weights[place] = math.prod(self.bounds.get(g, 1.0) for g in m)
        whole = (np.abs(left).astype(np.float64) * (1.0 + DOUBLE) + size + b_off) * weights[:, None]
        total = whole.sum(axis=0) * (1.0 + 1e-9)
        return [
            float(x) if x <= GOOD and not wild else math.inf
            for x, wild in zip(total, is_wild, strict=True)
        ]

    def _size(self, numbers: Numbers) -> float:
        return math.fsum(
            (abs(v) + off) * math.prod(self.bounds.get(g, 1.0) for g in m)
            for m, (v, off) in numbers.items()
        )

    def _numbers(self, value: Polynomial) -> Numbers:
        """Coefficients of products of unknowns, in doubles."""
        of = self.ring.generators
        if all(of[g].unknowns for m in value.terms for g in m):
            pairs = ((m, float(c)) for m, c in value.terms.items())
            return {m: (c, abs(c) * DOUBLE) for m, c in pairs}
        made: Numbers = {}
        for m, factor in by_unknowns(value).items():
            low, high = (float(e) for e in self.ring.bounds(factor))
            middle = 0.5 * (low + high)
            made[m] = middle, 0.5 * (high - low) + abs(middle) * 2.0 * DOUBLE
        return made


def _quotient(whole: Monomial, part: Monomial) -> Monomial | None:
    """What is left of a product when another is taken out; None where that is no part of it."""
    left = list(whole)
    for g in part:
        if g not in left:
            return None
        left.remove(g)
    return tuple(left)


def _least(M: FloatArray, b: FloatArray) -> FloatArray:
    """Multipliers of nearly least squares: nothing that follows believes them.

    lam = M^T (M M^T + mu)^-1 b, refined: where there is a sum, what is left falls every turn.
    """
    is_wide = M.shape[0] <= M.shape[1]
    square = M @ M.T if is_wide else M.T @ M
    square[np.diag_indices(len(square))] += DAMPED * max(1.0, float(np.abs(square).max()))
    lam = np.zeros((M.shape[1], b.shape[1]))
    back = np.linalg.inv(square)
    for _ in range(TURNS):
        left = b - M @ lam
        lam += M.T @ (back @ left) if is_wide else back @ (M.T @ left)
    return lam
