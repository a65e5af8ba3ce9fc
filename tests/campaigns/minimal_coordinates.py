"""Promise: `simulate` moves a machine as mechanics says, whatever its size, mass and weight.

A pendulum, a double pendulum, a slider-crank, a free body that tumbles about a point beside its
centre of mass, a pendulum on a ball joint: of 1e-9 to 1e9 m and kg, under 1e-3 to 1e3 m/s^2, with
parts that are thin, and heavy or light beside the others. Positions, rates, the reaction of the
pendulum's hinge and the balance of energies are compared, and the run is `Done`.

Oracle: the equations of motion in minimal coordinates, written down by hand in lengths, masses and
times of the machine itself, and integrated by SciPy's DOP853: it never sees the scale. A second run
from a start that is off by 1e-9 says how much a small error grows.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import kempe as kp
from kempe.joints import Spherical

FloatArray = NDArray[np.float64]
Read = tuple[float, Callable[[FloatArray], FloatArray]]  # what one is in SI; values by the states

CASES = 10
SAMPLES = 30
TOLERANCE = 1e-10
STRICT = 1e-12  # of the oracle
NUDGE = 1e-9
CLOSE = 1e-7  # beside the largest value, times how much errors grow
DRIFT = 1e-6  # of the largest kinetic energy


class Units(NamedTuple):
    """What the machine calls one: a length, a mass and its weight's acceleration."""

    length: float  # m
    mass: float  # kg
    gravity: float  # m/s^2

    @property
    def time(self) -> float:
        return math.sqrt(self.length / self.gravity)

    @property
    def force(self) -> float:
        return self.mass * self.gravity

    def inertia(self, mass: float, centre: FloatArray, moments: FloatArray) -> kp.Inertia:
        """An inertia that is written in these units."""
        tensor = np.diag(moments) * self.mass * self.length**2
        return kp.Inertia(mass * self.mass, centre * self.length, tensor)


class Problem(NamedTuple):
    """One machine, and what is known of its motion in units of its own."""

    said: str
    mechanism: kp.Mechanism
    until: float
    start: FloatArray
    rates: Callable[[float, FloatArray], FloatArray]
    reads: dict[str, Read]


def along(length: float) -> FloatArray:
    """A place on a bar."""
    return np.array([length, 0.0, 0.0])


def angle_and_rate(name: str, one: Units) -> dict[str, Read]:
    """An angle that is the first of two states, and its rate, the second."""
    return {name: (1.0, lambda y: y[0]), f"{name}.rate": (1.0 / one.time, lambda y: y[1])}


def pendulum(rng: np.random.Generator, one: Units) -> Problem:
    """(k^2 + c^2) a'' = -c cos a, and the force in the hinge by Newton's law."""
    c = float(rng.uniform(0.1, 1.2))
    k = c * float(10.0 ** rng.uniform(-3.0, 0.3))
    a, w = float(rng.uniform(-3, 3)), float(3 * rng.normal())
    m = kp.Builder("pendulum", plane=True, gravity=(0, -one.gravity))
    inertia = one.inertia(1.0, along(c), np.full(3, k * k))
    arm = m.bar("arm", one.length, angle=a, inertia=inertia, spin=w / one.time)
    m.revolute(m.ground.at(0, 0), arm.start, name="hinge")

    def turned(angle: FloatArray) -> FloatArray:
        return -c * np.cos(angle) / (k * k + c * c)

    def rates(_t: float, y: FloatArray) -> FloatArray:
        return np.array([y[1], turned(y[0])])

    def force(y: FloatArray) -> FloatArray:
        sin, cos, turn = np.sin(y[0]), np.cos(y[0]), turned(y[0])
        across, inward = c * turn, c * y[1] ** 2
        return np.stack([-across * sin - inward * cos, across * cos - inward * sin + 1.0], axis=1)

    reads: dict[str, Read] = {
        **angle_and_rate("arm.angle", one),
        "hinge.force": (one.force, force),
    }
    said = f"pendulum, centre {c!r}, radius of gyration {k!r}, from {a!r} at {w!r}"
    return Problem(said, m.build(), 6.0, np.array([a, w]), rates, reads)


