"""Promise: for a few positions exactly those four-bars are listed that there are, each stands where
it must, and its defects are those that it has.

Oracle: Freudenstein's equation, linear in the lengths; centres of circles through a pivot as the
body sees it, their condition as a polynomial in mpmath; circuits and branches by Grashof's rule and
the side on which the joint between coupler and rocker lies.
"""

import math

import mpmath
import numpy as np

from kempe.synthesis import function_generators, motion_generators, path_generators

CASES = 8
REMEMBERED = (237,)  # a crank that had to swing the long way was said to meet a dead point
NEAR = 1e-7
CLEAR = 1e-3  # of a length or an angle: nearer to another case nothing is compared


def attempt(rng: np.random.Generator) -> list[str]:
    """A random task: three or four poses, three or four pairs of angles, three points."""
    task = (_poses, _poses, _angles, _angles, _points)[int(rng.integers(5))]
    return task(rng)


def _poses(rng):
    count = int(rng.integers(3, 5))
    unit, size = str(rng.choice(["m", "mm", "inch"])), 10.0 ** rng.integers(-2, 3)
    d = size * (rng.normal(size=count) + 1j * rng.normal(size=count))
    turns = np.cumsum(rng.uniform(-1.0, 1.0, count))
    ends = size * (rng.normal(size=2) + 1j * rng.normal(size=2))
    poses = [
        (float(z.real), float(z.imag), _angle(rng, float(a))) for z, a in zip(d, turns, strict=True)
    ]
    line = [(float(z.real), float(z.imag)) for z in ends]
    given = {"pivots": line} if count == 3 else {"pivots_on": tuple(line)}
    found = motion_generators(poses, units=unit, **given)
    case = f"poses {poses}, {given}, {unit}: "
    if str(found.outcome) != "complete":
        return []
    if count == 3:
        bars = [(G, _centre((G - d) * np.exp(-1j * turns))) for G in ends]
        true = [tuple(bars)]
    else:
        roots = _on_line(ends, d, turns)
        if roots is None:
            return []
        bars = [(G, _centre(((G - d) * np.exp(-1j * turns))[:3])) for G in roots]
        true = [(one, two) for k, one in enumerate(bars) for two in bars[:k]]
    far = max((abs(z) for bar in bars for z in bar), default=0.0) / size
    if far > 30.0:  # beyond reach, or nearly
        return []
    seen = []
    for one in found:
        at = one.positions
        way = np.exp(-1j * turns)
        bodies = [((z - d) * way)[0] for z in (at.B, at.C)]
        seen.append({(complex(G), complex(w)) for G, w in zip(at.pivots, bodies, strict=True)})
    wrong = []
    if len(seen) != len(true) or not all(any(_alike(a, b, size) for b in seen) for a in true):
        wrong.append(f"{len(seen)} four-bars {seen}, not {len(true)}: {true}")
    return [case + one for one in [*wrong, *_judged(found, d, np.exp(1j * turns))][:2]]


def _alike(a, b, size):
    return all(any(abs(x[0] - y[0]) + abs(x[1] - y[1]) < 1e-5 * size for y in b) for x in a)


def _angle(rng, a):
    return a if rng.uniform() < 0.5 else f"{math.degrees(a)!r} deg"


def _centre(z):
    """The centre of the circle through three points."""
    a, b, c = z[:3]
    p, q = b - a, c - a
    return a + (abs(p) ** 2 * q - abs(q) ** 2 * p) / (np.conj(p) * q - p * np.conj(q))


