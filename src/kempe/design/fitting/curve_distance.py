"""How far points are from curves that were sampled with their rates and accelerations.

Between two samples a curve is the polynomial of degree 5 that has their places, rates and
accelerations, so that its error is of the sixth order in the step.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

CLOSED: Final = 1e-9  # of its extent: so near are the ends of a closed curve
STEPS: Final = 8  # of Newton's method along a stretch

# Coefficients of 1, s, .. s^5 from (p0, v0 h, a0 h^2, p1, v1 h, a1 h^2), s in [0, 1]
HERMITE: Final = np.array(
    [
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.5, 0.0, 0.0, 0.0],
        [-10.0, -6.0, -1.5, 10.0, -4.0, 0.5],
        [15.0, 8.0, 1.5, -15.0, 7.0, -1.0],
        [-6.0, -3.0, -0.5, 6.0, -3.0, 0.5],
    ]
)


def nearest(
    orders: tuple[FloatArray, FloatArray, FloatArray], step: float, points: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """From points to the curves of many variants: offsets (variants, points, 2 or 3), and when.

    `orders` are places, rates and accelerations (variants, samples, 2 or 3) at times `step` apart;
    the second answer (variants, points) is in steps from the first sample on.
    """
    x = orders[0]
    square = np.stack([((x - p) ** 2).sum(axis=-1) for p in points], axis=1)
    at = np.argmin(np.where(np.isfinite(square), square, np.inf), axis=2)  # (variants, points)
    rows = np.arange(len(x))[:, None]
    ahead = ((points - x[rows, at]) * orders[1][rows, at]).sum(axis=-1) >= 0.0
    # A closed curve goes on at its other end.
    extent = np.nanmax(np.abs(x - x[:, :1]), axis=(1, 2), initial=0.0)
    closed = (np.abs(x[:, -1] - x[:, 0]).max(axis=1) <= CLOSED * extent)[:, None]
    last = x.shape[1] - 1
    at = np.where(closed & ahead & (at == last), 0, np.where(closed & ~ahead & (at == 0), last, at))
    first = np.clip(np.where(ahead, at, at - 1), 0, x.shape[1] - 2)
    ends = [
        order[rows, first + k] * step**power for k in (0, 1) for power, order in enumerate(orders)
    ]
    coefficients = np.einsum("ij,j...->i...", HERMITE, np.array(ends))  # (6, variants, points, d)
    s = np.clip(at - first, 0, 1).astype(np.float64)
    for _ in range(STEPS):
        place, rate, second = (_value(coefficients, s, k) for k in range(3))
        off = place - points
        slope = (off * rate).sum(axis=-1)
        bend = (rate * rate).sum(axis=-1) + (off * second).sum(axis=-1)
        bend = np.where(bend > 0.0, bend, (rate * rate).sum(axis=-1) + 1e-300)
        s = np.clip(s - slope / bend, 0.0, 1.0)
    return _value(coefficients, s, 0) - points, first + s


def _value(coefficients: FloatArray, s: FloatArray, order: int) -> FloatArray:
    """The polynomial, or a derivative of it, at s (variants, points)."""
    total = np.zeros(coefficients.shape[1:])
    for power in range(5, order - 1, -1):
        factor = float(np.prod(np.arange(power - order + 1, power + 1)))
        total = total * s[..., None] + factor * coefficients[power]
    return total
