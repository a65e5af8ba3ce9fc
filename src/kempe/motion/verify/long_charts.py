"""Charts of any rows, proved again in mpmath's intervals of 100 bits and numbers of 40 digits.

In the frame x = p + A z, z = (y, s), Taylor's theorem gives for every row

    F(x) = F(p) + J(p) A z + z^T A^T H A z / 2,   J(x) = J(p) + H A z

with second derivatives H from anywhere between p and x. Where these are constant, as in the
equations of bars and joints, nothing is lost by it.
"""

import itertools
from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Op, Tape
from kempe.algebra.tape_walk import FUSED, walk
from kempe.errors import MissingPart
from kempe.motion.verify.tape_run import DUALS, run_tape
from kempe.results.maps.certificate import CertifiedBlock
from kempe.results.maps.component import Component

FloatArray = NDArray[np.float64]

CERTAIN = 1e-25  # what long numbers are at least good for, on frames that are nearly square
NEWTON_STEPS = 12
REFINED, SETTLED = 1e-30, 1e-28  # where Newton's method stops, and what it must have reached


@final
class ChartArrays:
    """p, A (by columns), C, h and w of all charts of a component."""

    def __init__(self, component: Component) -> None:
        c = component.charts
        self.block: CertifiedBlock = component.block
        self.n, self.m = len(self.block.places), self.block.n_equations
        self.count = len(c["h"])
        self.p: FloatArray = np.asarray(c["p"])
        self.h: FloatArray = np.asarray(c["h"])
        self.w: FloatArray = np.asarray(c["w"])
        self.A: FloatArray = np.asarray(c["A"]).reshape(self.count, self.n, self.n)
        self.C: FloatArray = np.asarray(c["C"]).reshape(self.count, self.m, self.m)

    @property
    def is_curve(self) -> bool:
        """Whether the last column of A is a direction along a curve."""
        return self.n > self.m

    def reach(self, k: int) -> FloatArray:
        """How far chart k extends in every unknown."""
        reach: FloatArray = np.abs(self.A[k][: self.m]).sum(axis=0) * self.w[k]
        return reach + np.abs(self.A[k][self.m]) * self.h[k] if self.is_curve else reach


Jet = tuple[Any, dict[int, Any], dict[tuple[int, int], Any]]  # value, gradient, second derivatives
Matrix = list[list[Any]]


def run_jets(tape: Tape, x: Sequence[Any], numbers: Any, outputs: int) -> list[Jet] | None:
    """The first outputs with two derivatives; None where a row is more than sums and products."""
    known = {*JETS, *FUSED, *DUALS, Op.SINCOS}
    if not known >= {Op(code) for code in tape.code[:, 0].tolist()}:
        return None

    def apply(op: Op, args: Sequence[Jet]) -> Jet:
        if op in JETS:
            return JETS[op](*args)
        if any(gradient for _, gradient, _ in args):
            raise _BeyondProductsError
        value, _ = DUALS[op](numbers, *((value, {}) for value, _, _ in args))  # of numbers alone
        return value, {}, {}

    inputs: list[Jet] = [(x[j], {j: numbers.mpf(1)}, {}) for j in range(tape.n_inputs)]
    try:
        found = walk(tape, inputs, lambda c: (numbers.mpf(c), {}, {}), apply)
    except _BeyondProductsError:
        return None
    return found[:outputs]


class _BeyondProductsError(Exception):
    """An unknown stands in more than sums and products."""


def _add(to: dict[Any, Any], key: Any, value: Any) -> None:
    to[key] = to[key] + value if key in to else value


def _sum(a: Jet, b: Jet, sign: int) -> Jet:
    gradient, bend = dict(a[1]), dict(a[2])
    for j, g in b[1].items():
        _add(gradient, j, sign * g)
    for at, h in b[2].items():
        _add(bend, at, sign * h)
    return a[0] + sign * b[0], gradient, bend


def _product(a: Jet, b: Jet) -> Jet:
    gradient: dict[int, Any] = {}
    bend: dict[tuple[int, int], Any] = {}
    for one, other in ((a, b), (b, a)):
        for j, g in one[1].items():
            _add(gradient, j, g * other[0])
            for k, f in other[1].items():  # every pair once this way and once the other
                if j <= k:
                    _add(bend, (j, k), g * f)
        for at, h in one[2].items():
            _add(bend, at, h * other[0])
    return a[0] * b[0], gradient, bend


def _reciprocal(a: Jet) -> Jet:
    f = 1 / a[0]
    gradient = {j: -f * f * g for j, g in a[1].items()}
    bend = {at: -f * f * h for at, h in a[2].items()}
    for j, g in a[1].items():
        for k, e in a[1].items():
            if j <= k:
                _add(bend, (j, k), 2 * f * f * f * g * e)
    return f, gradient, bend


