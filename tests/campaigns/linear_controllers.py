"""Promise: controllers and other forces with states are integrated with the mechanism, exactly.

A slider or a hinge of any mass under one to three of `Pid` (with and without filter, limits that
are never reached), `StateFeedback`, `LinearSystem`, `FilteredActuator` of both orders, `DcMotor`
with lag and a spring, two of a kind included, by every method, some through a file. Places,
efforts, all states and the balance of energies are compared; where no law knows the time, so is a
run that goes on from the middle.

Oracle: all of it is one linear system of first order, with constant and sine as states of their
own: SciPy's matrix exponential.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm

import kempe as kp
from kempe.drives import Ramp, TextFormula
from kempe.drives.law import AbstractLaw
from kempe.forces import (
    DcMotor,
    FilteredActuator,
    LinearSystem,
    Pid,
    SpringDamper,
    StateFeedback,
)
from kempe.measures import Gauge
from tests.campaigns._round_trip import perhaps_reread

Array = NDArray[np.float64]

CASES = 15
SAMPLES = 20
NEAR = {"gear": 1e-4}  # beside the largest of its kind; others 1e-6
METHODS = ("auto", "dop853", "tsit5", "rodas5p", "gear")
MOST = 40  # unknowns
X, V, ONE, SINE, COSINE = range(5)


@dataclass
class Loop:
    """y' = A y of everything together, and rows that read something off y."""

    m: kp.Builder
    gauge: Gauge
    mass: float
    w: float  # of the sine, 1/s
    A: Array = field(default_factory=lambda: np.zeros((MOST, MOST)))
    used: int = 5
    reads: dict[str, Array] = field(default_factory=dict)
    knows_time: bool = False

    def row(self, **parts: float) -> Array:
        """A row by the names of the first unknowns."""
        row = np.zeros(MOST)
        for name, value in parts.items():
            row[{"x": X, "v": V, "one": ONE, "sine": SINE}[name]] += value
        return row

    def state(self, name: str, rate: Array) -> int:
        """A new unknown with the row of its rate, which may speak of it by its place."""
        k = self.used
        self.used += 1
        self.A[k] = rate
        self.reads[name] = np.eye(MOST)[k]
        return k

    def push(self, name: str, row: Array) -> None:
        """An effort along the measure."""
        self.A[V] += row / self.mass
        self.reads[f"{name}.effort"] = row


def attempt(rng: np.random.Generator) -> list[str]:
    """One freedom, a few forces with states."""
    mass = float(rng.uniform(0.5, 2) * 10.0 ** (rng.uniform(-5, 5) * int(rng.integers(0, 2))))
    turns = bool(rng.random() < 0.5)
    x0, v0 = (float(x) for x in rng.uniform(-1, 1, 2))
    m = kp.Builder("loop", plane=True)
    inertia = kp.Inertia(mass, (0, 0, 0), mass * np.eye(3))
    at, angle = ((0.0, 0.0), x0) if turns else ((x0, 0.0), 0.0)
    b = m.body("b", at=at, angle=angle, inertia=inertia)
    join = m.revolute if turns else m.prismatic
    j = join(m.ground.at(0, 0), b.at(0, 0), name="j")
    gauge = j.angle if turns else j.displacement
    m.rate(gauge, v0)
    loop = Loop(m, gauge, mass, float(rng.uniform(1, 5)))
    loop.A[X, V] = 1.0
    loop.A[SINE, COSINE], loop.A[COSINE, SINE] = loop.w, -loop.w
    makers = [pid, feedback, system, filtered, spring, *([motor] if turns else [])]
    for k in range(int(rng.integers(1, 4))):
        makers[int(rng.integers(0, len(makers)))](rng, loop, f"f{k}")
    y0 = np.zeros(MOST)
    y0[[X, V, ONE, COSINE]] = x0, v0, 1.0, 1.0
    return tried(rng, loop, y0, "j.angle" if turns else "j.displacement")


def law(rng: np.random.Generator, loop: Loop, size: float) -> tuple[AbstractLaw, float, float]:
    """a + b sin(w t), or a alone."""
    a, b = (float(x) * size for x in rng.uniform(-1, 1, 2))
    if rng.random() < 0.5:
        return Ramp(a), a, 0.0
    loop.knows_time = True
    return TextFormula("a + b * sin(w * t)", ("a", "b", "w"), (a, b, loop.w)), a, b


def pid(rng: np.random.Generator, loop: Loop, name: str) -> None:
    """f = P e + z - D d, z' = I e, d' = (x' - d) / T."""
    P, I, D = (float(x) * loop.mass for x in rng.uniform(0, (30, 20, 5)) * rng.integers(0, 2, 3))
    target, a, b = law(rng, loop, 1.0)
    T = float(10.0 ** rng.uniform(-2, 0)) if rng.random() < 0.5 else None
    wide = 1e9 * loop.mass if rng.random() < 0.3 else None
    low = None if wide is None else -wide
    follows = None if wide is None else 1.0
    servo = Pid(loop.gauge, target, P, I, D, T, low, wide, follows)
    loop.m.force(servo, name)
    error = loop.row(x=-1.0, one=a, sine=b)
    z = loop.state(f"{name}.integral", I * error)
    row = P * error
    row[z] = 1.0
    if T is None:
        row[V] -= D
    else:
        d = loop.state(f"{name}.slope", loop.row(v=1 / T))
        loop.A[d, d] = -1 / T
        row[d] -= D
    loop.push(name, row)


