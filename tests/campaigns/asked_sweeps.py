"""Promise: a sweep goes over the variants that its texts, samplings and seeds say, in the units of
the parameters and however it is cut, and finds of each what was asked, or says why not.

Oracle: the variants by itertools and strata of distributions of SciPy; a four-bar by cuts of
circles in complex numbers, reduced by NumPy; shares of variance of a sum and a product.
"""

import itertools

import numpy as np
from scipy import stats

import kempe as kp
from kempe.sweeps import Kinematics

CASES = 12
UNITS = {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "inch": 0.0254}
USUAL = {"crank": 30.0, "coupler": 90.0, "rocker": 70.0, "px": 45.0, "py": 40.0}  # in the unit
GROUND, CURVES = 100.0, ("rocker.angle", "coupler.P.x", "coupler.P.y")
REDUCED = {
    "max": np.max, "min": np.min, "mean": np.mean, "std": np.std, "range": np.ptp,
    "rms": lambda x: np.sqrt(np.mean(x * x)), "first": lambda x: x[0], "last": lambda x: x[-1],
}  # fmt: skip
NEAR, TOLERANCE = 1e-4, 1e-8  # of a length: of dead points, of what is read
SHARE = 0.12  # of Sobol' indices of 64 base points


@kp.parametric
def four_bar(crank=30.0, coupler="90 mm", rocker=70.0, px=45.0, py=40.0, units="mm"):
    """A four-bar in any unit of length; the coupler's is written with it."""
    m = kp.Builder("four-bar", plane=True, units=units)
    first, last = m.bar("crank", crank), m.bar("rocker", rocker)
    middle = m.bar("coupler", coupler, points={"P": (px, py)})
    m.revolute(m.ground.at(0, 0), first.start)
    m.revolute(first.end, middle.start)
    m.revolute(middle.end, last.end)
    m.revolute(last.start, m.ground.at(GROUND, 0))
    m.drive(first.angle, rpm=60)
    return m.build()


def attempt(rng: np.random.Generator) -> list[str]:
    """A unit, a sampling, columns written in one of many ways, readings, chunks."""
    unit = str(rng.choice(list(UNITS)))
    home = four_bar(coupler=f"90 {unit}", units=unit)
    sampling = str(rng.choice(["grid", "list", "random", "latin", "sobol", "saltelli"]))
    names = [str(n) for n in rng.permutation(list(USUAL))[: rng.integers(1, 4)]]
    count = int(2 ** rng.integers(1, 5)) if sampling != "saltelli" else 64
    if sampling in ("grid", "list"):
        levels = {n: _levels(rng, n, count if sampling == "list" else None) for n in names}
        over = {n: _written(rng, x) for n, x in levels.items()}
        asked = {} if sampling == "grid" and rng.uniform() < 0.5 else {"sampling": sampling}
        x = levels.values()
        rows = itertools.product(*x) if sampling == "grid" else zip(*x, strict=True)
        true = dict(zip(names, np.array(list(rows)).T, strict=True))
    else:
        pairs = {n: _distribution(rng, n) for n in names}
        over = {n: text for n, (text, _) in pairs.items()}
        asked = {"sampling": sampling, "count": count, "seed": int(rng.integers(100))}
    asked["executor"] = str(rng.choice(["serial", "threads"]))
    if rng.uniform() < 0.6:
        asked["chunk"] = int(rng.integers(1, 20))
    if sampling == "saltelli":
        return _shares(home, over, {n: d for n, (_, d) in pairs.items()}, asked, rng)
    steps = int(rng.integers(1, 40))
    read = [_reading(rng) for _ in range(rng.integers(1, 4))]
    found = kp.sweep(home, over=over, analysis=Kinematics(read, until=1.0, steps=steps), **asked)
    case = f"{unit}, over {over}, {asked}, {read}, {steps} steps: "
    if sampling in ("grid", "list"):
        wrong = [
            f"{n} takes {found[n].tolist()}, not {x.tolist()}"
            for n, x in true.items()
            if found[n].shape != x.shape or np.abs(found[n] - x).max() > 1e-12 * np.abs(x).max()
        ]
    else:
        wrong = _strata(sampling, {n: d for n, (_, d) in pairs.items()}, found, count)
    if found["number"].tolist() != list(range(found.size)) or not found.is_complete:
        wrong.append("its rows are not numbered from 0 on")
    if not wrong:
        wrong = _judged(found, read, steps, UNITS[unit])
    return [case + one for one in wrong[:2]]


def _levels(rng, name, count):
    """Values near the usual one, or far enough that some cannot turn."""
    near, wide = USUAL[name], float(rng.choice([0.02, 0.2, 0.7]))
    n = int(count or rng.integers(1, 5))
    low = near * (1.0 - wide * rng.uniform(0.1, 1.0))
    high = near * (1.0 + wide * rng.uniform())
    if n > 1 and rng.uniform() < 0.5:
        return np.linspace(low, high, n)
    return rng.uniform(low, high, n)


def _written(rng, x):
    """The same values as a text, a list or an array."""
    how = int(rng.integers(4))
    if how == 0 and len(x) > 1 and x[-1] > x[0] and np.allclose(np.diff(x, 2), 0.0):
        return f"{x[0]!r}..{x[-1]!r} in {len(x)}".replace("np.float64(", "").replace(")", "")
    if how == 1:
        return ", ".join(f"{v:.17g}" for v in x)
    return x.tolist() if how == 2 else x


