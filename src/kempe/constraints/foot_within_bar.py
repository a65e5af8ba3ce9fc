"""A point stands beside a bar, not beyond its ends."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import AbstractConstraint, Rows, Unknown
from kempe.constraints.bar import SHARES, along, flexible, squared_length
from kempe.geometry.pose import Pose
from kempe.geometry.vector import Scalar, Vector
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class FootWithinBar(AbstractConstraint):
    """The foot of the perpendicular from J on the bar from I to K lies between its ends.

    phi = (p_J - p_I) . u / |u|^2 - share,  u = p_K - p_I,  0 <= share <= 1

    `bar` is the bar's own length where it is fixed.

    Own.
    """

    bar: Metres | None = None

    rows: ClassVar[tuple[str, ...]] = ("1",)
    frames: ClassVar[int] = 3

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return (Unknown("share", SHARES, 1.0 if self.bar is None else self.bar),)

    def arrows(self, *X: Pose) -> list[Vector]:
        X_WI, _, X_WK = X
        return flexible((along(X_WI, X_WK), self.bar))

    def phi(self, X_WI: Pose, X_WJ: Pose, X_WK: Pose, share: Scalar) -> Rows:
        u = along(X_WI, X_WK)
        return [(X_WJ.position - X_WI.position) @ u / squared_length(u, self.bar) - share]
