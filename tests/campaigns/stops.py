"""Promise: a measure under forces stays between its stops, bounces off them and rests on them.

A slide or a hinge, in the plane or in space, of 1e-6 to 1e6 m and kg, under springs, dampers, a
force that swings in time, a weight, bumpers; between stops of any restitution, 0 and 1 included,
wider than the motion or touched at the start with or without speed; by every method, through a
file, a pickle and back or not. Samples, rates, efforts of forces and stops, energies and every
event (moment, kind, side, speed, impulse, loss) are compared, and the run is `Done`.

Oracle: `_one_freedom.py`, SciPy between impacts that are written out by hand, in units of the
machine itself. A second run from a start that is off by 1e-9 says how much a small error grows.
"""

import pickle
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import kempe as kp
from kempe.drives import TextFormula
from kempe.events import Stop
from kempe.forces import Actuator, Bumper, SpringDamper
from tests.campaigns._one_freedom import Freedom, Hit, Limit, Load, Told, TooFine

Array = NDArray[np.float64]

CASES = 6
REMEMBERED = (15000018, 110000249)
NUDGE = 1e-9
CLOSE = 2e-6  # beside the largest value, and as much again for how errors grow
GEAR = 30.0  # as much for gear: of a mass on a spring alone it is 25 times as far off as tsit5
FAST = 1e-3  # impacts slower than this may be more or fewer: bounces that die away
METHODS = ("auto", "auto", "dop853", "tsit5", "rodas5p", "gear")


class Scale(NamedTuple):
    """What the machine calls one, in SI."""

    length: float
    mass: float
    time: float
    turns: bool

    @property
    def measure(self) -> float:
        return 1.0 if self.turns else self.length

    @property
    def rate(self) -> float:
        return self.measure / self.time

    @property
    def energy(self) -> float:
        return self.mass * (self.length / self.time) ** 2

    @property
    def effort(self) -> float:
        return self.energy / self.measure


@dataclass(frozen=True)
class Put:
    """A force in both worlds."""

    said: str
    load: Load
    force: Callable[[Any], Any]  # of its gauge


def spring(rng: np.random.Generator, one: Scale) -> Put:
    """f = -k (m - free) - c m' + preload, any of them perhaps nothing."""
    k, c, preload = (
        float(x) for x in rng.uniform(0, 1, 3) * (30.0, 2.0, 10.0) * rng.integers(0, 2, 3)
    )
    free = float(rng.uniform(-1, 1))
    load = Load(
        lambda t, x, v: -k * (x - free) - c * v + preload,
        lambda x: 0.5 * k * (x - free) ** 2 - preload * x,
    )
    per = one.effort / one.measure
    numbers = {
        "stiffness": k * per,
        "damping": c * per * one.time,
        "free": free * one.measure,
        "preload": preload * one.effort,
    }
    return Put(
        f"spring {k=!r} {c=!r} {free=!r} {preload=!r}", load, lambda g: SpringDamper(g, **numbers)
    )


def swinging(rng: np.random.Generator, one: Scale) -> Put:
    """f = a sin(w t + p)."""
    a, w, p = float(rng.uniform(1, 15)), float(rng.uniform(0.5, 6)), float(rng.uniform(0, 6))
    law = TextFormula("a * sin(w * t + p)", ("a", "w", "p"), (a * one.effort, w / one.time, p))
    load = Load(lambda t, x, v: a * np.sin(w * t + p))
    return Put(f"swing {a=!r} {w=!r} {p=!r}", load, lambda g: Actuator(g, law))


