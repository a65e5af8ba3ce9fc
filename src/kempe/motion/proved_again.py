"""One component of a motion map, proved again: its charts, the links between them, its ends."""

import itertools
from collections.abc import Callable
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import MissingPart
from kempe.motion.second_order import is_one_arc
from kempe.motion.tape_run import run_tape
from kempe.results.certificate import CertifiedBlock
from kempe.results.component import Component

FloatArray = NDArray[np.float64]

BITS = 100
DIGITS = 40
CERTAIN = 1e-25  # 40-digit linear algebra is at least this good on frames that are nearly square
SLICES = (1, 2, 4, 8, 16)
NEWTON_STEPS = 12
REFINED, SETTLED = 30, 28  # digits: where Newton's method stops, and what it must have reached
AT_A_BOUND = 1e-12  # in unknowns, which are of the size of 1: beyond the end's own radius


@final
class ProvedAgain:
    """One component, in intervals and in long numbers."""

    def __init__(self, component: Component) -> None:
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
        self.component = component
        self.block: CertifiedBlock = component.block
        self.n, self.m = len(self.block.places), self.block.n_equations
        c = component.charts
        self.count = len(c["h"])
        self.p, self.h, self.w = c["p"], c["h"], c["w"]
        self.A = np.asarray(c["A"]).reshape(self.count, self.n, self.n)  # columns
        self.C = np.asarray(c["C"]).reshape(self.count, self.m, self.m)

    def failures(self) -> list[str]:
        """What of the component does not hold."""
        who = f"component {self.component.number}"
        found = [f"{who}: chart {k} is not proved" for k in range(self.count) if not self.chart(k)]
        found += [
            f"{who}: chart {k} reaches round a circle"
            for k in range(self.count)
            if not self._fits_circles(k)
        ]
        if self.block.freedom == 1:
            found += [f"{who}: {trouble}" for trouble in (*self.links(), *self.ends())]
        return found

    def chart(self, k: int) -> bool:
        """Whether for every s there is exactly one y, and on its side.

        By second derivatives, or slice by slice.
        """
        sizes = float(self.h[k]), float(self.w[k])
        frame = self.p[k], self.A[k], self.C[k]
        if not (
            is_one_arc(self.block.tape, *frame, sizes, self.iv)
            or self._in_slices(k, self._is_one_arc)
        ):
            return False
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

    def _fits_circles(self, k: int) -> bool:
        """Whether the nearest way round a circle tells which point of the chart is meant."""
        reach = np.abs(self.A[k][: self.m]).sum(axis=0) * self.w[k]
        if self.block.freedom == 1:
            reach = reach + np.abs(self.A[k][self.m]) * self.h[k]
        period = self.block.period
        return bool((reach[period > 0.0] < 0.5 * period[period > 0.0]).all())

    def links(self) -> list[str]:
        """What is wrong with the points that join charts, and with their order."""
        c, troubles = self.component.charts, []
        links = c["links"]
        if len(links) != self.count - (not self.component.closed):
            return [f"{self.count} charts are joined by {len(links)} links"]
        after = {i: (i + 1) % self.count for i in range(len(links))}
        left = [float("-inf")] * self.count  # where the curve has entered a chart
        if self.component.closed:
            start = self.refined(self.count - 1, links[-1])
            left[0] = self._place(0, start[0])[0] if start else float("nan")
        for i, link in enumerate(links):
            found = self.refined(i, link)
            if found is None:
                troubles.append(f"link {i} is no solution")
                continue
            x, t = found
            s, inside = self._place(i, x)
            s_next, inside_next = self._place(after[i], x)
            if not (inside and inside_next):
                troubles.append(f"link {i} lies outside a chart that it joins")
            if not s > left[i]:
                troubles.append(f"chart {i} is left before it is entered")
            if not (self._runs(i, t) and self._runs(after[i], t)):
                troubles.append(f"the curve turns round at link {i}")
            if after[i] != 0:
                left[after[i]] = s_next
        return troubles

    def ends(self) -> list[str]:
        """What is wrong with the ends of an arc: each is a solution, and a limit is met there."""
        troubles = []
        for end, k in zip(self.component.ends, (0, self.count - 1), strict=False):
            x = end.x[list(self.block.places)]
            found = self.refined(k, x)
            if found is None or not self._place(k, found[0])[1]:
                troubles.append(f"its end in chart {k} is no solution")
            elif end.kind == "limit" and not self._meets_a_bound(found[0], end.radius):
                troubles.append(f"its end in chart {k} meets no limit")
        return troubles

    def _meets_a_bound(self, x: Any, radius: float) -> bool:
        b, within = self.block, radius + AT_A_BOUND
        return any(
            min(abs(x[j] - float(b.low[j])), abs(x[j] - float(b.high[j]))) <= within
            for j in range(self.n)
            if b.limited[j]
        )

    def refined(self, k: int, x: Any) -> tuple[Any, Any] | None:
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
            if step < mp.mpf(10) ** (-REFINED):
                break
        if step > mp.mpf(10) ** (-SETTLED):
            return None
        if self.block.freedom == 0:
            return point, None
        T = [mp.mpf(float(e)) for e in self.A[k][m]]
        right = mp.matrix([-sum(v * T[j] for j, v in g.items()) for _, g in rows])
        d = mp.lu_solve(JN, right) if m else mp.matrix(0, 1)
        t = [T[j] + sum(N[c][j] * d[c] for c in range(m)) for j in range(n)]
        return point, t

    def holds_point(self, x: Any) -> bool:
        """Whether a solution lies in one of the charts: then it is a point of this component."""
        near = [k for k in range(self.count) if self._is_near(k, x)]
        return any(self._place(k, x)[1] for k in near)

    def _is_near(self, k: int, x: Any) -> bool:
        reach = float(self.h[k]) + self.n * float(self.w[k])
        period = self.block.period
        for j in range(self.n):
            d = float(x[j]) - float(self.p[k][j])
            if period[j] > 0.0:
                d -= period[j] * round(d / period[j])
            if abs(d) > 1.01 * reach:
                return False
        return True

    def _place(self, k: int, x: Any) -> tuple[Any, bool]:
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

    def _runs(self, k: int, t: Any) -> bool:
        """Whether chart k runs along a tangent. A tangent is no place: it has no turns to spare."""
        return bool(self._own(k, t)[self.m] > CERTAIN)

    def _own(self, k: int, d: Any) -> Any:
        """A^-1 d."""
        A = self.mp.matrix(self.n, self.n)
        for c in range(self.n):
            for j in range(self.n):
                A[j, c] = self.mp.mpf(float(self.A[k][c][j]))
        return self.mp.lu_solve(A, self.mp.matrix(d))