def _on_line(ends, d, turns):
    """Ground pivots on a line that the body sees on a circle; None where two are close."""
    mpmath.mp.dps = 40

    def circle(s):
        G = mpmath.mpc(complex(ends[0])) + s * mpmath.mpc(complex(ends[1] - ends[0]))
        rows = []
        for place, turn in zip(d, turns, strict=True):
            w = (G - mpmath.mpc(complex(place))) * mpmath.expj(-mpmath.mpf(float(turn)))
            rows.append([abs(w) ** 2, w.real, w.imag, 1])
        return mpmath.det(mpmath.matrix(rows))

    at = [mpmath.mpf(k) for k in range(-3, 4)]
    A = mpmath.matrix([[x**k for k in range(6, -1, -1)] for x in at])
    c = mpmath.lu_solve(A, mpmath.matrix([circle(x) for x in at]))
    most = max(abs(x) for x in c)
    c = list(c)
    while c and abs(c[0]) < mpmath.mpf(10) ** -25 * most:
        c = c[1:]
    roots = mpmath.polyroots(c[::-1], maxsteps=500, extraprec=200, asc=True)
    real = [r.real for r in roots if abs(r.imag) < mpmath.mpf(10) ** -15]
    if any(1e-15 < abs(r.imag) < CLEAR for r in roots):
        return None
    places = [float(r) for r in real]
    if any(abs(x - y) < CLEAR for k, x in enumerate(places) for y in places[:k]):
        return None
    return [ends[0] + s * (ends[1] - ends[0]) for s in places]


def _angles(rng):
    count = int(rng.integers(3, 5))
    inputs = np.cumsum(rng.uniform(0.1, 0.8, count)) * float(rng.choice([-1, 1]))
    outputs = np.cumsum(rng.uniform(-0.2, 0.8, count))
    at, to = (float(x) for x in rng.uniform(-3, 3, 2))
    ground = 10.0 ** rng.integers(-2, 3) * float(rng.uniform(0.5, 2))
    x = at + inputs - inputs[0]
    turn = outputs - outputs[0]
    given = {"input_start": _angle(rng, at)}
    if count == 3:
        given["output_start"] = _angle(rng, to)
        starts = [to]
    else:
        starts = _starts(x, turn)
        if starts is None:
            return []
    true = []
    for start in starts:
        K = _freudenstein(x[:3], start + turn[:3])
        if np.abs(K[:2]).min() < 1.0 / 30.0:
            return []  # as long as what is looked for, or nearly
        # K1 cos(y) - K2 cos(x) + K3 = cos(x - y): K1 = d / a, K2 = d / c
        a, c = ground / K[0], ground / K[1]
        b2 = a * a + c * c + ground * ground - 2.0 * a * c * K[2]
        if abs(b2) < CLEAR * ground**2:
            return []
        if b2 > 0.0:
            true.append((abs(a), math.sqrt(b2), abs(c)))
    found = function_generators(
        [_angle(rng, float(v)) for v in inputs], [_angle(rng, float(v)) for v in outputs],
        ground=ground, **given,
    )  # fmt: skip
    if str(found.outcome) != "complete":
        return []
    seen = [tuple(one.lengths.values())[:3] for one in found]
    case = f"inputs {inputs.tolist()}, outputs {outputs.tolist()}, {given}, ground {ground}: "
    wrong = []
    off = [min((max(abs(np.subtract(a, b))) for b in seen), default=9e9) for a in true]
    if len(seen) != len(true) or max(off, default=0.0) > 1e-6 * max(
        max(a) for a in [*true, (ground,)]
    ):
        wrong.append(f"bars {seen}, not {true}")
    return [case + one for one in [*wrong, *_judged(found, None, None)][:2]]


def _freudenstein(x, y):
    """Ratios by which crank and rocker stand at angles x and y in three positions."""
    A = np.stack([np.cos(y), -np.cos(x), np.ones(3)], axis=1)
    return np.linalg.solve(A, np.cos(x - y))


def _starts(x, turn):
    """All angles in half a turn at which the rocker can begin; None where two are near."""

    def off(start):
        y = start + turn
        rows = np.stack([np.cos(y), -np.cos(x), np.ones(4), np.cos(x - y)], axis=1)
        return np.linalg.det(rows)

    s = np.linspace(0.0, np.pi, 4001)
    values = np.array([off(v) for v in s])
    bends = (np.diff(np.sign(np.diff(values))) != 0).nonzero()[0] + 1
    if np.abs(values[[0, *bends]]).min() < 1e-3 * np.abs(values).max():
        return None
    from scipy.optimize import brentq

    return [
        brentq(off, s[k], s[k + 1], xtol=1e-14)
        for k in (np.diff(np.sign(values)) != 0).nonzero()[0]
    ]


