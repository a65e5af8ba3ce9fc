"""Tapes run in any arithmetic, with derivatives: slow, and independent of the core."""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kempe.algebra import Op, Spline, Tape
from kempe.algebra.tape_walk import walk
from kempe.errors import UnsolvableKind

Dual = tuple[Any, dict[int, Any]]  # value, derivatives by input


def spline_dual(spline: Spline, x: Dual, order: int, numbers: Any) -> Dual:
    """A derivative of a spline and its gradient; the hull of all pieces that an interval meets."""
    value = _over(spline, x[0], order, numbers)
    slope = _over(spline, x[0], order + 1, numbers)
    return value, {j: slope * g for j, g in x[1].items()}


def _over(spline: Spline, x: Any, order: int, numbers: Any) -> Any:
    low, high = _ends(x)
    found = []
    for shift in _shifts(spline, low, high):
        for i in range(len(spline.numerators)):
            start, stop = float(spline.breaks[i]) + shift, float(spline.breaks[i + 1]) + shift
            if high >= start and low <= stop:
                part = _clipped(x, start, stop, numbers)
                found.append(_piece(spline, i, part - numbers.mpf(shift), order, numbers))
    if not spline.is_periodic:
        found += _beyond(spline, x, order, numbers)
    total = found[0]
    for other in found[1:]:
        total = _hull(total, other, numbers)
    return total


def _beyond(spline: Spline, x: Any, order: int, numbers: Any) -> list[Any]:
    """The parts of x before the first break b and after the last: f(b) + f'(b) (x - b)."""
    low, high = _ends(x)
    first, last = float(spline.breaks[0]), float(spline.breaks[-1])
    met = [(0, first, -math.inf, first)] if low < first else []
    met += [(len(spline.numerators) - 1, last, last, math.inf)] if high > last else []
    found = []
    for i, b, start, stop in met:
        at = numbers.mpf(b)
        slope = _piece(spline, i, at, 1, numbers)
        if order == 0:
            part = _clipped(x, start, stop, numbers)
            found.append(_piece(spline, i, at, 0, numbers) + slope * (part - at))
        else:
            found.append(slope if order == 1 else numbers.mpf(0))
    return found


def _clipped(x: Any, start: float, stop: float, numbers: Any) -> Any:
    """The part of an interval between two numbers."""
    if not hasattr(x, "a"):
        return x
    low = max(x.a, numbers.mpf(start).a)
    high = min(x.b, numbers.mpf(stop).b)
    return numbers.mpf([min(low, high), max(low, high)])


def _shifts(spline: Spline, low: float, high: float) -> list[float]:
    if not spline.is_periodic:
        return [0.0]
    period = float(spline.breaks[-1])
    return [k * period for k in range(math.floor(low / period), math.floor(high / period) + 1)]


def _piece(spline: Spline, i: int, x: Any, order: int, numbers: Any) -> Any:
    """f^(r) = (N^(r) - sum_k C(r, k) D^(k) f^(r - k)) / D on one piece."""
    start, stop = (numbers.mpf(float(b)) for b in spline.breaks[i : i + 2])
    h = stop - start
    s = (x - start) / h
    above = spline.numerators[i]
    if not spline.is_rational:
        return _bernstein(above, s, order, numbers) / h**order
    below, f = spline.denominators[i], list[Any]()
    for r in range(order + 1):
        total = _bernstein(above, s, r, numbers)
        for k in range(1, r + 1):
            total = total - math.comb(r, k) * _bernstein(below, s, k, numbers) * f[r - k]
        f.append(total / _bernstein(below, s, 0, numbers))
    return f[order] / h**order


def _bernstein(c: "np.ndarray[Any, Any]", s: Any, order: int, numbers: Any) -> Any:
    """The derivative in s, by differences and de Casteljau's scheme."""
    n = len(c) - 1
    if order > n:
        return numbers.mpf(0)
    w: Sequence[Any] = [numbers.mpf(float(v)) for v in c]
    for _ in range(order):
        w = [b - a for a, b in itertools.pairwise(w)]
    if not hasattr(s, "a"):
        return math.perm(n, order) * _blossom(w, [s] * (len(w) - 1))
    # Over an interval: the hull of the coefficients of the part from s.a to s.b.
    ends = numbers.mpf(s.a), numbers.mpf(s.b)
    m = len(w) - 1
    hull = _blossom(w, [ends[0]] * m)
    for j in range(1, m + 1):
        hull = _hull(hull, _blossom(w, [ends[0]] * (m - j) + [ends[1]] * j), numbers)
    return math.perm(n, order) * hull


