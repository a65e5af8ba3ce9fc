"""Rows along a curve, bounded by polynomials: the residual of rows that repeat others, sharply.

A stretch of a chart is near a polynomial X(s) of degree d through points on the curve. Rows f and g
of degree D make polynomials of s of it, so that N = D d + 1 of their values, at the zeros of
Chebyshev's polynomial T_N, bound them all along: sup |f(X(s))| <= L_N max_k |f(X(s_k))| with
Lebesgue's constant L_N <= 1 + (2 / pi) log N. The arc is within e = |C| sup |f(X)| / (1 - rho) of
X, by the chart's own contraction rho, and there

    |g| <= sup |g(X(s))| + |grad g . N| e.

Source: [Rivlin] section 1.3 for Lebesgue's constant at Chebyshev's zeros.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Op, Tape
from kempe.algebra.native import native_tape
from kempe.algebra.tape_walk import walk
from kempe.motion.reduction.blocks import Block

FloatArray = NDArray[np.float64]

DEGREE = 16  # of the polynomials
MOST_DEGREE = 4  # of rows, to be bounded so
HALVINGS = 5  # of a stretch, until the polynomial is one with the curve
CLOSE = 1e-12  # of rows along a polynomial that is not halved any more
CHORDS = 60  # simplified Newton steps from the chart's tangent to the curve
ROUNDING = 1e-14  # relative: what places on the polynomial may be off as they are worked out
SHARE = 1e-12  # relative: of short sums of products, far more than they can be off


def degree(tape: Tape, outputs: Sequence[int] | slice) -> float:
    """The degree of some outputs of a tape as polynomials of its inputs; inf where one is none."""
    found = walk(tape, [1.0] * tape.n_inputs, lambda _: 0.0, _degree)
    chosen = found[outputs] if isinstance(outputs, slice) else [found[k] for k in outputs]
    return max(chosen, default=0.0)


def _degree(op: Op, of: Sequence[float], *_: object) -> float:
    if op in (Op.ADD, Op.SUB):
        return max(of)
    if op in (Op.NEG, Op.COPY):
        return of[0]
    if op is Op.MUL:
        return of[0] + of[1]
    if op is Op.SQR:
        return 2.0 * of[0]
    if op is Op.DIV and of[1] == 0.0:
        return of[0]
    return math.inf if any(of) else 0.0


@final
@dataclass(frozen=True, slots=True)
class AlongCharts:
    """Rows that were left out, along a curve: nowhere more than `most`, somewhere `somewhere`."""

    most: float
    somewhere: float


def along_charts(block: Block, charts: Mapping[str, Any]) -> AlongCharts | None:
    """Bounds of the rows that a block left out; None where they are no polynomials."""
    surplus = block.surplus
    if surplus is None:
        return None
    m, d = len(block.equations), len(surplus.sources)
    highest = max(degree(block.tape, slice(m)), degree(surplus.tape, slice(d)))
    if not highest <= MOST_DEGREE:
        return None
    pieces = _Pieces.of(block, charts)
    most, somewhere = 0.0, 0.0
    for halving in range(HALVINGS + 1):
        above, below, off = pieces.bounded(block, int(max(highest, 1.0)))
        is_done = (off <= CLOSE) | (halving == HALVINGS)
        most = max([most, *above[is_done].tolist()])
        somewhere = max([somewhere, *below[is_done].tolist()])
        if is_done.all():
            break
        pieces = pieces.halved(~is_done)
    return AlongCharts(most, somewhere)


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    """Stretches of charts: middle s and half-length, with the charts' numbers."""

    middle: FloatArray  # (k,)
    half: FloatArray  # (k,)
    p: FloatArray  # (k, n)
    N: FloatArray  # (k, m, n)
    T: FloatArray  # (k, n)
    C: FloatArray  # (k, m, m)
    contraction: FloatArray  # (k,)
    lean: FloatArray  # (k,)

    @classmethod
    def of(cls, block: Block, charts: Mapping[str, Any]) -> "_Pieces":
        m, n = len(block.equations), len(block.unknowns)
        start, stop = np.asarray(charts["from"]), np.asarray(charts["to"])
        used = stop > start
        A = np.asarray(charts["A"]).reshape(-1, n, n)
        C = np.asarray(charts["C"]).reshape(-1, m, m)
        own = [0.5 * (start + stop), 0.5 * (stop - start), np.asarray(charts["p"])]
        own += [A[:, :m], A[:, m], C]
        own += [np.asarray(charts["contraction"]), np.asarray(charts["lean"])]
        return cls(*(numbers[used] for numbers in own))

    def halved(self, chosen: NDArray[np.bool_]) -> "_Pieces":
        """Both halves of the chosen stretches."""
        two = [np.repeat(getattr(self, name)[chosen], 2, axis=0) for name in self.__slots__]
        two[1] = 0.5 * two[1]
        two[0] = two[0] + np.tile([-1.0, 1.0], len(two[0]) // 2) * two[1]
        return _Pieces(*two)

    def bounded(self, block: Block, highest: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """|g| at most and somewhere at least, and |f(X)| at most, of every stretch."""
        surplus = block.surplus
        assert surplus is not None
        m, d, n = len(block.equations), len(surplus.sources), len(block.unknowns)
        k, count = len(self.middle), highest * DEGREE + 1
        if not k:
            return np.zeros(0), np.zeros(0), np.zeros(0)
        xi, nodes = _zeros(DEGREE + 1), _zeros(count)
        Y = self._solved(block, xi)
        s = self.middle[:, None] + self.half[:, None] * nodes
        y = np.einsum("ab,kbj->kaj", _interpolation(xi, nodes), Y)
        x = self.p[:, None] + s[:, :, None] * self.T[:, None]
        x = x + np.einsum("kaj,kji->kai", y, self.N)
        r = ROUNDING * (1.0 + np.abs(x).max(axis=2, keepdims=True))
        lebesgue = (1.0 + 2.0 / math.pi * math.log(count)) * (1.0 + SHARE)
        flat = x.reshape(-1, n), np.broadcast_to(r, x.shape).reshape(-1, n)
        f = _enclosed(block.tape, slice(m), *flat)
        f_most = lebesgue * np.maximum(-f[0], f[1]).reshape(k, count, m).max(axis=1)  # (k, m)
        e = np.einsum("krq,kq->kr", np.abs(self.C), f_most).max(axis=1)
        e = e / (1.0 - self.contraction) * (1.0 + SHARE)
        reach = np.abs(y).max(axis=(1, 2)) * lebesgue + e
        hull = np.abs(self.T) * self.half[:, None] + np.abs(self.N).sum(axis=1) * reach[:, None]
        hull = hull * (1.0 + SHARE) + SHARE
        middle = self.p + self.T * self.middle[:, None]
        steep = _enclosed(surplus.tape, slice(d, d + d * n), middle, hull)
        slope = np.maximum(-steep[0], steep[1]).reshape(k, d, n)
        aside = np.einsum("kdn,kn->kd", slope, np.abs(self.N).sum(axis=1)) * e[:, None]
        aside = aside * (1.0 + SHARE)  # (k, d)
        low, high = (g.reshape(k, count, d) for g in _enclosed(surplus.tape, slice(d), *flat))
        above = lebesgue * np.maximum(-low, high).max(axis=1) + aside
        below = np.maximum(np.maximum(low, -high).max(axis=1) - aside, 0.0)
        return above.max(axis=1), below.max(axis=1), f_most.max(axis=1)

    def _solved(self, block: Block, xi: FloatArray) -> FloatArray:
        """y (k, len(xi), m) on the curve at s = middle + half xi, as near as doubles come."""
        n, m = len(block.unknowns), len(block.equations)
        s = self.middle[:, None] + self.half[:, None] * xi
        native, rows = native_tape(block.tape), block.tape.outputs[:m]
        foot = self.p[:, None] + s[:, :, None] * self.T[:, None]
        y, before = np.zeros((len(s), len(xi), m)), math.inf
        for _ in range(CHORDS):
            x = foot + np.einsum("kaj,kji->kai", y, self.N)
            f = native.evaluate(np.ascontiguousarray(x.reshape(-1, n)), rows)
            step = np.einsum("krq,kaq->kar", self.C, f.reshape(len(s), len(xi), m))
            y -= step
            size = float(np.abs(step).max(initial=0.0))
            if size <= SHARE and not size < before:
                break
            before = size
        return np.asarray(y)


def _zeros(count: int) -> FloatArray:
    """The zeros of Chebyshev's polynomial of that degree."""
    return np.asarray(np.cos((2.0 * np.arange(count) + 1.0) * math.pi / (2.0 * count)))


def _interpolation(xi: FloatArray, at: FloatArray) -> FloatArray:
    """(len(at), len(xi)): values of the polynomial through values at Chebyshev's zeros xi."""
    count = len(xi)
    weight = (-1.0) ** np.arange(count) * np.sin((2 * np.arange(count) + 1) * math.pi / (2 * count))
    gap = at[:, None] - xi
    is_node = gap == 0.0
    share = weight / np.where(is_node, 1.0, gap)
    made: FloatArray = share / share.sum(axis=1, keepdims=True)
    return np.where(is_node.any(axis=1)[:, None], is_node.astype(float), made)


def _enclosed(
    tape: Tape, outputs: slice, x: FloatArray, r: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Enclosures of some outputs over boxes x +- r."""
    low, high, _ = native_tape(tape).evaluate_decorated(
        np.ascontiguousarray(np.nextafter(x - r, -np.inf)),
        np.ascontiguousarray(np.nextafter(x + r, np.inf)),
        tape.outputs[outputs],
    )
    return low, high
