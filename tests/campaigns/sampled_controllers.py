"""Promise: a controller in a computer is asked at its times, and what it answers acts on time.

A mass with a spring and a damper under one to three of `SampledPid` (limited or not) and
`SampledControl`, of periods that divide the run, that do not, and that are longer than it; answers
act at once, within a period, or after several. Places, what is held, the integral, every call of a
function, and the balance of energies are compared, by every method; some go through a file.

Oracle: between two changes the motion is linear, so it is SciPy's matrix exponential from change to
change, with a queue of answers in plain Python.
"""

from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm

import kempe as kp
from kempe.drives import Ramp
from kempe.forces import Instant, SampledControl, SampledPid, SpringDamper
from kempe.measures import Gauge
from tests.campaigns._round_trip import perhaps_reread

Array = NDArray[np.float64]

CASES = 12
SAMPLES = 23
METHODS = ("auto", "dop853", "tsit5", "rodas5p", "gear")
NEAR = {"gear": 1e-5}  # others 1e-7
SAME = 1e-9  # s: samples nearer to a change than that see either side
ANSWERS, ACTS, SAMPLED = 1, 2, 0  # what happens first at one moment


@dataclass
class Computer:
    """One controller: how it was made, and what it holds."""

    kind: str
    period: float
    delay: float
    P: float
    I: float
    D: float
    limit: float | None
    goal: float
    z: float = 0.0
    last: float | None = None
    held: float = 0.0
    waiting: deque[float] = field(default_factory=deque)
    asked: int = 0
    calls: list[float] = field(default_factory=list)

    def answered(self, x: float, v: float) -> float:
        """Its answer by the docstrings of SampledControl and SampledPid."""
        self.asked += 1
        e = self.goal - x
        if self.kind == "function":
            return self.P * e - self.D * v
        rate = v if self.last is None else (x - self.last) / self.period
        self.last = x
        wanted = self.P * e + self.z - self.D * rate
        if self.limit is None:
            self.z += self.I * self.period * e
            return wanted
        given = min(max(wanted, -self.limit), self.limit)
        if given == wanted or (wanted - given) * e < 0.0:
            self.z += self.I * self.period * e
        return given


def attempt(rng: np.random.Generator) -> list[str]:
    """One mass, a few computers."""
    mass, x0, v0 = (float(x) for x in rng.uniform((0.5, -1, -1), (2, 1, 1)))
    k, c = float(rng.choice([0.0, rng.uniform(0, 20)])), float(rng.uniform(0, 1))
    seventh = float(rng.uniform(0.5, 2)) / 7
    until = 7 * seventh  # in doubles: a last digit more, and the eighth question comes before it
    computers = [computer(rng, seventh, until) for _ in range(int(rng.integers(1, 4)))]
    m = kp.Builder("servo", plane=True)
    b = m.body("b", at=(x0, 0), angle=0.0, inertia=kp.Inertia(mass, (0, 0, 0), np.eye(3)))
    j = m.prismatic(m.ground.at(0, 0), b.at(0, 0), name="j")
    m.rate(j.displacement, v0)
    m.force(SpringDamper(j.displacement, stiffness=k, damping=c), "spring")
    for n, one in enumerate(computers):
        m.force(_force(one, j.displacement), f"c{n}")
    mechanism = m.build()
    if all(one.kind == "pid" for one in computers):
        mechanism = perhaps_reread(rng, mechanism)
    method = str(rng.choice(METHODS))
    run = mechanism.simulate(until=until, steps=SAMPLES, method=method, tolerance=1e-9)
    said = f"{mass=} {x0=} {v0=} {k=} {c=} {until=} {method=} {computers}"
    if run.outcome.name != "Done" or run.notes:
        return [f"{run.outcome} {run.notes}; {said}"]
    A = np.array([[0, 1, 0], [-k / mass, -c / mass, 1 / mass], [0, 0, 0]])
    places, held, near_change = moved(A, np.array([x0, v0]), computers, until)
    faults = []
    near = NEAR.get(method, 1e-7)
    off = np.max(np.abs(run["j.displacement"].values - places))
    if off > near * (1 + np.max(np.abs(places))):
        faults.append(f"the place is off by {off:.1e} m")
    for n, one in enumerate(computers):
        wrong = np.abs(run[f"c{n}.held"].values - held[:, n]) > 1e3 * near * (1 + one.P)
        if np.any(wrong & ~near_change):
            at = int(np.argmax(wrong & ~near_change))
            got = run[f"c{n}.held"].values[at]
            faults.append(f"'c{n}' holds {got} at sample {at}, not {held[at, n]}")
        if one.kind == "pid" and abs(run[f"c{n}.integral"].values[-1] - one.z) > 1e3 * near:
            faults.append(f"the integral of 'c{n}' is {run[f'c{n}.integral'].values[-1]}")
        if one.kind == "function":
            due = one.period * np.arange(one.asked)
            if len(one.calls) != one.asked or np.max(np.abs(np.array(one.calls) - due)) > 1e-15 * 4:
                faults.append(f"'c{n}' was asked {len(one.calls)} times, at {one.calls[:5]} ...")
    if np.ptp(run.energy.total) > 100 * near * (1 + np.max(np.abs(run.energy.dissipated))):
        faults.append(f"the energies are off by {np.ptp(run.energy.total):.1e} J")
    return [f"{fault}; {said}" for fault in faults]


