"""Joints that hold the lines of one bar or of two."""

from dataclasses import dataclass

from kempe.geometry.marker import Marker
from kempe.joints.checked import AbstractCheckedJoint
from kempe.units import Metres


@dataclass(frozen=True, kw_only=True)
class AbstractBarJoint(AbstractCheckedJoint):
    """A joint that holds the line of one bar, which ends at marker K."""

    K: Marker  # end of the bar
    bar: Metres | None = None  # its length, where that is fixed
    segment: bool = False  # whether what touches it keeps to the bar, not beyond its ends

    @property
    def markers(self) -> tuple[Marker, ...]:
        return (self.I, self.J, self.K)


@dataclass(frozen=True, kw_only=True)
class AbstractBarPair(AbstractCheckedJoint):
    """A joint between two bars: one from I to K, the other from J to L."""

    K: Marker  # end of the first bar
    L: Marker  # end of the second

    @property
    def markers(self) -> tuple[Marker, ...]:
        return (self.I, self.J, self.K, self.L)


@dataclass(frozen=True, kw_only=True)
class AbstractDirectedBars(AbstractBarPair):
    """A joint between the directions of two bars, whose lengths may be fixed."""

    first: Metres | None = None  # length of the first bar, where fixed
    second: Metres | None = None  # of the second
