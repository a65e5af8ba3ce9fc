"""A chart proved again by the second-order form of its equations, in any interval arithmetic.

In the frame x = p + A z, z = (y, s), Taylor's theorem gives for every row

    F(x) = F(p) + J(p) A z + z^T A^T H A z / 2,   J(x) = J(p) + H A z

with second derivatives H from anywhere between p and x. Where these are constant, as in the
equations of bars and joints, nothing is lost by it.
"""

from collections.abc import Callable, Sequence
from typing import Any

from kempe.algebra import Op, Tape

Jet = tuple[Any, dict[int, Any], dict[tuple[int, int], Any]]  # value, gradient, second derivatives
Matrix = list[list[Any]]


def run_jets(tape: Tape, x: Sequence[Any], numbers: Any, outputs: int) -> list[Jet] | None:
    """The first outputs with two derivatives; None where a row is more than sums and products."""
    zero: Jet = (numbers.mpf(0), {}, {})
    registers = [zero] * tape.n_registers
    for j in range(tape.n_inputs):
        registers[j] = (x[j], {j: numbers.mpf(1)}, {})
    for k, constant in enumerate(tape.constants):
        registers[tape.n_inputs + k] = (numbers.mpf(float(constant)), {}, {})
    for op, d, a, b, c in tape.code.tolist():
        found = _result(Op(op), registers[a], registers, b, c)
        if found is None:
            return None
        registers[d] = found
    return [registers[int(r)] for r in tape.outputs[:outputs]]


def _result(op: Op, a: Jet, r: list[Jet], b: int, c: int) -> Jet | None:
    simple: dict[Op, Callable[[], Jet]] = {
        Op.ADD: lambda: _sum(a, r[b], 1),
        Op.SUB: lambda: _sum(a, r[b], -1),
        Op.MUL: lambda: _product(a, r[b]),
        Op.SQR: lambda: _product(a, a),
        Op.NEG: lambda: _sum((a[0] * 0, {}, {}), a, -1),
        Op.DIV: lambda: _product(a, _reciprocal(r[b])),
        Op.REC: lambda: _reciprocal(a),
        Op.MULADD: lambda: _sum(_product(a, r[b]), r[c], 1),
        Op.MULSUB: lambda: _sum(_product(a, r[b]), r[c], -1),
        Op.NMULADD: lambda: _sum(r[c], _product(a, r[b]), -1),
        Op.COPY: lambda: a,
    }
    return simple[op]() if op in simple else None


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
