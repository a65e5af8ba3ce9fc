"""Two parallel bars at a distance."""

from dataclasses import dataclass, field
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, ParallelBarsApart
from kempe.geometry.marker import Marker
from kempe.joints.abstract import AbstractJoint
from kempe.units import Metres


@final
@dataclass(frozen=True)
class BarsApart(AbstractJoint):
    """The bars from I to K and from J to L stay parallel, `length` apart.

    phi = (2 u x v / (|u|^2 + |v|^2),  the distance of J from the bar from I to K)

    Source: [Barton] section 2.2.
    """

    K: Marker = field(kw_only=True)  # end of the first bar
    L: Marker = field(kw_only=True)  # end of the second
    length: Metres = field(kw_only=True)
    first: Metres | None = field(default=None, kw_only=True)  # its length, where fixed
    second: Metres | None = field(default=None, kw_only=True)  # of the second

    symbol: ClassVar[str] = "parallel"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.constraints  # refuses numbers that mean nothing

    @property
    def markers(self) -> tuple[Marker, ...]:
        return (self.I, self.J, self.K, self.L)

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """What holds, as a constraint."""
        return (ParallelBarsApart(self.length, self.first, self.second),)
