"""Promise: counterweights are those that shake the frame least, springs those that leave a drive
least to do, whatever the machine, its units and the stretch that is asked for.

Oracle: both are linear least squares, by NumPy: accelerations of a four-bar from its loop in
complex numbers, torques of a lamp by its levers.
"""

import numpy as np

import kempe as kp
from kempe.forces import LineSpring

CASES = 4
NEAR = 1e-6  # of the largest mass, stiffness or effort
UNITS = {"m": 1.0, "mm": 1e-3, "inch": 0.0254}


@kp.parametric
def lamp(stiffness=100.0, free=0.05, arm=0.5, mass=2.0, centre=0.4, hook=0.3, x=0.0, g=9.81):
    """An arm that a spring holds up."""
    m = kp.Builder("lamp", plane=True, gravity=(0, -g))
    bar = m.bar("arm", arm, inertia=kp.Inertia(mass, (centre, 0), 0.1))
    m.revolute(m.ground.at(0, 0), bar.start)
    m.force(LineSpring(m.ground.at(x, hook), bar.end, stiffness, free=free), "spring")
    m.drive(bar.angle, speed=0.1)
    return m.build()


def attempt(rng: np.random.Generator) -> list[str]:
    """Counterweights of a four-bar, or the spring of a lamp."""
    return _balanced(rng) if rng.uniform() < 0.6 else _lessened(rng)


def _balanced(rng):
    unit = str(rng.choice(list(UNITS)))
    scale = UNITS[unit]
    a, b, c, d = (float(x) for x in (rng.uniform(0.1, 0.3), *rng.uniform(0.6, 1.0, 3)))
    if a + max(b, c, d) > 0.95 * (b + c + d - max(b, c, d)):
        return []
    masses = 10.0 ** rng.uniform(-1, 1, 3) * (rng.uniform(size=3) < 0.8)
    centres = rng.normal(size=3) * 0.3 + 1j * rng.normal(size=3) * 0.1
    rpm, size = float(rng.uniform(60, 600)), 10.0 ** rng.integers(-1, 3)
    m = kp.Builder("four-bar", plane=True, units=unit, gravity=float(rng.choice([0.0, 9.81])))
    bars = []
    for name, x, mass, z in zip(
        ("crank", "coupler", "rocker"), (a, b, c), masses, centres, strict=True
    ):
        z = z * size * scale
        inertia = kp.Inertia(
            float(mass), (float(z.real), float(z.imag)), float(mass) * (size * scale) ** 2
        )
        bars.append(m.bar(name, x * size, **({"inertia": inertia} if mass else {})))
    first, middle, last = bars
    m.revolute(m.ground.at(0, 0), first.start)
    m.revolute(first.end, middle.start)
    m.revolute(middle.end, last.end)
    m.revolute(last.start, m.ground.at(d * size, 0))
    m.drive(first.angle, rpm=rpm)
    steps, until = int(rng.integers(20, 80)), 60.0 / rpm
    on = [n for n in ("crank", "rocker") if rng.uniform() < 0.7] or ["crank"]
    radii = {n: float(size * rng.uniform(0.1, 0.5)) for n in on}
    given = {n: x if rng.uniform() < 0.5 else f"{x!r} {unit}" for n, x in radii.items()}
    if not masses.any():
        return []
    made = m.build()
    found = made.balance(given, until=until, steps=steps)
    t = np.linspace(0.0, until, steps + 1)
    w = 2.0 * np.pi * rpm / 60.0
    u = np.exp(1j * w * t)
    gap = d - a * u
    r = np.abs(gap)
    turned = np.arccos((b * b + r * r - c * c) / (2.0 * b * r))
    angle = made.kinematics(until=until, steps=steps)["coupler.angle"].values
    beta = min(
        (np.angle(gap) + s * turned for s in (1, -1)),
        key=lambda x: np.abs(np.exp(1j * x) - np.exp(1j * angle)).max(),
    )
    v = np.exp(1j * beta)
    z = (a * u + b * v - d) / c
    # a i w u + b i p v = c i q z, and once more
    p = -w * a * np.imag(u * np.conj(z)) / (b * np.imag(v * np.conj(z)))
    q = w * a * np.imag(u * np.conj(v)) / (c * np.imag(z * np.conj(v)))
    right = a * w * w * u + b * p * p * v - c * q * q * z  # = b i p' v - c i q' z
    dp = np.imag(right / 1j * np.conj(z)) / (b * np.imag(v * np.conj(z)))
    dq = -np.imag(right / 1j * np.conj(v)) / (c * np.imag(z * np.conj(v)))
    bend = {
        "crank": -w * w * u, "coupler": (1j * dp - p * p) * v, "rocker": (1j * dq - q * q) * z,
    }  # fmt: skip
    shaken = sum(
        mass * (o + k * e)
        for mass, o, k, e in zip(
            masses, (0.0, -a * w * w * u, 0.0), centres, bend.values(), strict=True
        )
    )
    columns = np.stack([bend[n] for n in on], axis=1)
    A = np.vstack(
        [np.hstack([columns.real, -columns.imag]), np.hstack([columns.imag, columns.real])]
    )
    x, *_ = np.linalg.lstsq(A, -np.concatenate([shaken.real, shaken.imag]), rcond=None)
    best = x[: len(on)] + 1j * x[len(on) :]
    left = np.abs(shaken + columns @ best) * size * scale
    case = f"bars {a, b, c, d} times {size} {unit}, masses {masses.tolist()}, {given}, {rpm} rpm: "
    wrong = []
    largest = np.abs(best).max() + 1e-9 * masses.max()
    for n, true in zip(on, best, strict=True):
        weight = found.counterweights.get(n)
        place = complex(*np.asarray(weight.place)[:2]) * weight.mass if weight else 0.0
        if not abs(place / (size * scale) - true) <= NEAR * largest:
            wrong.append(f"the counterweight of {n} is {place / (size * scale)}, not {true}")
        elif (
            weight
            and not abs(abs(complex(*np.asarray(weight.place)[:2])) - radii[n] * scale)
            < 1e-9 * size * scale
        ):
            wrong.append(f"that of {n} lies at {weight.place}")
    before = np.abs(shaken) * size * scale
    for word, one, true in (("before", found.before, before), ("after", found.after, left)):
        # gravity never changes: it does not shake
        if not np.abs(one.force_size - true).max() <= NEAR * before.max() + 1e-12:
            wrong.append(f"the force {word} is {one.force_size.max()}, not {true.max()}")
    return [case + one for one in wrong[:2]]


