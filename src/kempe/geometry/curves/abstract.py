"""What every curve is: a formula C(t) and its derivatives, on numbers and on traced values."""

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kempe.errors import BadNumber, OutsideDomain
from kempe.geometry.curves.domain import Domain
from kempe.geometry.vector import Scalar, Vector

if TYPE_CHECKING:
    from kempe.geometry.curves.nearest import Nearest

FloatArray = NDArray[np.float64]


class AbstractCurve(ABC):
    """A curve C(t) in space, or in the plane z = 0, over its domain.

    `derivative` is its one formula; it runs on plain numbers, on arrays and on traced values, so a
    curve may stand in any constraint or measure. Beyond the domain the formula goes on smoothly;
    whoever asks for a place by number is told that it is not on the curve.
    """

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """Between which numbers the parameter lives."""

    @abstractmethod
    def derivative(self, t: Scalar, order: int = 1) -> Vector:
        """d^order C / dt^order; order 0 is the point itself."""

    @property
    def corners(self) -> tuple[float, ...]:
        """Parameters inside the domain where the derivative jumps."""
        return ()

    @property
    def is_closed(self) -> bool:
        """Whether it ends where it began, and its parameter lives on a circle."""
        return self.domain.period > 0.0

    @property
    def is_planar(self) -> bool:
        """Whether it lies in the plane z = 0."""
        t = self.domain.low if self.domain.is_bounded else 0.0
        z = [self.derivative(t, order).z for order in range(3)]
        return all(isinstance(e, (int, float)) and e == 0.0 for e in z)

    def point(self, t: Scalar) -> Vector:
        """C(t)."""
        return self.derivative(t, 0)

    # -- numbers -----------------------------------------------------------------------------

    def __call__(self, t: ArrayLike, order: int = 0) -> FloatArray:
        """C, or a derivative of it, at one parameter (3,) or several (N, 3)."""
        given = np.asarray(t, dtype=np.float64)
        self.require(given)
        parts = [np.broadcast_to(c, given.shape) for c in self.derivative(given, order)]
        return np.stack(parts, axis=-1).astype(np.float64)

    def require(self, t: ArrayLike) -> None:
        """An OutsideDomain unless every parameter belongs to the curve."""
        for number in np.asarray(t, dtype=np.float64).ravel().tolist():
            if not self.domain.contains(number):
                raise OutsideDomain(
                    f"t = {number:g} is not on the {type(self).__name__.lower()}: its parameter"
                    f" runs over {self.domain}. Keep within it, or make the curve longer.",
                    parameter=number,
                    low=self.domain.low,
                    high=self.domain.high,
                )

    def enclosure(
        self, low: ArrayLike, high: ArrayLike, order: int = 0
    ) -> tuple[FloatArray, FloatArray]:
        """Bounds (3,) or (N, 3) that hold every value for t in [low, high], and its roundings."""
        from kempe.geometry.curves.enclosure import enclosure

        return enclosure(self, low, high, order)

    def length(self, start: float | None = None, stop: float | None = None) -> float:
        """The arc length (m) between two parameters, or of the whole curve."""
        from kempe.geometry.curves.arc_length import arc_length

        return arc_length(self, start, stop)

    def nearest(self, place: ArrayLike) -> "Nearest":
        """The point of the curve nearest to a place, with a proved lower bound of the distance."""
        from kempe.geometry.curves.nearest import nearest

        return nearest(self, place)

    @property
    def pieces(self) -> tuple[float, ...]:
        """Parameters between which the curve is smooth: its ends, and its corners."""
        if not self.domain.is_bounded:
            raise BadNumber(
                f"this {type(self).__name__.lower()} has no ends: give it `limits`, the parameters"
                " it runs between."
            )
        return (self.domain.low, *self.corners, self.domain.high)

    @property
    def speed(self) -> float:
        """A typical |dC/dt| (m), by which a parameter compares to lengths."""
        return _proportions(self)[0]

    @property
    def size(self) -> float:
        """How far apart points of the curve are (m), roughly."""
        return _proportions(self)[1]


@lru_cache(maxsize=256)
def _proportions(curve: AbstractCurve) -> tuple[float, float]:
    """Typical speed and extent, from samples."""
    ends = curve.domain if curve.domain.is_bounded else Domain(-1.0, 1.0)
    t = np.linspace(ends.low, ends.high, 33)
    place, rate = (
        np.stack([np.broadcast_to(c, t.shape) for c in curve.derivative(t, k)]).astype(float)
        for k in (0, 1)
    )
    return float(np.sqrt((rate**2).sum(axis=0)).mean()), float(np.ptp(place, axis=1).max())
