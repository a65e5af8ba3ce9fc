"""Charts of any rows, proved again in mpmath's intervals of 100 bits and numbers of 40 digits."""

import itertools
from collections.abc import Callable
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import MissingPart
from kempe.motion.verify.chart_arrays import (
    CERTAIN,
    NEWTON_STEPS,
    REFINED,
    SETTLED,
    AbstractCharts,
    ChartArrays,
)
from kempe.motion.verify.second_order import is_one_arc
from kempe.motion.verify.tape_run import run_tape

FloatArray = NDArray[np.float64]

BITS = 100
DIGITS = 40
SLICES = (1, 2, 4, 8, 16)


@final
class LongCharts(AbstractCharts):
    """The charts of one component, in intervals and in long numbers."""

    def __init__(self, arrays: ChartArrays) -> None:
        try:
            from mpmath import MPContext
            from mpmath.ctx_iv import MPIntervalContext
        except ImportError:
            raise MissingPart(
                "proving a map again needs mpmath: install it with `pip install mpmath`."
            ) from None
        self.iv: Any = MPIntervalContext()
        self.iv.prec = BITS
        self.mp: Any = MPContext()
        self.mp.dps = DIGITS
        self.a, self.block = arrays, arrays.block
        self.n, self.m = arrays.n, arrays.m
        self.p, self.A, self.C, self.h, self.w = arrays.p, arrays.A, arrays.C, arrays.h, arrays.w

    def is_one_arc(self, k: int) -> bool:
        """By second derivatives, or slice by slice."""
        sizes = float(self.h[k]), float(self.w[k])
        frame = self.p[k], self.A[k], self.C[k]
        if is_one_arc(self.block.tape, *frame, sizes, self.iv):
            return True
        return self._in_slices(k, self._is_one_arc)

    def keeps_sides(self, k: int) -> bool:
        """Whether all sides are positive along chart k."""
        return not self.block.n_sides or self._in_slices(k, self._keeps_sides)

    def _in_slices(self, k: int, holds: Callable[[int, float, float], bool]) -> bool:
        """Whether something holds for |s| <= h, as a whole or in slices (chart, from, to)."""
        h = float(self.h[k]) if self.block.freedom == 1 else 0.0
        for count in SLICES if self.block.freedom == 1 else (1,):
            cuts = [-h + 2.0 * h * (i / count) for i in range(count + 1)]
            if all(holds(k, low, high) for low, high in itertools.pairwise(cuts)):
                return True
        return False

    def _keeps_sides(self, k: int, low: float, high: float) -> bool:
        sides = self.m + self.block.n_redundant
        _, tube = self._tube(k, low, high)
        found = run_tape(self.block.tape, tube, self.iv, sides + self.block.n_sides)
        return all(value.a > 0 for value, _ in found[sides:])

    def _tube(self, k: int, low: float, high: float) -> tuple[list[Any], list[Any]]:
        """p + T s and p + T s + N y for low <= s <= high, |y| <= w."""
        iv, n, m, w = self.iv, self.n, self.m, float(self.w[k])
        T = self.A[k][m] if self.block.freedom == 1 else np.zeros(n)
        s, y = iv.mpf([low, high]), iv.mpf([-w, w])
        line = [iv.mpf(float(self.p[k][j])) + iv.mpf(float(T[j])) * s for j in range(n)]
        tube = [
            line[j] + sum((iv.mpf(float(self.A[k][c][j])) * y for c in range(m)), iv.mpf(0))
            for j in range(n)
        ]
        return line, tube

    def _is_one_arc(self, k: int, low: float, high: float) -> bool:
        iv, n, m, w = self.iv, self.n, self.m, float(self.w[k])
        s, middle = iv.mpf([low, high]), 0.5 * (low + high)
        T = self.A[k][m] if self.block.freedom == 1 else np.zeros(n)
        centre = [iv.mpf(float(self.p[k][j])) + iv.mpf(float(T[j])) * middle for j in range(n)]
        line, tube = self._tube(k, low, high)
        at_centre = [value for value, _ in run_tape(self.block.tape, centre, iv, m)]
        along = [self._dot(g, T) for _, g in run_tape(self.block.tape, line, iv, m)]
        across = run_tape(self.block.tape, tube, iv, m)
        JN = [[self._dot(g, self.A[k][c]) for c in range(m)] for _, g in across]
        for r in range(m):
            C = [iv.mpf(float(e)) for e in self.C[k][r]]
            b = sum((C[q] * (at_centre[q] + along[q] * (s - middle)) for q in range(m)), iv.mpf(0))
            total = abs(b).b
            for c in range(m):
                entry = sum((C[q] * JN[q][c] for q in range(m)), iv.mpf(0))
                total = total + abs(iv.mpf(int(r == c)) - entry).b * iv.mpf(w).b
            if not total < w:
                return False
        return True

    def _dot(self, gradient: dict[int, Any], column: Any) -> Any:
        return sum((g * self.iv.mpf(float(column[j])) for j, g in gradient.items()), self.iv.mpf(0))

    def refined(self, k: int, x: FloatArray) -> tuple[Any, Any] | None:
        """The solution near x in the slice of chart k, and the tangent there, to 30 digits."""
        mp, n, m = self.mp, self.n, self.m
        point = [mp.mpf(float(e)) for e in x]
        N = [[mp.mpf(float(self.A[k][c][j])) for j in range(n)] for c in range(m)]
        step = mp.mpf(1)
        rows, JN = [], mp.matrix(m, m)
        for _ in range(NEWTON_STEPS):
            rows = run_tape(self.block.tape, point, mp, m)
            for r, (_, g) in enumerate(rows):
                for c in range(m):
                    JN[r, c] = sum((v * N[c][j] for j, v in g.items()), mp.mpf(0))
            d = mp.lu_solve(JN, mp.matrix([value for value, _ in rows])) if m else mp.matrix(0, 1)
            point = [point[j] - sum(N[c][j] * d[c] for c in range(m)) for j in range(n)]
            step = max((abs(e) for e in d), default=mp.mpf(0))
            if step < REFINED:
                break
        if step > SETTLED:
            return None
        if self.block.freedom == 0:
            return point, None
        T = [mp.mpf(float(e)) for e in self.A[k][m]]
        right = mp.matrix([-sum(v * T[j] for j, v in g.items()) for _, g in rows])
        d = mp.lu_solve(JN, right) if m else mp.matrix(0, 1)
        t = [T[j] + sum(N[c][j] * d[c] for c in range(m)) for j in range(n)]
        return point, t

    def place(self, k: int, x: Any) -> tuple[Any, bool]:
        """(s, whether x lies in the parallelotope of chart k), on circles by the nearest way.

        A period is a double; what repeats may repeat after a number next to it, such as 2 pi. So
        every turn adds that much to what must be spared at the edges.
        """
        mp, d, slack = self.mp, [], CERTAIN
        for j, P in enumerate(self.block.period.tolist()):
            away = x[j] - mp.mpf(float(self.p[k][j]))
            turns = int(mp.nint(away / mp.mpf(P))) if P > 0.0 else 0
            d.append(away - turns * mp.mpf(P) if turns else away)
            slack += 2.0 * self.n * abs(turns) * float(np.spacing(P))
        z = self._own(k, d)
        inside = all(abs(z[c]) <= float(self.w[k]) - slack for c in range(self.m))
        if self.block.freedom == 0:
            return mp.mpf(0), inside
        return z[self.m], inside and abs(z[self.m]) <= float(self.h[k]) - slack

    def runs(self, k: int, t: Any) -> bool:
        """Whether chart k runs along a tangent. A tangent is no place: it has no turns to spare."""
        return bool(self._own(k, t)[self.m] > CERTAIN)

    def floats(self, x: Any) -> FloatArray:
        """The nearest doubles."""
        return np.array([float(e) for e in x])

    def gap(self, x: Any, j: int, bound: float) -> float:
        """In doubles, after a difference of 40 digits."""
        return float(abs(x[j] - bound))

    def _own(self, k: int, d: Any) -> Any:
        """A^-1 d."""
        A = self.mp.matrix(self.n, self.n)
        for c in range(self.n):
            for j in range(self.n):
                A[j, c] = self.mp.mpf(float(self.A[k][c][j]))
        return self.mp.lu_solve(A, self.mp.matrix(d))