def _lessened(rng):
    p = {
        "arm": float(rng.uniform(0.3, 0.8)), "mass": 10.0 ** float(rng.uniform(-1, 1)),
        "centre": float(rng.uniform(0.2, 0.8)), "hook": float(rng.uniform(0.2, 0.5)),
        "x": float(rng.normal() * 0.1), "g": 9.81,
    }  # fmt: skip
    low, high = np.sort(rng.uniform(-1.2, 1.0, 2))
    if high - low < 0.3:
        return []
    steps = int(rng.integers(6, 40))
    angle = np.linspace(low, high, steps + 1)
    tip = p["arm"] * np.exp(1j * angle)
    way = complex(p["x"], p["hook"]) - tip
    lever = np.imag(np.conj(tip) * way)  # torque of a pull of `way`
    weight = -p["mass"] * p["g"] * p["centre"] * np.cos(angle)
    both = bool(rng.uniform() < 0.6)
    columns = [lever, -lever / np.abs(way)] if both else [lever]
    x, *_ = np.linalg.lstsq(np.stack(columns, axis=1), -weight, rcond=None)
    k, free = float(x[0]), float(x[1] / x[0]) if both else 0.0
    left = weight + np.stack(columns, axis=1) @ x
    if k < 1e-3 or not 0.0 <= free < 0.9 * np.abs(way).min():
        return []
    bounds = {"stiffness": (0.3 * k, 3.0 * k), "free": (-0.1, free + 0.2)}
    start = {
        "stiffness": float(k * rng.uniform(0.5, 2.0)),
        "free": float(free + rng.uniform(0, 0.1)),
    }
    if not both:
        del bounds["free"]
        start["free"] = 0.0
    over = ("arm.angle", float(low), float(high))
    found = lamp(**p, **start).lessen(["arm.angle.effort"], bounds, over=over, steps=steps)
    case = f"{p}, from {start}, over {over} in {steps}, bounds {bounds}: "
    rms = float(np.sqrt(np.mean(left * left)))
    wrong = []
    if not abs(found.errors["arm.angle.effort"][0] - rms) <= 1e-6 * np.abs(weight).max():
        wrong.append(f"left is {found.errors['arm.angle.effort'][0]}, not {rms}")
    shown = np.linalg.cond(np.stack(columns, axis=1) / np.abs(columns).max())
    if shown < 1e3 and not abs(found.parameters["stiffness"] - k) <= 1e-4 * k:
        wrong.append(f"stiffness {found.parameters['stiffness']}, not {k}")
    return [case + one for one in wrong]
