"""The arrays of a component's charts, and what every way to prove them again offers."""

from abc import ABC, abstractmethod
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.results.maps.certificate import CertifiedBlock
from kempe.results.maps.component import Component

FloatArray = NDArray[np.float64]

CERTAIN = 1e-25  # what long numbers are at least good for, on frames that are nearly square
NEWTON_STEPS = 12
REFINED, SETTLED = 1e-30, 1e-28  # where Newton's method stops, and what it must have reached


@final
class ChartArrays:
    """p, A (by columns), C, h and w of all charts of a component."""

    def __init__(self, component: Component) -> None:
        c = component.charts
        self.block: CertifiedBlock = component.block
        self.n, self.m = len(self.block.places), self.block.n_equations
        self.count = len(c["h"])
        self.p: FloatArray = np.asarray(c["p"])
        self.h: FloatArray = np.asarray(c["h"])
        self.w: FloatArray = np.asarray(c["w"])
        self.A: FloatArray = np.asarray(c["A"]).reshape(self.count, self.n, self.n)
        self.C: FloatArray = np.asarray(c["C"]).reshape(self.count, self.m, self.m)

    @property
    def is_curve(self) -> bool:
        """Whether the last column of A is a direction along a curve."""
        return self.n > self.m

    def reach(self, k: int) -> FloatArray:
        """How far chart k extends in every unknown."""
        reach: FloatArray = np.abs(self.A[k][: self.m]).sum(axis=0) * self.w[k]
        return reach + np.abs(self.A[k][self.m]) * self.h[k] if self.is_curve else reach


class AbstractCharts(ABC):
    """Charts of one component in numbers longer than doubles; points are of their own kind."""

    @abstractmethod
    def is_one_arc(self, k: int) -> bool:
        """Whether for every |s| <= h exactly one |y_j| <= w solves the rows of chart k."""

    @abstractmethod
    def refined(self, k: int, x: FloatArray) -> tuple[Any, Any] | None:
        """The solution near x in the slice of chart k, and the tangent there, to 28 digits."""

    @abstractmethod
    def place(self, k: int, x: Any) -> tuple[Any, bool]:
        """(s, whether a point lies in the parallelotope of chart k)."""

    @abstractmethod
    def runs(self, k: int, t: Any) -> bool:
        """Whether chart k runs along a tangent."""

    @abstractmethod
    def floats(self, x: Any) -> FloatArray:
        """A point as doubles."""

    @abstractmethod
    def gap(self, x: Any, j: int, bound: float) -> float:
        """How far unknown j of a point is from a bound."""