def double_pendulum(rng: np.random.Generator, one: Units) -> Problem:
    """Two rods, the second up to a million times as heavy or as light as the first, or thin."""
    b, mass = float(10.0 ** rng.uniform(-1, 1)), float(10.0 ** rng.uniform(-6, 6))
    thin = float(10.0 ** rng.uniform(-3, 0)) * mass * b * b / 12.0
    start = rng.uniform(-3, 3, 2)
    m = kp.Builder("double pendulum", plane=True, gravity=(0, -one.gravity))
    upper = one.inertia(1.0, along(0.5), np.full(3, 1 / 12))
    lower = one.inertia(mass, along(b / 2), np.full(3, thin))
    first = m.bar("first", one.length, angle=float(start[0]), inertia=upper)
    second = m.bar("second", b * one.length, angle=float(start[1]), inertia=lower)
    m.revolute(m.ground.at(0, 0), first.start)
    m.revolute(first.end, second.start)

    def rates(_t: float, y: FloatArray) -> FloatArray:
        p, q, u, v = y
        tie, twist = mass * b / 2 * math.cos(p - q), mass * b / 2 * math.sin(p - q)
        matrix = np.array([[1 / 3 + mass, tie], [tie, thin + mass * b * b / 4]])
        pull = [-(0.5 + mass) * math.cos(p), -mass * b / 2 * math.cos(q)]
        turn = np.linalg.solve(matrix, pull + np.array([-twist * v * v, twist * u * u]))
        return np.array([u, v, *turn])

    reads: dict[str, Read] = {
        "first.angle": (1.0, lambda y: y[0]),
        "second.angle": (1.0, lambda y: y[1]),
        "first.angle.rate": (1.0 / one.time, lambda y: y[2]),
        "second.angle.rate": (1.0 / one.time, lambda y: y[3]),
    }
    said = f"double pendulum, second {b!r} long, {mass!r} heavy, moment {thin!r}, from {start}"
    until = 1.2 * math.sqrt(max(1.0, b))
    return Problem(said, m.build(), until, np.array([*start, 0.0, 0.0]), rates, reads)


def slider_crank(rng: np.random.Generator, one: Units) -> Problem:
    """M(a) a'' + M'(a) a'^2 / 2 = Q(a) for crank, rod and slider of any masses."""
    rod, masses = float(rng.uniform(1.05, 8.0)), 10.0 ** rng.uniform(-3, 3, 3)
    crank_mass, rod_mass, slider_mass = (float(x) for x in masses)
    a, w = float(rng.uniform(0.3, 2.8)), float(rng.uniform(2, 6))
    m = kp.Builder("slider-crank", plane=True, gravity=(0, -one.gravity))
    lean = -math.asin(math.sin(a) / rod)
    first = one.inertia(crank_mass, along(0.5), np.full(3, crank_mass / 12))
    second = one.inertia(rod_mass, along(rod / 2), np.full(3, rod_mass * rod**2 / 12))
    third = one.inertia(slider_mass, np.zeros(3), np.full(3, 0.01 * slider_mass))
    crank = m.bar("crank", one.length, at=(0, 0), angle=a, inertia=first)
    link = m.bar("rod", rod * one.length, angle=lean, inertia=second)
    ahead = (math.cos(a) + rod * math.cos(lean)) * one.length
    slider = m.body("slider", at=(ahead, 0), inertia=third)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, link.start)
    m.revolute(link.end, slider.at(0, 0))
    m.prismatic(m.ground.at(0, 0), slider.at(0, 0))
    m.rate(crank.angle, w / one.time)

    def rates(_t: float, y: FloatArray) -> FloatArray:
        sin, cos = math.sin(y[0]), math.cos(y[0])
        tilt = -math.asin(sin / rod)
        s, c = math.sin(tilt), math.cos(tilt)
        d = -cos / rod / c  # of the rod's angle by the crank's, and once more
        dd = (sin / rod + s * d * d) / c
        half = rod / 2
        middle = np.array([-sin - half * s * d, cos + half * c * d])
        bent = np.array([-cos - half * (c * d * d + s * dd), -sin + half * (c * dd - s * d * d)])
        pushed, bent_push = -sin - rod * s * d, -cos - rod * (c * d * d + s * dd)
        spin = rod_mass * rod**2 / 12
        M = crank_mass / 3 + rod_mass * middle @ middle + spin * d * d + slider_mass * pushed**2
        change = rod_mass * middle @ bent + spin * d * dd + slider_mass * pushed * bent_push
        weight = -crank_mass / 2 * cos - rod_mass * middle[1]
        return np.array([y[1], (weight - change * y[1] ** 2) / M])

    def place(y: FloatArray) -> FloatArray:
        return np.asarray(np.cos(y[0]) + np.sqrt(rod**2 - np.sin(y[0]) ** 2))

    reads: dict[str, Read] = {
        **angle_and_rate("crank.angle", one),
        "slider.x": (one.length, place),
    }
    said = f"slider-crank, rod {rod!r}, masses {masses}, from {a!r} at {w!r}"
    return Problem(said, m.build(), 1.0, np.array([a, w]), rates, reads)


