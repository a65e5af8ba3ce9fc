"""Two parallel bars at a distance."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, ParallelBarsApart
from kempe.joints.numbered import AbstractDirectedBars
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class BarsApart(AbstractDirectedBars):
    """The bars from I to K and from J to L stay parallel, `length` apart.

    phi = (2 u x v / (|u|^2 + |v|^2),  the distance of J from the bar from I to K)

    Source: [Barton] section 2.2.
    """

    length: Metres

    made_of: ClassVar[type[AbstractConstraint]] = ParallelBarsApart
    symbol: ClassVar[str] = "parallel"
