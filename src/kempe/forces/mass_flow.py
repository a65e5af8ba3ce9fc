"""Mass that comes to a body or leaves it: rockets, buckets, hoppers."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar, final

from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.applied_load import Axes
from kempe.forces.instant import Action, Instant
from kempe.forces.words import Words, Written
from kempe.geometry import Inertia, Marker, Scalar, Vector, Wrench
from kempe.geometry.number import finite
from kempe.measures import Gauge
from kempe.units import AnyUnit, MetresPerSecond, SquareMetres

Velocity = tuple[MetresPerSecond, MetresPerSecond, MetresPerSecond]
NOWHERE = Marker("ground")
ZERO = Vector(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class AbstractMassFlow(AbstractForce):
    """What comes or goes, how fast, and where: the part of a mass flow that knows no body."""

    at: Marker
    rate: str  # kg/s, above zero where the body gains
    velocity: Velocity = (0.0, 0.0, 0.0)  # of what flows
    axes: Axes = Axes.MARKER
    seen: tuple[Gauge, ...] = ()
    names: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    values: tuple[AnyUnit, ...] = ()  # of the constants

    felt_at: ClassVar[int] = 0

    @property
    def acts_along(self) -> tuple[Gauge, ...]:
        """None: those of `seen` are only looked at."""
        return ()

    @property
    def states(self) -> tuple[str, ...]:
        return ("gained",)

    @property
    def state_units(self) -> tuple[str, ...]:
        return ("kg",)

    @property
    def written(self) -> tuple[Written, ...]:
        return (Written(("rate",), self.rate, "kg/s", self._words.units(self.seen)),)

    def rates(self, now: Instant) -> Sequence[Scalar]:
        return [self._words.value(self.rate, now, self.values)]

    def thrust(self, now: Instant) -> Vector:
        """dm/dt u_rel (N, world axes) at the marker, at the instant `now`."""
        given = Vector(*self.velocity)
        is_own = self.axes is Axes.MARKER
        relative: Vector = now.X[0].rotation.apply(given) if is_own else given - now.V[0].v
        pushed: Vector = relative * self.rates(now)[0]
        return pushed

    def action(self, now: Instant) -> Action:
        return Action((Wrench(self.thrust(now), ZERO),), (0.0,) * len(now.gauges))

    @property
    def _words(self) -> Words:
        return Words(self.names, self.constants, self.states)


@final
@dataclass(frozen=True)
class MassFlow(AbstractMassFlow):
    """Mass that leaves a body or comes to it, with the thrust that it makes: rocket, bucket, leak.

    m a_C = F + dm/dt (u_rel + 2 w x r)
    I dw/dt + w x I w = M + dm/dt (r x u_rel + r x (w x r) - I w / m)

    The marker `at` is where it leaves or enters, r from the centre of mass to there; m grows by
    `rate` (kg/s, below zero where it leaves), a formula of time t, of what has been `gained` so far
    (kg), and of measures: every name of `names` is what the gauge of the same place in `seen`
    shows, name_rate its rate. `velocity` is that of what flows: relative to the marker, in its axes
    (u_rel, an exhaust), or with axes=Axes.WORLD as seen from the ground (rain, sand from a chute),
    and then u_rel is what it differs by from the marker's. Without one nothing is thrown: a leak,
    in the marker's axes.

    The centre of mass and the radii of gyration stay where they are. Where fuel lies elsewhere than
    the rest, make it a body of its own that is `fixed` to it. What flows takes its kinetic energy
    and its weight along, and works by its thrust: all of it counts as dissipated, below zero where
    it brings energy. The state `gained` starts at zero; "tank.gained" reads it.

    Source: [Meshchersky] for the thrust, [Thomson] for what flows through a body that turns (jet
    damping), the flow inside being steady.
    """

    symbol: ClassVar[str] = "arrow"

    def __post_init__(self) -> None:
        super().__post_init__()
        numbers = self._words.checked(self._called, (self.rate,), len(self.seen), self.values)
        object.__setattr__(self, "values", numbers)
        if len(self.velocity) != 3:
            raise BadNumber(
                f"the velocity of {self._called} has {len(self.velocity)} components: give three"
                " in m/s, or none of them for what leaves at rest beside the body."
            )
        velocity = tuple(finite(x, f"a velocity of {self._called}", "m/s") for x in self.velocity)
        object.__setattr__(self, "velocity", velocity)

    @property
    def off(self) -> "MassFlow":
        """What has been gained stays; nothing flows."""
        return replace(self, rate="0")


@final
@dataclass(frozen=True)
class FlowOnBody(AbstractMassFlow):
    """A mass flow with the body that it changes: what its gain z weighs, carries and turns.

    At the centre of mass C, beside the thrust at the marker:
    f = z g + 2 dm/dt w x r,  m = -w x z K w + dm/dt (r x (w x r) - K w),  K = I / m
    E = -z g . p_WC,  kinetic energy z (v . v + w . K w) / 2

    Made for every `MassFlow` of a model that moves by its forces; not for files.
    """

    centre: Marker = NOWHERE  # of mass, in the body's axes
    gravity: tuple[AnyUnit, ...] = (0.0, 0.0, 0.0)  # m/s^2, world axes
    radii: tuple[SquareMetres, ...] = (0.0,) * 6  # K, its upper triangle

    @classmethod
    def of(cls, flow: MassFlow, inertia: Inertia | None, gravity: Sequence[float]) -> "FlowOnBody":
        """The `flow` of a body with this `inertia`, in a field of `gravity` (m/s^2)."""
        if inertia is None or not inertia.mass > 0.0:
            raise BadNumber(
                f"body {flow.at.body!r} has no mass that force {flow.name!r} could change: give it"
                " an inertia, of a little mass where it is empty at first.",
                body=flow.at.body,
            )
        K = inertia.tensor / inertia.mass
        upper = tuple(float(K[i, j]) for i in range(3) for j in range(i, 3))
        x, y, z = (float(c) for c in inertia.centre)
        given = {one.name: getattr(flow, one.name) for one in fields(flow)}
        pull = tuple(float(g) for g in gravity)
        return cls(**given, centre=Marker(flow.at.body, (x, y, z)), gravity=pull, radii=upper)

    def energy(self, now: Instant) -> Scalar:
        return -(now.X[1].position @ Vector(*self.gravity)) * now.states[0]

    def kinetic(self, now: Instant) -> Scalar:
        v, w = now.V[1].v, now.V[1].w
        return 0.5 * now.states[0] * (v @ v + w @ self._turned(now, w))

    def action(self, now: Instant) -> Action:
        gained, rate, w = now.states[0], self.rates(now)[0], now.V[1].w
        r, spin = now.X[0].position - now.X[1].position, self._turned(now, w)
        across = w.cross(r)
        pull = Vector(*self.gravity) * gained + across * (2.0 * rate)
        torque = w.cross(spin) * -gained + (r.cross(across) - spin) * rate
        there = Wrench(self.thrust(now), ZERO)
        return Action((there, Wrench(pull, torque)), (0.0,) * len(now.gauges))

    def _turned(self, now: Instant, w: Vector) -> Vector:
        """K w in world axes."""
        R = now.X[1].rotation
        xx, xy, xz, yy, yz, zz = self.radii
        own = Vector(R.x @ w, R.y @ w, R.z @ w)
        rows = Vector(xx, xy, xz), Vector(xy, yy, yz), Vector(xz, yz, zz)
        return R.apply(Vector(*(row @ own for row in rows)))
