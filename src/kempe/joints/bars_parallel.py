"""Two bars that stay parallel."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, ParallelBars
from kempe.joints.numbered import AbstractDirectedBars


@final
@dataclass(frozen=True, kw_only=True)
class BarsParallel(AbstractDirectedBars):
    """The bars from I to K and from J to L stay parallel, the same way or the other.

    phi = 2 u x v / (|u|^2 + |v|^2),  u = p_K - p_I,  v = p_L - p_J

    Source: [Barton] section 2.2.
    """

    made_of: ClassVar[type[AbstractConstraint]] = ParallelBars
    symbol: ClassVar[str] = "parallel"
