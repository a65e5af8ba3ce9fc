"""Promise: parameters are found from what was measured, with their standard errors, whatever is
missing among the data, and what the data does not tell is said.

Oracle: a four-bar by cuts of circles and masses on springs by the matrix exponential, fitted by
SciPy with steps in the imaginary direction; covariances by the inverse of J^T J.
"""

import numpy as np
from scipy.optimize import least_squares

from tests.campaigns._masses_on_springs import drawn, masses, readings
from tests.campaigns.parts_within_tolerances import _margin, _read, four_bar

CASES = 1
NEAR = 2e-4  # of a standard error, or of a parameter's size where there is no noise
ALIKE = 1e-3  # of a standard error
DEAD = 0.1
STEP = 1e-30


def attempt(rng: np.random.Generator) -> list[str]:
    """Lengths of a swept four-bar, or springs and dampers of a simulated pair of masses."""
    return _lengths(rng) if rng.uniform() < 0.6 else _springs(rng)


def _lengths(rng):
    names = ("crank", "coupler", "rocker", "ground", "px", "py")
    x0 = np.array([rng.uniform(0.1, 0.5), *rng.uniform(0.8, 1.2, 3), *rng.normal(size=2)])
    start = float(rng.uniform(-3, 3))
    t = np.sort(rng.uniform(0.0, 0.8, int(rng.integers(8, 30))))
    if rng.uniform() < 0.5:
        t[0] = 0.0
    if np.diff(t).min() < 1e-4:
        return []
    seek = [str(n) for n in rng.permutation(names)[: rng.integers(1, 5)]]
    which = [names.index(n) for n in seek]
    true = x0.copy()
    true[which] *= 1.0 + 0.03 * rng.normal(size=len(which))
    path = start + 2.0 * np.linspace(0.0, 0.8, 200)
    if min(_margin(x0, path), _margin(true, path)) < DEAD:
        return []
    home = dict(zip(names, x0.tolist(), strict=True)) | {"start": start}
    home["coupler"] = f"{x0[1]!r} m".replace("np.float64(", "").replace(")", "")
    made = four_bar(**home)
    angle = made.kinematics(until=1e-3, steps=1)["rocker.angle"].values[0]
    side = min(
        (1, -1),
        key=lambda s: abs(np.exp(1j * _read(x0, np.array([start]), s)[1][0]) - np.exp(1j * angle)),
    )
    read = [["rocker.angle"], ["coupler.P"], ["coupler.P", "rocker.angle"]][int(rng.integers(3))]

    def model(p):
        x = list(x0.astype(complex))
        for k, value in zip(which, p, strict=True):
            x[k] = value
        P, turned = _read(np.array(x), start + 2.0 * t, side)
        turned = turned + (angle - _read(x0, np.array([start]), side)[1][0])
        jumps = np.round((np.real(turned[1:]) - np.real(turned[:-1])) / (2 * np.pi))
        turned = turned - 2 * np.pi * np.concatenate([[0.0], np.cumsum(jumps)])
        first = np.round((np.real(turned[0]) - angle) / (2 * np.pi))
        return {"coupler.P": P, "rocker.angle": turned - 2 * np.pi * first}

    p0, width = x0[which], 0.3 * np.abs(x0[which])
    case = f"{home}, {seek} of {true[which].tolist()}, t {t.tolist()}, {read}: "
    bounds = {n: (float(v - w), float(v + w)) for n, v, w in zip(seek, p0, width, strict=True)}
    return _judged(rng, case, made, bounds, model, true[which], p0, read, t, {})


def _springs(rng):
    p = drawn(rng) | {"g": float(rng.choice([0.0, 3.0])), "v1": float(rng.normal())}
    names = ("m1", "m2", "k1", "k2", "c1", "c2", "f1", "f2")
    seek = [str(n) for n in rng.permutation(names)[: rng.integers(1, 4)]]
    true = {n: p[n] * (1.0 + 0.05 * rng.normal()) for n in seek}
    t = np.linspace(0.0, float(rng.uniform(0.5, 2.0)), int(rng.integers(10, 30)))
    read = [["one.displacement"], ["two.displacement"], ["one.displacement", "two.displacement"]]
    read = read[int(rng.integers(3))]
    if any(abs(p[n]) < 1e-9 for n in seek):
        return []
    made = masses(**p)
    bounds = {n: tuple(sorted((0.5 * p[n], 1.5 * p[n]))) for n in seek}

    def model(values):
        return readings(t, {**p, **dict(zip(seek, values, strict=True))})

    case = f"{p}, {seek} of {true}, until {t[-1]} in {len(t)}, {read}: "
    goal, p0 = np.array([true[n] for n in seek]), np.array([p[n] for n in seek])
    return _judged(rng, case, made, bounds, model, goal, p0, read, t, {"analysis": "simulation"})


