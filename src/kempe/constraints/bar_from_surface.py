"""A bar keeps its distance from a surface, or touches it."""

from dataclasses import dataclass
from typing import final

from kempe.constraints.abstract import Rows, Unknown
from kempe.constraints.bar import squared_length
from kempe.constraints.bar_and_surface import AbstractBarAndSurface
from kempe.constraints.of_surface import place_on
from kempe.geometry import Pose, Scalar, Vector
from kempe.geometry.surfaces import AbstractSurface
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class BarFromSurface(AbstractBarAndSurface):
    """The line of the bar from J to K stays `length` from a surface in the frame of I.

    phi = (d . n,  d . (n x w),  n . w),  d = S(u, v) + length n - p_WJ,  w = (p_WK - p_WJ) / size

    n is the unit normal along S_u x S_v: the line lies in the tangent plane of the surface's offset
    and goes through the place where that touches; with a `length` of 0 it touches the surface. Of a
    sphere it is one row, (|(c - p_WJ) x w|^2 / w^2 - R^2) / (2 R) with R = radius + length.

    Source: [Barton] section 2.2, bar-surface distance and tangency; here with the side.
    """

    surface: AbstractSurface
    length: Metres = 0.0
    bar: Metres | None = None

    @property
    def on_line(self) -> AbstractBarAndSurface:
        return self

    @property
    def rows(self) -> tuple[str, ...]:  # type: ignore[override]
        """Two lengths and a cosine; of a sphere one length."""
        return ("m", "m", "1") if self.surface.ball is None else ("m",)

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return place_on(self.surface) if self.surface.ball is None else ()

    def rows_along(
        self, bars: list[Vector], X_WI: Pose, X_WJ: Pose, _X_WK: Pose, *uv: Scalar
    ) -> Rows:
        (u,) = bars
        ball = self.surface.ball
        if ball is not None:
            R = ball[1] + self.length
            w = (X_WI.point(Vector(*ball[0])) - X_WJ.position).cross(u)
            return [(w.square / squared_length(u, self.bar) - R * R) / (2.0 * R)]
        place, n = self.contact(X_WI, *uv)
        d, w = place - X_WJ.position, u / self.size
        return [d @ n, d @ n.cross(w), n @ w]
