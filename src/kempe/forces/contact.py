"""What every contact is: where two surfaces are nearest, and one law of how they press and rub."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, final

from kempe.algebra.functions import maximum, minimum, sqrt, where
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry import Marker, Pose, Scalar, Vector, Wrench
from kempe.geometry.number import finite, not_zero, positive
from kempe.units import AnyUnit, LineDamping, MetresPerSecond, Ratio, SecondsPerMetre

TINY = 1e-30  # m^2, beside the square of an overlap: keeps its powers smooth
UNITS = {"dissipation": "s/m", "restitution": "1", "impact_speed": "m/s"}
HALVINGS = 200


@final
@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """Where two surfaces are nearest to each other, or overlap most.

    `normal` is a unit vector from the surface of I to that of J, and `point` lies half way between
    both surfaces; in world axes. What the place stores and pushes counts `share` times: -1 takes
    off what two others that run together there would count twice.
    """

    gap: Scalar  # m, negative where they overlap
    normal: Vector
    point: Vector  # m
    share: float = 1.0


@dataclass(frozen=True)
class AbstractContact(AbstractForce):
    """Two surfaces that press each other apart where they overlap, and rub: one formula, `touches`.

    f = k d^n max(0, 1 + b d'),  or max(0, k d^n + c d'),  d = -gap > 0;  E = k d^(n+1) / (n+1)

    f_t = -mu f v_t / sqrt(|v_t|^2 + v_s^2)

    With n = 1 and a `damping` c it is a spring and damper that never pull (Kelvin-Voigt), with
    n = 3/2 the law of Hertz for round bodies, and with a `dissipation` b that of Hunt and Crossley,
    whose force begins and ends at zero. `restitution` e at an `impact_speed` v gives the b with
    which bodies that meet at v part at e v: b v (1 + e) = log((1 + b v) / (1 - b e v)).

    Friction is Coulomb's, of the coefficient `friction`, smoothed below the speed `creep`: what
    should stick creeps, under a share s of the force that would make it slide at about
    v_s s / sqrt(1 - s^2). The power of both laws that is not stored counts as dissipated.

    Touch and lift-off are where d changes its sign. They are found exactly, and listed in
    `trajectory.events`.

    Source: [HuntCrossley] for the law and the relation of b and e, [Johnson] section 4.2 for
    Hertz, [Marques2016] for smoothed friction; that force and friction act half way: Own.
    """

    I: Marker
    J: Marker
    stiffness: AnyUnit = field(kw_only=True)  # k, N/m^n
    exponent: Ratio = field(default=1.0, kw_only=True)  # n, 1.5 for Hertz
    damping: LineDamping | None = field(default=None, kw_only=True)  # c, N s/m
    dissipation: SecondsPerMetre | None = field(default=None, kw_only=True)  # b
    restitution: Ratio | None = field(default=None, kw_only=True)  # e, more than 0
    impact_speed: MetresPerSecond | None = field(default=None, kw_only=True)  # that e belongs to
    friction: Ratio | None = field(default=None, kw_only=True)  # mu
    creep: MetresPerSecond | None = field(default=None, kw_only=True)  # v_s
    losing: SecondsPerMetre | None = field(default=None, init=False, repr=False)  # b, from any

    symbol: ClassVar[str] = "contact"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_two_bodies()
        object.__setattr__(self, "exponent", finite(self.exponent, f"exponent of {self._called}"))
        if not self.exponent >= 1.0:
            raise BadNumber(
                f"exponent of {self._called} is {self.exponent:g}: 1 is a linear spring, 1.5 Hertz;"
                " less would be infinitely stiff at first touch."
            )
        self._keep_positive({"stiffness": "N/m" if self.exponent == 1.0 else ""})
        given = {word: unit for word, unit in OPTIONS.items() if getattr(self, word) is not None}
        self._keep_positive({w: u for w, u in given.items() if w in ("impact_speed", "creep")})
        self._keep_finite({w: u for w, u in given.items() if w not in ("impact_speed", "creep")})
        for word in ("damping", "dissipation", "friction"):
            if (value := getattr(self, word)) is not None and value < 0.0:
                raise BadNumber(f"{word} of {self._called} is {value:g}: it cannot drive.")
        self._refuse_halves()
        object.__setattr__(self, "losing", self._dissipation())

    def _refuse_halves(self) -> None:
        """Refuses words that need another one, and two laws at once."""
        ways = ("damping", "dissipation", "restitution")
        if len(both := [word for word in ways if getattr(self, word) is not None]) > 1:
            raise BadNumber(f"{self._called} has {' and '.join(both)}: give one of them.")
        for word, other, why in (
            ("restitution", "impact_speed", "a restitution belongs to a speed of impact"),
            ("friction", "creep", "friction is smoothed below a speed"),
        ):
            if (getattr(self, word) is None) != (getattr(self, other) is None):
                raise BadNumber(
                    f"{self._called} needs both `{word}` and `{other}`, or neither: {why}."
                )

    def _dissipation(self) -> float | None:
        """b, given or from a restitution; None where nothing is lost, or by a damper."""
        if self.restitution is None or self.impact_speed is None:
            return self.dissipation
        return dissipation_for(self.restitution, self.impact_speed)

    @property
    def touching(self) -> tuple[tuple[Marker, object], ...]:
        """The curves and surfaces that touch, each with its marker, for pictures to draw."""
        return ()

    @abstractmethod
    def touches(self, X_WI: Pose, X_WJ: Pose) -> Sequence[Touch]:
        """Where surfaces at `X_WI` and `X_WJ` (world) may touch: one place or several."""

    def overlaps(self, now: Instant) -> tuple[Scalar, ...]:
        """How deep (m) the surfaces overlap at `now`, in each place."""
        return tuple(-touch.gap for touch in self.touches(*now.X))

    def closing_speed(self, now: Instant, place: int) -> Scalar:
        """d' (m/s): how fast the surfaces come nearer at `now` in the `place` of that number."""
        touch = self.touches(*now.X)[place]
        return -(touch.normal @ _slip(now, touch.point))

    def action(self, now: Instant) -> Action:
        none = Vector(0.0, 0.0, 0.0)
        on = [Wrench(none, none), Wrench(none, none)]
        for touch in self.touches(*now.X):
            push = self._push(touch, _slip(now, touch.point)) * touch.share
            for k, force in enumerate((-push, push)):
                arm = touch.point - now.X[k].position
                on[k] = Wrench(on[k].force + force, on[k].torque + arm.cross(force))
        return Action.on(*on)

    def energy(self, now: Instant) -> Scalar:
        stored: Scalar = 0.0
        for touch in self.touches(*now.X):
            power = 0.5 * (self.exponent + 1.0)
            full = self.stiffness / (2.0 * power) * (touch.gap * touch.gap + TINY) ** power
            stored = stored + touch.share * where(-touch.gap > 0.0, full, 0.0 * full)
        return stored

    def _push(self, touch: Touch, slip: Vector) -> Vector:
        """The force on J in one place, where J's surface moves by `slip` (m/s) on that of I."""
        n, d = touch.normal, -touch.gap
        along = n @ slip  # -d'
        # d^n goes on smoothly to the other side of zero: a step may look there
        spring = self.stiffness * d * (d * d + TINY) ** (0.5 * (self.exponent - 1.0))
        if self.damping is not None:
            press = maximum(spring - self.damping * along, 0.0)
        elif self.losing is not None:
            press = spring * maximum(1.0 - self.losing * along, 0.0)
        else:
            press = spring
        press = where(d > 0.0, press, 0.0 * press)
        push: Vector = n * press
        if self.friction is not None and self.creep is not None:
            sliding = slip - n * along
            speed = sqrt(sliding.square + self.creep * self.creep)
            push = push - sliding * (self.friction * press / speed)
        return push