def feedback(rng: np.random.Generator, loop: Loop, name: str) -> None:
    """f = -(g (x - r) + h x'), the measure seen twice."""
    g, h, again = (float(x) * loop.mass for x in rng.uniform(0, (30, 5, 10)))
    r = float(rng.uniform(-1, 1))
    seen = (loop.gauge, loop.gauge)
    loop.m.force(StateFeedback(loop.gauge, seen, (g, again), (h, 0.0), (r, 0.0)), name)
    loop.push(name, loop.row(x=-g - again, v=-h, one=g * r))


def system(rng: np.random.Generator, loop: Loop, name: str) -> None:
    """f = C z + D u, z' = A z + B u, u = (x, x')."""
    k = int(rng.integers(1, 4))
    A, B = rng.uniform(-3, 3, (k, k)) - 4 * np.eye(k), rng.uniform(-2, 2, (k, 2))
    C, D = rng.uniform(-2, 2, (1, k)) * loop.mass, -rng.uniform(0, (10, 3), (1, 2)) * loop.mass
    loop.m.force(LinearSystem(loop.gauge, (loop.gauge,), A, B, C, D), name)
    row = loop.row(x=float(D[0, 0]), v=float(D[0, 1]))
    z = [
        loop.state(f"{name}.x{i + 1}", loop.row(x=float(B[i, 0]), v=float(B[i, 1])))
        for i in range(k)
    ]
    loop.A[np.ix_(z, z)] = A
    row[z] = C[0]
    loop.push(name, row)


def filtered(rng: np.random.Generator, loop: Loop, name: str) -> None:
    """f' = w (law - f), or f'' = w^2 (law - f) - 2 d w f'."""
    target, a, b = law(rng, loop, 3 * loop.mass)
    w = float(10.0 ** rng.uniform(-1, 1.5))
    d = float(rng.uniform(0.05, 2)) if rng.random() < 0.5 else None
    loop.m.force(FilteredActuator(loop.gauge, target, w, d), name)
    row = np.zeros(MOST)
    if d is None:
        s = loop.state(f"{name}.signal", loop.row(one=w * a, sine=w * b))
        loop.A[s, s] = -w
    else:
        s = loop.state(f"{name}.signal", np.zeros(MOST))
        slope = loop.state(f"{name}.slope", loop.row(one=w * w * a, sine=w * w * b))
        loop.A[s, slope] = 1.0
        loop.A[slope, [s, slope]] = -w * w, -2 * d * w
    row[s] = 1.0
    loop.push(name, row)


def motor(rng: np.random.Generator, loop: Loop, name: str) -> None:
    """T' = (stall (u - i w / no_load) - T) / lag, f = i T."""
    i, stall = float(10.0 ** rng.uniform(-1, 1)), float(rng.uniform(1, 5)) * loop.mass
    no_load, lag = float(rng.uniform(0.5, 5)), float(10.0 ** rng.uniform(-2, 0))
    supply, a, b = law(rng, loop, 1.0)
    loop.m.force(DcMotor(loop.gauge, stall / i, no_load * i, supply, gear=i, lag=lag), name)
    size = stall / i / lag
    z = loop.state(f"{name}.torque", loop.row(one=size * a, sine=size * b, v=-size / no_load))
    loop.A[z, z] = -1 / lag
    row = np.zeros(MOST)
    row[z] = i
    loop.push(name, row)


def spring(rng: np.random.Generator, loop: Loop, name: str) -> None:
    """f = -k x - c x', of any stiffness down to none."""
    k, c = (float(x) * loop.mass for x in rng.uniform(0, (20, 1)) * rng.integers(0, 2, 2))
    loop.m.force(SpringDamper(loop.gauge, stiffness=k, damping=c), name)
    loop.push(name, loop.row(x=-k, v=-c))


def tried(rng: np.random.Generator, loop: Loop, y0: Array, x: str) -> list[str]:
    """Every reading beside the matrix exponential."""
    until, method = float(rng.uniform(1, 4)), str(rng.choice(METHODS))
    mechanism = perhaps_reread(rng, loop.m.build())
    run = mechanism.simulate(until=until, steps=SAMPLES, method=method, tolerance=1e-9)
    said = f"{[force for force in mechanism.model.forces]} {method=} {until=}"
    if run.outcome.name != "Done" or run.notes:
        return [f"{run.outcome} {run.notes}; {said}"]
    step = expm(loop.A * until / SAMPLES)
    y = [y0]
    for _ in range(SAMPLES):
        y.append(step @ y[-1])
    told = np.array(y)
    reads = {x: np.eye(MOST)[X], **loop.reads}
    near = NEAR.get(method, 1e-6)
    units = {name: 1.0 if name == x else loop.mass for name in reads}  # rounding beside these
    faults = [
        f"{name} is off by {off:.1e}"
        for name, row in reads.items()
        if (off := _off(run[name].values, told @ row, 1e-6 * units[name])) > near
    ]
    work = np.max(run.energy.kinetic) + np.max(np.abs(run.energy.dissipated))
    if np.ptp(run.energy.total) > 10 * near * work:
        faults.append(f"the energies are off by {np.ptp(run.energy.total) / work:.1e}")
    if not loop.knows_time:
        half = SAMPLES // 2
        again = mechanism.simulate(
            until=until / 2, steps=half, method=method, tolerance=1e-9, start=run.state(half)
        )
        off = _off(again[x].values, (told @ reads[x])[half:], 1e-6)
        faults += [f"gone on from the middle it is off by {off:.1e}"] if off > near else []
    return [f"{fault}; {said}" for fault in faults]


def _off(got: Array, due: Array, unit: float) -> float:
    return float(np.max(np.abs(got - due)) / (np.max(np.abs(due)) + unit))
