"""Promise: the same machine in micrometres and in gigametres gives the same numbers everywhere.

A cart on a rail with a pendulum, in the plane or in space, with springs, dampers, friction, stops,
bumpers and contact with a floor, any of them or none, every joint at the origin of its body or off
it. Lengths are stretched by a power of two, gravity and forces with them, moments of inertia and
torques by its square, so that nothing happens sooner or later. Rests and their stiffness, natural
frequencies, simulations with their events, drags and interference are compared.

Oracle: the law of similarity. A power of two changes no digit: whatever differs compares a length
with one that no one has given.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

import kempe as kp
from kempe.events import Stop
from kempe.forces import Bumper, DryFriction, LineSpring, SphereOnPlane, SpringDamper, TorsionSpring
from kempe.geometry import Y

CASES = 4
MOST = 30  # powers of two: 2^30 is 1e9
EXACT = 1e-9  # of the largest number: roots are found to 1e-12
FOLLOWED = 1e-6  # of the largest number: steps of 1e-8, and impacts stretch their errors
UNTIL, STEPS = 1.5, 30
CONTACT = 3e3  # N/m


@dataclass(frozen=True)
class Machine:
    """Numbers of a cart of mass m that hangs a pendulum (l, n) on its rail, at a size of 1."""

    masses: tuple[float, float]
    length: float
    at: float
    angle: float
    rate: float
    moment: float  # of the pendulum, of its mass times the square of the size
    off: float  # how far joints lie off the bodies' origins
    parts: frozenset[str]
    plane: bool
    alone: bool  # without the pendulum, and nothing on the cart has an offset

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> "Machine":
        """Any one of them."""
        parts = ("spring", "damper", "friction", "stop", "bumper", "floor", "coil")
        chosen = frozenset(part for part in parts if rng.random() < 0.4) | {"spring"}
        u = rng.uniform
        numbers = (float(u(0.3, 1.2)), float(u(-0.3, 0.3)), float(u(-1.2, 1.2)), float(u(-2, 2)))
        masses = (float(u(0.5, 3)), float(u(0.5, 3)))
        off = float(rng.choice([0.0, 0.7]))
        plane, alone = (bool(rng.random() < share) for share in (0.6, 0.4))
        return cls(masses, *numbers, float(u(0.01, 0.3)), off, chosen, plane, alone)

    def built(self, s: float) -> kp.Mechanism:
        """The machine, stretched by s."""
        far = () if self.plane else (0.0,)
        gravity = (0.0, -9.81 * s, *far)
        m = kp.Builder("machine", plane=self.plane, gravity=gravity)
        heavy = [m_k * self.moment * s * s * np.eye(3) for m_k in self.masses]
        home: dict[str, Any] = {"angle": 0.0} if self.plane else {}
        turn = {"angle": self.angle} if self.plane else {}
        off = self.off * s
        cart = m.body(
            "cart",
            at=(self.at * s, off, *far),
            inertia=kp.Inertia(self.masses[0], (0, 0, 0), heavy[0]),
            velocity=(self.rate * s, 0.0, *far),
            **home,
        )
        rail = m.prismatic(m.ground.at(0, off, *far), cart.at(0, 0, *far), name="rail")
        self._hold(m, rail.displacement, cart, s)
        if self.alone:
            return m.build()
        centre = (0.0, -self.length * s, 0.0)
        bob = m.body(
            "bob",
            at=(self.at * s, off, *far),
            points={"P": (0.0, -self.length * s, *far)},
            inertia=kp.Inertia(self.masses[1], centre, heavy[1]),
            **turn,
        )
        hinge = m.revolute(cart.at(0, 0, *far), bob.at(0, 0, *far), name="hinge")
        if "coil" in self.parts:
            coil = TorsionSpring(hinge.angle, stiffness=4.0 * s * s, damping=0.1 * s * s)
            m.force(coil, "coil")
        if "floor" in self.parts:
            place = m.ground.at(0, (self.off - 0.95 * self.length) * s, *far)
            law = {"stiffness": CONTACT, "damping": 4.0}
            ball = bob.at(0, -self.length * s, *far)
            m.force(SphereOnPlane(place, ball, Y, 0.02 * s, **law), "floor")
        return m.build()

    def _hold(self, m: kp.Builder, x: Any, cart: Any, s: float) -> None:
        far = () if self.plane else (0.0,)
        if "spring" in self.parts:
            m.force(SpringDamper(x, stiffness=60.0, free=0.1 * s), "spring")
        if "damper" in self.parts:
            anchor = m.ground.at(-3 * s, self.off * s, *far)
            m.force(LineSpring(anchor, cart.at(0, 0, *far), 5.0, 1.5, 3 * s), "damper")
        if "friction" in self.parts:
            m.force(DryFriction(x, 2.0 * s, 0.01 * s), "friction")
        if "stop" in self.parts:
            m.event(Stop(x, low=-0.35 * s, high=0.35 * s, restitution=0.6), "stop")
        if "bumper" in self.parts:
            m.force(Bumper(x, high=0.2 * s, stiffness=900.0, damping=3.0), "bumper")


def attempt(rng: np.random.Generator) -> list[str]:
    """One machine at a size of 1 m and at another."""
    one = Machine.drawn(rng)
    power = int(rng.integers(-MOST, MOST + 1))
    s = 2.0**power
    small, large = one.built(1.0), one.built(s)
    wrong = [*_rests(small, large, s), *_modes(small, large), *_runs(small, large, s)]
    wrong += [] if one.alone else _drags(small, large, s, one)
    return [f"{fault}: {one} x 2^{power}" for fault in wrong]


def _differ(what: str, a: Any, b: Any, close: float) -> list[str]:
    """What is said where numbers are not the same, to a share of the largest."""
    first, second = np.atleast_1d(np.array(a, float)), np.atleast_1d(np.array(b, float))
    if first.shape != second.shape:
        return [f"{what} has {first.shape} and {second.shape} numbers"]
    off = float(np.abs(first - second).max(initial=0.0))
    largest = max(float(np.abs(first).max(initial=0.0)), 1e-3)
    return [] if off <= close * largest else [f"{what} differs by {off / largest:.2g}"]


def _rests(small: kp.Mechanism, large: kp.Mechanism, s: float) -> list[str]:
    a, b = small.statics(), large.statics()
    if a.outcome.name != b.outcome.name:
        return [f"statics ends as {a.outcome} and {b.outcome}"]
    wrong = _differ("x at rest", a["cart.x"], b["cart.x"] / s, EXACT)
    energy = s * s
    return wrong + _differ("the stiffness", a.stiffness, np.array(b.stiffness) / energy, EXACT)


def _modes(small: kp.Mechanism, large: kp.Mechanism) -> list[str]:
    a, b = small.linearize(), large.linearize()
    return _differ("frequencies", a.frequencies, b.frequencies, EXACT)


def _runs(small: kp.Mechanism, large: kp.Mechanism, s: float) -> list[str]:
    a, b = (one.simulate(until=UNTIL, steps=STEPS) for one in (small, large))
    if (a.outcome.name, len(a.t)) != (b.outcome.name, len(b.t)):
        return [f"a run ends as {a.outcome} and {b.outcome}"]
    told = [[(e.kind, e.name) for e in run.events] for run in (a, b)]
    if told[0] != told[1]:
        return [f"there are {len(told[0])} and {len(told[1])} events"]
    wrong = _differ("x", a["cart.x"].values, b["cart.x"].values / s, FOLLOWED)
    if "hinge.angle" in a.names:
        wrong += _differ("the angle", a["hinge.angle"].values, b["hinge.angle"].values, FOLLOWED)
    wrong += _differ("the energy", a.energy.kinetic, b.energy.kinetic / s**2, FOLLOWED)
    times = [np.array([e.t for e in run.events]) for run in (a, b)]
    return wrong + _differ("times of events", *times, FOLLOWED)


def _drags(small: kp.Mechanism, large: kp.Mechanism, s: float, one: Machine) -> list[str]:
    place = np.array([0.4, one.off - 0.8 * one.length, 0.0][: 2 if one.plane else 3])
    a, b = small.drag().to("bob.P", place.tolist()), large.drag().to("bob.P", (place * s).tolist())
    if a.outcome.name != b.outcome.name or a.steps != b.steps:
        return [f"a drag ends as {a.outcome}, {a.steps} steps, and {b.outcome}, {b.steps} steps"]
    return _differ("the dragged point", a.position, b.position / s, EXACT)
