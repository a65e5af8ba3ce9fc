"""Promise: a pin in a wide bore and gears with free play press, rub, let go and meet by their laws.

A rotor with an unbalance in one loose bearing, by every law of contact, with friction or none; two
wheels, or a wheel alone, whose flanks have play, with springs and dampers: places, turns and all
events, by every method, some through a file.

Oracle: the equations of the plane by hand, by SciPy; events where a gap changes its sign.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import kempe as kp
from kempe.forces import Backlash, JournalInBearing, SpringDamper
from tests.campaigns._round_trip import perhaps_reread

Array = NDArray[np.float64]
Rates = Callable[[float, Array], Array]
Gap = Callable[[Array], float]

CASES = 3
SAMPLES = 24
METHODS = ("auto", "dop853", "tsit5", "rodas5p")
NEAR = 2e-5  # of what moves: an impact multiplies errors of 1e-10 many times
SOON = 1e-5  # of the whole run: of an event
GRAZING = 3e-3  # of the whole run: events nearer to each other are not judged


def moved(rates: Rates, y0: Array, until: float) -> Any:
    """SciPy's answer with steps so small that corners of the law are met."""
    done = solve_ivp(
        rates,
        (0, until),
        y0,
        "DOP853",
        None,
        True,
        None,
        rtol=1e-12,
        atol=1e-13,
        max_step=until / 4000,
    )
    assert done.success
    return done


def crossings(done: Any, gap: Gap, until: float) -> list[tuple[float, str]]:
    """When a gap closes (touch) and opens (lift-off)."""
    times = np.linspace(0.0, until, 8001)
    values = np.array([gap(y) for y in done.sol(times).T])
    found = []
    for k in np.flatnonzero(np.sign(values[:-1]) * np.sign(values[1:]) < 0):
        at = brentq(lambda t: gap(done.sol(t)), times[k], times[k + 1], xtol=1e-14)
        found.append((at, "touch" if values[k] > 0 else "lift-off"))
    return found


def law_of(rng: np.random.Generator) -> tuple[dict[str, float], Callable[[float, float], float]]:
    """Words of a contact, and its force of overlap and rate."""
    k = float(10 ** rng.uniform(3, 5))
    n = float(rng.choice([1.0, 1.5]))
    words = {"stiffness": k, "exponent": n}
    kind = int(rng.integers(4))
    if kind == 0:
        return words, lambda d, v: k * d**n
    if kind == 1:
        b = float(rng.uniform(0.05, 1.0))
        return {**words, "dissipation": b}, lambda d, v: k * d**n * max(0.0, 1.0 + b * v)
    if kind == 2:
        c = float(rng.uniform(1.0, 20.0))
        return {**words, "damping": c}, lambda d, v: max(0.0, k * d**n + c * v)
    e, speed = float(rng.uniform(0.3, 0.9)), float(rng.uniform(0.3, 2.0))
    b = damping_by(e, speed)
    more = {"restitution": e, "impact_speed": speed}
    return {**words, **more}, lambda d, v: k * d**n * max(0.0, 1.0 + b * v)


def damping_by(e: float, v: float) -> float:
    """The b of b v (1 + e) = log((1 + b v) / (1 - b e v)) that is not 0."""

    def off(b: float) -> float:
        return b * v * (1 + e) - float(np.log1p(b * v) - np.log1p(-b * e * v))

    top = (1.0 - 1e-13) / (e * v)
    low = 1e-3 / v
    while off(low) < 0.0:
        low *= 0.5
    return float(brentq(off, low, top, xtol=1e-15, rtol=1e-14))


