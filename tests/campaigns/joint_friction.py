"""Promise: `JointFriction` slides, sticks, slips and turns back as Coulomb and Stribeck say.

A slider under weight, spring and a pull that swings, with viscous drag, static friction that drops
at once or fades; from rest and from any speed, of any mass, in the plane and in space, by every
method, some with the same friction twice, some through a file. Places, efforts, what is dissipated,
every `stick`, `slip` and `reversal` with its time, and the balance of energies are compared.

Oracle: legs that slide by SciPy's DOP853, at 1e-12, up to where the speed is zero; legs that stick
up to where the pull exceeds the static friction.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import kempe as kp
from kempe.drives import TextFormula
from kempe.forces import Actuator, JointFriction, SpringDamper
from tests.campaigns._round_trip import perhaps_reread

Array = NDArray[np.float64]

CASES = 15
REMEMBERED = (5146,)
UNTIL, SAMPLES = 3.0, 30
STRICT = 1e-12
METHODS = ("auto", "dop853", "tsit5", "rodas5p", "gear")
NEAR = {"gear": 1e-4}  # m; others 1e-6
CLOSE = 1e-6  # of a speed or a force that decides: rounding decides then, and nothing is judged
SCANNED = 3000


class TooFine(Exception):
    """What happens hangs on rounding."""


class Moment(NamedTuple):
    """Where the kind of motion changes."""

    t: float
    kind: str


@dataclass(frozen=True)
class Slider:
    """Everything beside its mass: a mass of 1 kg moves alike."""

    along: float  # m/s^2, of the weight
    across: float
    x: float
    v: float
    k: float
    pull: float
    w: float
    kinetic: float  # coefficients
    static: float | None
    fading: float | None
    drag: float
    doubled: bool

    @property
    def load(self) -> float:
        """The normal force, once for every friction there is."""
        return abs(self.across) * (2.0 if self.doubled else 1.0)

    def pushed(self, t: float, x: float) -> float:
        """All but friction."""
        return self.along - self.k * x + self.pull * float(np.sin(self.w * t))

    def rubs(self, v: float, side: float) -> float:
        """Friction where it slides to that side."""
        mu = self.kinetic
        if self.static is not None and self.fading is not None:
            mu += (self.static - mu) * float(np.exp(-((v / self.fading) ** 2)))
        return -mu * self.load * side - self.drag * v * (2.0 if self.doubled else 1.0)

    def side(self, t: float, x: float) -> float:
        """The way it starts off from rest; 0 where it sticks."""
        f, most = self.pushed(t, x), (self.static or self.kinetic) * self.load
        if abs(abs(f) - most) < CLOSE * most:
            raise TooFine
        return 0.0 if abs(f) < most else float(np.sign(f))

    def moved(self) -> tuple[Array, list[Moment]]:
        """Rows (x, friction, dissipated by it and by the pull) at the samples, and what happens."""
        times = np.linspace(0, UNTIL, SAMPLES + 1)
        told = np.full((len(times), 3), np.nan)
        t, x, v, lost, moments = 0.0, self.x, self.v, 0.0, list[Moment]()
        side = float(np.sign(v)) if v else self.side(t, x)
        while t < UNTIL:
            if len(moments) > 60:
                raise TooFine
            if side == 0.0:
                until = self._sticks(t, x)
                for i in np.flatnonzero((times >= t) & (times <= until)):
                    told[i] = x, -self.pushed(float(times[i]), x), lost
                t = until
                if t < UNTIL:
                    side = float(np.sign(self.pushed(t, x)))
                    moments.append(Moment(t, "slip"))
                continue
            t, x, v, lost = self._slides(t, x, v, lost, side, times, told)
            if t < UNTIL:
                v, side = 0.0, self.side(t, x)
                moments.append(Moment(t, "reversal" if side else "stick"))
        return told, moments

    def _sticks(self, t: float, x: float) -> float:
        most = (self.static or self.kinetic) * self.load

        def left(s: float) -> float:
            return most - abs(self.pushed(s, x))

        grid = np.linspace(t, UNTIL, SCANNED)
        margins = np.array([left(float(s)) for s in grid])
        if np.any(
            np.abs(margins[1:-1][(np.diff(margins)[:-1] < 0) & (np.diff(margins)[1:] > 0)])
            < CLOSE * most
        ):
            raise TooFine
        over = np.flatnonzero(margins < 0.0)
        if not len(over):
            return UNTIL
        j = int(over[0])
        return float(brentq(left, grid[j - 1], grid[j], xtol=1e-15)) if j else t

    def _slides(
        self, t: float, x: float, v: float, lost: float, side: float, times: Array, told: Array
    ) -> tuple[float, float, float, float]:
        def rates(s: float, y: Array) -> list[float]:
            f = self.rubs(float(y[1]), side)
            swung = self.pull * float(np.sin(self.w * s))
            return [y[1], self.pushed(s, float(y[0])) + f, -(f + swung) * y[1]]

        def turned(s: float, y: Array) -> float:
            return float(y[1]) * side

        turned.terminal = True  # type: ignore[attr-defined]
        turned.direction = -1  # type: ignore[attr-defined]
        end = UNTIL if v else min(UNTIL, t + 1e-4)  # SciPy finds the zero at the start again
        leg = solve_ivp(
            rates,
            (t, end),
            [x, v, lost],
            method="DOP853",
            rtol=STRICT,
            atol=STRICT,
            max_step=0.05,
            dense_output=True,
            events=turned if v else None,
        )
        if not v and leg.y[1, -1] * side <= 0.0:
            raise TooFine
        for i in np.flatnonzero((times >= t) & (times <= leg.t[-1])):
            y = leg.sol(times[i])
            told[i] = y[0], self.rubs(float(y[1]), side), y[2]
        return float(leg.t[-1]), *(float(z) for z in leg.y[:, -1])


def attempt(rng: np.random.Generator) -> list[str]:
    """One slider with friction."""
    kinetic = float(rng.uniform(0.02, 0.6))
    static = kinetic + float(rng.uniform(0, 0.4)) if rng.random() < 0.5 else None
    one = Slider(
        along=float(rng.uniform(-6, 6)) * int(rng.integers(0, 2)),
        across=-float(rng.uniform(0.5, 10)),
        x=float(rng.uniform(-1, 1)),
        v=float(rng.uniform(-2, 2)) * int(rng.integers(0, 2)),
        k=float(rng.uniform(1, 50)) * int(rng.integers(0, 2)),
        pull=float(rng.uniform(0, 20)) * int(rng.integers(0, 2)),
        w=float(rng.uniform(1, 8)),
        kinetic=kinetic,
        static=static,
        fading=float(10.0 ** rng.uniform(-2, 0)) if static and rng.random() < 0.5 else None,
        drag=float(rng.uniform(0, 1)) * int(rng.integers(0, 2)),
        doubled=bool(rng.random() < 0.1),
    )
    mass = float(10.0 ** (rng.uniform(-6, 6) * int(rng.integers(0, 2))))
    method, space = str(rng.choice(METHODS)), bool(rng.random() < 0.4)
    mechanism = perhaps_reread(rng, built(one, mass, space))
    try:
        told, moments = one.moved()
    except TooFine:
        return []
    run = mechanism.simulate(until=UNTIL, steps=SAMPLES, method=method, tolerance=1e-9)
    said = f"{one} {mass=} {method=} {space=}"
    if run.outcome.name != "Done" or run.notes:
        return [f"{run.outcome} {run.notes}; {said}"]
    near = NEAR.get(method, 1e-6)
    faults = []
    frictions = ("f0", "f1") if one.doubled else ("f0",)
    rubbed = np.sum([run[f"{name}.effort"].values for name in frictions], axis=0) / mass
    for name, got, due, most in (
        ("the place", run["j.displacement"].values, told[:, 0], near),
        ("what is lost", run.energy.dissipated / mass, told[:, 2], 100 * near),
        ("the total energy", run.energy.total / mass, run.energy.total[0] / mass, 100 * near),
    ):
        off = float(np.max(np.abs(got - due)))
        faults += [f"{name} is off by {off:.1e}"] if off > most * (1 + np.max(np.abs(due))) else []
    wrong = np.abs(rubbed - told[:, 1]) > 1e3 * near * (1 + one.load)
    times = np.linspace(0, UNTIL, SAMPLES + 1)
    for moment in moments:  # friction jumps there
        wrong &= np.abs(times - moment.t) > 1e-3
    if np.any(wrong[1:]):
        faults.append(f"friction is {rubbed[1:][wrong[1:]][0]}, not {told[1:, 1][wrong[1:]][0]}")
    if not one.doubled:
        seen = [Moment(event.t, event.kind) for event in run.events]
        if [e.kind for e in seen] != [e.kind for e in moments] or any(
            abs(a.t - b.t) > 100 * near for a, b in zip(seen, moments, strict=True)
        ):
            faults.append(f"{seen} happened, not {moments}")
    return [f"{fault}; {said}" for fault in faults]


def built(one: Slider, mass: float, space: bool) -> kp.Mechanism:
    """The slider on a rail along x."""
    gravity = (one.along, one.across, 0.0) if space else (one.along, one.across)
    m = kp.Builder("slider", plane=not space, gravity=gravity)
    inertia = kp.Inertia(mass, (0, 0, 0), mass * np.eye(3))
    if space:
        b = m.body("b", at=(one.x, 0, 0), inertia=inertia)
        rail = m.ground.at(0, 0, 0).facing((1, 0, 0)), b.at(0, 0, 0).facing((1, 0, 0))
    else:
        b = m.body("b", at=(one.x, 0), angle=0.0, inertia=inertia)
        rail = m.ground.at(0, 0), b.at(0, 0)
    j = m.prismatic(*rail, name="j")
    m.rate(j.displacement, one.v)
    m.force(SpringDamper(j.displacement, stiffness=one.k * mass), "spring")
    law = TextFormula("a * sin(w * t)", ("a", "w"), (one.pull * mass, one.w))
    m.force(Actuator(j.displacement, law), "pull")
    for n in range(2 if one.doubled else 1):
        m.force(
            JointFriction(
                j.displacement,
                one.kinetic,
                static=one.static,
                fading=one.fading,
                viscous=one.drag * mass,
            ),
            f"f{n}",
        )
    return m.build()
