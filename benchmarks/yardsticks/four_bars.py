"""Many four-bars of different lengths: what batches are measured on, and their closed form."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

# Any of these turns all the way round: crank and ground together are shorter than the other two.
LOW, HIGH = (0.5, 3.1, 2.6, 3.6), (0.9, 3.9, 3.4, 4.4)
NAMES = ("crank", "coupler", "rocker", "ground")


def lengths(variants: int) -> FloatArray:
    """Crank, coupler, rocker and ground (m) of all variants, (variants, 4)."""
    return np.random.default_rng(1876).uniform(LOW, HIGH, (variants, 4))


def coupler_points(given: FloatArray, steps: int) -> FloatArray:
    """P in the middle of the coupler, half its length to the left, over one turn.

    (variants, steps + 1, 2), on the open branch; the crank starts at angle 0.
    """
    a, b, c, d = given.T[:, :, None]
    B = a * np.exp(2j * np.pi * np.arange(steps + 1) / steps)
    way = d - B
    r = np.abs(way)
    along = way / r * np.exp(1j * np.arccos((b * b + r * r - c * c) / (2 * b * r)))
    P = B + 0.5 * (1 + 1j) * b * along
    return np.stack([P.real, P.imag], axis=-1)


def worst(points: FloatArray, given: FloatArray, some: int = 64) -> float:
    """How far points (variants, steps + 1, 2) are off (m), of some of the variants."""
    few = min(some, len(points))
    exact = coupler_points(given[:few], points.shape[1] - 1)
    return float(np.abs(points[:few] - exact).max())