def tumbling_body(rng: np.random.Generator, one: Units) -> Problem:
    """Euler's equations; the centre of mass, beside the body's origin or in it, stands still."""
    x = 10.0 ** rng.uniform(-2, 0, 3)
    moments = x.sum() - x
    spin = rng.normal(size=3)
    centre = rng.normal(size=3) * float(rng.integers(2))
    tip = rng.normal(size=3)
    m = kp.Builder("body")
    m.body(
        "body",
        at=tuple(-centre * one.length),
        rotation=kp.Rotation.identity(),
        points={"P": tuple(tip * one.length)},
        inertia=one.inertia(1.0, centre, moments),
        spin=tuple(spin / one.time),
        velocity=tuple(-np.cross(spin, centre) * one.length / one.time),
    )

    def rates(_t: float, y: FloatArray) -> FloatArray:
        axes, w = y[:9].reshape(3, 3), y[9:]  # axes as the ground sees them, spin as the body does
        turning = np.cross(w, axes)  # row by row: each axis of the ground turns back in the body
        return np.array([*-turning.ravel(), *(np.cross(moments * w, w) / moments)])

    def world(y: FloatArray, vector: FloatArray) -> FloatArray:
        return np.asarray(np.einsum("ijn,jn->ni", y[:9].reshape(3, 3, -1), vector))

    def placed(point: FloatArray) -> Callable[[FloatArray], FloatArray]:
        return lambda y: world(y, np.outer(point - centre, np.ones(y.shape[1])))

    reads: dict[str, Read] = {
        "body": (one.length, placed(np.zeros(3))),
        "body.P": (one.length, placed(tip)),
        "body.angular_velocity": (1.0 / one.time, lambda y: world(y, y[9:])),
    }
    said = f"free body, moments {moments}, centre {centre}, point {tip}, spin {spin}"
    start = np.array([*np.eye(3).ravel(), *spin])
    return Problem(said, m.build(), 5.0, start, rates, reads)


def ball_pendulum(rng: np.random.Generator, one: Units) -> Problem:
    """A body with one moment k about all axes: n'' = (f - n n.f) / (1 + k) - n n'^2."""
    n = rng.normal(size=3)
    n /= np.linalg.norm(n)
    v = rng.normal(size=3)
    v -= n * (v @ n)
    k = float(10.0 ** rng.uniform(-9, -1))
    m = kp.Builder("ball pendulum", gravity=(0, 0, -one.gravity))
    body = m.body(
        "bob",
        at=(0, 0, 0),
        rotation=kp.Rotation.identity(),
        points={"P": tuple(n * one.length)},
        inertia=one.inertia(1.0, n, np.full(3, k)),
        spin=tuple(np.cross(n, v) / one.time),
    )
    m.add(Spherical(m.ground.at(0, 0, 0), body.at(0, 0, 0)), "ball")

    def rates(_t: float, y: FloatArray) -> FloatArray:
        at, to = y[:3], y[3:]
        weight = np.array([0.0, 0.0, -1.0]) / (1.0 + k)
        return np.array([*to, *(weight - at * (weight @ at) - at * (to @ to))])

    reads: dict[str, Read] = {"bob.P": (one.length, lambda y: y[:3].T)}
    said = f"ball pendulum, moment {k!r}, from {n} at {v}"
    return Problem(said, m.build(), 5.0, np.array([*n, *v]), rates, reads)


PROBLEMS = (pendulum, double_pendulum, slider_crank, tumbling_body, ball_pendulum)


def attempt(rng: np.random.Generator) -> list[str]:
    """One machine in units of its own, simulated."""
    length, mass = (float(x) for x in 10.0 ** rng.uniform(-9, 9, 2))
    one = Units(length, mass, float(10.0 ** rng.uniform(-3, 3)))
    problem = PROBLEMS[int(rng.integers(len(PROBLEMS)))](rng, one)
    case = f"{problem.said}, in {one}"
    until = problem.until * one.time
    run = problem.mechanism.simulate(until=until, steps=SAMPLES, tolerance=TOLERANCE)
    if not run.outcome.is_done:
        return [f"{run.outcome}: {case}"]
    true = integrated(problem, problem.start)
    moved = integrated(problem, problem.start + NUDGE * rng.normal(size=len(problem.start)))
    growth = max(1.0, float(np.abs(moved - true).max()) / NUDGE)
    wrong = []
    for name, (unit, read) in problem.reads.items():
        due, got = read(true), sampled(run, name) / unit
        off = float(np.abs(got - due).max()) / max(1.0, float(np.abs(due).max()))
        if not off <= CLOSE * growth:
            wrong.append(f"{name} is off by {off:.2g}, errors grow {growth:.2g} times: {case}")
    drift = float(np.ptp(run.energy.total)) / float(run.energy.kinetic.max())
    if not drift <= DRIFT * growth:
        wrong.append(f"the energy drifts by {drift:.2g} of the largest kinetic one: {case}")
    return wrong


def sampled(run: kp.Trajectory, name: str) -> FloatArray:
    """Positions of a point, or values of whatever else has this name."""
    found: Any = run[name]
    return np.asarray(found.position if hasattr(found, "position") else found.values)


def integrated(problem: Problem, start: FloatArray) -> FloatArray:
    """States at the samples, one a column."""
    t = np.linspace(0.0, problem.until, SAMPLES + 1)
    found = solve_ivp(
        problem.rates, (0, t[-1]), start, method="DOP853", t_eval=t, rtol=STRICT, atol=STRICT / 10
    )
    return np.asarray(found.y)
