"""Promise: mass that comes and goes, and tires that slip, move a body by their equations.

In the plane, of any size, mass and time, by every method, some through a file, some run on from
their middle with the states of their forces. Bodies that are free or on a hinge lose and gain mass
in one or two places, by laws of time and of what has been gained, beside the body or seen from the
ground. Cars on one to three tires set out at any slip. Places, angles, states, the force in the
hinge and the balance of energies are compared.

Oracle: the equations of the docstrings, written out in NumPy and integrated by SciPy.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import kempe as kp
from kempe.forces import Axes, MassFlow, Tire
from tests.campaigns._round_trip import perhaps_reread

Array = NDArray[np.float64]

CASES = 10
SAMPLES = 20
STRICT = 1e-11
METHODS = ("auto", "dop853", "tsit5", "rodas5p", "gear")
NEAR = {"gear": 1e-4}  # others 1e-6
LEFT = 0.1  # of the mass: less is not judged
MOST_TURNED = 1000.0  # rad: SciPy takes minutes for more


class Units(NamedTuple):
    """One of the machine's own units, in SI."""

    length: float
    mass: float
    time: float


def turned(angle: float) -> Array:
    """The matrix of a turn."""
    c, s = float(np.cos(angle)), float(np.sin(angle))
    return np.array([[c, -s], [s, c]])


def spun(w: float, r: Array) -> Array:
    """w x r."""
    return np.array([-w * r[1], w * r[0]])


def about(r: Array, f: Array) -> float:
    """r x f."""
    return float(r[0] * f[1] - r[1] * f[0])


def pair(x: Array) -> tuple[float, float]:
    """Two floats."""
    return float(x[0]), float(x[1])


@dataclass(frozen=True)
class Flow:
    """A flow through a place of the body, in the machine's units."""

    at: Array
    velocity: Array
    turn: float  # of its marker
    text: str
    a: float
    b: float
    from_ground: bool

    def rate(self, t: float, gained: float) -> float:
        """What the text says."""
        return LAWS[self.text](self.a, self.b, t, gained)

    def force(self, units: Units) -> str:
        """The text in SI, numbers put in."""
        _, mass, time = units
        text = self.text.replace("t)", f"t / {time!r})").replace("gained", f"(gained / {mass!r})")
        text = text.replace("a", repr(self.a), 1).replace("b", repr(self.b), 1)
        return f"({text}) * {mass / time!r}"


LAWS: dict[str, Callable[[float, float, float, float], float]] = {
    "a": lambda a, b, t, gained: a,
    "a * exp(-b * t)": lambda a, b, t, gained: a * float(np.exp(-b * t)),
    "a - b * gained": lambda a, b, t, gained: a - b * gained,
    "a * sin(5 * t)": lambda a, b, t, gained: a * float(np.sin(5 * t)),
}


@dataclass(frozen=True)
class Leaky:
    """A body of mass 1 with flows; k is its moment over its mass."""

    flows: tuple[Flow, ...]
    centre: Array
    k: float
    g: Array
    on_hinge: bool
    angle: float
    v: Array  # of the centre
    w: float

    def acts(self, t: float, y: Array) -> tuple[Array, float, list[float]]:
        """Force and torque about the centre but for the hinge, and the rates of mass."""
        v, w, R = y[3:5], float(y[5]), turned(float(y[2]))
        force, torque, rates = (1.0 + y[6:].sum()) * self.g, 0.0, []
        for flow, gained in zip(self.flows, y[6:], strict=True):
            r, rate = R @ (flow.at - self.centre), flow.rate(t, float(gained))
            beside = R @ turned(flow.turn) @ flow.velocity
            u = flow.velocity - v - spun(w, r) if flow.from_ground else beside
            force = force + rate * (u + 2 * spun(w, r))
            torque += rate * (about(r, u) + about(r, spun(w, r)) - self.k * w)
            rates.append(rate)
        return force, torque, rates

    def rates(self, t: float, y: Array) -> Array:
        """Of (centre, angle, velocity, spin, gained)."""
        force, torque, rates = self.acts(t, y)
        m, w = 1.0 + float(y[6:].sum()), float(y[5])
        a, turning = force / m, torque / (self.k * m)
        if self.on_hinge:
            c = turned(float(y[2])) @ self.centre
            turning = (torque + about(c, force)) / (m * (self.k + c @ c))
            a = spun(turning, c) - w * w * c
        return np.concatenate([y[3:5], [w], a, [turning], rates])

    def start(self) -> Array:
        """The first of all unknowns."""
        at = turned(self.angle) @ self.centre
        return np.array([*at, self.angle, *self.v, self.w, *(0.0 for _ in self.flows)])

    def built(self, units: Units) -> kp.Mechanism:
        """The same in SI."""
        length, mass, time = units
        m = kp.Builder("tank", plane=True, gravity=pair(self.g * length / time**2))
        moment = self.k * mass * length**2 * np.eye(3)
        v = self.v - spun(self.w, turned(self.angle) @ self.centre)
        b = m.body(
            "b",
            at=(0, 0),
            angle=self.angle,
            inertia=kp.Inertia(mass, (*pair(self.centre * length), 0.0), moment),
            velocity=pair(v * length / time),
            spin=self.w / time,
        )
        if self.on_hinge:
            m.revolute(m.ground.at(0, 0), b.at(0, 0), name="hinge")
        for n, flow in enumerate(self.flows):
            thrown = (*pair(flow.velocity * length / time), 0.0)
            place = b.at(*pair(flow.at * length)).turned(flow.turn)
            axes = Axes.WORLD if flow.from_ground else Axes.MARKER
            m.force(MassFlow(place, flow.force(units), thrown, axes), f"f{n}")
        return m.build()


