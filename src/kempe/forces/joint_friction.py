"""Friction in a joint, by the joint's own reaction."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, final

from kempe.algebra import Adjustable
from kempe.algebra.functions import exp, sqrt, tanh
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry import Marker
from kempe.geometry.number import not_zero
from kempe.geometry.vector import Scalar, Vector
from kempe.measures import Gauge, Thread
from kempe.units import Damping, Metres, Ratio, ReadingRate, unit_along

# N^2, and of the square of a speed: none has a slope of none, and no other is changed by it.
NONE = 1e-200


@final
@dataclass(frozen=True)
class JointFriction(AbstractForce):
    """Friction of a joint by what the joint itself carries: it sticks, and it slides.

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

    It belongs to hinges and sliders, to the slide or the turn of a sleeve (cylindrical joint) and
    of a pin in a slot, each by itself, to both turns of a universal joint (heading, back_heading),
    and to screws. A screw has the `lead` of its joint, and `radius` is that of its thread: N is
    then the axial force through the cosine of the angle of lead, tan(lambda) = lead / (2 pi r),
    and friction mu N acts along the flanks, v being the rate of the turn. So a load W is lifted by
    W r tan(lambda + phi), tan(phi) = mu, and the screw locks itself where tan(lambda) < mu_s. The
    effort that is read is the part about the axis.

    A ball in its socket and a foot on a plane slide in several directions at once. With `surface`
    "ball" or "plane", s the slip and e the effort against it, both as vectors in the axes of I,

    sliding:  e = -mu(|s|) N r s / |s| - c s;   sticking: s = 0, as long as |e| <= mu_s N r

    * "ball": s = w, the angular velocity of J against I, e a torque, N = |F|, r the `radius` of the
      ball. Give any turn of the joint: JointFriction(ball.angle, 0.2, radius=0.01, surface="ball")
    * "plane": s = (v_x, v_y, rho w_z), e a force and a torque over rho, r = 1, N = |F_z|. rho,
      `radius`, is that of a ring that resists spin as the foot does: 2/3 of the radius of a disc
      with even pressure. Left out, nothing resists spin. Give x or y of the joint.

    So a foot that spins slides more easily, and what sticks breaks loose as one, in the direction
    of its load.

    Static friction mu_s, `static`, is as large as the sliding one where it is left out; with
    `fading`, v_s, it fades into it (Stribeck), without it drops at once. `creep` makes the law
    smooth, sign(v) = tanh(v / creep), for those who want no events: what should stick then creeps.
    Without it a run lists when the joint sticks, slips and turns back. Impacts are too short for
    friction to matter: none acts in them.

    Example: JointFriction(hinge.angle, 0.2, radius=0.01)

    Source: [Andersson2007] for the law. Own: the load of a guide, loads and motion at once, slip
    and spin of a foot as one vector.
    """

    gauge: Gauge
    coefficient: Ratio  # mu_k
    radius: Metres | None = None  # of the pin, where the measure is an angle
    length: Metres | None = None  # of the guide, or between two bearings
    static: Ratio | None = None  # mu_s
    fading: ReadingRate | None = None  # v_s: m/s or rad/s
    viscous: Damping = 0.0  # c: N s/m, or N m s/rad
    creep: ReadingRate | None = None
    lead: Metres | None = None  # of the thread, where the joint is a screw
    surface: Literal["ball", "plane"] | None = None  # where it slides in several directions at once
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
        if self.lead is not None:
            lead = not_zero(self.lead, f"lead of {self._called}", "m")
            object.__setattr__(self, "lead", lead)
            if self.radius is None or self.length is not None:
                raise BadNumber(
                    f"{self._called} has a lead, so it rubs in a thread: give the turn of the screw"
                    " and the radius of its thread, and no length."
                )
        if self.viscous < 0.0:
            raise BadNumber(f"viscous of {self._called} is {self.viscous:g}: it cannot drive.")
        if self.surface is not None:
            self._keep_surface()
        elif (unit == "rad") != (self.radius is not None):
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

    def _keep_surface(self) -> None:
        """Refuses a surface that is none, and what does not belong to it."""
        who, is_ball = f"{self._called} on a {self.surface}", self.surface == "ball"
        if self.surface not in ("ball", "plane"):
            raise BadNumber(
                f"surface of {self._called} is {self.surface!r}: it is 'ball' of a ball joint,"
                " 'plane' of a planar joint, and left out for all others."
            )
        if self.length is not None or self.lead is not None:
            raise BadNumber(f"{who} has neither a length nor a lead: leave them out.")
        if (self.gauge.unit == "rad") is not is_ball:
            fits = "a turn, such as ball.angle" if is_ball else "a slide, such as foot.x"
            raise BadNumber(f"{who} is told by {fits}, not by {self.gauge.name!r}.")
        if is_ball and self.radius is None:
            raise BadNumber(
                f"{who} needs the radius of its ball, such as radius=0.01: its torque is"
                " coefficient times load times radius."
            )

    @property
    def rubs(self) -> Gauge:
        """The measure along which it acts: its own, or the way along the thread of a screw."""
        if self.lead is None or self.radius is None:
            return self.gauge
        thread = Thread(self.radius, self.lead)
        return Gauge(f"{self.gauge.name}.thread", thread, self.gauge.I, self.gauge.J)

    @property
    def markers(self) -> tuple[Marker, ...]:
        """The markers that `action` sees: those of its joint, where that is a ball or a plane."""
        return () if self.surface is None else (self.gauge.I, self.gauge.J)

    @property
    def gauges(self) -> tuple[Gauge, ...]:
        """The measure that `action` sees: none of a ball and of a plane."""
        return (self.rubs,) if self.surface is None else ()

    @property
    def arms(self) -> tuple[float, ...]:
        """What parts of its effort act at, one for each direction: rho (m) of spin, else 1."""
        if self.surface == "plane":
            return (1.0, 1.0) if self.radius is None else (1.0, 1.0, self.radius)
        return (1.0,) * (1 if self.surface is None else 3)

    def slip(self, now: Instant) -> tuple[Scalar, ...]:
        """s at `now` in the axes of I: w (rad/s) of a ball; v_x, v_y, rho w_z (m/s) of a plane."""
        (X_WI, X_WJ), (V_I, V_J) = now.X, now.V
        R_IW, arm = X_WI.rotation.inverse(), X_WJ.position - X_WI.position
        w = R_IW.apply(V_J.w - V_I.w)
        if self.surface == "ball":
            return (w.x, w.y, w.z)
        v = R_IW.apply(V_J.v - V_I.v - V_I.w.cross(arm))
        return (v.x, v.y) if self.radius is None else (v.x, v.y, self.radius * w.z)

    def wrench(self, effort: Sequence[Scalar]) -> tuple[Vector, Vector]:
        """Force (N) and torque (N m) on J, in the axes of I, of an `effort` against the slip."""
        zero = 0.0 * effort[0]
        if self.surface == "ball":
            return Vector(zero, zero, zero), Vector(*effort)
        spin = zero if self.radius is None else self.radius * effort[2]
        return Vector(effort[0], effort[1], zero), Vector(zero, zero, spin)

    @property
    def sticks(self) -> bool:
        """Whether it can stick: by events, unless its law is smooth."""
        return self.creep is None

    @property
    def arm(self) -> Scalar:
        """What its force acts at: the radius (m) of a pin or a ball, 1 for a slider or a foot."""
        return 1.0 if self.radius is None or self.surface == "plane" else self.radius

    def share(self, rate: Scalar) -> Scalar:
        """The effort over the load while it slides forwards at `rate`, without what is viscous."""
        mu: Scalar = self.coefficient
        rate = rate / self._per_turn
        if self.static is not None and self.fading is not None:
            x = rate / self.fading
            mu = mu + (self.static - mu) * exp(-x * x)
        if self.creep is not None:
            mu = mu * tanh(rate / self.creep)
        return mu * self.arm

    @property
    def _per_turn(self) -> Scalar:
        """What the measure it acts along grows by for a unit of its own: 1 + tan^2(lambda)."""
        if self.lead is None or self.radius is None:
            return 1.0
        slope = self.lead / (math.tau * self.radius)
        return 1.0 + slope * slope

    @property
    def static_share(self) -> float:
        """The largest effort over the load while it sticks."""
        return float((self.static or self.coefficient) * self.arm)

    def pressed(self, force: Vector, moment: Vector) -> Scalar:
        """N of the `force` (N) and `moment` (N m) in the joint, in axes whose z is the joint's."""
        if self.lead is not None or self.surface == "plane":
            return sqrt(force.z * force.z + NONE)
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
        if self.surface is not None:
            slip = self.slip(now)
            speed = sqrt(sum((x * x for x in slip), NONE))
            drag = self.load * self.share(speed) / speed + self.viscous
            turn = now.X[0].rotation.apply
            force, torque = self.wrench([-drag * x for x in slip])
            return Action.between(now, turn(force), turn(torque))
        rate = now.gauges[0].rate
        drag = self.viscous * rate / (self._per_turn * self._per_turn)
        return Action.along(-self.load * self.share(rate) - drag)
