"""Friction in a joint, by the joint's own reaction."""

from dataclasses import dataclass, field
from typing import ClassVar, final

from kempe.algebra import Adjustable
from kempe.algebra.functions import exp, sqrt, tanh
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry.vector import Scalar, Vector
from kempe.measures import Gauge
from kempe.units import Damping, Metres, Ratio, ReadingRate, unit_along

# N^2: a load of none has a slope of none, and no other load is changed by it.
NONE = 1e-200


@final
@dataclass(frozen=True)
class JointFriction(AbstractForce):
    """Friction of a hinge or a slider by what the joint itself carries: it sticks, and it slides.

    sliding:  f = -mu(v) N r sign(v) - c v,   mu(v) = mu_k + (mu_s - mu_k) exp(-(v / v_s)^2)
    sticking: v = 0, as long as |f| <= mu_s N r

    v is the rate of the joint's own measure, `gauge`: hinge.angle, slider.displacement. r is the
    `radius` of the pin of a hinge, and 1 for a slider. N is the load of the joint, found together
    with the motion, since friction changes the reactions: with F and M the force and the moment
    that the joint carries, M about the place of its second marker,

    * without `length`: N = |F| for a hinge, and for a slider the part of F square to its way;
    * with `length` L, of the guide or between two bearings: N = |A + B| + |A - B|, A = F_t / 2,
      B = M x z / L, F_t the part of F square to the axis z; a hinge adds its thrust |F_z|. A moment
      presses the ends of a guide against both sides of its way: of a slider in the plane
      N = max(|F_t|, 2 |M| / L). What turns a slider about its own way is not counted.

    Static friction mu_s, `static`, is as large as the sliding one where it is left out; with
    `fading`, v_s, it fades into it (Stribeck), without it drops at once. `creep` makes the law
    smooth, sign(v) = tanh(v / creep), for those who want no events: what should stick then creeps.
    Without it a run lists when the joint sticks, slips and turns back. Impacts are too short for
    friction to matter: none acts in them.

    Example: JointFriction(hinge.angle, 0.2, radius=0.01)

    Source: [Andersson2007] for the law. Own: the load of a guide, loads and motion at once.
    """

    gauge: Gauge
    coefficient: Ratio  # mu_k
    radius: Metres | None = None  # of the pin, where the measure is an angle
    length: Metres | None = None  # of the guide, or between two bearings
    static: Ratio | None = None  # mu_s
    fading: ReadingRate | None = None  # v_s: m/s or rad/s
    viscous: Damping = 0.0  # c: N s/m, or N m s/rad
    creep: ReadingRate | None = None
    load: float = field(default=Adjustable(0.0), init=False, repr=False, compare=False)

    symbol: ClassVar[str] = "damper"

    def __post_init__(self) -> None:
        super().__post_init__()
        unit = self.gauge.unit
        self._keep_finite({"viscous": unit_along("f s/u", unit)})
        words = {"coefficient": "1", "radius": "m", "length": "m", "static": "1"}
        words |= {"fading": f"{unit}/s", "creep": f"{unit}/s"}
        given = {w: u for w, u in words.items() if getattr(self, w) is not None}
        self._keep_positive(given)
        if self.viscous < 0.0:
            raise BadNumber(f"viscous of {self._called} is {self.viscous:g}: it cannot drive.")
        if (unit == "rad") != (self.radius is not None):
            raise BadNumber(
                f"{self._called} needs the radius of its pin, such as radius=0.01: its torque is"
                " coefficient times load times radius."
                if unit == "rad"
                else f"{self._called} slides along {self.gauge.name!r}, a length: it has no radius."
            )
        if self.static is not None and self.static < self.coefficient:
            raise BadNumber(
                f"static of {self._called} is {self.static:g}, less than its coefficient"
                f" {self.coefficient:g}: starting is never easier than sliding."
            )
        if self.fading is not None and self.static is None:
            raise BadNumber(f"{self._called} has a fading of nothing: give `static` too.")
        if self.creep is not None and self.static is not None and self.fading is None:
            raise BadNumber(
                f"{self._called} creeps, so its static friction needs `fading`, the speed at which"
                " it becomes that of sliding."
            )

    @property
    def sticks(self) -> bool:
        """Whether it can stick: by events, unless its law is smooth."""
        return self.creep is None

    @property
    def arm(self) -> Scalar:
        """What its force acts at: the radius (m) of a pin, 1 for a slider."""
        return 1.0 if self.radius is None else self.radius

    def share(self, rate: Scalar) -> Scalar:
        """The effort over the load while it slides forwards at `rate`, without what is viscous."""
        mu: Scalar = self.coefficient
        if self.static is not None and self.fading is not None:
            x = rate / self.fading
            mu = mu + (self.static - mu) * exp(-x * x)
        if self.creep is not None:
            mu = mu * tanh(rate / self.creep)
        return mu * self.arm

    @property
    def static_share(self) -> float:
        """The largest effort over the load while it sticks."""
        return float((self.static or self.coefficient) * self.arm)

    def pressed(self, force: Vector, moment: Vector) -> Scalar:
        """N of the `force` (N) and `moment` (N m) in the joint, in axes whose z is the joint's."""
        along = force.z * force.z if self.gauge.unit == "rad" else 0.0
        if self.length is None:
            return sqrt(force.x * force.x + force.y * force.y + along + NONE)
        ends = []
        for side in (0.5, -0.5):
            x = side * force.x + moment.y / self.length
            y = side * force.y - moment.x / self.length
            ends.append(sqrt(x * x + y * y + NONE))
        return ends[0] + ends[1] + sqrt(along + NONE)

    def action(self, now: Instant) -> Action:
        """The effort at `now` by the load that a run has found, negative where it slides back."""
        rate = now.gauges[0].rate
        return Action.along(-self.load * self.share(rate) - self.viscous * rate)