def journal(rng: np.random.Generator) -> tuple[Any, Rates, Array, list[Gap], Any, float]:
    """A rotor whose pin is loose in a bore of the ground."""
    words, force = law_of(rng)
    C, r = float(rng.uniform(0.01, 0.1)), float(rng.uniform(0.05, 0.3))
    mass, I = float(rng.uniform(0.5, 3.0)), float(rng.uniform(0.02, 0.2))
    c = rng.uniform(-0.1, 0.1, 2) * float(rng.random() < 0.7)
    g = rng.uniform(-9, 9, 2)
    mu, creep = float(rng.uniform(0.1, 0.6)), float(rng.uniform(0.02, 0.2))
    rubs = rng.random() < 0.6
    A, pin = rng.uniform(-1, 1, 2), rng.uniform(-0.2, 0.2, 2)
    turn = float(rng.uniform(-3, 3))
    start = A + 0.5 * C * rng.uniform(-1, 1, 2) - rotated(turn, pin)
    v0, w0 = rng.uniform(-0.5, 0.5, 2), float(rng.uniform(-4, 4))
    m = kp.Builder("rotor", plane=True, gravity=tuple(float(x) for x in g))
    rotor = m.body(
        "rotor",
        at=tuple(map(float, start)),
        angle=turn,
        velocity=tuple(map(float, v0)),
        spin=w0,
        inertia=kp.Inertia(mass, (float(c[0]), float(c[1]), 0.0), I * np.eye(3)),
    )
    friction: dict[str, float] = {"friction": mu, "creep": creep} if rubs else {}
    m.force(
        JournalInBearing(
            m.ground.at(*map(float, A)), rotor.at(*map(float, pin)), C, r, **words, **friction
        ),
        "pin",
    )

    def rates(_: float, y: Array) -> Array:
        x, v, th, w = y[:2], y[3:5], y[2], y[5]
        lever = rotated(th, pin)
        e, de = x + lever - A, v + w * np.array([-lever[1], lever[0]])
        size = float(np.hypot(*e))
        off = rotated(th, c)
        load, torque = mass * g, off[0] * mass * g[1] - off[1] * mass * g[0]
        if size > C:
            n = -e / size
            N = force(size - C, float(e @ de) / size)
            away = lever - n * (r - 0.5 * (size - C))  # of the place half way, from the origin
            vt = v + w * np.array([-away[1], away[0]])
            vt = vt - n * float(n @ vt)
            push = N * n
            if rubs:
                push = push - mu * N * vt / np.sqrt(vt @ vt + creep**2)
            load = load + push
            torque = torque + away[0] * push[1] - away[1] * push[0]
        M = np.array(
            [
                [mass, 0, -mass * off[1]],
                [0, mass, mass * off[0]],
                [-mass * off[1], mass * off[0], I + mass * off @ off],
            ]
        )
        still = -mass * w * w * np.array([off[0], off[1], 0.0])
        return np.r_[v, w, np.linalg.solve(M, np.r_[load, torque] - still)]

    def gap(y: Array) -> float:
        return C - float(np.hypot(*(y[:2] + rotated(y[2], pin) - A)))

    def read(run: Any) -> Array:
        return np.column_stack([run["rotor"].position, run["rotor.angle"].values])

    return m, rates, np.r_[start, turn, v0, w0], [gap], read, 0.5


def rotated(turn: float, v: Array) -> Array:
    """v turned by an angle."""
    c, s = np.cos(turn), np.sin(turn)
    return np.array([c * v[0] - s * v[1], s * v[0] + c * v[1]])


