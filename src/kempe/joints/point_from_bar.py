"""A point that keeps its distance from a bar."""

from dataclasses import dataclass, field
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, DistanceFromBar, FootWithinBar
from kempe.geometry.marker import Marker
from kempe.joints.abstract import AbstractJoint
from kempe.units import Metres


@final
@dataclass(frozen=True)
class PointFromBar(AbstractJoint):
    """The origin of J stays `length` from the line of the bar from I to K.

    phi = (|(p_J - p_I) x u|^2 / |u|^2 - length^2) / (2 length),  u = p_K - p_I

    With `segment` the foot of the perpendicular lies on the bar, not beyond its ends.

    Source: [Barton] section 2.2.
    """

    K: Marker = field(kw_only=True)  # end of the bar
    length: Metres = field(kw_only=True)
    bar: Metres | None = field(default=None, kw_only=True)  # its length, where that is fixed
    segment: bool = field(default=False, kw_only=True)  # whether the foot keeps to the bar

    symbol: ClassVar[str] = "contact"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.constraints  # refuses numbers that mean nothing

    @property
    def markers(self) -> tuple[Marker, ...]:
        return (self.I, self.J, self.K)

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The distance, as a constraint."""
        distance = DistanceFromBar(self.length, self.bar)
        return (distance, FootWithinBar(self.bar)) if self.segment else (distance,)
