"""A wheel that rolls on a track."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, DistanceFromCurve
from kempe.constraints.abstract import Rows
from kempe.geometry import Pose, Scalar, Twist
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.curves.abstract import refuse_no_curve
from kempe.geometry.number import keep, positive
from kempe.joints.abstract import AbstractJoint
from kempe.measures import SLIDES, AbstractMeasure
from kempe.units import Metres


@final
@dataclass(frozen=True, kw_only=True)
class RollingOnCurve(AbstractJoint):
    """A wheel about the origin of J that rolls without slip on a curve in the frame of I.

    phi = ((|d|^2 - radius^2) / (2 radius),  d . C'(t) / speed),  d = p_WJ - C(t)
    psi = s . C'(t) / |C'(t)|,  s = v_J - w_J x d - v_I - w_I x (C(t) - p_WI)

    It touches the curve at C(t), on the side on which it was put, and goes along by as much of it
    as its rim turns: a point of the rim draws a roulette, on a line a cycloid, in a circle a
    hypocycloid. The curve may move. It holds both ways, as a rail that goes round the wheel does;
    the wheel must be smaller than the bends it is inside of, where it would touch twice. In space
    it is a ball that does not slip along its rail, and turns round the rail as it likes.

    Example: RollingOnCurve(m.ground.at(0, 0), wheel.middle, curve=track, radius=0.1)

    Source: [NeimarkFufaev] for rolling; [Barton] eq. 2.3 for where it touches.
    """

    curve: AbstractCurve
    radius: Metres

    velocity_rows: ClassVar[tuple[str, ...]] = ("m",)
    symbol: ClassVar[str] = "contact"

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_no_curve(f"joint {self.called}", self.curve)
        keep(self, positive, f"joint {self.called}", {"radius": "m"})

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """The distance of its middle from the curve."""
        return (DistanceFromCurve(self.curve, self.radius),)

    @property
    def measures(self) -> tuple[AbstractMeasure, ...]:
        """Where the origin of J stands, seen from I; no place of it is free by itself."""
        return SLIDES[:2]

    def psi(self, X_WI: Pose, V_WI: Twist, X_WJ: Pose, V_WJ: Twist, t: Scalar) -> Rows:
        touched = X_WI.point(self.curve.point(t))
        slip = V_WJ.at(touched - X_WJ.position) - V_WI.at(touched - X_WI.position)
        along = X_WI.rotation.apply(self.curve.derivative(t, 1))
        return [slip @ along / along.norm]