def bumper(rng: np.random.Generator, one: Scale) -> Put:
    """A spring and a damper beyond limits; alike, or one of them alone, now and then."""
    low = float(rng.uniform(-1.0, 0.5))
    high = low + float(rng.choice([0.0, rng.uniform(0, 1)]))
    k, c = float(10.0 ** rng.uniform(0.5, 3)), float(rng.choice([0.0, 10.0 ** rng.uniform(-1, 1)]))
    which = int(rng.integers(4))
    lows, highs = which != 0, which != 1

    def under(_t: float, x: float, v: float) -> float:
        return x - low

    def over(_t: float, x: float, v: float) -> float:
        return x - high

    def force(t: float, x: float, v: float) -> float:
        if lows and x < low:
            return max(0.0, k * (low - x) - c * v)
        if highs and x > high:
            return -max(0.0, k * (x - high) + c * v)
        return 0.0

    def stored(x: float) -> float:
        gone = max(low - x, 0.0) if lows else 0.0
        past = max(x - high, 0.0) if highs else 0.0
        return 0.5 * k * (gone**2 + past**2)

    corners = [under] * lows + [over] * highs
    if c and lows:
        corners.append(lambda _t, x, v: k * (low - x) - c * v)
    if c and highs:
        corners.append(lambda _t, x, v: k * (x - high) + c * v)
    per = one.effort / one.measure
    numbers: dict[str, Any] = {"stiffness": k * per, "damping": c * per * one.time}
    if lows:
        numbers["low"] = low * one.measure
    if highs:
        numbers["high"] = high * one.measure
    said = f"bumper {low if lows else None!r} {high if highs else None!r} {k=!r} {c=!r}"
    return Put(said, Load(force, stored, tuple(corners)), lambda g: Bumper(g, **numbers))


def built(one: Scale, plane: bool, x: float, v: float, weight: float) -> tuple[kp.Builder, Any]:
    """A body of mass (or moment) one on a slide or a hinge, and the measure that moves."""
    pull = weight * one.length / one.time**2 * (not one.turns)
    m = kp.Builder("stops", plane=plane, gravity=(pull, 0.0) if plane else (pull, 0.0, 0.0))
    inertia = kp.Inertia(one.mass, (0, 0, 0), one.mass * one.length**2 * np.eye(3))
    origin = (0.0, 0.0) if plane else (0.0, 0.0, 0.0)
    if one.turns:
        way: dict[str, Any] = (
            {"angle": x} if plane else {"rotation": kp.Rotation.about((0, 0, 1), x)}
        )
        body = m.body("body", at=origin, inertia=inertia, **way)
        joint: Any = m.revolute(m.ground.at(*origin), body.at(*origin), name="joint")
        gauge = joint.angle
    else:
        at = (x * one.length, *origin[1:])
        way = {"angle": 0.0} if plane else {"rotation": kp.Rotation.identity()}
        body = m.body("body", at=at, inertia=inertia, **way)
        joint = m.prismatic(
            m.ground.at(*origin), body.at(*origin), name="joint", along=(1, 0, 0)[: 2 + (not plane)]
        )
        gauge = joint.displacement
    m.rate(gauge, v * one.rate)
    return m, gauge


def attempt(rng: np.random.Generator) -> list[str]:
    """One freedom between stops."""
    powers = 10.0 ** (rng.uniform(-6, 6, 3) * int(rng.integers(0, 2)))
    one = Scale(
        float(powers[0]), float(powers[1]), float(powers[2]) ** 0.5, bool(rng.random() < 0.4)
    )
    makers = [
        (spring, swinging, bumper)[int(k)] for k in rng.integers(0, 3, int(rng.integers(0, 4)))
    ]
    return tried(rng, one, [make(rng, one) for make in makers], -1.0, 1.0)


def tried(
    rng: np.random.Generator, one: Scale, puts: list[Put], least: float, most: float
) -> list[str]:
    """What is wrong with one freedom under forces, between stops that lie in a range."""
    low, high = sorted(float(x) for x in rng.uniform(least, most, 2))
    x, v = float(rng.uniform(low, high)), float(rng.choice([0.0, rng.normal() * 2]))
    kind = int(rng.integers(6))
    if kind < 2:
        x = (low, high)[kind]
    if kind == 2 and least == -most:
        low, high = -1e3, 1e3
    e = float(rng.choice([0.0, 1.0, 0.5, rng.random()]))
    sides = 2 if least != -most else int(rng.integers(3))
    limits = [Limit(low, -1, e)] * (sides != 1) + [Limit(high, +1, e)] * (sides != 0)
    weight = float(rng.choice([0.0, rng.uniform(-10, 10)])) * (not one.turns)
    loads = [put.load for put in puts]
    if weight:
        loads.append(Load(lambda t, x, v: weight, lambda x: -weight * x))
    freedom = Freedom(1.0, tuple(loads), tuple(limits))
    until, steps = float(rng.uniform(0.5, 4)), int(rng.choice([1, 7, 40]))
    method, plane = str(rng.choice(METHODS)), bool(rng.random() < 0.6)
    door = str(rng.choice(["", "", "yaml", "json", "pickle"]))
    said = (
        f"{one}, plane={plane}, {x=!r}, {v=!r}, {weight=!r}, limits {limits}, {method=}, "
        f"{until=!r}, {steps=}, {door=}, {[put.said for put in puts]}"
    )
    times = np.linspace(0.0, until, steps + 1)
    try:
        true = freedom.moved(x, v, times)
        pushed = Freedom(1.0, (*loads, Load(lambda t, x, v: NUDGE)), tuple(limits))
        off = pushed.moved(x + NUDGE * (x not in (low, high)), v + NUDGE * (v != 0.0), times)
    except TooFine:
        return []
    m, gauge = built(one, plane, x, v, weight)
    for k, put in enumerate(puts):
        m.force(put.force(gauge), f"f{k}")
    bounds = {"low": low * one.measure} if sides != 1 else {}
    bounds |= {"high": high * one.measure} if sides != 0 else {}
    m.event(Stop(gauge, restitution=e, **bounds), "stop")
    run = through(m.build(), door).simulate(until=until * one.time, steps=steps, method=method)
    wrong = compared(run, gauge.name, one, freedom, puts, times, true, off)
    if not wrong and rng.random() < 0.2:
        wrong = kept(run)
    return [f"{fault}: {said}" for fault in wrong]


