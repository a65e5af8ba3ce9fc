"""Curves between two samples, by places, rates and accelerations: their control points.

Source: [PieglTiller] section 1.3: a Bezier curve lies in the hull of its control points, and those
of its derivative are differences of its own.
"""

from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Index = NDArray[np.intp] | slice

DEGREE = 5
CHOICES = np.array([1.0, 5.0, 10.0, 10.0, 5.0, 1.0])  # binomial coefficients


@final
class Jet(NamedTuple):
    """Values (k, m) with their rates and accelerations, at samples or at ends of steps."""

    x: FloatArray
    v: FloatArray
    a: FloatArray

    def at(self, which: Index) -> "Jet":
        """Some of the samples."""
        return Jet(self.x[which], self.v[which], self.a[which])


def quintics(h: FloatArray, start: Jet, stop: Jet) -> FloatArray:
    """Control points (k, 6, m) of the quintics with these ends, h (k,) s apart.

    x0, x0 + h v0 / 5, x0 + 2 h v0 / 5 + h^2 a0 / 20, and the same from the other end.
    """
    H = h[:, None]
    (x0, v0, a0), (x1, v1, a1) = start, stop
    return np.stack(
        [
            x0,
            x0 + H * v0 / 5.0,
            x0 + 2.0 * H * v0 / 5.0 + H * H * a0 / 20.0,
            x1 - 2.0 * H * v1 / 5.0 + H * H * a1 / 20.0,
            x1 - H * v1 / 5.0,
            x1,
        ],
        axis=1,
    )


def cubics(h: FloatArray, start: Jet, stop: Jet) -> FloatArray:
    """Control points (k, 6, m), of degree 5, of the cubics with these places and rates."""
    H = h[:, None]
    (x0, v0, _), (x1, v1, _) = start, stop
    slope = 6.0 * (x1 - x0) / (H * H)
    bends = slope - (4.0 * v0 + 2.0 * v1) / H, (2.0 * v0 + 4.0 * v1) / H - slope
    return quintics(h, Jet(x0, v0, bends[0]), Jet(x1, v1, bends[1]))


def derivatives(h: FloatArray, points: FloatArray) -> FloatArray:
    """Control points (k, 5, m) of the derivative by time."""
    return np.asarray(DEGREE * np.diff(points, axis=1) / h[:, None, None])


def on_curves(points: FloatArray, s: FloatArray) -> FloatArray:
    """Places (k, m) on curves (k, 6, m), each at its share s (k,) of the way."""
    powers = np.arange(DEGREE + 1)
    weights = CHOICES * s[:, None] ** powers * (1.0 - s[:, None]) ** powers[::-1]
    return np.asarray(np.einsum("ki,kim->km", weights, points))


def quintic_middle(h: FloatArray, start: Jet, stop: Jet) -> FloatArray:
    """The middles (k, m) of the quintics."""
    return on_curves(quintics(h, start, stop), np.full(len(h), 0.5))


def cubic_middle(h: FloatArray, start: Jet, stop: Jet) -> FloatArray:
    """The middles (k, m) of the cubics."""
    return on_curves(cubics(h, start, stop), np.full(len(h), 0.5))
