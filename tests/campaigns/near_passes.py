"""Promise: no event is lost where something passes close by, however long steps are.

A particle flies past a peg, straight on or in a parabola, at a small part of the way it goes. Its
distance from the peg falls and rises again within a short time, so that it bends as sharply as one
likes; so does the speed of what is thrown nearly upright. Crossings of levels of both, in one way
or both, by formulas that are linear or not, are compared, and so is a round peg that throws the
particle back, by every method.

Oracle: roots of polynomials in the time; a reflection at a circle by hand.
"""

import numpy as np
from numpy.typing import NDArray

import kempe as kp
from kempe.events import Crossing, Direction, Stop
from kempe.measures import Distance, Gauge

Array = NDArray[np.float64]

CASES = 12
METHODS = ("auto", "dop853", "tsit5", "rodas5p", "gear")
NEAR = {"gear": 1e-4}  # of the time that is looked at; others 1e-7
BALL = kp.Inertia(1.0, (0, 0, 0), np.eye(3))
FORMULAS = {
    "gap - {d!r}": 1.0,
    "{d!r} - gap": -1.0,
    "gap^2 - {d!r}^2": 1.0,
    "1/gap - 1/{d!r}": -1.0,
    "log(gap/{d!r})": 1.0,
}


def attempt(rng: np.random.Generator) -> list[str]:
    """What is wrong in one random pass."""
    kind = rng.integers(3)
    return [crossed, thrown, bounced][kind](rng)


def flight(rng: np.random.Generator) -> tuple[Array, Array, float, float]:
    """Place and velocity (2,) at the start, gravity, and until when it is looked at."""
    way, speed = float(rng.uniform(1, 5)), float(10 ** rng.uniform(-0.5, 1))
    least = way * float(10 ** rng.uniform(-4, -0.7))
    gravity = float(rng.choice([0.0, rng.uniform(0.01, 0.3) * speed**2 / way]))
    turn = rng.uniform(0, 2 * np.pi)
    R = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    at = R @ [-way, least]
    v = R @ [speed, 0.0]
    meets = way / speed
    v += [0.0, 0.5 * gravity * meets]  # back where it would have been without weight
    return at, v, gravity, meets * float(rng.uniform(2, 4))


def squared(at: Array, v: Array, gravity: float) -> np.poly1d:
    """The squared distance from the origin, by the time."""
    x, y = np.poly1d([v[0], at[0]]), np.poly1d([-0.5 * gravity, v[1], at[1]])
    return x * x + y * y


def mechanism(at: Array, v: Array, gravity: float) -> tuple[kp.Builder, Gauge]:
    m = kp.Builder("pass", plane=True, gravity=(0, -gravity))
    ball = m.body("b", at=tuple(at.tolist()), angle=0, inertia=BALL, velocity=tuple(v.tolist()))
    return m, m.gauge("gap", Distance(), m.ground.at(0, 0), ball.at(0, 0))


def real_roots(p: np.poly1d, until: float) -> Array:
    """Where a polynomial changes its sign, from 0 to a time, refined by Newton's method."""
    roots = p.roots[np.abs(p.roots.imag) < 1e-9 * np.abs(p.roots)].real
    slope = p.deriv()
    for _ in range(3):
        roots = roots - p(roots) / slope(roots)
    return np.sort(roots[(roots > 0) & (roots < until)])


def judged(due: Array, run: kp.Trajectory, until: float, near: float, case: str) -> list[str]:
    got = np.array([event.t for event in run.events])
    if not run.outcome.is_done:
        return [f"{case}: {run.outcome}"]
    if len(got) != len(due) or np.abs(got - due).max(initial=0.0) > near * until:
        return [f"{case}: at {got.tolist()}, due {due.tolist()}"]
    return []


