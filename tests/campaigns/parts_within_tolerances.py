"""Promise: what a linkage may be off is bounded for every machine within its tolerances and plays,
to first order exactly, and machines that are drawn do what their own dimensions say.

Oracle: a four-bar by cuts of circles in complex numbers, its pins anywhere in their holes; slopes
by steps in the imaginary direction; deviations of distributions by SciPy.
"""

import numpy as np
from scipy import stats

import kempe as kp

CASES = 2
UNITS = {"m": 1.0, "mm": 1e-3, "inch": 0.0254}
NAMES = ("crank", "coupler", "rocker", "ground", "px", "py", "A", "B", "C", "D")
DEAD = 0.05  # of the lengths: nearer to a dead point nothing is compared
DRAWN = 1e-9  # of a size, beside how near a dead point is
TRIED = 400  # machines by hand


@kp.parametric
def four_bar(crank=0.3, coupler="0.9 m", rocker=0.7, ground=1.0, px=0.4, py=0.3, start=0.0,
             units="m"):  # fmt: skip
    """A four-bar in any unit of length."""
    m = kp.Builder("four-bar", plane=True, units=units)
    first = m.bar("crank", crank, angle=start)
    middle = m.bar("coupler", coupler, points={"P": (px, py)}, angle=0.9)
    last = m.bar("rocker", rocker, angle=1.5)
    m.revolute(m.ground.at(0, 0), first.start, name="A")
    m.revolute(first.end, middle.start, name="B")
    m.revolute(middle.end, last.end, name="C")
    m.revolute(last.start, m.ground.at(ground, 0), name="D")
    m.drive(first.angle, start=start, speed=2.0)
    return m.build()


def attempt(rng: np.random.Generator) -> list[str]:
    """Lengths at a scale, a stretch of a turn, some dimensions and hinges that may be off."""
    unit, scale = str(rng.choice(list(UNITS))), 10.0 ** rng.integers(-3, 4)
    lengths = scale * np.array([rng.uniform(0.1, 0.9), *rng.uniform(0.5, 1.5, 3)])
    lengths = np.append(lengths, scale * rng.normal(size=2))
    start = float(rng.uniform(-np.pi, np.pi))
    home = dict(zip(NAMES, [float(x) for x in lengths], strict=False), start=start, units=unit)
    home["coupler"] = f"{lengths[1]!r} {unit}".replace("np.float64(", "").replace(")", "")
    t = np.linspace(0.0, 0.5, int(rng.integers(2, 12)))
    x0 = np.append(lengths * UNITS[unit], np.zeros(4))
    turn, size = start + 2.0 * t, float(np.sum(x0[:4]))
    dead = _margin(x0, turn)
    if dead < DEAD:
        return []
    rel = 10.0 ** rng.uniform(-7, -2.5) * dead
    off, means, sigmas, width = {}, np.zeros(10), np.zeros(10), np.zeros((10, 2))
    spread = str(rng.choice(["normal", "uniform"]))
    for k, name in enumerate(NAMES[:6]):
        if rng.uniform() < 0.5:
            off[name], width[k], means[k], sigmas[k] = _tolerance(
                rng, rel * scale, unit, name, spread
            )
    plays = {}
    for k, name in enumerate(NAMES[6:], 6):
        if rng.uniform() < 0.4 or not (off or plays):
            c = float(rel * scale * rng.uniform(0.2, 1.0))
            plays[name] = c if rng.uniform() < 0.5 else f"{c!r} {unit}"
            width[k], sigmas[k] = (0.0, c), c / np.sqrt(2.0)
    width, means, sigmas = (x * UNITS[unit] for x in (width, means, sigmas))
    made = four_bar(**home)
    count = int(rng.choice([0, 2, 300]))
    found = made.tolerances(
        off, ["coupler.P", "rocker.angle"], until=0.5, steps=len(t) - 1,
        clearances=plays, count=count, seed=int(rng.integers(99)), spread=spread,
    )  # fmt: skip
    side = min((1, -1), key=lambda s: np.abs(_read(x0, turn, s)[0] - _placed(found)).max())
    case = f"{home}, off {off}, plays {plays}, {spread}, {len(t)} samples: "
    wrong = _first_order(found, x0, turn, side, width, means, sigmas)
    wrong += _bounds(found, x0, turn, side, width, size, rel, dead, rng)
    wrong += _machines(found, x0, UNITS[unit], turn, side, 1.0 / dead) if count else []
    return [case + one for one in wrong[:2]]