def _blossom(w: Sequence[Any], at: Sequence[Any]) -> Any:
    for t in at:
        w = [(1 - t) * a + t * b for a, b in itertools.pairwise(w)]
    return w[0]


def _ends(x: Any) -> tuple[float, float]:
    """The bounds of a number or an interval, outward."""
    if hasattr(x, "a"):
        return np.nextafter(float(x.a), -np.inf), np.nextafter(float(x.b), np.inf)
    return float(x), float(x)


def _hull(x: Any, y: Any, numbers: Any) -> Any:
    if not hasattr(x, "a"):
        return y  # a break belongs to the piece on its right
    return numbers.mpf([min(x.a, y.a), max(x.b, y.b)])


def run_tape(tape: Tape, x: Sequence[Any], numbers: Any, outputs: int) -> list[Dual]:
    """The first outputs of a tape and their gradients, in the arithmetic `numbers` (mpmath's)."""

    def apply(op: Op, args: Sequence[Dual], spline: Spline | None = None, order: int = 0) -> Dual:
        if spline is not None:
            return spline_dual(spline, args[0], order, numbers)
        if op not in DUALS:
            raise UnsolvableKind(f"the verifier does not know the operation {op.name.lower()!r}.")
        return DUALS[op](numbers, *args)

    one = numbers.mpf(1)
    inputs = [(x[j], {j: one}) for j in range(tape.n_inputs)]
    return walk(tape, inputs, lambda c: (numbers.mpf(c), {}), apply)[:outputs]


def _sum(a: dict[int, Any], b: dict[int, Any], p: Any, q: Any) -> dict[int, Any]:
    """p a + q b."""
    total = {j: p * g for j, g in a.items()}
    for j, g in b.items():
        total[j] = total[j] + q * g if j in total else q * g
    return total


def _div(a: Dual, b: Dual) -> Dual:
    quotient = a[0] / b[0]
    return quotient, _sum(a[1], b[1], 1 / b[0], -quotient / b[0])


def _chain(a: Dual, value: Any, slope: Any) -> Dual:
    return value, {j: slope * g for j, g in a[1].items()}


def _root(numbers: Any, a: Dual) -> Dual:
    root = numbers.sqrt(a[0])
    return _chain(a, root, 1 / (2 * root) if a[1] else 0)


DUALS: dict[Op, Callable[..., Dual]] = {  # of an arithmetic and the arguments
    Op.ADD: lambda _, a, b: (a[0] + b[0], _sum(a[1], b[1], 1, 1)),
    Op.SUB: lambda _, a, b: (a[0] - b[0], _sum(a[1], b[1], 1, -1)),
    Op.MUL: lambda _, a, b: (a[0] * b[0], _sum(a[1], b[1], b[0], a[0])),
    Op.DIV: lambda _, a, b: _div(a, b),
    Op.NEG: lambda _, a: (-a[0], {j: -g for j, g in a[1].items()}),
    Op.REC: lambda _, a: _chain(a, 1 / a[0], -1 / (a[0] * a[0])),
    Op.SQR: lambda _, a: _chain(a, a[0] ** 2, 2 * a[0]),
    Op.SQRT: _root,
    Op.SIN: lambda n, a: _chain(a, n.sin(a[0]), n.cos(a[0])),
    Op.COS: lambda n, a: _chain(a, n.cos(a[0]), -n.sin(a[0])),
    Op.EXP: lambda n, a: _chain(a, n.exp(a[0]), n.exp(a[0])),
    Op.LOG: lambda n, a: _chain(a, n.log(a[0]), 1 / a[0]),
    Op.COPY: lambda _, a: a,
}
