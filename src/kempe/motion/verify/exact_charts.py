"""Charts of rows of second degree, proved again in whole numbers.

In the frame x = p + A z, z = (y, s), such rows are exactly

    C F = v + y + S z + K[z, z] / 2,
    v = C F(p),   S = C J(p) A - [1 0],   K_i = sum_q C_iq A^T H_q A.

v and S are formed in whole numbers of 2^-256, |K| is bounded in rounded ones.
"""

from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.motion.verify.chart_arrays import (
    CERTAIN,
    NEWTON_STEPS,
    REFINED,
    SETTLED,
    AbstractCharts,
    ChartArrays,
)
from kempe.motion.verify.second_derivative_bounds import Bends
from kempe.motion.verify.whole_numbers import (
    PLACES,
    ROOM,
    UNIT,
    QuadraticRows,
    Wholes,
    floats,
    product,
    wholes,
)
from kempe.results.maps.certificate import CertifiedBlock

FloatArray = NDArray[np.float64]

# In units: 2^-100. Products are cut off and coefficients are off by less than 2^151 in all.
SLACK = 1 << 156
MOST_UNKNOWNS = 1 << 10
STEEPEST, LONGEST = 2.0**40, 2.0  # entries of C and of columns of A, at most
FARTHEST = 1e6  # a step of Newton's method that leads nowhere, in unknowns of the size of 1
SOLVED = 1 << (PLACES - 110)  # 2^-110: what is left of A z = x, whose error is a few times that
SWEEPS = 12


@final
class ExactRows:
    """A block's equations, made ready once for all of its components."""

    def __init__(self, rows: QuadraticRows, m: int) -> None:
        self.rows = rows
        H = np.zeros((m, rows.n, rows.n))
        H[rows.row, rows.first, rows.second] = floats(rows.H)
        self.bends = Bends.of(H)
        self.H: Wholes = np.full(H.shape, 0, dtype=object)
        self.H[rows.row, rows.first, rows.second] = rows.H

    @classmethod
    def of(cls, block: CertifiedBlock) -> "ExactRows | None":
        """None where the rows are more than of second degree, or an unknown lives on a circle."""
        if (block.period > 0.0).any():
            return None
        rows = QuadraticRows.of(block.tape, block.n_equations)
        return None if rows is None else cls(rows, block.n_equations)


