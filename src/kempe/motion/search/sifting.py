"""What was found without some rows, sifted: kept where those rows hold, dropped where they fail.

On a curve the other rows f vanish, so a row g left out equals G = g - lam . f there, for any
numbers lam. With lam such that grad G = 0 nearly, in the middle x_c of a short stretch,

    |g - G(x_c)| <= sum_j |dG/dx_j| r_j     over the box x_c +- r that holds the stretch,

which falls with the square of its length. The box comes from the chart: at s the arc lies within
|C F| / (1 - rho) of p + T s + N y, and y changes by at most `lean` times s.
"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Op, Tape
from kempe.algebra.native import native_tape
from kempe.motion.equations.exact_numbers import LEAST
from kempe.motion.equations.system import spoken
from kempe.motion.reduction.blocks import Block, Surplus
from kempe.motion.search.chart_polynomials import along_charts
from kempe.motion.search.search import Found, FoundCurve

FloatArray = NDArray[np.float64]
Decorations = NDArray[np.uint8]

CONTINUOUS = 2  # the decoration of a row that is defined and continuous on its whole box
STRETCH = 1e-4  # half-length of a stretch in unknowns, which are of the size of 1
ROUGH = 1e-2  # half-length for a bound that takes a hundredth of the time
MOST_STRETCHES = 100_000
BATCH = 2_000_000  # gradients' entries at a time
CHORDS = 200  # simplified Newton steps; what they leave of the error is bounded
ROUNDING = 1e-13  # relative: of short sums of products, far more than they can be off


@final
@dataclass(frozen=True, slots=True)
class Residual:
    """Along a component: everywhere at most `most`; somewhere at least `somewhere`, proved both.

    `everywhere` is a bound from below that holds all along.
    """

    most: float
    somewhere: float
    everywhere: float


def residual(block: Block, curve: FoundCurve, half_length: float = STRETCH) -> Residual:
    """Bounds of the rows that a block left out, along one of its components.

    Shorter stretches, of this half-length in unknowns, make them better and take more time.
    """
    surplus = block.surplus
    assert surplus is not None
    if block.freedom == 0:
        x, radius = curve.start[None, :], curve.start_radius
        low, high, known = _enclosed(surplus.tape, slice(len(surplus.sources)), x, radius)
        return _bounds(low, high, known)
    x, r = stretches(block.tape, len(block.equations), curve.charts, half_length)
    n, m, d = x.shape[1], len(block.equations), len(surplus.sources)
    size = max(1, BATCH // (n * (m + d)))
    parts = [
        _along(block, surplus, x[k : k + size], r[k : k + size]) for k in range(0, len(x), size)
    ]
    low, high, known = (np.concatenate(ends) for ends in zip(*parts, strict=True))
    return _bounds(low, high, known)


def _along(
    block: Block, surplus: Surplus, x: FloatArray, r: FloatArray
) -> tuple[FloatArray, FloatArray, Decorations]:
    """Bounds of the rows left out over the parts of the curve in boxes x +- r.

    Derivatives tell something where they are bounded and the rows continuous; elsewhere the rows
    are enclosed as they are.
    """
    n, m, d = x.shape[1], len(block.equations), len(surplus.sources)
    values, slopes, rows = slice(d), slice(d, d + (d + m) * n), slice(m)
    low, high, _ = _enclosed(surplus.tape, values, x, 0.0)
    plain_low, plain_high, known = _enclosed(surplus.tape, values, x, r)
    steep_low, steep_high, _ = _enclosed(surplus.tape, slopes, x, r)
    bounded = (np.isfinite(steep_low) & np.isfinite(steep_high)).all(axis=1)
    continuous = bounded & (known == CONTINUOUS).all(axis=1) & np.isfinite(low).all(axis=1)
    continuous &= (_enclosed(block.tape, rows, x, r)[2] == CONTINUOUS).all(axis=1)
    steep_low[~continuous], steep_high[~continuous] = 0.0, 0.0
    middle = 0.5 * (steep_low + steep_high)
    radius = np.maximum(steep_high - middle, middle - steep_low)
    radius = radius * (1.0 + ROUNDING) + np.finfo(float).tiny
    J, R = middle.reshape(-1, d + m, n), radius.reshape(-1, d + m, n)
    lam = J[:, :d] @ np.linalg.pinv(J[:, d:])  # (k, d, m)
    slope = np.abs(J[:, :d] - lam @ J[:, d:]) + R[:, :d] + np.abs(lam) @ R[:, d:]
    slope += ROUNDING * (np.abs(J[:, :d]) + np.abs(lam) @ np.abs(J[:, d:]))
    change = (slope * r[:, None, :]).sum(axis=2)
    # G(x_c) = g(x_c) - lam . f(x_c), and f is not quite zero at x_c
    f_low, f_high, _ = _enclosed(block.tape, rows, x)
    off = np.abs(lam) @ np.maximum(np.abs(f_low), np.abs(f_high))[:, :, None]
    change = (change + off[:, :, 0]) * (1.0 + ROUNDING)
    told = continuous[:, None]
    return (
        np.where(told, low - change, plain_low),
        np.where(told, high + change, plain_high),
        known,
    )


def _bounds(low: FloatArray, high: FloatArray, known: Decorations) -> Residual:
    """Of rows (stretches, rows) that lie between low and high where they are defined."""
    most = np.where(known > 0, np.maximum(np.abs(low), np.abs(high)), np.inf).max(axis=1)
    least = np.maximum(np.maximum(low, -high), 0.0).max(axis=1)
    return Residual(float(most.max()), float(least.max()), float(least.min()))


def _enclosed(
    tape: Tape, outputs: slice, x: FloatArray, r: FloatArray | float | None = None
) -> tuple[FloatArray, FloatArray, Decorations]:
    """Enclosures of some outputs over boxes x +- r, or at points, and what is known of each."""
    low, high = (x, x) if r is None else (np.nextafter(x - r, -np.inf), np.nextafter(x + r, np.inf))
    found: tuple[FloatArray, FloatArray, Decorations] = native_tape(tape).evaluate_decorated(
        np.ascontiguousarray(low), np.ascontiguousarray(high), tape.outputs[outputs]
    )
    return found


def stretches(
    tape: Tape, m: int, charts: Mapping[str, Any], half_length: float
) -> tuple[FloatArray, FloatArray]:
    """Boxes x +- r that hold all of a curve of m equations, in order, each a stretch of it."""
    n = tape.n_inputs
    start, stop = np.asarray(charts["from"]), np.asarray(charts["to"])
    total = float(np.maximum(stop - start, 0.0).sum())
    half = max(half_length, total / (2.0 * MOST_STRETCHES))
    counts = np.maximum(np.ceil((stop - start) / (2.0 * half)), 1.0).astype(int)
    k = np.repeat(np.arange(len(start)), counts)
    place = np.concatenate([np.arange(c) for c in counts])
    d = ((stop - start) / (2.0 * counts))[k]
    s = start[k] + (2.0 * place + 1.0) * d
    A = np.asarray(charts["A"]).reshape(-1, n, n)[k]
    C = np.asarray(charts["C"]).reshape(-1, m, m)[k]
    N, T, p = A[:, :m], A[:, m], np.asarray(charts["p"])[k]
    y = np.zeros((len(k), m))
    native, rows = native_tape(tape), tape.outputs[:m]
    left, before = np.arange(len(k)), np.full(len(k), np.inf)
    for _ in range(CHORDS):  # of those that still come nearer
        x = p[left] + T[left] * s[left, None] + np.einsum("kc,kcj->kj", y[left], N[left])
        f = native.evaluate(np.ascontiguousarray(x), rows)
        step = np.einsum("krq,kq->kr", C[left], f)
        y[left] -= step
        size = np.abs(step).max(axis=1, initial=0.0)
        nearer = (size > ROUNDING) & (size < before)
        left, before = left[nearer], size[nearer]
        if not left.size:
            break
    x = p + T * s[:, None] + np.einsum("kc,kcj->kj", y, N)
    low, high, _ = _enclosed(tape, slice(m), x)
    share = 1.0 - np.asarray(charts["contraction"])[k]
    f = np.maximum(np.abs(low), np.abs(high))
    error = np.einsum("krq,kq->kr", np.abs(C), f).max(axis=1) / share
    lean = np.asarray(charts["lean"])[k]
    d = np.abs(d) * (1.0 + ROUNDING) + ROUNDING * (1.0 + np.abs(x).max(axis=1))
    aside = (error + lean * d) * (1.0 + ROUNDING) + ROUNDING
    r = np.abs(T) * d[:, None] + np.abs(N).sum(axis=1) * aside[:, None]
    return x, r * (1.0 + ROUNDING)


#: Operations that may be one formula here and another there.
IN_PIECES: frozenset[int] = frozenset(
    {
        *(Op.SPLINE, Op.TABLE, Op.ABS, Op.MIN, Op.MAX, Op.ROUND),
        *(Op.WHERE_POSITIVE, Op.WHERE_NOT_NEGATIVE),
    }
)


@final
@dataclass(frozen=True, slots=True)
class Sifting:
    """What rows that were left out of the search say to what it found.

    `within` bounds them on everything that was kept. `crossed` curves are dropped since the rows
    fail somewhere on them; they may still hold at single places of those.
    """

    sources: tuple[str, ...] = ()
    within: float = 0.0
    crossed: int = 0
    is_mixed: bool = False  # whether sums of all rows were searched instead of some of the rows


def sifted(found: Found, seconds: float = math.inf) -> tuple[Found, Sifting]:
    """The components on which the rows that were left out are not proved to fail.

    When the `seconds` are up the rows are bounded roughly.

    A row that fails by no more than lengths written as doubles explain is said to hold within that.
    One that fails somewhere vanishes at single places of a curve at most, if all formulas are
    analytic; those in pieces may vanish along a part of it, which stays listed.
    """
    surplus = found.block.surplus
    if surplus is None:
        return found, Sifting()
    kept, within, crossed = [], 0.0, 0
    analytic = is_analytic(surplus.tape) and is_analytic(found.block.tape)
    end = time.monotonic() + seconds
    for component in found.components:
        bounds = _bounded(found.block, component, end)
        fails = bounds.somewhere if analytic or found.block.freedom == 0 else bounds.everywhere
        if fails > LEAST:  # more than rounded lengths explain
            crossed += bounds.everywhere <= LEAST
        else:
            kept.append(component)
            within = max(within, bounds.most)
    told = Sifting(surplus.sources, within, crossed, found.block.is_mixed)
    return replace(found, components=kept), told


def _bounded(block: Block, curve: FoundCurve, end: float) -> Residual:
    """The rows left out along a component: sharply where they are polynomials, or there is time."""
    sharp = along_charts(block, curve.charts) if block.freedom == 1 else None
    if sharp is not None and sharp.somewhere <= LEAST:
        return Residual(sharp.most, sharp.somewhere, 0.0)
    if sharp is not None and block.is_mixed:
        return Residual(sharp.most, sharp.somewhere, sharp.somewhere)
    bounds = residual(block, curve, ROUGH)
    if sharp is not None:
        return Residual(sharp.most, sharp.somewhere, bounds.everywhere)
    if bounds.everywhere <= LEAST and time.monotonic() < end:
        return residual(block, curve)
    return bounds


def is_analytic(tape: Tape) -> bool:
    """Whether no operation of a tape is made of pieces."""
    return not (set(tape.code[:, 0].tolist()) & IN_PIECES)


def verdict(siftings: Sequence[Sifting]) -> str:
    """What is known of the rows that were left out; nothing where none were."""
    names = spoken(name for s in siftings for name in s.sources)
    if not names:
        return ""
    within = max(s.within for s in siftings)
    crossed = sum(s.crossed for s in siftings)
    if any(s.is_mixed for s in siftings):
        return (
            f"Rows of {names} repeat each other: sums of all of them were searched, and every one"
            f" holds within {within:.1g} on all that is listed; that they hold exactly is not"
            " proved."
        )
    message = (
        f"{names} repeats what the others say: left out of the search, it holds within"
        f" {within:.1g} on all that is listed; that it holds exactly is not proved."
    )
    if crossed:
        message += f" On {crossed} more it fails, but for single places."
    return message
