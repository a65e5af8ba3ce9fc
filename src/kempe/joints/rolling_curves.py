"""A curve of one body that rolls on a curve of another."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints.abstract import Rows
from kempe.geometry import Pose, Scalar, Twist
from kempe.joints.curve_on_curve import AbstractCurvePair
from kempe.measures import SLIDES, AbstractMeasure


@final
@dataclass(frozen=True, kw_only=True)
class RollingCurves(AbstractCurvePair):
    """A curve of J rolls without slip on a curve of I: both go by equal lengths.

    phi = (p_WI + R_WI C(s) - p_WJ - R_WJ D(t),  (C'(s) x D'(t)) . z_I / (speeds))
    psi = v . C'(s) / |C'(s)|,  v = v_J + w_J x (P - p_WJ) - v_I - w_I x (P - p_WI)
    P = p_WI + R_WI C(s)

    Two ovals, a cam and its rocker that do not slip, the centrodes of a linkage: both curves in one
    plane. The places s and t are unknowns of its own. It is held both ways, and never lifts off; a
    round wheel about its own middle is a RollingOnCurve.

    Example: RollingCurves(m.ground.at(0, 0), oval.middle, curve=still, other=outline)

    Source: [NeimarkFufaev] for rolling; [Barton] section 2.2, tangency, for where they touch.
    """

    velocity_rows: ClassVar[tuple[str, ...]] = ("m",)

    @property
    def measures(self) -> tuple[AbstractMeasure, ...]:
        """Where the origin of J stands, seen from I; no place of it is free by itself."""
        return SLIDES[:2]

    def psi(self, X_WI: Pose, V_WI: Twist, X_WJ: Pose, V_WJ: Twist, s: Scalar, t: Scalar) -> Rows:
        touched = X_WI.point(self.curve.point(s))
        slip = V_WJ.at(touched - X_WJ.position) - V_WI.at(touched - X_WI.position)
        along = X_WI.rotation.apply(self.curve.derivative(s, 1))
        return [slip @ along / along.norm]
