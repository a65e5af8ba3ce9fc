"""A stretch of a point's path between two samples, as smooth as the samples know it."""

from collections.abc import Callable
from typing import final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@final
class PathStretch:
    """The polynomial of fifth degree through position, velocity and acceleration at both ends.

    p(s) = sum c_k s^k, 0 <= s <= 1;  its position is off by O(h^6), its acceleration by O(h^4).
    """

    def __init__(self, t: FloatArray, position: FloatArray, v: FloatArray, a: FloatArray) -> None:
        """From the two ends: t (2,), the others (2, 2) or (2, 3)."""
        h = float(t[1] - t[0])
        gap = position[1] - position[0] - h * v[0] - 0.5 * h * h * a[0]
        faster = h * (v[1] - v[0]) - h * h * a[0]
        more = h * h * (a[1] - a[0])
        self._t, self._h = float(t[0]), h
        self._c = np.array(
            [
                position[0],
                h * v[0],
                0.5 * h * h * a[0],
                10.0 * gap - 4.0 * faster + 0.5 * more,
                -15.0 * gap + 7.0 * faster - more,
                6.0 * gap - 3.0 * faster + 0.5 * more,
            ]
        )

    def time(self, s: float) -> float:
        """t at s, s."""
        return self._t + s * self._h

    def position(self, s: float) -> FloatArray:
        """p(s), m."""
        return self._derivative(s, 0)

    def velocity(self, s: float) -> FloatArray:
        """dp/dt, m/s."""
        return self._derivative(s, 1) / self._h

    def acceleration(self, s: float) -> FloatArray:
        """d^2p/dt^2, m/s^2."""
        return self._derivative(s, 2) / self._h**2

    def root(self, f: Callable[[FloatArray, FloatArray], float]) -> float:
        """s where f(velocity, acceleration), which has opposite signs at the ends, is zero.

        Where rounding has eaten a sign, the end that is nearer to zero.
        """
        from scipy.optimize import brentq  # slow to import

        def along(s: float) -> float:
            return f(self.velocity(s), self.acceleration(s))

        ends = along(0.0), along(1.0)
        if ends[0] * ends[1] >= 0.0:
            return 0.0 if abs(ends[0]) <= abs(ends[1]) else 1.0
        return float(brentq(along, 0.0, 1.0))

    def _derivative(self, s: float, order: int) -> FloatArray:
        c = np.polynomial.polynomial.polyder(self._c, order)
        value: FloatArray = np.asarray(np.polynomial.polynomial.polyval(s, c))
        return value
