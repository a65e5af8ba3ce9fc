"""Two bars that stay parallel."""

from dataclasses import dataclass, field
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, ParallelBars
from kempe.geometry.marker import Marker
from kempe.joints.abstract import AbstractJoint
from kempe.units import Metres


@final
@dataclass(frozen=True)
class BarsParallel(AbstractJoint):
    """The bars from I to K and from J to L stay parallel, the same way or the other.

    phi = 2 u x v / (|u|^2 + |v|^2),  u = p_K - p_I,  v = p_L - p_J

    Source: [Barton] section 2.2.
    """

    K: Marker = field(kw_only=True)  # end of the first bar
    L: Marker = field(kw_only=True)  # end of the second
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
        return (ParallelBars(self.first, self.second),)
