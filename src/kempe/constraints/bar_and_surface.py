"""What constraints between a bar and a surface share."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from kempe.constraints.bar import AbstractBarConstraint, BarOf, along
from kempe.constraints.trial_places import best_trial, trial_places
from kempe.geometry import Pose, Scalar, Vector
from kempe.geometry.number import finite, positive
from kempe.geometry.surfaces import AbstractSurface
from kempe.units import Metres


class AbstractBarAndSurface(AbstractBarConstraint):
    """A formula of the bar from J to K and of a place on a surface in the frame of I.

    The line of the bar touches the surface's offset, S + length n: it is that far from the surface,
    stationary in u, v and along the bar. All of a sphere is that far from its centre: no place is
    needed.
    """

    __slots__ = ()

    surface: AbstractSurface
    length: Metres
    bar: Metres | None  # its length, where that is fixed

    frames: ClassVar[int] = 3
    bars: ClassVar[tuple[BarOf, ...]] = (BarOf(1, 2, "bar"),)

    def __post_init__(self) -> None:
        finite(self.length, "a distance from a surface")
        ball = self.surface.ball
        if ball is not None:
            positive(ball[1] + self.length, "a bar's distance from the centre of a sphere")

    @property
    @abstractmethod
    def on_line(self) -> "AbstractBarAndSurface":
        """The formula for the bar's whole line, beyond its ends too."""

    @property
    def size(self) -> Scalar:
        """The length (m) that the bar's vector is compared with."""
        return self.surface.size if self.bar is None else self.bar

    def contact(self, X_WI: Pose, u: Scalar, v: Scalar) -> tuple[Vector, Vector]:
        """S + length n (m) at `u`, `v`, and the unit normal n, in the world; I is at `X_WI`."""
        n = self.surface.across(u, v)
        n = n * (1.0 / n.norm)
        place = self.surface.point(u, v) + n * self.length
        return X_WI.point(place), X_WI.rotation.apply(n)

    def first_unknowns(self, X: Sequence[Pose]) -> list[float]:
        if not self.on_line.unknowns:
            return []
        middle = X[1].position + along(X[1], X[2]) * 0.5
        reach = self.surface.size + float(along(X[1], X[2]).norm)
        seen = X[0].inverse().point(middle)
        trials, *_ = trial_places(self.surface, Vector(*(float(c) for c in seen)), reach)
        return best_trial(self.on_line, X, np.asarray(trials), self.surface.size)
