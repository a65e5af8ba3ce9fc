"""Curves and surfaces in sweeps: where a point runs off its own, and what cannot have any."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import MissingPart
from kempe.outcome import Ending, Outcome

FloatArray = NDArray[np.float64]
LOOKS = 33  # between two samples
ROUNDING = 1e-9  # of a domain: so far beyond its end between samples is none
HALVINGS = 40  # of a look, until an exit is known to the last digits


def refuse_curves(layout: Layout, action: str) -> None:
    """A MissingPart where joints have unknowns of their own, which the action cannot find."""
    if layout.n_own:
        joints = dict.fromkeys(layout.elements[k].name for k, _ in layout.own_unknowns)
        names = ", ".join(map(repr, joints))
        raise MissingPart(
            f"{layout.model.name!r} cannot be {action}: its curves and surfaces ({names}) have"
            " parameters that this cannot find. Sweep it with a drive, or ask for its motions().",
            joints=names,
        )


def off_its_curve(
    layout: Layout,
    q: FloatArray,
    times: FloatArray,
    rates: tuple[FloatArray, FloatArray] | None = None,
) -> Outcome | None:
    """The ending of a motion in which a place leaves its curve, surface or bar; None otherwise.

    q (n, ...) are coordinates, the own unknowns last, as in the rates. With `rates`, the velocities
    and accelerations (n, ...) at the samples, it is also seen between two of them, also where it
    comes back before the next one.
    """
    found: tuple[float, int, float] | None = None  # time, unknown, its value
    for k, (_, unknown) in enumerate(layout.own_unknowns):
        if unknown.domain.period:
            continue
        low, high = float(unknown.domain.low), float(unknown.domain.high)
        values = [x[:, k - layout.n_own] for x in (q, *(rates or ()))]
        met = first_exit(times, values, low, high)
        if met is not None and (found is None or met[0] < found[0]):
            found = met[0], k, met[1]
    if found is None:
        return None
    t, k, value = found
    _, unknown = layout.own_unknowns[k]
    inside = bool(unknown.domain.low <= q[0, k - layout.n_own] <= unknown.domain.high)
    samples = int(np.count_nonzero(times <= t if rates and inside else times < t))
    return run_off(layout, k, t, value, samples)


def run_off(layout: Layout, k: int, t: float, value: float, samples: int) -> Outcome:
    """The ending of a motion whose own unknown k leaves its domain at time t (s), in words.

    `samples` of it lie before.
    """
    number, unknown = layout.own_unknowns[k]
    joint = layout.elements[number].name
    return Outcome(
        Ending.LIMIT_REACHED,
        f"at t = {t:.9g} s {joint!r} runs off its {unknown.track}, whose {unknown.name} goes over"
        f" {unknown.domain}.",
        f"Make the {unknown.track} longer, or end the motion before.",
        {"t": t, "joint": joint, "samples": samples, "value": value},
    )


def first_exit(
    times: FloatArray, values: Sequence[FloatArray], low: float, high: float
) -> tuple[float, float] | None:
    """When a value first leaves low ... high, and the value then; None where it never does.

    `values` are the value (n,) at rising times alone, or with its first two derivatives: then it is
    followed between samples by the polynomial of degree 5 that has all three at both of them. What
    is beyond an end between samples by less than 1e-9 of low ... high, or of how far the value
    goes, is rounding.
    """
    s = values[0]
    outside = np.flatnonzero((s < low) | (s > high))
    last = int(outside[0]) if len(outside) else len(s) - 1
    if len(values) == 1 or last == 0:
        return (float(times[last]), float(s[last])) if len(outside) else None
    looks = np.column_stack([times, *values])[: last + 1]
    return first_exit_of(looks[:-1], looks[1:], (low, high))


def first_exit_of(
    before: ArrayLike, after: ArrayLike, bounds: tuple[float, float], goes: float = 0.0
) -> tuple[float, float] | None:
    """When a value first leaves its bounds between looks, and the value then; None if it never.

    `before` and `after` (m, 4) are times, the value, and its first two derivatives; between them it
    goes as the polynomial of degree 5 does. `goes` is how far the value goes elsewhere.
    """
    low, high = bounds
    begins, ends = (np.reshape(np.asarray(x, dtype=np.float64), (-1, 4)) for x in (before, after))
    if not len(begins):
        return None
    h = ends[:, 0] - begins[:, 0]
    ways = _quintics(begins[:, 1:], ends[:, 1:], h)  # (m, 6), of u = 0 ... 1
    u = np.linspace(0.0, 1.0, LOOKS)
    seen = ways @ np.power.outer(u, np.arange(6)).T
    slack = ROUNDING * min(high - low, max(goes, float(np.ptp(seen))))
    beyond = np.maximum(seen - high, low - seen)
    beyond[:, -1] = np.where((ends[:, 1] < low) | (ends[:, 1] > high), np.inf, -np.inf)
    peak = beyond.copy()  # of the parabola through three looks
    with np.errstate(invalid="ignore", divide="ignore"):
        slope, bend = beyond[:, 2:] - beyond[:, :-2], np.diff(beyond, 2, axis=1)
        top = beyond[:, 1:-1] - slope**2 / (8.0 * bend)
    inner = (bend < 0.0) & (np.abs(slope) <= -2.0 * bend) & np.isfinite(top)
    peak[:, 1:-1] = np.where(inner, np.maximum(top, peak[:, 1:-1]), peak[:, 1:-1])
    met = np.argwhere(peak > slack)
    if not len(met):
        return None
    k, j = (int(n) for n in met[0])
    way, bound = ways[k], high if seen[k, j] - high > low - seen[k, j] else low
    inside, outside = float(u[max(j - 1, 0)]), float(u[j])
    sign = 1.0 if bound == high else -1.0

    def past(x: float) -> float:
        return sign * (float(np.polynomial.polynomial.polyval(x, way)) - bound)

    if past(outside) <= 0.0 and 0 < j < LOOKS - 1:  # it is beyond at the parabola's top
        outside -= float(u[1] * slope[k, j - 1] / (2.0 * bend[k, j - 1]))
    if past(inside) >= 0.0:  # on the end to rounding, where the look is
        outside = inside
    elif past(outside) > 0.0:
        for _ in range(HALVINGS):
            middle = 0.5 * (inside + outside)
            inside, outside = (inside, middle) if past(middle) > 0.0 else (middle, outside)
    return float(begins[k, 0] + h[k] * outside), bound


def _quintics(begins: FloatArray, ends: FloatArray, h: FloatArray) -> FloatArray:
    """Coefficients (m, 6), in u = (t - t_k) / h, of what has s, s', s'' (m, 3) at both ends."""
    p, q = begins[:, 0], ends[:, 0] - begins[:, 0]
    v0, v1 = h * begins[:, 1], h * ends[:, 1]
    a0, a1 = h**2 * begins[:, 2], h**2 * ends[:, 2]
    rest = q - v0 - 0.5 * a0, v1 - v0 - a0, a1 - a0
    return np.stack(
        [
            p,
            v0,
            0.5 * a0,
            10.0 * rest[0] - 4.0 * rest[1] + 0.5 * rest[2],
            -15.0 * rest[0] + 7.0 * rest[1] - rest[2],
            6.0 * rest[0] - 3.0 * rest[1] + 0.5 * rest[2],
        ],
        axis=1,
    )