def through(mechanism: kp.Mechanism, door: str) -> kp.Mechanism:
    """The mechanism after it went through a file, or a pickle."""
    if door == "pickle":
        again: kp.Mechanism = pickle.loads(pickle.dumps(mechanism))
        return again
    if door:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"model.{door}"
            mechanism.save(path)
            return kp.load(path)
    return mechanism


def kept(run: kp.Trajectory) -> list[str]:
    """What a file, or a pickle, changes of a trajectory."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.npz"
        run.save(path)
        for door, again in (
            ("file", kp.Trajectory.load(path)),
            ("pickle", pickle.loads(pickle.dumps(run))),
        ):
            if again.events != run.events:
                wrong.append(f"the {door} changes the events")
            if str(again.outcome) != str(run.outcome) or again.notes != run.notes:
                wrong.append(f"the {door} changes outcome or notes")
            here, there = run.columns(), again.columns()
            if list(here) != list(there):
                wrong.append(f"the {door} changes the columns {sorted(set(here) ^ set(there))}")
            wrong += [
                f"the {door} changes {name}"
                for name in here.keys() & there.keys()
                if not np.array_equal(here[name], there[name], equal_nan=True)
            ]
    return wrong


def compared(
    run: kp.Trajectory,
    name: str,
    one: Scale,
    freedom: Freedom,
    puts: list[Put],
    times: Array,
    true: Told,
    off: Told,
) -> list[str]:
    """What is wrong with a run."""
    fast = [hit for hit in true.hits if hit.kind == "impact" and hit.speed > FAST]
    also = [hit for hit in off.hits if hit.kind == "impact" and hit.speed > FAST]
    if [hit.which for hit in fast] != [hit.which for hit in also]:
        return []  # it grazes
    if not run.outcome.is_done:
        return [f"{run.outcome}"]
    if len(run) != len(times):
        return [f"{len(run)} samples"]
    wrong: list[str] = []
    shift = max([abs(a.t - b.t) for a, b in zip(fast, also, strict=True)], default=0.0)
    grown = max(float(np.abs(true.states - off.states).max()), shift) / NUDGE
    close = CLOSE * (1.0 + 0.02 * grown) * (GEAR if run.motion.recipe.method == "gear" else 1.0)
    near = np.array(
        [any(abs(hit.t - t) < 1e-4 + close for hit in true.hits if hit.t > 0) for t in times]
    )
    last = times[-1]
    x, v = true.states.T
    fastest = max(1.0, float(np.abs(v).max()), *[hit.speed for hit in fast] or [0.0])

    def differ(what: str, got: Array, due: Array, size: float, also_near: bool = False) -> None:
        error = np.abs(got - due) / max(size, 1e-300)
        if not also_near:
            error = error[~near]
        if len(error) and not error.max() <= close:
            wrong.append(
                f"{what} is off by {error.max():.2g} of {size:.3g} (errors grow {grown:.2g} times)"
            )

    reading: Any = run[name]
    differ("place", reading.values / one.measure, x, max(1.0, float(np.abs(x).max())), True)
    differ("rate", reading.rate / one.rate, v, fastest)
    states = list(zip(times, x, v, strict=True))
    sizes = [max(abs(put.load.force(*s)) for s in states) for put in puts]
    efforts = 1.0 + sum(sizes)
    for k, put in enumerate(puts):
        due = np.array([put.load.force(*s) for s in states])
        allowed = efforts * 30 + fastest * steepest(put.load.force, states)
        differ(f"f{k}.effort", run[f"f{k}.effort"].values / one.effort, due, allowed)
        power = np.array([put.load.force(*s) * s[2] for s in states])
        differ(
            f"f{k}.power",
            run[f"f{k}.power"].values * one.time / one.energy,
            power,
            allowed * fastest,
        )
    rests = np.array([held is not None for held in true.resting])
    differ(
        "stop.effort",
        run["stop.effort"].values / one.effort,
        np.where(rests, true.held, 0.0),
        efforts * 30,
    )
    potential = np.array(
        [sum(load.stored(s[1]) for load in freedom.loads if load.stored) for s in states]
    )
    kinetic = 0.5 * v**2
    most = max(1.0, float(kinetic.max()), 0.5 * fastest**2, float(np.abs(potential).max()))
    differ("kinetic", run.energy.kinetic / one.energy, kinetic, most)
    differ(
        "potential",
        (run.energy.potential - run.energy.potential[0]) / one.energy,
        potential - potential[0],
        most,
    )
    total = run.energy.total / one.energy
    differ("total", total, np.full(len(total), total[0]), most, True)
    if abs(run.energy.dissipated[0]) > 1e-12 * most and not true.hits:
        wrong.append(f"dissipated begins with {run.energy.dissipated[0]}")
    wrong += events_compared(run, one, freedom, true, fast, fastest, close, float(last))
    return wrong


def steepest(force: Any, states: list[tuple[float, float, float]]) -> float:
    """How fast a force changes with the rate, at most: as much as the rate's error shows in it."""
    d = 1e-6
    return max(abs(force(t, x, v + d) - force(t, x, v - d)) / (2 * d) for t, x, v in states)