def _distribution(rng, name):
    """A distribution as a text or as SciPy has it, and SciPy's."""
    near = USUAL[name]
    a, b, c = (float(v) for v in np.sort(near * rng.uniform(0.9, 1.1, 3)))
    kinds = [
        (f"{a}..{c}", stats.uniform(a, c - a)),
        (f"uniform({a}, {c})", stats.uniform(a, c - a)),
        (f"normal({near}, {0.01 * near})", stats.norm(near, 0.01 * near)),
        (f"triangular({a}, {b}, {c})", stats.triang((b - a) / (c - a), a, c - a)),
        (f"lognormal({np.log(near)}, 0.02)", stats.lognorm(0.02, scale=near)),
        (stats.uniform(a, c - a), stats.uniform(a, c - a)),
        (stats.norm(near, 0.02 * near), stats.norm(near, 0.02 * near)),
    ]
    return kinds[int(rng.integers(len(kinds)))]


def _strata(sampling, distributions, found, count):
    """Of evenly sampled columns every stratum of the same probability has one."""
    wrong = []
    for name, distribution in distributions.items():
        u = distribution.cdf(found[name])
        low, high = distribution.support()
        if (
            found[name].shape != (count,)
            or not ((found[name] >= low) & (found[name] <= high)).all()
        ):
            wrong.append(f"{name} leaves its range: {found[name].tolist()}")
        elif sampling != "random" and sorted(np.floor(u * count).astype(int)) != [*range(count)]:
            wrong.append(f"{name} is not even: {np.sort(u).tolist()}")
    return wrong


def _reading(rng):
    name, how = str(rng.choice(CURVES)), int(rng.integers(10))
    return name if how > 7 else f"{list(REDUCED)[how]}({name})"


def _judged(found, read, steps, unit):
    """What each variant shows, by cuts of circles, or nothing where its crank cannot turn."""
    given = {n: np.broadcast_to(found[n] if n in found.parameters else x, (found.size,))
             for n, x in USUAL.items()}  # fmt: skip
    a, b, c, px, py = (given[n][:, None] * unit for n in USUAL)
    d = GROUND * unit
    B = a * np.exp(2j * np.pi * np.linspace(0.0, 1.0, steps + 1))
    way, size = d - B, a + b + c + d
    r = np.abs(way)
    ends = np.array([(b + c - d - a), (np.abs(d - a) - np.abs(b - c))])[:, :, 0] / size[:, 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        turned = np.exp(1j * np.arccos((b * b + r * r - c * c) / (2.0 * b * r)))
    along = way / r * turned
    C, P = B + b * along, B + (px + 1j * py) * along
    curves = {
        "rocker.angle": np.unwrap(np.angle(C - d), axis=1), "coupler.P.x": P.real,
        "coupler.P.y": P.imag,
    }  # fmt: skip
    wrong = []
    for k in range(found.size):
        if np.abs(ends[:, k]).min() < NEAR:
            continue
        if (ends[:, k] < 0.0).any():
            if found["outcome"][k] == "Done" and np.isnan(along[k]).any():
                wrong.append(f"variant {k} is done, and cannot turn")
            continue
        if found["outcome"][k] != "Done":
            wrong.append(f"variant {k} turns, and is {found['outcome'][k]}: {found['message'][k]}")
            continue
        for one in read:
            how, _, name = one.rstrip(")").rpartition("(")
            true = curves[name][k]
            true = REDUCED[how](true) if how else true
            near = TOLERANCE * (1.0 if "angle" in name else size[k, 0])
            off = np.abs(found[one][k] - true).max()
            if "angle" in name and not how.startswith(("range", "std")):
                whole = 2.0 * np.pi * np.round((found[one][k] - true) / (2.0 * np.pi))
                off = np.abs(found[one][k] - true - whole).max() if how != "rms" else 0.0
            if not off < near:
                wrong.append(f"{one} of variant {k} is off by {off:.2g}")
    return wrong


def _shares(home, over, distributions, asked, rng):
    """Sobol' indices of a sum, and of a product, whose shares are known."""
    names = list(over)
    weights = {n: float(rng.uniform(0.5, 2.0)) / USUAL[n] for n in names}
    product = bool(rng.integers(2))

    def told(mechanism):
        terms = [weights[n] * float(str(mechanism.parameters[n]).split()[0]) for n in names]
        return {"sum": sum(terms), "product": float(np.prod(terms))}

    found = kp.sweep(home, over=over, analysis=told, **asked)
    mean = {n: weights[n] * distributions[n].mean() for n in names}
    var = {n: weights[n] ** 2 * distributions[n].var() for n in names}
    if product:  # V_i = v_i prod m_j^2, V_Ti = v_i prod (m_j^2 + v_j)
        whole = np.prod([mean[n] ** 2 + var[n] for n in names]) - np.prod(
            [mean[n] ** 2 for n in names]
        )
        first = [var[n] * np.prod([mean[j] ** 2 for j in names if j != n]) for n in names]
        last = [var[n] * np.prod([mean[j] ** 2 + var[j] for j in names if j != n]) for n in names]
    else:
        whole, first = sum(var.values()), list(var.values())
        last = first
    shares = found.sobol_indices("product" if product else "sum")
    seen = np.array([shares.first, shares.total])
    true = np.array([first, last]) / whole
    if found.size != 64 * (len(names) + 2) or not np.abs(seen - true).max() < SHARE:
        return [f"shares {seen.tolist()} of {over}, not {true.tolist()}"]
    return []
