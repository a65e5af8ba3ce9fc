"""A point keeps its distance from a bar."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import Rows
from kempe.constraints.bar import AbstractBarConstraint, BarOf, squared_distance
from kempe.geometry import Pose, Vector
from kempe.geometry.number import positive
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class DistanceFromBar(AbstractBarConstraint):
    """The origin of J stays `length` away from the bar from I to K.

    phi = (|(p_J - p_I) x u|^2 / |u|^2 - length^2) / (2 length),  u = p_K - p_I

    `bar` is the bar's own length where it is fixed.

    Source: [Barton] section 2.2, point-bar distance; the scale: as Distance.
    """

    length: Metres
    bar: Metres | None = None

    rows: ClassVar[tuple[str, ...]] = ("m",)
    frames: ClassVar[int] = 3
    bars: ClassVar[tuple[BarOf, ...]] = (BarOf(0, 2, "bar"),)

    def __post_init__(self) -> None:
        positive(self.length, "a distance from a bar")

    def rows_along(self, bars: list[Vector], X_WI: Pose, X_WJ: Pose, _X_WK: Pose) -> Rows:
        d2 = squared_distance(X_WJ, X_WI, bars[0], self.bar)
        return [(d2 - self.length * self.length) / (2.0 * self.length)]
