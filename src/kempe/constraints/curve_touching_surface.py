"""A curve touches a surface."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.constraints.abstract import AbstractConstraint, Rows, Unknown
from kempe.constraints.distance_from_curve import DistanceFromCurve
from kempe.constraints.of_surface import place_on
from kempe.constraints.trial_places import best_trial, trial_places
from kempe.geometry import Pose, Rotation, Scalar, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.surfaces import AbstractSurface
from kempe.geometry.surfaces.abstract import drawn_between

ALONG = 33  # places tried on the curve, for a first contact


@final
@dataclass(frozen=True, slots=True)
class CurveTouchingSurface(AbstractConstraint):
    """A curve in the frame of J touches a surface in the frame of I.

    phi = (p_WI + R_WI S(u, v) - p_WJ - R_WJ C(t),  n . C'(t) / speed)

    n is the unit normal of the surface, `speed` a typical |C'|. Of a sphere the curve keeps its
    radius from the centre instead, stationary in t, and needs no place on the sphere.

    Source: [Barton] section 2.2, tangency, for a curve and a surface.
    """

    surface: AbstractSurface
    other: AbstractCurve

    @property
    def rows(self) -> tuple[str, ...]:  # type: ignore[override]
        """Three of the place and one of the direction; of a sphere those of its centre."""
        return ("m", "m", "m", "1") if self.surface.ball is None else DistanceFromCurve.rows

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        t = Unknown("t", self.other.domain, self.other.speed)
        return (t,) if self.surface.ball is not None else (*place_on(self.surface), t)

    def phi(self, X_WI: Pose, X_WJ: Pose, *places: Scalar) -> Rows:
        ball = self.surface.ball
        if ball is not None:
            centre = Pose(X_WI.point(Vector(*ball[0])), Rotation.identity())
            return DistanceFromCurve(self.other, ball[1]).phi(X_WJ, centre, *places)
        u, v, t = places
        n = self.surface.across(u, v)
        n = X_WI.rotation.apply(n * (1.0 / n.norm))
        apart = X_WI.point(self.surface.point(u, v)) - X_WJ.point(self.other.point(t))
        slope = X_WJ.rotation.apply(self.other.derivative(t, 1)) * (1.0 / self.other.speed)
        return [*apart, n @ slope]

    def first_unknowns(self, X: Sequence[Pose]) -> list[float]:
        if self.surface.ball is not None:
            return AbstractConstraint.first_unknowns(self, X)
        size = min(self.surface.size, self.other.size)
        about = X[0].inverse().point(X[1].position)
        places, *_ = trial_places(self.surface, Vector(*(float(c) for c in about)), self.other.size)
        t = np.linspace(*drawn_between(self.other.domain, size), ALONG)
        which = np.indices((len(places), len(t))).reshape(2, -1)
        trials = np.column_stack([places[which[0]], t[which[1]]])
        return best_trial(self, X, trials, size)
