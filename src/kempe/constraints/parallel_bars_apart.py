"""Two bars stay parallel at a distance."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import Rows
from kempe.constraints.bar import AbstractTwoBars, Parted, squared_distance
from kempe.constraints.parallel_bars import ParallelBars
from kempe.geometry import Pose, Vector
from kempe.geometry.number import positive
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class ParallelBarsApart(AbstractTwoBars):
    """The bars from I to K and from J to L stay parallel, `length` apart.

    phi = the rows of ParallelBars, and J's distance from the bar from I to K

    In the plane two lines have a distance only where they are parallel, so this is the bar-bar
    distance there.

    Source: [Barton] section 2.2, bar-bar distance.
    """

    length: Metres
    first: Metres | None = None
    second: Metres | None = None

    rows: ClassVar[tuple[str, ...]] = ("1", "1", "1", "m")
    implied: ClassVar[int] = 1

    def __post_init__(self) -> None:
        positive(self.length, "a distance of bars")

    def rows_along(self, bars: list[Vector], *X: Pose) -> Rows:
        parallel = ParallelBars(self.first, self.second).rows_along(bars, *X)
        d2 = squared_distance(X[1], X[0], bars[0], self.first)
        return [*parallel, (d2 - self.length * self.length) / (2.0 * self.length)]

    def parted(self, bars: list[Vector], *X: Pose) -> Parted:
        *_, gap = self.rows_along(bars, *X)
        return Parted(((bars[1], "m"),), ((gap, "m"),))
