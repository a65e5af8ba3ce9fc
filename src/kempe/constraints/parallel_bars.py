"""Two bars stay parallel."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import Rows
from kempe.constraints.bar import AbstractTwoBars, Parted, squared_length
from kempe.geometry import Pose, Vector
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class ParallelBars(AbstractTwoBars):
    """The bars from I to K and from J to L stay parallel, the same way or the other.

    phi = 2 u x v / (|u|^2 + |v|^2),  u = p_K - p_I,  v = p_L - p_J

    In space one of the three rows follows from the others. `first` and `second` are the bars'
    lengths where they are fixed.

    Source: [Barton] section 2.2; the scale: Own.
    """

    first: Metres | None = None
    second: Metres | None = None

    rows: ClassVar[tuple[str, ...]] = ("1", "1", "1")
    implied: ClassVar[int] = 1

    def rows_along(self, bars: list[Vector], *X: Pose) -> Rows:
        u, v = bars
        size = squared_length(u, self.first) + squared_length(v, self.second)
        return [2.0 * e / size for e in u.cross(v)]

    def parted(self, bars: list[Vector], *X: Pose) -> Parted:
        return Parted(((bars[1], "m"),))