def _judged(rng, case, made, bounds, model, goal, p0, read, t, more):
    """Data with noise and holes: the same parameters and the same errors by both."""
    noise = float(rng.choice([0.0, 1e-4, 1e-3]))
    clean = model(goal)
    seen, sigma = {}, {}
    for name in read:
        seen[name] = np.real(clean[name]) + noise * rng.normal(size=clean[name].shape)
        holes = rng.uniform(size=seen[name].shape) < rng.choice([0.0, 0.2])
        seen[name][holes] = np.nan
        sigma[name] = float(rng.uniform(0.5, 2.0)) * max(noise, 1e-3)
    is_known = bool(rng.uniform() < 0.5) or len(read) > 1
    wanted = np.concatenate([seen[n].reshape(-1) for n in read])
    if np.isfinite(wanted).sum() < len(goal) + 2:
        return []
    weights = np.concatenate(
        [np.full(seen[n].size, 1.0 / sigma[n] if is_known else 1.0) for n in read]
    )

    def left(p):
        got = model(np.asarray(p))
        flat = np.concatenate([got[n].reshape(-1) for n in read])
        return (weights * (flat - wanted))[np.isfinite(wanted)]

    def slopes(p):
        one = np.eye(len(p)) * 1j * STEP
        return np.stack([np.imag(left(np.asarray(p) + e)) / STEP for e in one], axis=1)

    J = slopes(goal) * np.abs(goal)
    values = np.linalg.svd(J, compute_uv=False)
    if 1e-9 < values[-1] / values[0] < 1e-4:
        return []  # the data hardly tells
    found = made.identify(bounds, seen, t, **({"sigma": sigma} if is_known else {}), **more)
    if values[-1] <= 1e-9 * values[0]:
        lost = [n for n, e in found.errors.items() if not np.isfinite(e)]
        return (
            [] if lost and found.unknown else [case + "that the data does not tell all is not said"]
        )
    low, high = np.array([bounds[n] for n in bounds]).T
    best = least_squares(
        lambda p: np.real(left(p)), p0, slopes, bounds=(low, high), x_scale=np.abs(p0),
        ftol=1e-15, xtol=1e-15, gtol=1e-15,
    )  # fmt: skip
    at = np.array(list(found.parameters.values()))
    if ((best.x - low) < 1e-3 * (high - low)).any() or (
        (high - best.x) < 1e-3 * (high - low)
    ).any():
        return []
    J = slopes(best.x)
    covariance = np.linalg.inv(J.T @ J)
    if not is_known:
        rest = np.real(left(best.x))
        covariance = covariance * (rest @ rest) / max(1, len(rest) - len(goal))
    errors = np.sqrt(np.diag(covariance))
    wrong = []
    if not (np.abs(at - best.x) <= NEAR * errors + 1e-6 * np.abs(best.x)).all():
        mine = float(np.sum(np.real(left(at)) ** 2)), 2.0 * best.cost
        wrong.append(
            f"found {at.tolist()}, not {best.x.tolist()} (errors {errors.tolist()}, costs {mine})"
        )
    elif noise or is_known:
        told = np.array(list(found.errors.values()))
        if not (np.abs(told - errors) <= ALIKE * errors + 1e-9 * np.abs(best.x)).all():
            wrong.append(f"errors {told.tolist()}, not {errors.tolist()}")
        alike = covariance / np.outer(errors, errors)
        if not np.abs(found.correlation - alike).max() <= 1e-2:
            wrong.append(f"correlations {found.correlation.tolist()}, not {alike.tolist()}")
    return [case + f"noise {noise}, known {is_known}: " + one for one in wrong[:2]]
