"""Rises of cams: from one dwell to another by a normal curve."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from kempe.algebra.functions import maximum, minimum
from kempe.drives.formula import Formula
from kempe.drives.law import AbstractLaw
from kempe.geometry.number import finite, positive
from kempe.geometry.vector import Scalar
from kempe.units import Reading, Seconds


@dataclass(frozen=True, kw_only=True)
class AbstractRise(AbstractLaw):
    """A dwell at `start`, a rise by `rise` over `duration`, and a dwell for ever after.

    f = start + rise s(u),  u = (t - dwell) / duration held between 0 and 1

    The normal curve s goes from 0 to 1 with s' = 0 at both ends. A negative rise is a return.
    """

    rise: Reading
    duration: Seconds
    dwell: Seconds = 0.0  # before the rise
    start: Reading = 0.0
    joints: ClassVar[tuple[float, ...]] = ()  # u at which the normal curve changes its formula

    def __post_init__(self) -> None:
        kind = type(self).__name__
        duration = positive(self.duration, f"the duration of {kind}", "s")
        object.__setattr__(self, "duration", duration)
        for name, unit in (("rise", ""), ("dwell", "s"), ("start", "")):
            value = finite(getattr(self, name), f"the {name} of {kind}", unit)
            object.__setattr__(self, name, value)

    def corners(self, start: float, stop: float) -> list[float]:
        times = (self.dwell + u * self.duration for u in (0.0, *self.joints, 1.0))
        return [t for t in times if start < t < stop]

    def between(self, start: float, stop: float) -> AbstractLaw:
        u = (0.5 * (start + stop) - self.dwell) / self.duration
        if not 0.0 < u < 1.0:
            return Formula(lambda t: self.start + self.rise * float(u >= 1.0) + 0.0 * t)
        return Formula(
            lambda t: (
                self.start + self.rise * self.normal_piece((t - self.dwell) / self.duration, u)
            )
        )

    def value(self, t: Scalar) -> Scalar:
        u = minimum(maximum((t - self.dwell) / self.duration, 0.0), 1.0)
        return self.start + self.rise * self.normal_curve(u)

    def normal_piece(self, u: Scalar, within: float) -> Scalar:
        """The formula of s(`u`) that holds about `within`, between two of the joints."""
        return self.normal_curve(u)

    @abstractmethod
    def normal_curve(self, u: Scalar) -> Scalar:
        """s(`u`), from 0 at `u` = 0 to 1 at `u` = 1."""