def events_compared(
    run: kp.Trajectory,
    one: Scale,
    freedom: Freedom,
    true: Told,
    fast: list[Hit],
    fastest: float,
    close: float,
    last: float,
) -> list[str]:
    """What is wrong with the list of events."""
    wrong = []
    got = [e for e in run.events if e.kind == "impact" and e.speed > FAST * one.rate]
    due = fast
    if due and abs(due[-1].t - last) < 1e-5:
        due, got = due[:-1], [e for e in got if abs(e.t / one.time - last) > 2e-5]
    if len(got) != len(due) and not any(abs(hit.speed - FAST) < 1e-4 for hit in true.hits):
        return [f"{len(got)} impacts instead of {len(due)}"]
    for e, hit in zip(got, due, strict=False):
        limit = freedom.limits[hit.which]
        side = "high" if limit.side > 0 else "low"
        lost = 0.5 * (1.0 - limit.restitution**2) * hit.speed**2
        impulse = (1.0 + limit.restitution) * hit.speed
        if e.direction != side or e.name != "stop":
            wrong.append(f"impact on {e.name} {e.direction} instead of {side}")
        for what, is_, should, size in (
            ("moment", e.t / one.time, hit.t, max(1.0, last)),
            ("speed", e.speed / one.rate, hit.speed, fastest),
            ("lost", e.lost / one.energy, lost, fastest**2),
            ("impulse", abs(e.impulse) / one.effort / one.time, impulse, fastest),
        ):
            if not abs(is_ - should) <= 3 * close * size:
                wrong.append(
                    f"{what} of impact at {hit.t:.6g} is {is_:.9g} instead of {should:.9g}"
                )
    kinds = [(e.kind, e.direction) for e in run.events if e.kind != "impact"]
    wanted = [
        (hit.kind, "high" if freedom.limits[hit.which].side > 0 else "low")
        for hit in true.hits
        if hit.kind != "impact"
    ]
    ends = [hit for hit in true.hits if hit.kind != "impact" and abs(hit.t - last) < 1e-3]
    if kinds != wanted and not ends:
        wrong.append(f"contacts {kinds} instead of {wanted}")
    return wrong
