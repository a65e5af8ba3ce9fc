"""Promise: what rolls or glides on a blade moves as its equations say, of any size.

Three kinds. A ball of any moment on a plane that lies askew and turns about its own normal, evenly
or ever faster; a sleigh on a knife edge, its weight beside the blade; a wheel in the plane on a
slope, for up to thousands of turns. Some start with slip that was asked for and cannot be: the
velocities are then the nearest by mass, and the notes say so. Some go through a file.
Places, velocities, angles, what holds the ball, and the balance of energies are compared.

Oracle: the equations of two (ball), five (sleigh) and one unknowns, by SciPy or closed form, in the
machine's own units of length, mass and time.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import kempe as kp
from kempe.drives import TextFormula
from kempe.joints import KnifeEdge, RollingSphere
from tests.campaigns._round_trip import perhaps_reread

Array = NDArray[np.float64]

CASES = 12
STRICT = 1e-12
METHODS = ("auto", "dop853", "tsit5", "rodas5p", "gear")
MANY_TURNS = METHODS[:4]  # thousands of them: errors of backward differences add up with each
NEAR = {"gear": 3e-5}  # beside the way, after some units of time; others 3e-7
BALANCED = 1e-4
SAMPLES = 12


class Units(NamedTuple):
    """One of the machine's own units, in SI."""

    length: float
    mass: float
    time: float


def attempt(rng: np.random.Generator) -> list[str]:
    """One thing that rolls."""
    wide = int(rng.integers(0, 2))
    powers = 10.0 ** (wide * rng.uniform((-3, -4, -2), (3, 4, 2)))
    units = Units(*(float(p) for p in powers))
    kind = [ball, sleigh, wheel][int(rng.integers(0, 3))]
    return [f"{kind.__name__} {units}: {fault}" for fault in kind(rng, units)]


def ran(
    rng: np.random.Generator,
    mechanism: kp.Mechanism,
    until: float,
    methods: tuple[str, ...] = METHODS,
) -> tuple[Any, float]:
    """A run by one of the methods, and how near it should be."""
    method = str(rng.choice(methods))
    run = perhaps_reread(rng, mechanism).simulate(
        until=until, steps=SAMPLES, method=method, tolerance=1e-9
    )
    return run, NEAR.get(method, 3e-7)


def compared(name: str, got: Array, due: Array, near: float) -> list[str]:
    """A sentence where they differ by more than `near` of the largest."""
    off = float(np.max(np.abs(got - due))) / float(np.max(np.abs(due)) + 1e-300)
    return [] if off <= near else [f"{name} is off by {off:.1e} of its largest"]


def ended(run: Any) -> list[str]:
    """What the outcome and the energies say."""
    if run.outcome.name != "Done":
        return [f"{run.outcome}"]
    most = float(np.max(np.abs(run.energy.kinetic)) + np.max(np.abs(run.energy.driven)))
    off = float(np.ptp(run.energy.total)) / (most + 1e-300)
    return [] if off <= BALANCED else [f"the energies are off by {off:.1e} of the largest"]


@dataclass(frozen=True)
class Ball:
    """A ball on a plane through the origin that turns about its normal n, in the machine's units.

    v' = (k u' + g_t) / (1 + k), k = I / (m r^2), u the plane's own velocity below the ball
    """

    n: Array
    k: float
    r: float
    turning: float  # of the plane, at first
    faster: float  # and by how much more a second
    g: Array
    p: Array
    v: Array
    pivoting: float  # spin about n, which nothing changes

    def under(self, t: float, p: Array) -> Array:
        """The velocity of the plane below p."""
        return np.asarray((self.turning + self.faster * t) * np.cross(self.n, p))

    def spin(self, t: float, p: Array, v: Array) -> Array:
        """The spin of one that does not slip."""
        rolls = np.cross(self.n, v - self.under(t, p)) / self.r
        return np.asarray(rolls + self.pivoting * self.n)

    def rates(self, t: float, y: Array) -> Array:
        """Of place and velocity."""
        p, v = y[:3], y[3:]
        u = self.faster * np.cross(self.n, p) + self.under(t, v)
        along = self.g - (self.g @ self.n) * self.n
        return np.concatenate([v, (self.k * u + along) / (1 + self.k)])

    def built(self, units: Units) -> kp.Mechanism:
        """The same in SI."""
        length, mass, time = units
        facing = tuple(float(x) for x in self.n)
        m = kp.Builder("table", gravity=tuple(self.g * length / time**2))
        heavy = kp.Inertia(mass, (0, 0, 0), mass * length**2 * np.eye(3))
        table = m.body("table", at=(0, 0, 0), inertia=heavy)
        plane = table.at(0, 0, 0).facing(facing)
        axle = m.revolute(m.ground.at(0, 0, 0).facing(facing), plane, name="axle")
        law = (self.turning / time, self.faster / time**2)
        m.drive(axle.angle, TextFormula("w * t + a * t^2 / 2", ("w", "a"), law))
        moment = self.k * mass * (self.r * length) ** 2 * np.eye(3)
        thing = m.body(
            "ball",
            at=tuple(self.p * length),
            inertia=kp.Inertia(mass, (0, 0, 0), moment),
            velocity=tuple(self.v * length / time),
            spin=tuple(self.spin(0.0, self.p, self.v) / time),
        )
        m.add(RollingSphere(plane, thing.at(0, 0, 0), radius=self.r * length), name="roll")
        return m.build()


