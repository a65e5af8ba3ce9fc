"""Promise: forces that change over, on and between bodies that fly freely, move them as they say.

One to three bodies in the plane, each on a spring to the ground, with up to three more forces that
change over: ropes and buffers (`LineSpring` one way, damped or not) to the ground or between two
bodies, tables of place and of time beyond their ends, own force classes with `kp.where` that bend
(a soft round obstacle) or jump (a wind beyond an edge, for a while), and callbacks with corners.

Oracle: SciPy's DOP853 on Newton's law in the bodies' own coordinates, with steps of 5 ms at most
and a tolerance a hundred times as strict, so that steps shrink at a switch by themselves. Runs from
starts that are off to either side, by 1e-8 and by 1e-5, say how much an error grows: one that just
misses an edge grows on one side only, and only from some size on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

import kempe as kp
from kempe.drives import Table
from kempe.forces import (
    AbstractForce,
    Acting,
    Action,
    Actuator,
    Callback,
    LineSpring,
    NonlinearSpring,
)
from kempe.geometry import Vector, Wrench

FloatArray = NDArray[np.float64]
# Adds to the forces (n, 2) what acts at a time, at places (n, 2) and velocities (n, 2).
Law = Callable[[float, FloatArray, FloatArray, FloatArray], None]

CASES = 4  # about a second each
UNTIL, SAMPLES = 2.0, 40
STRICT = 1e-10  # of the oracle: a hundredth of kempe's tolerance
NUDGE = 1e-8  # m, as large as kempe's error of a step
SHOVE = 1e-5  # m, as large as kempe's error after a corner inside a Python function
GROWN = 300  # nudges: that many steps at most have an error of their own
EXACT = 1e-6  # m and m/s, where nothing grows
DRIFT = 2e-5  # of the largest kinetic energy


@final
@dataclass(frozen=True)
class Obstacle(AbstractForce):
    """A soft disc: f = k (r - d) (p - c) / d - b (r - d) v where d = |p - c| < r, else nothing."""

    at: kp.Marker
    cx: float  # m
    cy: float  # m
    r: float  # m
    k: float  # N/m
    b: float  # N s/m^2

    def action(self, now: Any) -> Action:
        p, v = now.X[0].position, now.V[0].v
        dx, dy = p[0] - self.cx, p[1] - self.cy
        d = kp.sqrt(dx * dx + dy * dy + 1e-30)
        depth = kp.where(d < self.r, self.r - d, 0.0)
        push, drag = self.k * depth / d, -self.b * depth
        return Action.on(
            Wrench(
                Vector(push * dx + drag * v[0], push * dy + drag * v[1], 0.0),
                Vector(0.0, 0.0, 0.0),
            )
        )


@final
@dataclass(frozen=True)
class Wind(AbstractForce):
    """A force along y beyond an edge, x > edge, until it dies down: it jumps."""

    at: kp.Marker
    edge: float  # m
    blows: float  # N
    until: float  # s

    def action(self, now: Any) -> Action:
        beyond = kp.where(now.X[0].position[0] > self.edge, self.blows, 0.0)
        force = Vector(0.0, kp.where(now.t < self.until, beyond, 0.0), 0.0)
        return Action.on(Wrench(force, Vector(0.0, 0.0, 0.0)))


@dataclass
class Yard:
    """The bodies of one case, and their laws as the oracle sees them."""

    m: kp.Builder
    bodies: list[Any]
    laws: list[Law]
    words: list[str]  # what it takes to build the case


def line_spring(rng: np.random.Generator, yard: Yard, i: int, name: str) -> None:
    """A rope or a buffer, from the ground or from another body."""
    j = int(rng.integers(-1, len(yard.bodies)))
    j = -1 if j == i else j
    anchor = rng.uniform(-1, 1, 2)
    k, free = float(10 ** rng.uniform(1, 4)), float(rng.uniform(0.3, 1.2))
    c = float(rng.choice([0.0, rng.uniform(0, 10)]))
    is_rope = bool(rng.integers(2))
    sign = 1 if is_rope else -1
    start = yard.m.ground.at(*anchor) if j < 0 else yard.bodies[j].at(0, 0)
    acting = Acting.TENSION if is_rope else Acting.COMPRESSION
    spring = LineSpring(start, yard.bodies[i].at(0, 0), k, c, free, acting=acting)
    yard.m.force(spring, name)

    def law(_t: float, p: FloatArray, v: FloatArray, f: FloatArray) -> None:
        d = p[i] - (anchor if j < 0 else p[j])
        length = float(np.hypot(*d))
        along = d / length
        pull = k * (length - free) + c * float(along @ (v[i] - (0.0 if j < 0 else v[j])))
        if sign * (length - free) > 0 and sign * pull > 0:
            f[i] -= pull * along
            if j >= 0:
                f[j] += pull * along

    yard.laws.append(law)
    yard.words.append(f"{acting} on {i} from {j} or {anchor}: {k}, {c}, {free}")


def obstacle(rng: np.random.Generator, yard: Yard, i: int, name: str) -> None:
    """A soft disc that one body meets."""
    centre, r = rng.uniform(-1, 1, 2), float(rng.uniform(0.2, 0.8))
    k, b = float(10 ** rng.uniform(1, 3.5)), float(rng.choice([0.0, rng.uniform(0, 20)]))
    cx, cy = float(centre[0]), float(centre[1])
    yard.m.force(Obstacle(yard.bodies[i].at(0, 0), cx, cy, r, k, b), name)

    def law(_t: float, p: FloatArray, v: FloatArray, f: FloatArray) -> None:
        d = p[i] - centre
        length = float(np.hypot(*d))
        if length < r:
            f[i] += (r - length) * (k * d / length - b * v[i])

    yard.laws.append(law)
    yard.words.append(f"obstacle for {i}: {cx}, {cy}, {r}, {k}, {b}")


def wind(rng: np.random.Generator, yard: Yard, i: int, name: str) -> None:
    """A force that jumps in place and in time."""
    edge, blows, until = rng.uniform([-0.5, -30, 0.1], [0.5, 30, UNTIL]).tolist()
    yard.m.force(Wind(yard.bodies[i].at(0, 0), edge, blows, until), name)

    def law(t: float, p: FloatArray, _v: FloatArray, f: FloatArray) -> None:
        if p[i, 0] > edge and t < until:
            f[i, 1] += blows

    yard.laws.append(law)
    yard.words.append(f"wind on {i}: {edge}, {blows}, {until}")


def table(rng: np.random.Generator, yard: Yard, i: int, name: str) -> None:
    """A spline of place, along x, or of time, along y; held at its ends beyond them."""
    is_of_time = bool(rng.integers(2))
    at = np.cumsum(rng.uniform(0.1, 0.5, 5)) - (0.0 if is_of_time else 1.0)
    value = rng.uniform(-20, 20, 5)
    points = tuple((float(a), float(b)) for a, b in zip(at, value, strict=True))
    body = yard.bodies[i]
    if is_of_time:
        yard.m.force(Actuator(body.y, Table(points)), name)
    else:
        yard.m.force(NonlinearSpring(body.x, Table(points)), name)
    curve = CubicSpline(at, value)  # not-a-knot, as the table says

    def law(t: float, p: FloatArray, _v: FloatArray, f: FloatArray) -> None:
        here = float(curve(np.clip(t if is_of_time else p[i, 0], at[0], at[-1])))
        if is_of_time:
            f[i, 1] += here
        else:
            f[i, 0] -= here

    yard.laws.append(law)
    yard.words.append(f"table of {'time' if is_of_time else 'place'} on {i}: {points}")


def corners(rng: np.random.Generator, yard: Yard, i: int, name: str) -> None:
    """A Python function with corners, along x."""
    at, value = np.cumsum(rng.uniform(0.05, 0.5, 4)), rng.uniform(-15, 15, 4)

    def said(now: Any) -> float:
        return float(np.interp(abs(now.gauges[0].value), at, value))

    yard.m.force(Callback(said, along=yard.bodies[i].x), name)

    def law(_t: float, p: FloatArray, _v: FloatArray, f: FloatArray) -> None:
        f[i, 0] += float(np.interp(abs(p[i, 0]), at, value))

    yard.laws.append(law)
    yard.words.append(f"callback on {i}: {at.tolist()}, {value.tolist()}")


KINDS = (line_spring, obstacle, wind, table, corners)


def kept(rng: np.random.Generator, yard: Yard, i: int) -> None:
    """A spring to the ground, so that the body stays among the others."""
    k, anchor = float(rng.uniform(3, 30)), rng.uniform(-0.5, 0.5, 2)
    spring = LineSpring(yard.m.ground.at(*anchor), yard.bodies[i].at(0, 0), stiffness=k)
    yard.m.force(spring, f"keep{i}")

    def law(_t: float, p: FloatArray, _v: FloatArray, f: FloatArray) -> None:
        f[i] -= k * (p[i] - anchor)

    yard.laws.append(law)
    yard.words.append(f"{i} kept by {k} at {anchor}")


def attempt(rng: np.random.Generator) -> list[str]:
    """What is wrong in one random case, a sentence each, with what it takes to build the case."""
    n, g = int(rng.integers(1, 4)), float(rng.choice([0.0, 1.6, 9.81]))
    mass, p0, v0 = rng.uniform(0.3, 5, n), rng.uniform(-1, 1, (n, 2)), rng.uniform(-2, 2, (n, 2))
    m = kp.Builder("yard", plane=True, gravity=(0, -g))
    bodies = [
        m.body(
            f"b{i}",
            at=p0[i].tolist(),
            angle=0.0,
            inertia=kp.Inertia(float(mass[i]), np.zeros(3), 0.5 * np.eye(3)),
            velocity=v0[i].tolist(),
            spin=0.0,
        )
        for i in range(n)
    ]
    yard = Yard(m, bodies, [], [f"n {n}, g {g}"])
    for i in range(n):
        kept(rng, yard, i)
    for number in range(int(rng.integers(1, 4))):
        kind = KINDS[int(rng.integers(len(KINDS)))]
        kind(rng, yard, int(rng.integers(n)), f"f{number}")
    run = m.build().simulate(until=UNTIL, steps=SAMPLES)
    case = "; ".join(yard.words)
    if not run.outcome.is_done:
        return [f"{run.outcome} in {case}"]

    def rates(t: float, state: FloatArray) -> FloatArray:
        p, v = state.reshape(2, n, 2)
        f = np.zeros((n, 2))
        f[:, 1] = -g * mass
        for law in yard.laws:
            law(t, p, v, f)
        return np.concatenate([v.ravel(), (f / mass[:, None]).ravel()])

    def oracle(nudge: float) -> FloatArray:
        start = np.concatenate([p0.ravel() + nudge, v0.ravel()])
        found = solve_ivp(
            rates,
            (0, UNTIL),
            start,
            method="DOP853",
            t_eval=run.t,
            rtol=STRICT,
            atol=STRICT,
            max_step=0.005,
        )
        return np.asarray(found.y)

    true = oracle(0.0)
    grown = {by: float(abs(oracle(by) - true).max()) for by in (NUDGE, -NUDGE, SHOVE, -SHOVE)}
    growth = max(much / abs(by) for by, much in grown.items())
    own = SHOVE if any(word.startswith("callback") for word in yard.words) else GROWN * NUDGE
    channels = [run[f"b{i}.{axis}"] for i in range(n) for axis in "xy"]
    got = np.array([c.values for c in channels] + [c.rate for c in channels])
    error, drift = float(abs(got - true).max()), float(np.ptp(run.energy.total))
    faults = []
    if error > EXACT + own * growth:
        faults.append(f"off by {error:.2e} where errors grow {growth:.1f} times: {case}")
    if drift > DRIFT * max(float(run.energy.kinetic.max()), 1e-3):
        faults.append(f"the energies are off by {drift:.2e} J: {case}")
    return faults
