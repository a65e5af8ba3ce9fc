"""Promise: forces that change over (stops, ropes, saturation, steps, friction) move as they say.

A mass on a slide or a wheel on a hinge, with weight, a spring and up to three laws that switch: by
`max`, `min`, `abs` and `if` in a formula's text, or by a spring that acts one way only, damped or
not. The run is `Done`, positions, rates and dissipated work are right, and the energies balance.
Where a law drives the motion back to the switch from either side, the run ends there and says so.

Oracle: SciPy's DOP853 from switch to switch, each law frozen on its side in between; a switch is a
linear function of place, rate and time, so on which side the motion goes on follows from its rate.
A second run from a start that is off by 1e-8 says how much a small error grows.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import kempe as kp
from kempe.forces import Acting, Control, NonlinearSpring, SpringDamper

CASES = 5
REMEMBERED = (74,)
SAME = 1e-5  # of the largest value so far; the run's tolerance is 1e-8 a step
GROWTH = 300.0  # how many times what a start off by 1e-8 makes of it
MOST_SWITCHES = 1000
SHORT = 2e-3  # s: no stop is left sooner than it was met

Array = NDArray[np.float64]
Sides = tuple[bool, ...]


@dataclass(frozen=True)
class Switch:
    """A law changes over where x_share x + v_share v + t_share t passes `at`."""

    at: float
    x_share: float = 0.0
    v_share: float = 0.0
    t_share: float = 0.0

    def __call__(self, t: float, x: float, v: float) -> float:
        """How far beyond the switch."""
        return self.x_share * x + self.v_share * v + self.t_share * t - self.at

    def rate(self, v: float, a: float) -> float:
        """How fast that grows."""
        return self.x_share * v + self.v_share * a + self.t_share


@dataclass(frozen=True)
class Law:
    """A force on its sides of its switches, what it stores, and how kempe is told."""

    said: str
    switches: tuple[Switch, ...]
    force: Callable[[float, float, Sides], float]  # of x, v
    put: Callable[[kp.Builder, Any], None]
    stored: Callable[[Array], Array] = np.zeros_like


def attempt(rng: np.random.Generator) -> list[str]:
    """One mass under switching laws, compared at every sample."""
    mass, spring = 10.0 ** rng.uniform(-1, 1), 10.0 ** rng.uniform(0, 2)
    weight = float(rng.choice([0.0, rng.uniform(-10.0, 10.0)]))
    laws = [_law(rng, mass) for _ in range(int(rng.integers(1, 4)))]
    x, v = rng.uniform(-1.0, 1.0), rng.uniform(-3.0, 3.0)
    until, steps = float(rng.choice([1.0, 2.0, 5.0])), int(rng.choice([8, 60, 400]))
    turns = bool(rng.random() < 0.4)
    said = (
        f"{'hinge' if turns else 'slide'} m={mass:.6g} k={spring:.6g} weight={weight:.6g} "
        f"x={x:.6g} v={v:.6g} until={until} steps={steps} {[law.said for law in laws]}"
    )
    run = _mechanism(turns, mass, spring, weight, x, v, laws).simulate(until=until, steps=steps)
    t = np.linspace(0.0, until, steps + 1)
    true, slides = _oracle(mass, spring, weight, laws, (x, v), t)
    off, also = _oracle(mass, spring, weight, laws, (x + 1e-8, v + 1e-8), t)
    if true is None or off is None or (slides is None) != (also is None):
        return []
    wrong = _wrong_end(run, slides, t[1]) + _wrong_motion(run, true, off, mass, laws, turns)
    return [f"{fault}: {said}" for fault in wrong]


def _wrong_end(run: Any, slides: float | None, spacing: float) -> list[str]:
    """What is wrong with how the run ended, where it slides from that time on, or never."""
    if slides is None:
        return [] if run.outcome.is_done else [f"nothing slides, but {run.outcome}"]
    if run.outcome.is_done or abs(run.t[-1] - slides) > spacing + 1e-6:
        return [f"it slides from {slides:.9g} s, but {run.outcome} (last {run.t[-1]:.6g} s)"]
    return []


def _wrong_motion(
    run: Any, true: Array, off: Array, mass: float, laws: list[Law], turns: bool
) -> list[str]:
    """What is wrong with the samples as far as the run and both oracles go."""
    wrong = []
    n = int(min(len(run.t), np.isfinite(true[:, 0]).sum(), np.isfinite(off[:, 0]).sum()))
    read = run["mass.angle" if turns else "mass.x"]
    speed = np.abs(true[:n, 1]).max()
    energy = 0.5 * mass * speed**2
    stored = sum((law.stored(true[:n, 0]) for law in laws), np.zeros(n))
    stored_off = sum((law.stored(off[:n, 0]) for law in laws), np.zeros(n))
    lost, lost_off = (w[:n, 2] - (e - e[0]) for w, e in ((true, stored), (off, stored_off)))
    for what, got, want, other, size in (
        ("place", read.values, true[:, 0], off[:, 0], max(1.0, np.abs(true[:n, 0]).max())),
        ("rate", read.rate, true[:, 1], off[:, 1], speed),
        ("dissipated", run.energy.dissipated, lost, lost_off, energy),
        ("total", run.energy.total - run.energy.total[0], np.zeros(n), np.zeros(n), energy),
    ):
        grown = GROWTH * np.abs(want[:n] - other[:n]).max()
        error = np.abs(got[:n] - want[:n]).max()
        if error > SAME * size + grown:
            wrong.append(f"{what} off by {error:.2g} of {size:.3g} ({grown:.2g} allowed)")
    return wrong


def _mechanism(
    turns: bool, mass: float, spring: float, weight: float, x: float, v: float, laws: list[Law]
) -> Any:
    m = kp.Builder("switches", plane=True)
    inertia = kp.Inertia(mass, (0, 0, 0), mass * np.eye(3))
    if turns:
        body = m.body("mass", at=(0, 0), angle=float(x), inertia=inertia, spin=float(v))
        m.revolute(m.ground.at(0, 0), body.at(0, 0))
        gauge = body.angle
    else:
        body = m.body("mass", at=(float(x), 0), angle=0.0, inertia=inertia, velocity=(float(v), 0))
        m.prismatic(m.ground.at(0, 0), body.at(0, 0))
        gauge = body.x
    m.force(SpringDamper(gauge, stiffness=float(spring), preload=mass * weight))
    for law in laws:
        law.put(m, gauge)
    return m.build()


def _law(rng: np.random.Generator, mass: float) -> Law:
    """One law that switches, by lot."""
    a, push = float(rng.uniform(-0.5, 0.5)), float(rng.uniform(0.5, 5.0))
    k = float(10.0 ** rng.uniform(0, 4))
    c = float(rng.uniform(0.0, 1.0) * 2.0 * math.sqrt(k * mass) * (rng.random() < 0.5))
    place, rate = Switch(a, x_share=1.0), Switch(0.0, v_share=1.0)
    kind = int(rng.integers(9))
    if kind == 0:
        text = f"-({k!r}) * max(x - ({a!r}), 0)"
        return _text(text, (place,), lambda x, v, s: -k * (x - a) * s[0])
    if kind == 1:
        drag = 0.2 * push
        text = f"-({drag!r}) * abs(x_rate) * x_rate"
        return _text(text, (rate,), lambda x, v, s: -drag * v * v if s[0] else drag * v * v)
    if kind == 2:
        text = f"if(x > {a!r}, {-push!r}, {push!r})"
        return _text(text, (place,), lambda x, v, s: -push if s[0] else push)
    if kind == 3:
        low, high = Switch(a - push / k, x_share=1.0), Switch(a + push / k, x_share=1.0)
        return _text(
            f"max({-push!r}, min({push!r}, -({k!r}) * (x - ({a!r}))))",
            (low, high),
            lambda x, v, s: -push if s[1] else (-k * (x - a) if s[0] else push),
        )
    if kind == 4:
        step = Switch(float(rng.uniform(0.1, 0.9)), t_share=1.0)
        text = f"if(t < {step.at!r}, {push!r}, {-push!r})"
        return _text(text, (step,), lambda x, v, s: -push if s[0] else push)
    if kind == 5:
        text = f"if(x > {a!r}, -({c!r}) * x_rate, 0)"
        return _text(text, (place,), lambda x, v, s: -c * v * s[0])
    if kind == 6:
        dry = 0.3 * push
        text = f"if(x_rate > 0, {-dry!r}, {dry!r})"
        return _text(text, (rate,), lambda x, v, s: -dry if s[0] else dry)
    return _one_way(a, k, c, Acting.TENSION if kind == 7 else Acting.COMPRESSION)


def _text(
    text: str, switches: tuple[Switch, ...], force: Callable[[float, float, Sides], float]
) -> Law:
    return Law(text, switches, force, lambda m, gauge: _put(m, Control(gauge, text)))


def _one_way(a: float, k: float, c: float, acting: Acting) -> Law:
    """A rope or a buffer: nothing where it hangs loose, and its damper never reverses its pull."""
    way = 1.0 if acting == Acting.TENSION else -1.0
    slack = Switch(way * a, x_share=way)
    pull = Switch(way * k * a, x_share=way * k, v_share=way * c)
    return Law(
        f"{acting.value} k={k!r} c={c!r} free={a!r}",
        (slack, pull) if c else (slack,),
        lambda x, v, s: -k * (x - a) - c * v if all(s) else 0.0,
        lambda m, gauge: _put(
            m, NonlinearSpring(gauge, f"({k!r}) * t", damping=c, free=a, acting=acting)
        ),
        lambda x: np.where(way * (x - a) > 0.0, 0.5 * k * (x - a) ** 2, 0.0),
    )


def _put(m: kp.Builder, force: Any) -> None:
    m.force(force)


def _oracle(
    mass: float, spring: float, weight: float, laws: list[Law], start: tuple[float, float], t: Array
) -> tuple[Array | None, float | None]:
    """(x, v, work that the laws took) at times t, and when the motion slides along a switch."""
    switches = list(dict.fromkeys(switch for law in laws for switch in law.switches))
    which = [[switches.index(switch) for switch in law.switches] for law in laws]

    def slope(sides: list[bool]) -> Callable[[float, Array], list[float]]:
        def of(_t: float, y: Array) -> list[float]:
            f = sum(
                law.force(y[0], y[1], tuple(sides[k] for k in seen))
                for law, seen in zip(laws, which, strict=True)
            )
            return [y[1], weight + (f - spring * y[0]) / mass, -f * y[1]]

        return of

    y, now = np.array([*start, 0.0]), 0.0
    out = np.full((len(t), 3), np.nan)
    out[0] = y
    sides = [switch(0.0, *start) > 0.0 for switch in switches]
    for _ in range(MOST_SWITCHES):
        f = slope(list(sides))
        events = [_event(switch, side) for switch, side in zip(switches, sides, strict=True)]
        leg = solve_ivp(
            f, (now, t[-1]), y, "DOP853", None, True, events, rtol=1e-11, atol=1e-13, max_step=SHORT
        )
        inside = (t > now) & (t <= leg.t[-1])
        if inside.any():
            out[inside] = leg.sol(t[inside]).T
        now, y = float(leg.t[-1]), leg.y[:, -1]
        if leg.status != 1:
            return out, None
        for k, hits in enumerate(leg.t_events):
            sides[k] ^= bool(len(hits))
        after = slope(list(sides))(now, y)
        for k, hits in enumerate(leg.t_events):
            pace = switches[k].rate(y[1], after[1])
            if len(hits) and abs(pace) < 1e-6 * (1.0 + abs(after[1])):
                return None, None  # it grazes: rounding decides
            if len(hits) and (pace > 0.0) != sides[k]:
                return out, now
    return None, None


def _event(switch: Switch, beyond: bool) -> Any:
    """The switch as SciPy's event: it ends a leg where the motion leaves its side."""

    def event(t: float, y: Array) -> float:
        return switch(t, y[0], y[1])

    event.terminal = True  # type: ignore[attr-defined]
    event.direction = -1.0 if beyond else 1.0  # type: ignore[attr-defined]
    return event
