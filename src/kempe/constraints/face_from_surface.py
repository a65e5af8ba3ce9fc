"""A face, the plane through three points, touches a surface or keeps its distance from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.constraints.abstract import AbstractConstraint, Rows, Unknown
from kempe.constraints.bar import along
from kempe.constraints.of_surface import place_on
from kempe.constraints.trial_places import best_trial, trial_places
from kempe.geometry import Pose, Scalar, Vector
from kempe.geometry.number import finite, positive
from kempe.geometry.surfaces import AbstractSurface
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class FaceFromSurface(AbstractConstraint):
    """The plane through J, K and L stays `length` from a surface in the frame of I.

    phi = (d . N / |N|,  a . N / |N|,  b . N / |N|),  N = (p_WK - p_WJ) x (p_WL - p_WJ),
    d = S(u, v) + length n - p_WJ,  a = S_u / |S_u|,  b = n x a

    n is the unit normal along S_u x S_v: the plane touches the surface's offset; with a `length` of
    0 it touches the surface itself. Of a sphere it is one row, ((c - p_WJ) . N)^2 / N^2 = R^2 with
    R = radius + length.

    Source: [Barton] section 2.2 and fig. 2b, face-surface tangency; the distance: own.
    """

    surface: AbstractSurface
    length: Metres = 0.0

    frames: ClassVar[int] = 4

    def __post_init__(self) -> None:
        finite(self.length, "a distance from a surface")
        ball = self.surface.ball
        if ball is not None:
            positive(ball[1] + self.length, "a face's distance from the centre of a sphere")

    @property
    def rows(self) -> tuple[str, ...]:  # type: ignore[override]
        """A length and two cosines; of a sphere one length."""
        return ("m", "1", "1") if self.surface.ball is None else ("m",)

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return place_on(self.surface) if self.surface.ball is None else ()

    def arrows(self, *X: Pose) -> list[Vector]:
        """The normal of the face at `X`, as long (m) as its area over the surface's size."""
        return [_normal(X) * (1.0 / self.surface.size)]

    def phi(self, X_WI: Pose, X_WJ: Pose, X_WK: Pose, X_WL: Pose, *uv: Scalar) -> Rows:
        N = _normal((X_WI, X_WJ, X_WK, X_WL))
        ball = self.surface.ball
        if ball is not None:
            R = ball[1] + self.length
            off = (X_WI.point(Vector(*ball[0])) - X_WJ.position) @ N
            return [(off * off / N.square - R * R) / (2.0 * R)]
        u, v = uv
        a, n = self.surface.derivative(u, v, (1, 0)), self.surface.across(u, v)
        a, n = a * (1.0 / a.norm), n * (1.0 / n.norm)
        d = X_WI.point(self.surface.point(u, v) + n * self.length) - X_WJ.position
        first, second = (X_WI.rotation.apply(way) for way in (a, n.cross(a)))
        return [d @ N / N.norm, first @ N / N.norm, second @ N / N.norm]

    def first_unknowns(self, X: Sequence[Pose]) -> list[float]:
        if not self.unknowns:
            return []
        middle = X[1].position + (along(X[1], X[2]) + along(X[1], X[3])) / 3.0
        reach = self.surface.size + float(along(X[1], X[2]).norm) + float(along(X[1], X[3]).norm)
        seen = X[0].inverse().point(middle)
        trials, *_ = trial_places(self.surface, Vector(*(float(c) for c in seen)), reach)
        return best_trial(self, X, np.asarray(trials), self.surface.size)


def _normal(X: Sequence[Pose]) -> Vector:
    """N = (p_WK - p_WJ) x (p_WL - p_WJ), m^2."""
    return along(X[1], X[2]).cross(along(X[1], X[3]))
