"""What constraints between a bar and a curve share."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from kempe.constraints.abstract import Unknown
from kempe.constraints.bar import SHARES, AbstractBarConstraint, BarOf, share_of
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.pose import Pose
from kempe.units import Metres


class AbstractBarAndCurve(AbstractBarConstraint):
    """A formula of the bar from J to K and of a place C(t) on a curve in the frame of I."""

    __slots__ = ()

    curve: AbstractCurve
    bar: Metres | None  # its length, where that is fixed

    frames: ClassVar[int] = 3
    bars: ClassVar[tuple[BarOf, ...]] = (BarOf(1, 2, "bar"),)

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return (Unknown("t", self.curve.domain, self.curve.speed),)


class AbstractWithinBarAndCurve(AbstractBarAndCurve):
    """Such a formula with one more unknown: the share of the bar, from 0 to 1, where C(t) is."""

    __slots__ = ()

    sees_lines: ClassVar[bool] = False

    @property
    @abstractmethod
    def on_line(self) -> AbstractBarAndCurve:
        """The formula for the bar's whole line, beyond its ends too."""

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        size = self.curve.size if self.bar is None else self.bar
        return (*super().unknowns, Unknown("share", SHARES, size, "bar"))

    def first_unknowns(self, X: Sequence[Pose]) -> list[float]:
        (t,) = self.on_line.first_unknowns(X)
        return [t, share_of(X[0].point(self.curve.point(t)), X[1], X[2])]
