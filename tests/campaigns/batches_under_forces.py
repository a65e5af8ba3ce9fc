"""Promise: each of many simulations runs as it would alone, whatever its columns are, and what is
read of it is right.

Oracle: two masses on springs by the matrix exponential; a ball that bounces, by parabolas.
"""

import numpy as np
from scipy import stats

import kempe as kp
from kempe.events import Stop
from tests.campaigns._masses_on_springs import NAMES, drawn, masses, readings

CASES = 3
NEAR = 1e-6  # of what a reading spans, at a tolerance of 1e-10
REDUCED = {"min": np.min, "max": np.max, "mean": np.mean, "last": lambda x: x[-1], "ptp": np.ptp}


@kp.parametric
def ball(height=1.0, g=9.81, restitution=0.8, mass=1.0):
    """A ball above a floor."""
    m = kp.Builder("ball", plane=True, gravity=(0, -g))
    inertia = kp.Inertia(mass, (0, 0, 0), [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    thrown = m.body("ball", inertia=inertia, at=(0, height), angle=0.0)
    way = m.prismatic(m.ground.at(0, 0), thrown.at(0, 0), along=(0, 1), name="way")
    m.event(Stop(way.displacement, low=0.0, restitution=restitution), "floor")
    return m.build()


def attempt(rng: np.random.Generator) -> list[str]:
    """Masses on springs with columns of parameters or of starts, or balls that bounce."""
    count, until = int(rng.integers(1, 14)), float(rng.uniform(0.2, 2.0))
    asked = {
        "until": until, "steps": int(rng.integers(1, 40)), "analysis": "simulation",
        "threads": int(rng.integers(1, 3)), "tolerance": 1e-10,
    }  # fmt: skip
    return _balls(rng, count, asked) if rng.uniform() < 0.3 else _masses(rng, count, asked)


def _masses(rng, count, asked):
    p = drawn(rng)
    home = masses(**p, along=float(rng.uniform(-3, 3)), plane=bool(rng.uniform() < 0.6))
    columns, start, seed = {}, {}, int(rng.integers(99))
    if rng.uniform() < 0.5:
        for name in rng.permutation(NAMES)[: rng.integers(1, 5)]:
            columns[str(name)] = p[str(name)] * rng.uniform(0.8, 1.2, count)
        if rng.uniform() < 0.3:
            columns["m1"] = stats.uniform(0.9 * p["m1"], 0.2 * p["m1"])
            asked |= {"count": count, "seed": seed}
        if rng.uniform() < 0.3:
            columns["k2"] = 0.5 * p["k2"]
    if not columns:
        for k, one in enumerate(("one", "two"), 1):
            if rng.uniform() < 0.7 or not start:
                start[f"{one}.displacement"] = p[f"x{k}"] + rng.uniform(-0.3, 0.3, count)
            if rng.uniform() < 0.6:
                start[f"{one}.displacement.rate"] = rng.normal(size=count)
        if rng.uniform() < 0.3:
            start["two.displacement"] = 0.7
        if not any(np.ndim(x) for x in start.values()):
            start["one.displacement"] = p["x1"] + rng.uniform(-0.3, 0.3, count)
        for one in ("one", "two"):  # as many as there are freedoms
            if f"{one}.displacement" not in start and f"{one}.displacement.rate" not in start:
                start[f"{one}.displacement.rate"] = 0.0
    known = ["one.displacement", "two.displacement", "energy.kinetic", "near.effort"]
    names = [str(n) for n in rng.permutation(known)[: rng.integers(1, 4)]]
    keep = str(rng.choice(["samples", "summary"])) if "near.effort" not in names else "samples"
    orders = int(rng.integers(0, 2)) if keep == "samples" else 0
    given = {"start": start} if start else {}
    found = home.batch(columns, outputs=names, keep=keep, derivatives=orders, **given, **asked)
    case = f"{p}, columns {columns}, start {start}, {asked}, {names}, {keep}: "
    if found.outcomes.tolist() != ["Done"] * len(found.outcomes):
        return [case + f"ended as {found.outcomes.tolist()}: {found.why(0)}"]
    if len(found.outcomes) != count and (start or any(np.ndim(x) for x in columns.values())):
        return [case + f"{len(found.outcomes)} variants instead of {count}"]
    wrong = []
    for k in range(len(found.outcomes)):
        q = {**p, **{n: float(found.parameters[n][k]) for n in columns}}
        if start:
            q |= {"v1": 0.0, "v2": 0.0}  # a rate that is not given is zero
        for n, x in start.items():
            word, which = ("v" if n.endswith("rate") else "x"), (1 if n[:3] == "one" else 2)
            q[f"{word}{which}"] = float(np.broadcast_to(x, (count,))[k])
        t = found.t if keep == "samples" else np.linspace(0, asked["until"], asked["steps"] + 1)
        true = readings(t, q)
        for name in names:
            wrong += [
                f"{w} of run {k}" for w in _compared(found[name], true, name, k, orders, keep)
            ]
    return [case + one for one in wrong[:2]]


def _compared(channel, true, name, k, orders, keep):
    span = np.ptp(true[name]) + np.abs(true[name]).max() + 1e-6
    if keep == "summary":
        seen = {how: float(getattr(channel, how)()[k]) for how in REDUCED}
        return [
            f"{how} of {name} is {value}, not {REDUCED[how](true[name])}"
            for how, value in seen.items()
            if not abs(value - REDUCED[how](true[name])) <= NEAR * span
        ]
    wrong = []
    if not np.abs(channel.values[k] - true[name]).max() <= NEAR * span:
        wrong.append(f"{name} is off by {np.abs(channel.values[k] - true[name]).max():.3g}")
    if orders and "displacement" in name:
        rate = true[f"{name}.rate"]
        if not np.abs(channel.rate[k] - rate).max() <= NEAR * (span + np.abs(rate).max()):
            wrong.append(f"the rate of {name} is off by {np.abs(channel.rate[k] - rate).max():.3g}")
    return wrong


def _balls(rng, count, asked):
    """Heights, weights and restitutions, or speeds at the start; some come to rest."""
    fixed = {
        "height": float(rng.uniform(0.3, 2.0)), "g": float(rng.uniform(2.0, 20.0)),
        "restitution": float(rng.uniform(0.6, 1.0)), "mass": 10.0 ** rng.uniform(-4, 4),
    }  # fmt: skip
    columns, start = {}, {}
    if rng.uniform() < 0.5:
        for name in fixed:
            if rng.uniform() < 0.5 or not columns:
                columns[name] = fixed[name] * rng.uniform(0.8, 1.0, count)
    else:
        start = {"way.displacement": rng.uniform(0.1, 2, count)}
        if rng.uniform() < 0.6:
            start["way.displacement.rate"] = rng.normal(size=count)
    given = {"start": start} if start else {}
    asked["until"] = min(asked["until"], 1.0)
    found = ball(**fixed).batch(
        columns, outputs=["way.displacement", "energy.kinetic"], **given, **asked
    )
    wrong, case = [], f"{fixed}, columns {columns}, start {start}, {asked}: "
    for k in range(count):
        p = {**fixed, **{n: float(x[k]) for n, x in columns.items()}}
        h, v = p["height"], 0.0
        if start:
            h = float(start["way.displacement"][k])
            v = float(start.get("way.displacement.rate", np.zeros(count))[k])
        y, speed, near = _bounced(found.t, h, v, p["g"], p["restitution"])
        if found.outcomes[k] != "Done":
            wrong.append(f"ball {k} is {found.outcomes[k]}: {found.why(k)}")
            continue
        off = np.abs(found["way.displacement"].values[k] - y).max()
        energy = found["energy.kinetic"].values[k] - 0.5 * p["mass"] * speed**2
        if not off < 1e-7:
            wrong.append(f"ball {k} is off by {off:.3g}")
        if not np.abs(energy[~near]).max(initial=0.0) < 1e-6 * p["mass"] * (speed**2).max() + 1e-12:
            wrong.append(f"the energy of ball {k} is off by {np.abs(energy).max():.3g}")
    return [case + one for one in wrong[:2]]


def _bounced(t, h, v, g, e):
    """Height and speed at times t, and where a bounce is too near to tell the speed."""
    y, speed, near = np.empty_like(t), np.empty_like(t), np.zeros(len(t), dtype=bool)
    begun, k = 0.0, 0
    while k < len(t):
        lands = begun + (v + np.sqrt(v * v + 2 * g * h)) / g
        if lands - begun < 1e-9 and e < 1.0:  # it has come to rest
            y[k:], speed[k:], near[k:] = 0.0, 0.0, t[k:] < lands + 1e-3
            break
        while k < len(t) and t[k] <= lands:
            s = t[k] - begun
            y[k], speed[k] = h + v * s - 0.5 * g * s * s, v - g * s
            near[k] = lands - t[k] < 1e-6 or s < 1e-6 or lands - begun < 1e-3
            k += 1
        v, h, begun = e * abs(v - g * (lands - begun)), 0.0, lands
    return y, speed, near