def _tolerance(rng, rel, unit, name, spread):
    """A tolerance in one of the ways to write it, its ends, its mean and deviation in the unit."""
    a, b = (float(x) for x in rel * rng.uniform(0.1, 1.0, 2))
    how = int(rng.integers(5))
    sigma = 1.0 / 3.0 if spread == "normal" else 1.0 / np.sqrt(3.0)
    if how == 0:
        return a, (-a, a), 0.0, a * sigma
    if how == 1 and name == "coupler":
        return f"{a!r} {unit}", (-a, a), 0.0, a * sigma
    if how in (1, 2):
        a *= float(rng.integers(0, 2))
        return (-a, b), (-a, b), (b - a) / 2.0, (a + b) / 2.0 * sigma
    if how == 3:
        return stats.uniform(-a, a + b), (-a, b), (b - a) / 2.0, (a + b) / np.sqrt(12.0)
    return stats.triang(0.5, -a, 2.0 * a), (-a, a), 0.0, a / np.sqrt(6.0)


def _read(x, turn, side, pins=None):
    """P and the rocker's angle; `pins` are complex offsets at A, B, C and D."""
    a, b, c, d, px, py = x[:6]
    A, B, C, D = (0.0, 0.0, 0.0, 0.0) if pins is None else pins
    # pairs (real, imaginary), each of which may be a complex number itself
    X, Y = _re(A) + a * np.cos(turn) + _re(B), _im(A) + a * np.sin(turn) + _im(B)
    gx, gy = d + _re(D) + _re(C) - X, _im(D) + _im(C) - Y
    r = np.sqrt(gx * gx + gy * gy)
    cosine = (b * b + r * r - c * c) / (2.0 * b * r)
    sine = side * np.sqrt(1.0 - cosine * cosine)
    ux, uy = (gx * cosine - gy * sine) / r, (gy * cosine + gx * sine) / r
    P = np.stack([X + px * ux - py * uy, Y + px * uy + py * ux], axis=-1)
    wx, wy = b * ux - gx, b * uy - gy
    return P, _angle(wy, wx)


def _re(x):
    return x[0] if isinstance(x, tuple) else np.real(x)


def _im(x):
    return x[1] if isinstance(x, tuple) else np.imag(x)


def _angle(y, x):
    """atan2, and its derivative where the numbers are complex."""
    plain = np.arctan2(np.real(y), np.real(x))
    if not (np.iscomplexobj(x) or np.iscomplexobj(y)):
        return plain
    slope = (np.real(x) * np.imag(y) - np.real(y) * np.imag(x)) / (
        np.real(x) ** 2 + np.real(y) ** 2
    )
    return plain + 1j * slope


def _placed(found):
    return found["coupler.P"].value


def _margin(x, turn):
    a, b, c, d = x[:4]
    r = np.abs(d - a * np.exp(1j * turn))
    inside = np.minimum(b + c - r, r - abs(b - c))
    return float(min(inside.min() / (a + b + c + d), r.min() / d))


def _slopes(x0, turn, side):
    """d(P, angle) by the six dimensions and by x and y of every pin, (2, readings)."""
    h, told = 1e-30, []
    for k in range(6):
        x = x0[:6].astype(complex)
        x[k] += 1j * h
        told.append([np.imag(one) / h for one in _read(x, turn, side)])
    for k in range(4):
        for step in ((1j * h, 0.0), (0.0, 1j * h)):
            pins = [(0.0j, 0.0j)] * 4
            pins[k] = step
            told.append([np.imag(one) / h for one in _read(x0[:6], turn, side, pins)])
    return told


def _first_order(found, x0, turn, side, width, means, sigmas):
    slopes, wrong = _slopes(x0, turn, side), []
    for which, name in enumerate(("coupler.P", "rocker.angle")):
        spread, g = found[name], [one[which] for one in slopes]
        above = sum(np.maximum(g[k] * width[k, 0], g[k] * width[k, 1]) for k in range(6))
        under = sum(np.minimum(g[k] * width[k, 0], g[k] * width[k, 1]) for k in range(6))
        shift = sum(g[k] * means[k] for k in range(6))
        var = sum((g[k] * sigmas[k]) ** 2 for k in range(6))
        for k in range(4):
            steep = np.hypot(g[6 + 2 * k], g[7 + 2 * k])
            above, under = above + steep * width[6 + k, 1], under - steep * width[6 + k, 1]
            var = var + (steep * sigmas[6 + k]) ** 2
        for word, true in (("above", above), ("under", under), ("shift", shift)):
            off = np.abs(getattr(spread, word) - true).max()
            if not off <= 1e-7 * np.maximum(above, -under).max():
                wrong.append(f"{word} of {name} is off by {off:.3g} of {np.abs(true).max():.3g}")
        off = np.abs(spread.sigma - np.sqrt(var)).max()
        if not off <= 0.03 * np.sqrt(var).max():  # a normal law cut at three of them: 0.987
            wrong.append(f"sigma of {name} is {spread.sigma.tolist()}, not {np.sqrt(var).tolist()}")
    return wrong