def any_leaky(rng: np.random.Generator) -> Leaky:
    """A body with one or two flows."""
    flows = tuple(
        Flow(
            rng.normal(size=2) * rng.integers(0, 2),
            2 * rng.normal(size=2) * rng.integers(0, 2),
            float(rng.uniform(-3, 3)) * int(rng.integers(0, 2)),
            str(rng.choice(list(LAWS))),
            float(rng.uniform(-0.12, 0.3)),
            float(rng.uniform(0.03, 0.4)),
            bool(rng.integers(0, 2)),
        )
        for _ in range(int(rng.integers(1, 3)))
    )
    on_hinge, angle, w = bool(rng.random() < 0.4), float(rng.uniform(-3, 3)), float(rng.normal())
    centre = rng.normal(size=2) * rng.integers(0, 2)
    v = spun(w, turned(angle) @ centre) if on_hinge else rng.normal(size=2)
    g = rng.normal(size=2) * float(rng.choice([0.0, 1.0, 3.0]))
    return Leaky(flows, centre, float(rng.uniform(0.2, 2)), g, on_hinge, angle, v, w)


class Wheel(NamedTuple):
    """A tire of a car, in the machine's units."""

    at: Array
    steer: float
    cornering: float
    friction: float
    lag: float
    load: float


@dataclass(frozen=True)
class Car:
    """A body of mass 1 on tires whose loads are given; k is its moment."""

    wheels: tuple[Wheel, ...]
    k: float
    angle: float
    v: Array
    w: float

    def rates(self, _: float, y: Array) -> Array:
        """Of (place, angle, velocity, spin, how far each tire has yielded aside)."""
        v, w, R = y[3:5], float(y[5]), turned(float(y[2]))
        force, torque, yields = np.zeros(2), 0.0, []
        for tire, aside in zip(self.wheels, y[6:], strict=True):
            r, ahead = R @ tire.at, R @ turned(tire.steer) @ np.array([1.0, 0.0])
            left, moves = np.array([-ahead[1], ahead[0]]), v + spun(w, r)
            c = tire.cornering * float(aside) / tire.lag
            most = tire.friction * tire.load
            g = abs(c) / (3 * most)
            f = left * (-c * (1 - g + g * g / 3) if g < 1 else -most * np.sign(c))
            speed, slip = float(np.hypot(ahead @ moves, left @ moves)), float(left @ moves)
            back = 10 * speed * max(0.0, g - 1) * float(np.sign(c))
            yields.append(slip - speed * float(aside) / tire.lag - back)
            force, torque = force + f, torque + about(r, f)
        return np.concatenate([v, [w], force, [torque / self.k], yields])

    def start(self) -> Array:
        """The first of all unknowns."""
        return np.array([0.0, 0.0, self.angle, *self.v, self.w, *(0.0 for _ in self.wheels)])

    def built(self, units: Units) -> kp.Mechanism:
        """The same in SI."""
        length, mass, time = units
        newton = mass * length / time**2
        m = kp.Builder("car", plane=True)
        b = m.body(
            "b",
            at=(0, 0),
            angle=self.angle,
            inertia=kp.Inertia(mass, (0, 0, 0), self.k * mass * length**2 * np.eye(3)),
            velocity=pair(self.v * length / time),
            spin=self.w / time,
        )
        for n, (at, steer, cornering, friction, lag, load) in enumerate(self.wheels):
            place, road = b.at(*pair(at * length)).turned(steer), m.ground.at(0, 0)
            tire = Tire(road, place, cornering * newton, friction, lag * length, load * newton)
            m.force(tire, f"f{n}")
        return m.build()