def crossed(rng: np.random.Generator) -> list[str]:
    """A level of the distance, a little above the least one."""
    at, v, gravity, until = flight(rng)
    p = squared(at, v, gravity)
    lowest = min(p(t) for t in [0.0, until, *real_roots(p.deriv(), until)])
    d = float(np.sqrt(lowest) * rng.uniform(1.02, 4))
    both = p - d * d
    due = real_roots(both, until)
    if len(due) and np.abs(both.deriv()(due)).min() < 1e-3 * d * np.hypot(*v):
        return []  # nearly touched only
    text = str(rng.choice(list(FORMULAS)))
    direction = Direction(rng.choice(["both", "rising", "falling"]))
    if direction is not Direction.BOTH:
        rises = np.sign(both.deriv()(due)) * FORMULAS[text] > 0
        due = due[rises == (direction is Direction.RISING)]
    method = str(rng.choice(METHODS))
    when = Crossing(text.format(d=d), direction=direction)
    run = mechanism(at, v, gravity)[0].build().simulate(
        until=until, steps=int(rng.integers(1, 20)), method=method, events=[when]
    )  # fmt: skip
    case = f"{when.when}, {direction.value}, at {at}, v {v}, g {gravity}, {method}"
    return judged(due, run, until, NEAR.get(method, 1e-7), case)


def thrown(rng: np.random.Generator) -> list[str]:
    """A level of the speed, a little above that at the top."""
    aside, up = float(10 ** rng.uniform(-4, -0.5)), float(rng.uniform(1, 5))
    c = aside * float(rng.uniform(1.02, 4))
    w = float(np.sqrt(c * c - aside * aside))
    due = np.array([up - w, up + w]) / 9.81
    until = 3 * up / 9.81
    method = str(rng.choice(METHODS))
    run = mechanism(np.zeros(2), np.array([aside, up]), 9.81)[0].build().simulate(
        until=until, steps=int(rng.integers(1, 20)), method=method,
        events=[f"b.speed - {c!r}" if rng.random() < 0.5 else f"b.speed^2 - {c!r}^2"],
    )  # fmt: skip
    case = f"speed {c}, thrown with {aside}, {up}, {method}"
    return judged(due, run, until, NEAR.get(method, 1e-7), case)


def bounced(rng: np.random.Generator) -> list[str]:
    """A round peg that the particle is reflected at."""
    at, v, _, until = flight(rng)
    p = squared(at, v, 0.0)
    d = float(np.sqrt(p(real_roots(p.deriv(), until)[0])) * rng.uniform(1.05, 4))
    if d > 0.9 * np.hypot(*at):
        return []
    (m, gap), e = mechanism(at, v, 0.0), float(rng.uniform(0, 1))
    m.event(Stop(gap, low=d, restitution=e), "peg")
    method = str(rng.choice(METHODS))
    run = m.build().simulate(until=until, steps=int(rng.integers(1, 20)), method=method)
    case = f"peg {d}, e {e}, at {at}, v {v}, {method}"
    near = NEAR.get(method, 1e-7)
    hit = real_roots(p - d * d, until)[0]
    kinds = [event.kind for event in run.events]
    if not run.outcome.is_done or kinds[:1] not in (["impact"], ["contact"]):
        return [f"{case}: {run.outcome}, {kinds}"]
    if abs(run.events[0].t - hit) > near * until:
        return [f"{case}: hit at {run.events[0].t}, due {hit}"]
    n = (at + hit * v) / d
    after = v - (1 + e) * (v @ n) * n
    place = at + hit * v + (until - hit) * after
    if e < 1e-6 or kinds != ["impact"]:
        return [] if e < 1e-6 else [f"{case}: {kinds}"]
    off = np.abs(run["b"].position[-1][:2] - place).max()
    # the smaller the peg, the more the direction turns with an error of the place
    allowed = 100 * near * until * np.hypot(*v) * max(1.0, np.hypot(*at) / d)
    return [f"{case}: {off} off at the end"] if off > allowed else []