def computer(rng: np.random.Generator, seventh: float, until: float) -> Computer:
    """One of any period and delay, also of several together."""
    period = float(rng.choice([rng.uniform(0.01, 0.3), 0.1, 0.05, 0.01, seventh, 1.5 * until]))
    delay = period * float(rng.choice([0.0, rng.uniform(0, 2.5), 0.5, 1.0, 2.0]))
    P, I, D = (float(x) for x in rng.uniform(0, (20, 10, 1)) * [1, *rng.integers(0, 2, 2)])
    limit = float(rng.uniform(0.5, 5)) if rng.random() < 0.4 else None
    kind = "pid" if rng.random() < 0.6 else "function"
    return Computer(kind, period, delay, P, I, D, limit, float(rng.uniform(-1, 1)))


def _force(one: Computer, gauge: Gauge) -> SampledControl | SampledPid:
    if one.kind == "pid":
        low = None if one.limit is None else -one.limit
        return SampledPid(
            gauge, Ramp(one.goal), one.period, one.P, one.I, one.D, one.delay, low, one.limit
        )

    def function(now: Instant) -> float:
        one.calls.append(float(now.t))
        x = now.gauges[0]
        return one.P * (one.goal - x.value) - one.D * x.rate

    return SampledControl(gauge, function, one.period, one.delay)


def moved(
    A: Array, y: Array, computers: list[Computer], until: float
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Places and what is held at all samples, and which of these lie at a change."""
    times = np.linspace(0, until, SAMPLES + 1)
    moments = [(float(t), SAMPLED, i) for i, t in enumerate(times)]
    changes: list[float] = []
    for n, one in enumerate(computers):
        for k in range(int(until / one.period) + 1):
            moments.append((k * one.period, ANSWERS, n))
            moments.append((k * one.period + one.delay, ACTS, n))
            changes.append(k * one.period + one.delay)
    places, held, now = np.zeros(len(times)), np.zeros((len(times), len(computers))), 0.0
    for t, what, n in sorted(moments):
        if t > until:
            break
        if t > now:
            y = (expm(A * (t - now)) @ [*y, sum(one.held for one in computers)])[:2]
            now = t
        if what == SAMPLED:
            places[n], held[n] = y[0], [one.held for one in computers]
        elif what == ANSWERS and t < until - SAME:  # nobody is asked what can no longer act
            computers[n].waiting.append(computers[n].answered(float(y[0]), float(y[1])))
        elif what == ACTS and computers[n].waiting:
            computers[n].held = computers[n].waiting.popleft()
    gaps = np.abs(times[:, None] - np.array(changes)[None, :])
    return places, held, gaps.min(axis=1) < SAME
