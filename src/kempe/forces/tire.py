"""A tire on a road."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

from kempe.algebra.functions import maximum, sqrt, where
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry import Marker, Scalar, Vector, Wrench, Y, Z
from kempe.units import LineDamping, LineStiffness, Metres, Newtons, Ratio

SLOW = 1e-30  # m^2/s^2, beside squares of speeds: their roots have a slope at rest too
SLIDES = 10.0  # how hard what yields is held at g = 1
SLIGHT = 1e-12  # of the cornering stiffness: keeps shares of forces finite without load


@final
@dataclass(frozen=True)
class Tire(AbstractForce):
    """A tire that rolls, slips and slides on a road: the brush model, with a carcass that yields.

    F = -c (1 - g + g^2 / 3) for g < 1, else -mu N c / |c|
    c = (C_x u, C_y w) / L,  g = |c| / (3 mu N)
    d(u, w)/dt = s - V (u, w) / L - 10 V max(0, g - 1) c / |c|,  V^2 = v_x^2 + s_x^2 + s_y^2

    The road is the plane z = 0 of I; J is the wheel, its y axis the axle. F lies in the road where
    they touch: x ahead, square to the axle, and y to the left. s is how fast the wheel slips there,
    v_x how fast it goes ahead. Rolling steadily, u / L and w / L are the longitudinal slip and the
    tangent of the slip angle, as long as those are small; F then is C_x and C_y times them. Sliding
    it is mu N against the slip. u and w (m) are states: the carcass is carried along until it has
    yielded by that much, over about one `relaxation` length L of the way, so that a car can stand.

    N is the `load` (N), or with a `radius` and a `stiffness` k that of a spring, k d + c d' and
    never less than 0, d the depth of the wheel's lowest point in the road. Without a `radius` the
    wheel rolls freely and s_x is 0, as that of a car seen from above in the plane. What it does
    counts as dissipated.

    Source: [Fiala] and [Pacejka] ch. 3 for the brush model, [Pacejka] ch. 7 for its lag. Own: both
    directions by one share g; V, which is |v_x| for small slip and not 0 while it slides; and that
    it yields little more than until it slides, g <= 1.1, so that it is not thrown back from rest.
    """

    I: Marker
    J: Marker
    cornering: Newtons  # C_y, per unit of slip
    friction: Ratio  # mu
    relaxation: Metres  # L
    load: Newtons | None = None
    longitudinal: Newtons | None = None  # C_x; as C_y where it is left out
    radius: Metres | None = None
    stiffness: LineStiffness | None = None
    damping: LineDamping | None = None

    symbol: ClassVar[str] = "contact"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_two_bodies()
        self._keep_positive({"cornering": "N", "friction": "1", "relaxation": "m"})
        units = {"load": "N", "longitudinal": "N", "radius": "m", "stiffness": "N/m"}
        self._keep_positive({w: u for w, u in units.items() if getattr(self, w) is not None})
        if self.damping is not None:
            self._keep_finite({"damping": "N s/m"})
            if self.damping < 0.0:
                raise BadNumber(f"damping of {self._called} is {self.damping:g}: it cannot drive.")
        if (self.load is None) == (self.stiffness is None):
            raise BadNumber(
                f"{self._called} needs a `load` in N, or a `stiffness` by which it carries: give"
                " one of them."
            )
        if self.stiffness is not None and self.radius is None:
            raise BadNumber(
                f"{self._called} has a stiffness but no radius: what presses it onto the road"
                " follows from how deep its rim stands in it. Give the radius, or a `load`."
            )
        if self.stiffness is None and self.damping is not None:
            raise BadNumber(f"{self._called} has a damping but no stiffness: give both or none.")

    @property
    def states(self) -> tuple[str, ...]:
        return ("yield_x", "yield_y")

    @property
    def state_units(self) -> tuple[str, ...]:
        return ("m", "m")

    def overlaps(self, now: Instant) -> tuple[Scalar, ...]:
        """How deep (m) its rim stands in the road at `now`; nothing where its load is given."""
        return () if self.stiffness is None else (self._depth(now),)

    def closing_speed(self, now: Instant, place: int) -> Scalar:
        """How fast it sinks in (m/s) at `now`, in its one `place`."""
        return -(now.X[0].axis(Z) @ self._slip(now))

    def rates(self, now: Instant) -> Sequence[Scalar]:
        ahead, left = self._axes(now)
        slip, moves = self._slip(now), now.V[1].v - now.V[0].at(self._arm(now))
        s_x: Scalar = 0.0 if self.radius is None else ahead @ slip
        s_y, v_x = left @ slip, ahead @ moves
        speed = sqrt(v_x * v_x + s_x * s_x + s_y * s_y + SLOW)
        u, w = now.states
        x, y, pull, share = self._brush(now)
        beyond = where(share < 1.0, 0.0 * share, SLIDES * (share - 1.0) / pull)
        return [
            s_x - speed * (u / self.relaxation + beyond * x),
            s_y - speed * (w / self.relaxation + beyond * y),
        ]

    def action(self, now: Instant) -> Action:
        ahead, left = self._axes(now)
        N = self._pressed(now)
        x, y, pull, share = self._brush(now)
        sliding = self.friction * N / pull
        held = where(share < 1.0, 1.0 - share + share * share / 3.0, sliding)
        force = (ahead * x + left * y) * -held + now.X[0].axis(Z) * N * self._carries
        foot, arm = self._foot(now), self._arm(now)
        on_road = arm + foot
        return Action.on(
            Wrench(-force, -on_road.cross(force)),
            Wrench(force, foot.cross(force)),
        )

    def _brush(self, now: Instant) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        """c, |c| and g: what its bristles would pull if none slid, and the share that does."""
        along = self.cornering if self.longitudinal is None else self.longitudinal
        u, w = now.states
        x, y = along * u / self.relaxation, self.cornering * w / self.relaxation
        nothing = self.cornering * SLIGHT
        pull = sqrt(x * x + y * y + nothing * nothing)
        return x, y, pull, pull / (3.0 * self.friction * self._pressed(now) + nothing)

    @property
    def _carries(self) -> float:
        """Whether it presses back: a load that is given is carried by somebody else."""
        return 0.0 if self.stiffness is None else 1.0

    def _arm(self, now: Instant) -> Vector:
        """From the road's marker to the wheel's."""
        arm: Vector = now.X[1].position - now.X[0].position
        return arm

    def _foot(self, now: Instant) -> Vector:
        """From the wheel's marker to where it touches the road."""
        up, axle = now.X[0].axis(Z), now.X[1].axis(Y)
        if self.radius is None:
            return Vector(0.0, 0.0, 0.0)
        down = axle * (up @ axle) - up
        foot: Vector = down * (self.radius / down.norm)
        return foot

    def _axes(self, now: Instant) -> tuple[Vector, Vector]:
        """Ahead and to the left, unit vectors in the road."""
        up, axle = now.X[0].axis(Z), now.X[1].axis(Y)
        across = axle.cross(up)
        ahead = across * (1.0 / across.norm)
        return ahead, up.cross(ahead)

    def _slip(self, now: Instant) -> Vector:
        """How the wheel moves on the road where it touches it."""
        foot, arm = self._foot(now), self._arm(now)
        return now.V[1].at(foot) - now.V[0].at(arm + foot)

    def _depth(self, now: Instant) -> Scalar:
        return -(now.X[0].axis(Z) @ (self._arm(now) + self._foot(now)))

    def _pressed(self, now: Instant) -> Scalar:
        """N."""
        if self.stiffness is None:
            assert self.load is not None
            return self.load
        depth = self._depth(now)
        push = self.stiffness * depth
        if self.damping is not None:
            push = maximum(push + self.damping * self.closing_speed(now, 0), 0.0)
        return where(depth > 0.0, push, 0.0 * push)
