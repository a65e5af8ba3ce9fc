"""A point that keeps its distance from a bar."""

from dataclasses import dataclass
from typing import final

from kempe.constraints import AbstractConstraint, DistanceFromBar, FootWithinBar
from kempe.joints.numbered import AbstractBarJoint
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class PointFromBar(AbstractBarJoint):
    """The origin of J stays `length` from the line of the bar from I to K.

    phi = (|(p_J - p_I) x u|^2 / |u|^2 - length^2) / (2 length),  u = p_K - p_I

    With `segment` the foot of the perpendicular lies on the bar, not beyond its ends.

    Source: [Barton] section 2.2.
    """

    length: Metres

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The distance, as a constraint."""
        distance = DistanceFromBar(self.length, self.bar)
        return (distance, FootWithinBar(self.bar)) if self.segment else (distance,)
