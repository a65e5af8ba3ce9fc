"""Two skew bars that keep their distance."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, DistanceBetweenBars
from kempe.joints.numbered import AbstractBarPair
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class SkewBars(AbstractBarPair):
    """The bars from I to K and from J to L stay `length` apart; in space only.

    phi = (((p_J - p_I) . n)^2 / |n|^2 - length^2) / (2 length),  n = (p_K - p_I) x (p_L - p_J)

    Source: [Barton] section 2.2.
    """

    length: Metres

    made_of: ClassVar[type[AbstractConstraint]] = DistanceBetweenBars