def _bounds(found, x0, turn, side, width, size, rel, dead, rng):
    """No machine by hand leaves the bounds; they are first order and little more."""
    wrong = []
    ends = width[:6, :, None, None]
    u = rng.uniform(size=(6, TRIED, 1))
    u = np.where(rng.uniform(size=(1, TRIED, 1)) < 0.7, np.round(u), u)  # mostly corners
    x = x0[:6, None, None] + ends[:, 0] + (ends[:, 1] - ends[:, 0]) * u
    far = width[6:, 1, None, None] * np.sqrt(rng.uniform(size=(4, TRIED, len(turn))))
    pins = list(far * np.exp(2j * np.pi * rng.uniform(size=(4, TRIED, len(turn)))))
    with np.errstate(invalid="ignore"):
        machines = _read(x, turn, side, pins)
    for name, true in zip(("coupler.P", "rocker.angle"), machines, strict=True):
        spread = found[name]
        if not spread.is_proved:
            if rel < 1e-5 * dead:
                wrong.append(f"bounds of {name} are not proved: {found.notes}")
            continue
        if "angle" in name:
            true = true + 2.0 * np.pi * np.round((spread.value - true) / (2.0 * np.pi))
        slack = 1e-12 * (size if "P" in name else 1.0)  # of the arithmetic by hand
        if not ((true >= spread.low - slack) & (true <= spread.high + slack)).all():
            wrong.append(f"a machine leaves the proved bounds of {name}")
        whole = 1.0 if "angle" in name else size
        most = np.maximum(spread.above, -spread.under)
        extra = np.maximum(
            spread.high - spread.value - spread.above, spread.value + spread.under - spread.low
        )
        if not (
            extra <= 2e3 * (rel / dead) ** 2 / dead * whole + 1e-12 * whole + 1e-6 * most
        ).all():
            wrong.append(
                f"bounds of {name} are {extra.max():.3g} wider than first order, {most.max():.3g}"
            )
        if not (
            extra >= -1e-6 * most.max() - 1e-12 * whole - 50 * whole * (rel / dead) ** 2 / dead
        ).all():
            wrong.append(f"bounds of {name} are {-extra.min():.3g} narrower than first order")
    return wrong


def _machines(found, x0, unit, turn, side, near):
    """Those that were drawn do what their columns say, and have the deviations that they claim."""
    count = len(found["coupler.P"].drawn)
    x = np.repeat(x0[:6, None], count, axis=1)
    for k, name in enumerate(NAMES[:6]):
        if name in found.columns:
            x[k] += found.columns[name] * unit
    pins = []
    for name in NAMES[6:]:
        there = f"play of {name}: x" in found.columns
        pins.append(
            found.columns[f"play of {name}: x"] + 1j * found.columns[f"play of {name}: y"]
            if there
            else np.zeros(count, dtype=complex)
        )
    wrong = []
    if found.outcomes != {"Done": count}:
        return [f"machines ended as {found.outcomes}"]
    # pins lie still in the holes of the first markers: of ground, crank, coupler and rocker
    told = [pins[0][:, None], pins[1][:, None] * np.exp(1j * turn), 0.0, 0.0]
    for _ in range(9):  # the frames of coupler and rocker follow from the pins
        P, angle = _read(x[:, :, None], turn, side, told)
        X = told[0] + x[0][:, None] * np.exp(1j * turn) + told[1]
        p = (P @ (1.0, 1.0j) - X) / (x[4] + 1j * x[5])[:, None]
        told[2] = -pins[2][:, None] * p
        told[3] = -pins[3][:, None] * np.exp(1j * angle)
    away = angle - found["rocker.angle"].drawn
    best = max(
        np.abs(P - found["coupler.P"].drawn).max() / np.abs(x0[:6]).max(),
        np.abs(away - 2.0 * np.pi * np.round(away / (2.0 * np.pi))).max(),
    )
    if not best < DRAWN * near:
        wrong.append(f"a machine is off by {best:.3g} from what its dimensions say")
    return wrong
