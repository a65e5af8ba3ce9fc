"""Charts of rows of second degree, proved again in whole numbers of 2^-256, with Python's integers.

In the frame x = p + A z, z = (y, s), such rows are exactly

    C F = v + y + S z + K[z, z] / 2,
    v = C F(p),   S = C J(p) A - [1 0],   K_i = sum_q C_iq A^T H_q A.

A double of at least 2^-203 is a whole number of 2^-256, a smaller one is cut off after 256 places
like every product; sums are exact, and what is cut off is far below the slack of every comparison.

The last digits of K do not matter: it is multiplied by the size of the chart. So |K| is bounded
with factors rounded to some 28 bits and multiplied as 64-bit integers, every array with one bound
of how far its entries may be off.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Tape
from kempe.motion.verify.long_charts import (
    CERTAIN,
    NEWTON_STEPS,
    REFINED,
    SETTLED,
    AbstractCharts,
    ChartArrays,
    run_jets,
)
from kempe.results.maps.certificate import CertifiedBlock

FloatArray = NDArray[np.float64]
Integers = NDArray[np.int64]

SUMMABLE = 40  # bits of entries of which thousands are added up


@final
@dataclass(frozen=True, slots=True, eq=False)
class Rounded:
    """Numbers 2^-places (number +- off), all of them with the same bound."""

    number: Integers
    off: int
    places: int

    @classmethod
    def of(cls, x: FloatArray, bits: int) -> "Rounded":
        """Doubles, the largest of them with so many bits."""
        largest = float(np.abs(x).max(initial=0.0))
        places = bits - int(np.frexp(largest)[1]) if largest > 0.0 else 0
        return cls(np.rint(np.ldexp(x, places)).astype(np.int64), 1, places)

    def to(self, bits: int) -> "Rounded":
        """With fewer bits where it has more."""
        largest = int(np.abs(self.number).max(initial=0))
        shift = max(0, largest.bit_length() - bits)
        # what is cut off is less than 1, and so is what the bound is rounded by
        return Rounded(
            self.number >> shift, (self.off >> shift) + 2 * (shift > 0), self.places - shift
        )

    def __matmul__(self, other: "Rounded") -> "Rounded":
        inner = self.number.shape[-1]
        a, b = np.abs(self.number), np.abs(other.number)
        largest = inner * int(a.max(initial=0)) * int(b.max(initial=0))
        assert largest < 1 << 62, "the factors have too many bits"
        rows, columns = int(a.sum(axis=-1).max(initial=0)), int(b.sum(axis=-2).max(initial=0))
        off = rows * other.off + self.off * columns + inner * self.off * other.off
        return Rounded(self.number @ other.number, off, self.places + other.places)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Bends:
    """Second derivatives of m rows by n unknowns, at most of size 2^exponent, dense."""

    H: Rounded  # (m, n, n)
    bits: int

    @classmethod
    def of(cls, H: FloatArray) -> "Bends":
        """From doubles that are the nearest to the true ones: rounding covers that as well."""
        bits = (61 - max(1, H.shape[-1]).bit_length()) // 2
        return cls(Rounded.of(H, bits), bits)

    def sums(self, A: FloatArray, C: FloatArray) -> list[tuple[int, int, int, int]]:
        """For every row i: sums of |K_i| over N by N, over N by T, over T by T, and their places.

        A is given by columns, T last where there are more columns than rows of C.
        """
        m, bits = len(C), self.bits
        frame = Rounded.of(A, bits)
        turned = Rounded(np.ascontiguousarray(frame.number.T), frame.off, frame.places)
        B = (frame @ (self.H @ turned).to(bits)).to(bits)  # A^T H_q A
        flat = Rounded(B.number.reshape(m, -1), B.off, B.places)
        found = []
        for row in C:
            K = (Rounded.of(row[None, :], bits) @ flat).to(SUMMABLE)
            size = (np.abs(K.number) + K.off).reshape(len(A), len(A))
            found.append(
                (
                    int(size[:m, :m].sum()),
                    int(size[:m, m:].sum()),
                    int(size[m:, m:].sum()),
                    K.places,
                )
            )
        return found


Wholes = NDArray[np.object_]  # integers: multiples of 2^-PLACES

PLACES = 256
MANTISSA = 53
COEFFICIENT_BITS = 320  # of the intervals that coefficients are taken from
# Of coefficients, in units: 2^-196. With entries of p below 2^10, of C below 2^40 and of frames
# below 2, n below 2^10, no sum of the verifier is off by more than 2^151 units by that, or by what
# is cut off.
MOST_RADIUS = 1 << 60
ROOM = 1024.0  # |p_j| + reach of a chart, at most


def wholes(x: FloatArray) -> Wholes:
    """Finite doubles as whole numbers, less than one unit off."""
    mantissa, exponent = np.frexp(x)
    number = np.ldexp(mantissa, MANTISSA).astype(np.int64).astype(object)
    shift = (exponent - MANTISSA + PLACES).astype(np.int64)
    up, down = np.maximum(shift, 0).astype(object), np.maximum(-shift, 0).astype(object)
    made: Wholes = (number << up) >> down
    return made


def floats(x: Wholes) -> FloatArray:
    """The nearest doubles, nearly."""
    # The last 1074 - 256 places of a small number do not matter, and huge ones do not occur.
    return np.array([e / UNIT for e in x.ravel()], dtype=float).reshape(x.shape)


UNIT = 1 << PLACES


def product(a: Wholes, b: Wholes) -> Wholes:
    """a @ b, cut off after 256 places; zeros of a matrix a cost nothing."""
    if a.ndim != 2 or b.ndim > 2:
        made: Any = np.asarray(a @ b, dtype=object)
    else:
        made = np.full((len(a), *b.shape[1:]), 0, dtype=object)
        for i, row in enumerate(a):
            seen = np.flatnonzero(row)
            if len(seen):
                made[i] = row[seen] @ b[seen]
    found: Wholes = made >> PLACES
    return found


@final
@dataclass(frozen=True, slots=True, eq=False)
class QuadraticRows:
    """F_q(x) = c_q + l_q . x + x^T H_q x / 2, its coefficients within 2^-196 of whole numbers."""

    c: Wholes  # (m,)
    l: Wholes  # (m, n)
    H: Wholes  # of the entries that are not zero, sorted by row and unknown
    row: NDArray[np.int64]
    first: NDArray[np.int64]  # unknowns
    second: NDArray[np.int64]

    @classmethod
    def of(cls, tape: Tape, m: int) -> "QuadraticRows | None":
        """The first m outputs of a tape; None where they are no such rows."""
        from mpmath.ctx_iv import MPIntervalContext

        iv: Any = MPIntervalContext()
        iv.prec = COEFFICIENT_BITS
        n = tape.n_inputs
        centre = run_jets(tape, [iv.mpf(0)] * n, iv, m)
        over = run_jets(tape, [iv.mpf([-ROOM, ROOM])] * n, iv, m)
        if centre is None or over is None:
            return None
        c, l = [_whole(value) for value, _, _ in centre], np.full((m, n), 0, dtype=object)
        entries: list[tuple[int, int, int, int]] = []
        for q, ((_, gradient, _), (_, _, bend)) in enumerate(zip(centre, over, strict=True)):
            for j, g in gradient.items():
                l[q, j] = _whole(g)
            for (a, b), h in bend.items():
                entries += [(q, s, t, _whole(h)) for s, t in {(a, b), (b, a)}]
        if any(e is None for e in (*c, *l.ravel(), *(h for *_, h in entries))):
            return None
        entries.sort(key=lambda e: e[:3])
        at = np.array([e[:3] for e in entries], dtype=np.int64).reshape(-1, 3)
        H = np.array([e[3] for e in entries], dtype=object)
        return cls(np.array(c, dtype=object), l, H, at[:, 0], at[:, 1], at[:, 2])

    @property
    def n(self) -> int:
        """The number of unknowns."""
        return int(self.l.shape[1])

    def jacobian(self, x: Wholes) -> Wholes:
        """J = l + H x."""
        J = self.l.copy()
        if len(self.H):
            np.add.at(J, (self.row, self.first), (self.H * x[self.second]) >> PLACES)
        return J

    def values(self, x: Wholes, J: Wholes) -> Wholes:
        """F = c + (l + J) x / 2, J at x."""
        made: Wholes = self.c + (np.asarray((self.l + J) @ x, dtype=object) >> (PLACES + 1))
        return made


def _whole(value: Any) -> Any:
    """The whole number next to an interval's middle; None where it is too wide."""
    from mpmath.libmp import to_fixed

    low, high = (int(to_fixed(end, PLACES)) for end in value._mpi_)
    return (low + high) >> 1 if high - low + 2 < MOST_RADIUS else None


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