def any_ball(rng: np.random.Generator) -> Ball:
    """A ball that does not slip, with weight or without."""
    n = np.array([*rng.uniform(-0.6, 0.6, 2), 1.0])
    n /= np.linalg.norm(n)
    k, r, turning, pivoting = (
        float(x) for x in rng.uniform((0.05, 0.05, -3, -3), (1.5, 0.5, 3, 3))
    )
    p, v = rng.uniform(-1, 1, (2, 3))
    return Ball(
        n,
        k,
        r,
        turning,
        float(rng.choice([0.0, rng.uniform(-1, 1)])),
        np.array([*rng.uniform(-1, 1, 2), -5.0]) * int(rng.integers(0, 2)),
        p - (p @ n - r) * n,
        v - (v @ n) * n,
        pivoting,
    )


def ball(rng: np.random.Generator, units: Units) -> list[str]:
    """Place, velocity, spin and force of a ball."""
    one, until = any_ball(rng), float(rng.uniform(0.5, 4))
    length, mass, time = units
    run, near = ran(rng, one.built(units), until * time)
    faults = ended(run)
    if run.outcome.name != "Done":
        return [f"{fault}; {one} {until=}" for fault in faults]
    told = solved(one.rates, np.concatenate([one.p, one.v]), until)
    p, v = told[:, :3], told[:, 3:]
    times = np.linspace(0, until, SAMPLES + 1)
    a = np.array([one.rates(t, y)[3:] for t, y in zip(times, told, strict=True)])
    spin = np.array([one.spin(t, y[:3], y[3:]) for t, y in zip(times, told, strict=True)])
    faults += compared("the place", run["ball"].position / length, p, near)
    faults += compared("the velocity", run["ball"].velocity * time / length, v, 3 * near)
    faults += compared("the spin", run["ball.angular_velocity"].values * time, spin, 10 * near)
    held = run["roll.force"].values * time**2 / (mass * length)
    faults += compared("the force", held, a - one.g, 1e3 * near) if np.any(a - one.g) else []
    return [f"{fault}; {one} {until=} {run.notes}" for fault in faults]


def solved(rates: Callable[[float, Array], Any], y: Array, until: float) -> Array:
    """y at all samples, by SciPy."""
    told = solve_ivp(
        rates,
        (0, until),
        y,
        method="DOP853",
        rtol=STRICT,
        atol=STRICT,
        t_eval=np.linspace(0, until, SAMPLES + 1),
    )
    return np.asarray(told.y.T)


