"""Two skew bars that keep their distance."""

from dataclasses import dataclass, field
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, DistanceBetweenBars
from kempe.geometry.marker import Marker
from kempe.joints.abstract import AbstractJoint
from kempe.units import Metres


@final
@dataclass(frozen=True)
class SkewBars(AbstractJoint):
    """The bars from I to K and from J to L stay `length` apart; in space only.

    phi = (((p_J - p_I) . n)^2 / |n|^2 - length^2) / (2 length),  n = (p_K - p_I) x (p_L - p_J)

    Source: [Barton] section 2.2.
    """

    K: Marker = field(kw_only=True)  # end of the first bar
    L: Marker = field(kw_only=True)  # end of the second
    length: Metres = field(kw_only=True)

    symbol: ClassVar[str] = "contact"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.constraints  # refuses numbers that mean nothing

    @property
    def markers(self) -> tuple[Marker, ...]:
        return (self.I, self.J, self.K, self.L)

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The distance, as a constraint."""
        return (DistanceBetweenBars(self.length),)