def _points(rng):
    points = rng.normal(size=3) + 1j * rng.normal(size=3)
    lengths = rng.uniform(0.3, 1.5, 2)
    found = path_generators(
        [(float(z.real), float(z.imag)) for z in points], [(0, 0), (1, 0)],
        crank=float(lengths[0]), rocker=float(lengths[1]),
    )  # fmt: skip
    case = f"points {points.tolist()}, crank and rocker {lengths.tolist()}: "
    wrong = []
    for one in found:
        a, _, c, d = one.lengths.values()
        if max(abs(a - lengths[0]), abs(c - lengths[1]), abs(d - 1.0)) > NEAR:
            wrong.append(f"bars {one.lengths}")
        if np.abs(one.positions.P - points).max() > NEAR:
            wrong.append(f"P at {one.positions.P.tolist()}")
    return [case + one for one in [*wrong, *_judged(found, points, None)][:2]]


def _judged(found, places, turns):
    """Every candidate is one rigid four-bar, and has the defects that it has."""
    wrong = []
    for k, one in enumerate(found):
        at = one.positions
        A, D = at.pivots
        size = max(
            abs(A - D), np.abs(at.B - A).max(), np.abs(at.C - D).max(), np.abs(at.B - at.C).max()
        )
        rigid = [at.B - A, at.C - D, at.C - at.B]
        if places is not None:
            rigid += [places - at.B, places - at.C]
        off = max(np.ptp(np.abs(z)) for z in rigid)
        if turns is not None:
            off = max(
                off, np.ptp(np.angle((at.C - at.B) / turns * np.conj((at.C - at.B) / turns)[0]))
            )
        if not off < 1e-6 * max(size, 1.0):
            wrong.append(f"four-bar {k} is not rigid: {off:.3g} of {size:.3g}")
        word = _defect(at.B - A, at.C - A, D - A, size)
        if word == "?":
            continue
        if word is None and one.defects:
            wrong.append(
                f"four-bar {k}, {one.lengths}, has defects {one.defects}, and should have none"
            )
        if word and word not in one.defects:
            wrong.append(
                f"four-bar {k}, {one.lengths}, has defects {one.defects}, and should have {word!r}"
            )
        if word is None and not one.error < 1e-6 * max(size, 1.0):
            wrong.append(f"four-bar {k} misses its positions by {one.error}")
    return wrong


def _defect(B, C, D, size):
    """What is wrong first: circuit, branch or order; None if nothing is, "?" where close."""
    a, b, c, d = abs(B[0]), abs(C[0] - B[0]), abs(C[0] - D), abs(D)
    bars = sorted((a, b, c, d))
    grashof = bars[1] + bars[2] - bars[0] - bars[3]
    sines = np.imag(np.conj(D - B) * (C - B)) / (np.abs(D - B) * b)
    if abs(grashof) < CLEAR * size or np.abs(sines).min() < CLEAR or bars[0] < CLEAR * size:
        return "?"
    sides, angles = np.sign(sines), np.angle(B / D)
    full = grashof > 0.0 and min(a, d) <= min(b, c) and bars[0] in (a, d)
    if full:
        if len(set(sides)) > 1:
            return "circuit"
        steps = np.diff(angles)
        if (
            np.abs(np.sin(0.5 * (angles[:, None] - angles[None, :]) + 10 * np.eye(len(B)))).min()
            < CLEAR
        ):
            return "?"
        forward = np.mod(steps, 2.0 * np.pi).sum() < 2.0 * np.pi
        backward = np.mod(-steps, 2.0 * np.pi).sum() < 2.0 * np.pi
        return None if forward or backward else "order"
    if grashof > 0.0 and len(set(np.sign(np.imag(B / D)))) > 1:
        return "circuit"
    if len(set(sides)) > 1:
        return "branch"
    is_outward = grashof < 0.0 and not abs(d - a) < abs(b - c)  # it swings about the line of pivots
    along = angles if is_outward else np.mod(angles, 2.0 * np.pi)
    steps = np.diff(along)
    if np.abs(steps).min() < CLEAR:
        return "?"
    return None if (steps > 0).all() or (steps < 0).all() else "order"