@final
class ExactCharts(AbstractCharts):
    """The charts of one component, in whole numbers."""

    def __init__(self, arrays: ChartArrays, exact: ExactRows) -> None:
        self.a, self.rows, self.exact = arrays, exact.rows, exact
        self._frames: dict[int, tuple[Wholes, Wholes, FloatArray]] = {}

    @classmethod
    def can_hold(cls, a: ChartArrays) -> bool:
        """Whether the numbers of the charts are of a size that whole numbers are made for."""
        return bool(
            all(np.isfinite(e).all() for e in (a.p, a.A, a.C, a.h, a.w))
            and a.n < MOST_UNKNOWNS
            and np.abs(a.C).max(initial=0.0) < STEEPEST
            and np.abs(a.A).max(initial=0.0) < LONGEST
            and all((np.abs(a.p[k]) + a.reach(k)).max() < ROOM for k in range(a.count))
        )

    def is_one_arc(self, k: int) -> bool:
        """By the second-order form; where rounded second derivatives do not do, by exact ones."""
        a, m = self.a, self.a.m
        p, A, _ = self._frame(k)
        C = wholes(a.C[k])
        J = self.rows.jacobian(p)
        v = product(C, self.rows.values(p, J))
        S = product(C, product(J, A.T))
        S[range(m), range(m)] -= UNIT
        if self._contracts(k, v, S, self.exact.bends.sums(a.A[k], a.C[k])):
            return True
        bent = product(A, product(self.exact.H, A.T))
        K = np.abs(product(C, bent.reshape(m, -1))).reshape(m, a.n, a.n)
        parts = K[:, :m, :m], K[:, :m, m:], K[:, m:, m:]
        sums = zip(*([int(e.sum()) for e in part] for part in parts), strict=True)
        return self._contracts(k, v, S, [(nn, nt, tt, PLACES) for nn, nt, tt in sums])

    def _contracts(
        self, k: int, v: Wholes, S: Wholes, sums: list[tuple[int, int, int, int]]
    ) -> bool:
        """Whether y -> y - C F maps |y_j| <= w into its inside and contracts there."""
        m, (h, w) = self.a.m, (_number(e[k]) for e in (self.a.h, self.a.w))
        size = np.abs(S)
        for i, (nn, nt, tt, places) in enumerate(sums):
            across = int(size[i, :m].sum())
            along = int(size[i, m]) if self.a.is_curve else 0
            bent = w * w * nn + 2 * w * h * nt + h * h * tt
            mapped = abs(v[i]) + ((w * across + h * along) >> PLACES)
            mapped += _shifted(bent, PLACES + places + 1) + SLACK
            steep = across + _shifted(w * nn + h * nt, places) + SLACK
            if not (mapped < w and steep < UNIT):
                return False
        return True

    def refined(self, k: int, x: FloatArray) -> tuple[Any, Any] | None:
        """Newton's method in the slice, with residuals in whole numbers."""
        m, point = self.a.m, wholes(np.asarray(x, dtype=float))
        _, A, _ = self._frame(k)
        N, step = A[:m], 1.0
        J = self.rows.jacobian(point)
        JN = floats(J) @ self.a.A[k][:m].T
        for _ in range(NEWTON_STEPS):
            d = _solution(JN, self.rows.values(point, J))
            if d is None:
                return None
            point = point - product(wholes(d), N) if m else point
            step = float(np.abs(d).max(initial=0.0))
            if step > FARTHEST:
                return None
            J = self.rows.jacobian(point)
            if step < REFINED:
                break
        if not step <= SETTLED:
            return None
        return (point, self._tangent(A, J, JN)) if self.a.is_curve else (point, None)

    def _tangent(self, A: Wholes, J: Wholes, JN: FloatArray) -> Wholes:
        """T + N e with J (T + N e) = 0."""
        m = self.a.m
        t: Wholes = A[m]
        for _ in range(SWEEPS):
            e = _solution(JN, product(J, t))
            if e is None or not m:
                break
            t = t - product(wholes(e), A[:m])
            if np.abs(e).max() < REFINED:
                break
        return t

    def place(self, k: int, x: Any) -> tuple[Any, bool]:
        """By A^-1 (x - p), its residual in whole numbers."""
        p, _, _ = self._frame(k)
        z = self._own(k, x - p)
        if z is None:
            return 0, False
        m, slack = self.a.m, _number(CERTAIN)
        limits = [_number(self.a.w[k])] * m + [_number(self.a.h[k])] * (self.a.n - m)
        inside = all(abs(e) <= limit - slack for e, limit in zip(z, limits, strict=True))
        return (z[m] if self.a.is_curve else 0), inside

    def runs(self, k: int, t: Any) -> bool:
        """By the last row of A^-1 t."""
        z = self._own(k, t)
        return z is not None and bool(z[self.a.m] > _number(CERTAIN))

    def floats(self, x: Any) -> FloatArray:
        """The nearest doubles."""
        return floats(x)

    def gap(self, x: Any, j: int, bound: float) -> float:
        """In doubles, after an exact difference."""
        return float("inf") if not np.isfinite(bound) else abs(x[j] - _number(bound)) / UNIT

    def _own(self, k: int, d: Wholes) -> Wholes | None:
        """A^-1 d; None where it cannot be found to 30 digits."""
        _, A, inverse = self._frame(k)
        z: Wholes = np.full(self.a.n, 0, dtype=object)
        left = d
        for _ in range(SWEEPS):
            z = z + wholes(inverse @ floats(left))
            left = d - product(z, A)
            if max(abs(e) for e in left) < SOLVED:
                return z
        return None

    def _frame(self, k: int) -> tuple[Wholes, Wholes, FloatArray]:
        """p, the columns of A, and the inverse of A in doubles; kept for the next links."""
        if k not in self._frames:
            if len(self._frames) > 3:
                self._frames.pop(next(iter(self._frames)))
            inverse = np.linalg.inv(self.a.A[k].T)
            self._frames[k] = wholes(self.a.p[k]), wholes(self.a.A[k]), inverse
        return self._frames[k]


def _solution(JN: FloatArray, right: Wholes) -> FloatArray | None:
    try:
        found = np.asarray(np.linalg.solve(JN, floats(right)), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    return found if np.isfinite(found).all() else None


def _number(x: float) -> int:
    return int(wholes(np.array([x]))[0])


def _shifted(x: int, places: int) -> int:
    """x 2^-places, rounded up."""
    return -((-x) >> places) if places >= 0 else x << -places
