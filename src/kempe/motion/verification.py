"""Proving a motion map again, from its file alone, in another arithmetic.

Charts are checked by the Krawczyk operator in mpmath's intervals of 100 bits, by second derivatives
or cut into slices instead of using slopes; links are refined to 30 digits and looked for in both
charts they join.
That nothing is missing is the search's own proof: here only what is listed is proved again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from kempe.errors import MissingPart
from kempe.motion.second_order import is_one_arc
from kempe.motion.tape_run import run_tape
from kempe.results.certificate import CertifiedBlock
from kempe.results.component import Component
from kempe.results.motion_map import MotionMap

BITS = 100
DIGITS = 40
CERTAIN = 1e-25  # 40-digit linear algebra is at least this good on frames that are nearly square
SLICES = (1, 2, 4, 8, 16)
NEWTON_STEPS = 12


@final
@dataclass(frozen=True, slots=True)
class Verification:
    """What was proved again, and what could not be."""

    charts: int
    links: int
    failures: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether everything was proved again."""
        return not self.failures

    def __str__(self) -> str:
        if self.holds:
            return f"All {self.charts} charts and {self.links} links hold."
        return f"{len(self.failures)} failures, the first: {self.failures[0]}"


def verify(motions: MotionMap, tell: Callable[[int, int], None] | None = None) -> Verification:
    """Prove every chart and link of a map again; `tell` hears how many components are done."""
    failures: list[str] = []
    charts = links = 0
    for component in motions.components:
        checked = _Checked(component)
        failures += checked.failures()
        charts += checked.count
        links += len(component.charts["links"])
        if tell is not None:
            tell(component.number + 1, len(motions.components))
    return Verification(charts, links, tuple(failures))


@final
class _Checked:
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
        if self.block.freedom == 1:
            found += [f"{who}: {trouble}" for trouble in self.links()]
        return found

    def chart(self, k: int) -> bool:
        """Whether for every s there is exactly one y: by second derivatives, or slice by slice."""
        sizes = float(self.h[k]), float(self.w[k])
        if is_one_arc(self.block.tape, self.p[k], self.A[k], self.C[k], sizes, self.iv):
            return True
        pieces = SLICES if self.block.freedom == 1 else (1,)
        return any(all(self._slice(k, i, count) for i in range(count)) for count in pieces)

    def _slice(self, k: int, i: int, count: int) -> bool:
        iv, n, m, w = self.iv, self.n, self.m, float(self.w[k])
        h = float(self.h[k]) if self.block.freedom == 1 else 0.0
        low, high = -h + 2.0 * h * (i / count), -h + 2.0 * h * ((i + 1) / count)
        s, middle = iv.mpf([low, high]), 0.5 * (low + high)
        T = self.A[k][m] if self.block.freedom == 1 else np.zeros(n)
        centre = [iv.mpf(float(self.p[k][j])) + iv.mpf(float(T[j])) * middle for j in range(n)]
        line = [iv.mpf(float(self.p[k][j])) + iv.mpf(float(T[j])) * s for j in range(n)]
        y = iv.mpf([-w, w])
        tube = [
            line[j] + sum((iv.mpf(float(self.A[k][c][j])) * y for c in range(m)), iv.mpf(0))
            for j in range(n)
        ]
        at_centre = [value for value, _ in run_tape(self.block.tape, centre, iv, m)]
        along = [self._dot(g, T) for _, g in run_tape(self.block.tape, line, iv, m)]
        across = [g for _, g in run_tape(self.block.tape, tube, iv, m)]
        JN = [[self._dot(g, self.A[k][c]) for c in range(m)] for g in across]
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

    def links(self) -> list[str]:
        """What is wrong with the points that join charts, and with their order."""
        c, troubles = self.component.charts, []
        links = c["links"]
        after = {i: (i + 1) % self.count for i in range(len(links))}
        left = [float("-inf")] * self.count  # where the curve has entered a chart
        if self.component.closed:
            start = self._refined(self.count - 1, links[-1])
            left[0] = self._place(0, start[0])[0] if start else float("nan")
        for i, link in enumerate(links):
            found = self._refined(i, link)
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

    def _refined(self, k: int, x: Any) -> tuple[Any, Any] | None:
        """The solution near x in the slice of chart k, and the tangent there, to 30 digits."""
        mp, n, m = self.mp, self.n, self.m
        point = [mp.mpf(float(e)) for e in x]
        N = [[mp.mpf(float(self.A[k][c][j])) for j in range(n)] for c in range(m)]
        step = mp.mpf(1)
        for _ in range(NEWTON_STEPS):
            rows = run_tape(self.block.tape, point, mp, m)
            JN = mp.matrix(m, m)
            for r, (_, g) in enumerate(rows):
                for c in range(m):
                    JN[r, c] = sum((v * N[c][j] for j, v in g.items()), mp.mpf(0))
            d = mp.lu_solve(JN, mp.matrix([value for value, _ in rows]))
            point = [point[j] - sum(N[c][j] * d[c] for c in range(m)) for j in range(n)]
            step = max(abs(e) for e in d)
            if step < mp.mpf(10) ** (-30):
                break
        if step > mp.mpf(10) ** (-28):
            return None
        T = [mp.mpf(float(e)) for e in self.A[k][m]]
        right = mp.matrix([-sum(v * T[j] for j, v in g.items()) for _, g in rows])
        d = mp.lu_solve(JN, right)
        t = [T[j] + sum(N[c][j] * d[c] for c in range(m)) for j in range(n)]
        return point, t

    def _place(self, k: int, x: Any) -> tuple[Any, bool]:
        """(s, whether x lies in the parallelotope of chart k)."""
        z = self._own(k, [x[j] - self.mp.mpf(float(self.p[k][j])) for j in range(self.n)])
        inside = all(abs(z[c]) <= float(self.w[k]) - CERTAIN for c in range(self.m))
        return z[self.m], inside and abs(z[self.m]) <= float(self.h[k]) - CERTAIN

    def _runs(self, k: int, t: Any) -> bool:
        return bool(self._own(k, t)[self.m] > CERTAIN)

    def _own(self, k: int, d: Any) -> Any:
        """A^-1 d, on circles by the nearest way round."""
        mp, period = self.mp, self.block.period
        turned = [
            e - mp.mpf(float(P)) * mp.nint(e / mp.mpf(float(P))) if P > 0.0 else e
            for e, P in zip(d, period, strict=True)
        ]
        A = mp.matrix(self.n, self.n)
        for c in range(self.n):
            for j in range(self.n):
                A[j, c] = mp.mpf(float(self.A[k][c][j]))
        return mp.lu_solve(A, mp.matrix(turned))
