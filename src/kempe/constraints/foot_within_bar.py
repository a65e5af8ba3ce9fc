"""A point stands beside a bar, not beyond its ends."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import Rows, Unknown
from kempe.constraints.bar import SHARES, AbstractBarConstraint, BarOf, squared_length
from kempe.geometry import Pose, Scalar, Vector
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class FootWithinBar(AbstractBarConstraint):
    """The foot of the perpendicular from J on the bar from I to K lies between its ends.

    phi = (p_J - p_I) . u / |u|^2 - share,  u = p_K - p_I,  0 <= share <= 1

    `bar` is the bar's own length where it is fixed.

    Own.
    """

    bar: Metres | None = None

    rows: ClassVar[tuple[str, ...]] = ("1",)
    frames: ClassVar[int] = 3
    bars: ClassVar[tuple[BarOf, ...]] = (BarOf(0, 2, "bar"),)
    sees_lines: ClassVar[bool] = False

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return (Unknown("share", SHARES, 1.0 if self.bar is None else self.bar),)

    def rows_along(
        self, bars: list[Vector], X_WI: Pose, X_WJ: Pose, _X_WK: Pose, share: Scalar
    ) -> Rows:
        (u,) = bars
        return [(X_WJ.position - X_WI.position) @ u / squared_length(u, self.bar) - share]