def gears(rng: np.random.Generator) -> tuple[Any, Rates, Array, list[Gap], Any, float]:
    """Two wheels, or one against the ground, with play between their flanks."""
    pair = rng.random() < 0.7
    Ia, Ib = (float(x) for x in rng.uniform(0.05, 1.0, 2))
    k, width = float(10 ** rng.uniform(2, 4)), float(rng.uniform(0.01, 0.2))
    c = float(rng.uniform(0.0, 5.0)) * float(rng.random() < 0.7)
    ratio, at = float(rng.choice([-1, 1]) * rng.uniform(0.4, 3)), float(rng.uniform(-1, 1))
    ks, cs = float(rng.uniform(0.5, 10)), float(rng.uniform(0, 0.3))
    a0 = at + float(rng.uniform(-0.4, 0.4)) * width
    va, vb = (float(x) for x in rng.uniform(-3, 3, 2))
    m = kp.Builder("wheels", plane=True)
    one = m.body("one", at=(0, 0), angle=a0, inertia=kp.Inertia(1.0, (0, 0, 0), Ia * np.eye(3)))
    two = m.body("two", at=(1, 0), angle=0.0, inertia=kp.Inertia(1.0, (0, 0, 0), Ib * np.eye(3)))
    a = m.revolute(m.ground.at(0, 0), one.at(0, 0), name="a").angle
    b = m.revolute(m.ground.at(1, 0), two.at(0, 0), name="b").angle
    m.rate(a, va)
    m.rate(b, vb)
    m.force(SpringDamper(a, stiffness=ks, free=at), "coil")
    m.force(SpringDamper(b, stiffness=ks, damping=cs), "other")
    more: dict[str, Any] = {"meshed": (b,), "ratios": (ratio,)} if pair else {}
    m.force(Backlash(a, width, k, damping=c, at=at, **more), "play")
    r = ratio if pair else 0.0

    def flanks(y: Array) -> float:
        return float(y[0] + r * y[1] - at)

    def rates(_: float, y: Array) -> Array:
        x, dx = flanks(y), y[2] + r * y[3]
        over, under = x - width / 2, -width / 2 - x
        f = -max(0.0, k * over + c * dx) if over > 0 else 0.0
        f += max(0.0, k * under - c * dx) if under > 0 else 0.0
        return np.array(
            [y[2], y[3], (f - ks * (y[0] - at)) / Ia, (r * f - ks * y[1] - cs * y[3]) / Ib]
        )

    def read(run: Any) -> Array:
        return np.column_stack([run["a.angle"].values, run["b.angle"].values])

    gaps: list[Gap] = [lambda y: flanks(y) + width / 2, lambda y: width / 2 - flanks(y)]
    return m, rates, np.array([a0, 0.0, va, vb]), gaps, read, 2.0


def attempt(rng: np.random.Generator) -> list[str]:
    """What is wrong with one loose machine."""
    kind = journal if rng.random() < 0.6 else gears
    m, rates, y0, gaps, read, until = kind(rng)
    method = str(rng.choice(METHODS))
    model = perhaps_reread(rng, m.build())
    run = model.simulate(until=until, steps=SAMPLES, method=method, tolerance=1e-11)
    case = f"{kind.__name__} by {method}"
    if not run.outcome.is_done:
        return [f"{run.outcome}: {case}"]
    done = moved(rates, y0, until)
    true = done.sol(np.asarray(run.t)).T[:, : read(run).shape[1]]
    wrong = []
    off = np.abs(read(run) - true).max()
    if off > NEAR * (1.0 + np.abs(true).max()):
        wrong.append(f"off by {off}")
    mine = sorted(event for gap in gaps for event in crossings(done, gap, until))
    near = np.diff([0.0, *(t for t, _ in mine), until])
    if len(near) and near.min() > GRAZING * until:
        theirs = [(e.t, e.kind) for e in run.events if e.kind in ("touch", "lift-off")]
        if [k for _, k in mine] != [k for _, k in theirs]:
            wrong.append(f"events {theirs} instead of {mine}")
        elif mine and max(abs(s - t) for (s, _), (t, _) in zip(mine, theirs, strict=True)) > (
            SOON * until
        ):
            wrong.append(f"events {theirs} not at {mine}")
    total = np.asarray(run.energy.total)
    if np.ptp(total) > 1e-6 * (1.0 + np.abs(total).max()):
        wrong.append(f"the balance of energies moves by {np.ptp(total)}")
    return [f"{fault}: {case}" for fault in wrong]
