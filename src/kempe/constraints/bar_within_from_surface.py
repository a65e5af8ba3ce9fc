"""A bar keeps its distance from a surface, or touches it, between its ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import Rows, Unknown
from kempe.constraints.bar import SHARES, share_of
from kempe.constraints.bar_and_surface import AbstractBarAndSurface
from kempe.constraints.bar_from_surface import BarFromSurface
from kempe.constraints.of_surface import place_on
from kempe.geometry import Pose, Scalar, Vector
from kempe.geometry.surfaces import AbstractSurface
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class BarWithinFromSurface(AbstractBarAndSurface):
    """The bar from J to K, between its ends, stays `length` from a surface in the frame of I.

    phi = (S(u, v) + length n - p_WJ - share u,  n . u / size),  u = p_WK - p_WJ,  0 <= share <= 1

    As BarFromSurface, with the foot on the bar itself.

    Source: [Barton] section 2.2, bar-surface distance; that the foot keeps to the bar: own.
    """

    surface: AbstractSurface
    length: Metres = 0.0
    bar: Metres | None = None

    rows: ClassVar[tuple[str, ...]] = ("m", "m", "m", "1")
    sees_lines: ClassVar[bool] = False

    @property
    def on_line(self) -> BarFromSurface:
        return BarFromSurface(self.surface, self.length, self.bar)

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return (*place_on(self.surface), Unknown("share", SHARES, float(self.size), "bar"))

    def first_unknowns(self, X: Sequence[Pose]) -> list[float]:
        if self.surface.ball is None:
            u, v = self.on_line.first_unknowns(X)
        else:
            centre = X[0].point(Vector(*self.surface.ball[0]))
            share = share_of(centre, X[1], X[2])
            foot = X[1].position + (X[2].position - X[1].position) * share
            seen = X[0].inverse().point(foot)
            u, v = self.surface.foot([float(c) for c in seen])
        place, _ = self.contact(X[0], u, v)
        return [u, v, share_of(place, X[1], X[2])]

    def rows_along(
        self,
        bars: list[Vector],
        X_WI: Pose,
        X_WJ: Pose,
        _X_WK: Pose,
        u: Scalar,
        v: Scalar,
        share: Scalar,
    ) -> Rows:
        place, n = self.contact(X_WI, u, v)
        d = place - X_WJ.position - bars[0] * share
        return [*d, n @ bars[0] / self.size]