def any_car(rng: np.random.Generator) -> Car:
    """A car on one to three tires."""
    low, high = (-0.3, 5, 0.3, 0.1, 2), (0.3, 40, 1.2, 0.6, 10)
    wheels = tuple(
        Wheel(rng.normal(size=2), *(float(x) for x in rng.uniform(low, high)))
        for _ in range(int(rng.integers(1, 4)))
    )
    v = np.array([rng.uniform(0, 8), rng.normal()])
    w, angle = float(0.5 * rng.normal()), float(rng.uniform(-3, 3))
    return Car(wheels, float(rng.uniform(0.3, 2)), angle, v, w)


def emptied(_: float, y: Array) -> float:
    """Zero where too little of a tank is left to be judged, or where it has spun too often."""
    return min(float(1.0 + y[6:].sum()) - LEFT, 1.0 - abs(float(y[2])) / MOST_TURNED)


emptied.terminal = True  # type: ignore[attr-defined]


def attempt(rng: np.random.Generator) -> list[str]:
    """One tank or one car."""
    wide = int(rng.integers(0, 2))
    units = Units(*(float(p) for p in 10.0 ** (wide * rng.uniform((-3, -4, -2), (3, 4, 2)))))
    one = any_leaky(rng) if rng.random() < 0.6 else any_car(rng)
    until, method = float(rng.uniform(0.3, 3)), str(rng.choice(METHODS))
    known = solve_ivp(
        one.rates,
        (0, until),
        one.start(),
        method="LSODA",
        rtol=STRICT,
        atol=STRICT / 10,
        t_eval=np.linspace(0, until, SAMPLES + 1),
        events=emptied if isinstance(one, Leaky) else None,
    )
    if known.status == 1:
        return []
    told = known.y
    mechanism = perhaps_reread(rng, one.built(units))
    asked: dict[str, Any] = {"steps": SAMPLES, "method": method, "tolerance": 1e-9}
    run = mechanism.simulate(until=until * units.time, **asked)
    said = f"{one} {units} {until=} {method=}"
    if not run.outcome.is_done or run.notes:
        return [f"{run.outcome} {run.notes}; {said}"]
    faults = compared(run, one, units, told, NEAR.get(method, 1e-6))
    if isinstance(one, Car) or not any("t)" in flow.text for flow in one.flows):
        half = mechanism.simulate(until=until * units.time / 2, **asked)
        rest = mechanism.simulate(until=until * units.time / 2, start=half.state(-1), **asked)
        off = np.max(np.abs(rest["b"].position[-1] - run["b"].position[-1])) / units.length
        if off > 30 * NEAR.get(method, 1e-6) * (1 + np.max(np.abs(told[:2]))):
            faults.append(f"run on from its middle, {rest.outcome}, it is off by {off:.1e}")
    return [f"{fault}; {said}" for fault in faults]


def compared(run: Any, one: Leaky | Car, units: Units, told: Array, near: float) -> list[str]:
    """What of places, angles, states, the hinge and energies is not so."""
    length, mass, time = units
    place, state, unit = told[:2].T, "yield_y", length
    pairs = []
    if isinstance(one, Leaky):
        place = np.array([y[:2] - turned(float(y[2])) @ one.centre for y in told.T])
        state, unit = "gained", mass
        if one.on_hinge:
            due = []
            for t, y in zip(run.t / time, told.T, strict=True):
                a, m = one.rates(float(t), y)[3:5], 1.0 + float(y[6:].sum())
                due.append(m * a - one.acts(float(t), y)[0])
            got = run["hinge.force"].values[:, :2] * time**2 / (length * mass)
            pairs.append(("force in the hinge", got, np.array(due), 1e3))
    pairs.append(("place", run["b"].position[:, :2] / length, place, 1.0))
    pairs.append(("angle", run["b.angle"].values, told[2], 10.0))
    for n, due in enumerate(told[6:]):
        pairs.append((f"state of f{n}", run[f"f{n}.{state}"].values / unit, due, 10.0))
    faults = []
    for name, got, due, factor in pairs:
        off = float(np.max(np.abs(got - due)))
        if off > factor * near * (1 + float(np.max(np.abs(due))) + float(np.max(np.abs(told[:2])))):
            faults.append(f"the {name} is off by {off:.1e}")
    energies = run.energy
    largest = np.max(np.abs([energies.kinetic, energies.potential, energies.dissipated]))
    if np.ptp(energies.total) > 1e-5 * largest:
        faults.append(f"the energies are off by {np.ptp(energies.total) / largest:.1e}")
    return faults