JETS: dict[Op, Callable[..., Jet]] = {
    Op.ADD: lambda a, b: _sum(a, b, 1),
    Op.SUB: lambda a, b: _sum(a, b, -1),
    Op.MUL: lambda a, b: _product(a, b),
    Op.SQR: lambda a: _product(a, a),
    Op.NEG: lambda a: _sum((a[0] * 0, {}, {}), a, -1),
    Op.DIV: lambda a, b: _product(a, _reciprocal(b)),
    Op.REC: lambda a: _reciprocal(a),
    Op.COPY: lambda a: a,
}


def is_one_arc(
    tape: Tape, p: Sequence[float], A: Any, C: Any, sizes: tuple[float, float], numbers: Any
) -> bool:
    """Whether for every |s| <= h exactly one |y_j| <= w solves the rows; sizes are (h, w).

    A is given by columns. False also where the rows are more than sums and products.
    """
    n, m = len(A), len(C)
    exact_A = [[numbers.mpf(float(e)) for e in column] for column in A]
    exact_C = [[numbers.mpf(float(e)) for e in row] for row in C]
    centre = [numbers.mpf(float(e)) for e in p]
    bounds = [numbers.mpf(sizes[1])] * m + [numbers.mpf(sizes[0])] * (n - m)
    hull = []
    for j in range(n):
        reach = sum((abs(exact_A[c][j]) * bounds[c] for c in range(n)), numbers.mpf(0))
        hull.append(centre[j] + reach * numbers.mpf([-1, 1]))
    at_centre, over = run_jets(tape, centre, numbers, m), run_jets(tape, hull, numbers, m)
    if at_centre is None or over is None:
        return False
    return _is_proved(at_centre, over, exact_A, exact_C, bounds, numbers)


def _is_proved(
    centre: list[Jet], over: list[Jet], A: Matrix, C: Matrix, sizes: list[Any], numbers: Any
) -> bool:
    """Whether y -> y - C F maps |y_j| <= w into its inside and contracts, for every |s| <= h.

    `centre` are the rows at p, `over` those over the hull of the chart; A is given by columns, and
    `sizes` bounds |z_j|: w for the columns of N, h for T.
    """
    n, m, zero = len(A), len(C), numbers.mpf(0)
    along = [[sum((g * A[j][a] for a, g in c[1].items()), zero) for j in range(n)] for c in centre]
    bends = [_bend(row[2], A, zero) for row in over]
    for i in range(m):
        value = sum((C[i][q] * centre[q][0] for q in range(m)), zero)
        mapped, contraction = abs(value).b, numbers.mpf(0).b
        for j in range(n):
            slope = sum((C[i][q] * along[q][j] for q in range(m)), zero) - int(i == j)
            line = abs(slope).b * sizes[j]
            steep = abs(slope).b
            for k in range(n):
                K = abs(sum((C[i][q] * bends[q][j][k] for q in range(m)), zero)).b
                line = line + K * sizes[j] * sizes[k] / 2
                steep = steep + K * sizes[k]
            mapped = mapped + line
            if j < m:
                contraction = contraction + steep
        if not (numbers.mpf(mapped).b < sizes[0].a and numbers.mpf(contraction).b < 1):
            return False
    return True


def _bend(H: dict[tuple[int, int], Any], A: Matrix, zero: Any) -> Matrix:
    """A^T H A."""
    n = len(A)
    made: Matrix = [[zero] * n for _ in range(n)]
    rows: dict[int, list[Any]] = {}  # of H A
    for (a, b), h in H.items():
        for to, other in ((a, b), (b, a)) if a != b else ((a, b),):
            row = rows.setdefault(to, [zero] * n)
            for k in range(n):
                row[k] = row[k] + h * A[k][other]
    for a, row in rows.items():
        for j in range(n):
            for k in range(n):
                made[j][k] = made[j][k] + A[j][a] * row[k]
    return made


BITS = 100
DIGITS = 40
SLICES = (1, 2, 4, 8, 16)


@final
class LongCharts:
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
        """Whether for every |s| <= h exactly one |y_j| <= w solves the rows of chart k.

        By second derivatives, or slice by slice.
        """
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
        """A point as the nearest doubles."""
        return np.array([float(e) for e in x])

    def gap(self, x: Any, j: int, bound: float) -> float:
        """How far unknown j of a point is from a bound, after a difference of 40 digits."""
        return float(abs(x[j] - bound))

    def _own(self, k: int, d: Any) -> Any:
        """A^-1 d."""
        A = self.mp.matrix(self.n, self.n)
        for c in range(self.n):
            for j in range(self.n):
                A[j, c] = self.mp.mpf(float(self.A[k][c][j]))
        return self.mp.lu_solve(A, self.mp.matrix(d))
