"""Two surfaces touch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.constraints.abstract import AbstractConstraint, FloatArray, Rows, Unknown
from kempe.constraints.distance_from_surface import DistanceFromSurface
from kempe.constraints.of_surface import place_on
from kempe.constraints.trial_places import refined, trial_places
from kempe.geometry import Pose, Rotation, Scalar, Vector
from kempe.geometry.surfaces import AbstractSurface


@final
@dataclass(frozen=True, slots=True)
class TouchingSurfaces(AbstractConstraint):
    """A surface in the frame of I and another in that of J touch in a point.

    phi = (p_WI + R_WI S - p_WJ - R_WJ T,  n . T_s / |T_s|,  n . T_t / |T_t|),  S(u, v), T(s, t)

    n is the unit normal of S; the speeds |T_s|, |T_t| are typical ones. Normals oppose each other,
    or, with `inside`, agree: J is then on the back of the surface of I. A ball is held by its
    middle instead, which keeps its radius from the other surface, and needs no place on the ball.

    Source: [Barton] section 2.2, tangency, for two surfaces.
    """

    surface: AbstractSurface
    other: AbstractSurface
    inside: bool = False

    @property
    def ball(self) -> tuple[DistanceFromSurface, Vector, bool] | None:
        """How a ball is held: from which surface, its middle (m), and whether the ball is J's."""
        theirs, ours = self.other.ball, self.surface.ball
        if theirs is not None:
            length = -theirs[1] if self.inside else theirs[1]
            return DistanceFromSurface(self.surface, length), Vector(*theirs[0]), True
        if ours is not None and not self.inside:
            return DistanceFromSurface(self.other, ours[1]), Vector(*ours[0]), False
        return None

    @property
    def bowl(self) -> tuple[Vector, float] | None:
        """Middle and radius (m) of a sphere of I that J is in, where J's surface is no sphere.

        The middle is then that radius behind a place of J's surface: the farthest there, not the
        nearest.
        """
        ours = self.surface.ball
        if ours is None or not self.inside or self.other.ball is not None:
            return None
        return Vector(*ours[0]), ours[1]

    @property
    def rows(self) -> tuple[str, ...]:  # type: ignore[override]
        """Those of the ball's middle, or three of the place and two of the directions."""
        if self.bowl is not None:
            return ("m", "m", "m")
        ball = self.ball
        return ("m", "m", "m", "1", "1") if ball is None else ball[0].rows

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        if self.bowl is not None:
            return place_on(self.other, "s", "t")
        ball = self.ball
        if ball is None:
            return (*place_on(self.surface), *place_on(self.other, "s", "t"))
        held, _, is_theirs = ball
        if not held.unknowns:
            return ()
        return place_on(self.surface) if is_theirs else place_on(self.other, "s", "t")

    def phi(self, X_WI: Pose, X_WJ: Pose, *places: Scalar) -> Rows:
        ball = self.ball
        if ball is not None:
            return ball[0].phi(*_around(ball, X_WI, X_WJ), *places)
        bowl = self.bowl
        if bowl is not None:
            s, t = places
            return list(X_WI.point(bowl[0]) - X_WJ.point(self.other.offset(s, t, -bowl[1])))
        (u, v, s, t), T = places, self.other
        n = X_WI.rotation.apply(self.surface.across(u, v))
        apart = X_WI.point(self.surface.point(u, v)) - X_WJ.point(T.point(s, t))
        ways = (T.derivative(s, t, (1, 0)), T.derivative(s, t, (0, 1)))
        slants = (
            (n @ X_WJ.rotation.apply(way)) / (n.norm * speed)
            for way, speed in zip(ways, T.speeds, strict=True)
        )
        return [*apart, *slants]

    def first_unknowns(self, X: Sequence[Pose]) -> list[float]:
        ball = self.ball
        if ball is not None:
            return ball[0].first_unknowns(_around(ball, X[0], X[1]))
        size = min(self.surface.size, self.other.size)
        return refined(self, X, self._nearly(X), size)

    def _nearly(self, X: Sequence[Pose]) -> FloatArray:
        """Parameters of places, of all that are tried, that are near and face each other."""
        X_IJ = X[0].inverse() @ X[1]
        theirs = trial_places(self.other, X_IJ.inverse().position, self.surface.size)
        if self.bowl is not None:
            middle = np.array(X_IJ.inverse().point(self.bowl[0]), float)
            missed = np.linalg.norm(theirs[1] - self.bowl[1] * theirs[2] - middle, axis=1)
            farthest: FloatArray = theirs[0][int(np.argmin(missed))]
            return farthest
        ours = trial_places(self.surface, X_IJ.position, self.other.size)
        turn = np.array(X_IJ.rotation.matrix(), float)
        places = theirs[1] @ turn.T + np.array(X_IJ.position, float)
        size = min(self.surface.size, self.other.size)
        apart = ((ours[1][:, None] - places[None]) ** 2).sum(axis=2) / size**2
        facing = ours[2] @ (theirs[2] @ turn.T).T
        off = apart + (1.0 - facing if self.inside else 1.0 + facing) ** 2
        k, m = np.unravel_index(int(np.argmin(off)), off.shape)
        return np.concatenate([ours[0][k], theirs[0][m]])


def _around(
    ball: tuple[DistanceFromSurface, Vector, bool], X_WI: Pose, X_WJ: Pose
) -> tuple[Pose, Pose]:
    """The frame of the surface that carries a ball, and one in the ball's middle."""
    _, middle, is_theirs = ball
    carrier, X_WB = (X_WI, X_WJ) if is_theirs else (X_WJ, X_WI)
    return carrier, Pose(X_WB.point(middle), Rotation.identity())
