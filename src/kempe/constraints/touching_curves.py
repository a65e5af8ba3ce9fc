"""Two curves touch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.constraints.abstract import AbstractConstraint, Rows, Unknown
from kempe.constraints.trial_places import best_trial
from kempe.geometry import Pose, Scalar, Z
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.surfaces.abstract import drawn_between

ALONG = 65  # places tried on either curve, for a first contact


@final
@dataclass(frozen=True, slots=True)
class TouchingCurves(AbstractConstraint):
    """A curve in the frame of I and another in that of J touch in a point.

    phi = (p_WI + R_WI C(s) - p_WJ - R_WJ D(t),  (C'(s) x D'(t)) . z_I / (speeds))

    Both lie in the xy planes of their frames, and these in one plane. The tangents are parallel;
    they may point the same way or against each other.

    Source: [Barton] section 2.2, tangency, for two curves.
    """

    curve: AbstractCurve
    other: AbstractCurve

    rows: ClassVar[tuple[str, ...]] = ("m", "m", "m", "1")

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return (
            Unknown("s", self.curve.domain, self.curve.speed),
            Unknown("t", self.other.domain, self.other.speed),
        )

    def phi(self, X_WI: Pose, X_WJ: Pose, s: Scalar, t: Scalar) -> Rows:
        apart = X_WI.point(self.curve.point(s)) - X_WJ.point(self.other.point(t))
        ways = (
            X_WI.rotation.apply(self.curve.derivative(s, 1)) * (1.0 / self.curve.speed),
            X_WJ.rotation.apply(self.other.derivative(t, 1)) * (1.0 / self.other.speed),
        )
        return [*apart, ways[0].cross(ways[1]) @ X_WI.axis(Z)]

    def first_unknowns(self, X: Sequence[Pose]) -> list[float]:
        size = min(self.curve.size, self.other.size)
        s, t = (
            np.linspace(*drawn_between(curve.domain, size), ALONG)
            for curve in (self.curve, self.other)
        )
        trials = np.column_stack([both.ravel() for both in np.meshgrid(s, t)])
        return best_trial(self, X, trials, size)