def sleigh(rng: np.random.Generator, units: Units) -> list[str]:
    """Chaplygin: u' = l w^2, w' = -m l u w / (I + m l^2), blade at A, its weight l ahead."""
    l, I = float(rng.uniform(-1, 1)), float(rng.uniform(0.05, 1))
    u0, w0 = (float(x) for x in rng.uniform(-2, 2, 2))
    at, angle = rng.uniform(-2, 2, 2), float(rng.uniform(-3, 3))
    off, turn = rng.uniform(-1, 1, 2), float(rng.uniform(-3, 3))  # the blade, in the body
    length, mass, time = units

    def rates(t: float, y: Array) -> list[float]:
        _, _, th, u, w = y
        return [u * np.cos(th), u * np.sin(th), w, l * w * w, -l * u * w / (I + l * l)]

    until = float(rng.uniform(1, 6))
    head = angle + turn
    told = solved(rates, np.array([0.0, 0.0, head, u0, w0]), until)

    def body_at(y: Array) -> Array:
        c, s = np.cos(y[2] - turn), np.sin(y[2] - turn)
        return y[:2] - np.array([[c, -s], [s, c]]) @ off

    first = body_at(told[0])
    forward = np.array([np.cos(turn), np.sin(turn)])
    centre = (off + l * forward) * length
    c, s = np.cos(angle), np.sin(angle)
    arm = -(np.array([[c, -s], [s, c]]) @ off)  # from the blade to the body's origin
    v0 = u0 * np.array([np.cos(head), np.sin(head)]) + w0 * np.array([-arm[1], arm[0]])
    m = kp.Builder("sleigh", plane=True)
    tensor = np.diag([I, I, I]) * mass * length**2
    b = m.body(
        "sleigh",
        at=tuple((at + first) * length),
        angle=angle,
        inertia=kp.Inertia(mass, (*(float(x) for x in centre), 0.0), tensor),
        velocity=tuple(v0 * length / time),
        spin=w0 / time,
    )
    m.add(KnifeEdge(m.ground.at(0, 0), b.at(*(off * length)).turned(turn)), name="blade")
    run, near = ran(rng, m.build(), until * time)
    faults = ended(run)
    if run.outcome.name != "Done":
        return faults
    due = np.array([body_at(y) for y in told]) - first
    got = run["sleigh"].position[:, :2] / length - (at + first)
    faults += compared("the way", got, due, 10 * near)
    faults += compared(
        "the angle", run["sleigh.angle"].values - angle, told[:, 2] - head, 10 * near
    )
    if run.notes:
        faults.append(f"it says {run.notes}")
    return [f"{x}; {l=} {I=} {u0=} {w0=} {at=} {angle=} {off=} {turn=} {until=}" for x in faults]


def wheel(rng: np.random.Generator, units: Units) -> list[str]:
    """A wheel on a slope s: x'' = -g sin s / (1 + k); an impulse takes out slip."""
    s, k = float(rng.uniform(-1.4, 1.4)), float(rng.uniform(0.05, 2))
    r, g = float(10.0 ** rng.uniform(-4, 0)), float(rng.uniform(0, 3))
    v0 = float(rng.uniform(-2, 2))
    slips = bool(rng.random() < 0.3)
    w0 = float(rng.uniform(-2, 2)) / r if slips else -v0 / r
    v1 = (v0 - k * r * w0) / (1 + k)  # momentum about the lowest point is kept
    way, normal = np.array([np.cos(s), np.sin(s)]), np.array([-np.sin(s), np.cos(s)])
    length, mass, time = units
    m = kp.Builder("wheel", plane=True, gravity=(0, -g * length / time**2))
    b = m.body(
        "wheel",
        at=tuple(r * normal * length),
        angle=0.0,
        inertia=kp.Inertia(mass, (0, 0, 0), k * mass * (r * length) ** 2 * np.eye(3)),
        velocity=tuple(v0 * way * length / time),
        spin=w0 / time,
    )
    ground = m.ground.at(0, 0).facing((float(normal[0]), float(normal[1]), 0.0))
    m.add(RollingSphere(ground, b.at(0, 0), radius=r * length), name="roll")
    until = float(rng.uniform(1, 4))
    methods = MANY_TURNS if min(r, r * length) < 0.1 else METHODS
    run, near = ran(rng, m.build(), until * time, methods)
    faults = ended(run)
    if run.outcome.name != "Done":
        return faults
    t = np.linspace(0, until, SAMPLES + 1)
    x = v1 * t - g * np.sin(s) / (1 + k) * t * t / 2
    place = (run["wheel"].position[:, :2] / length - r * normal) @ way
    faults += compared("the way", place, x, near)
    faults += compared("the angle", run["wheel.angle"].values, -x / r, near)
    if bool(run.notes) != (slips and abs(v0 + r * w0) > 1e-6):
        faults.append(f"it says {run.notes}")
    return [f"{fault}; {s=} {k=} {r=} {g=} {v0=} {w0=} {until=}" for fault in faults]