OPTIONS = {**UNITS, "damping": "N s/m", "friction": "1", "creep": "m/s"}


def _slip(now: Instant, point: Vector) -> Vector:
    """How J moves (m/s) seen from I, at a point (m) that belongs to both; world axes."""
    X, V = now.X, now.V
    return V[1].at(point - X[1].position) - V[0].at(point - X[0].position)


def within(x: Scalar, half: Scalar) -> Scalar:
    """The number nearest to `x` between -`half` and `half`, in the unit of both."""
    return minimum(maximum(x, -half), half)


def dissipation_for(restitution: float | str, impact_speed: float | str) -> float:
    """The b (s/m) of Hunt and Crossley's law with which what meets at a speed v parts at e v.

    b v (1 + e) = log((1 + b v) / (1 - b e v))

    `restitution` e is more than 0 and at most 1, `impact_speed` v positive (m/s). The relation is
    exact for two free bodies, whatever stiffness and exponent.

    Source: [HuntCrossley], their equation of motion integrated once.

    Examples:
        >>> from kempe.forces import dissipation_for
        >>> round(dissipation_for(0.9, 2.0), 6)
        0.083241
    """
    e = finite(restitution, "the restitution", "1")
    v = positive(impact_speed, "the impact speed", "m/s")
    if not 0.0 < e <= 1.0:
        raise BadNumber(
            f"the restitution is {e:g}: it is the speed after over that before, at most 1, and more"
            " than 0, which this law only comes near.",
            restitution=e,
        )
    if e == 1.0:
        return 0.0
    low, high = 0.0, 1.0 / e
    for _ in range(HALVINGS):
        x = 0.5 * (low + high)
        if not low < x < high:
            break
        if math.log1p(x) - math.log1p(-e * x) < x * (1.0 + e):
            low = x
        else:
            high = x
    return low / v


def hertz_stiffness(
    radius: float | str, modulus: float | str, *, other: float | str | None = None
) -> float:
    """The k (N/m^1.5) of Hertz: a ball of `radius` (m) on a flat or a ball, `modulus` E* (Pa).

    k = 4/3 E* sqrt(R),  1/R = 1/R_1 + 1/R_2,  1/E* = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2

    `other` is the radius (m) of the second ball, negative for a hollow that the first one fits in;
    left out, it is a flat.

    Source: [Johnson] eq. 4.22 and 4.23.

    Examples:
        >>> from kempe.forces import hertz_stiffness
        >>> round(hertz_stiffness("20 mm", "115 GPa") / 1e9, 3)
        21.685
    """
    R = positive(radius, "the radius of a ball", "m")
    if other is not None:
        hollow = not_zero(other, "the radius of the other ball", "m")
        if -R <= hollow < 0.0:
            raise BadNumber(f"a ball of radius {R:g} m does not fit in a hollow of {-hollow:g} m.")
        R = 1.0 / (1.0 / R + 1.0 / hollow)
    return 4.0 / 3.0 * positive(modulus, "the modulus of a contact", "Pa") * math.sqrt(R)
