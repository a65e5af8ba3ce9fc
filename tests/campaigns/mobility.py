"""Promise: `check` counts the freedoms of finite motion, of composed and of singular models too.

Oracle: numpy, in other coordinates. A framework of bars is the points of its pins and one equation
a bar, |p_a - p_b|^2 = l^2; random steps along what these allow at first order are projected back by
Gauss and Newton, and the rank of what is left of them, taken at places that were reached, is the
number of freedoms.

Frameworks are bars along sides and diagonals of a few squares, pinned where they meet, some pins on
the ground: bars pulled straight, parallelograms laid flat, trusses and parts that hang apart occur
by themselves. Beside them stand parts whose freedoms are known: swings, stretched pairs of bars.
"""

import math

import numpy as np
from numpy.typing import NDArray

import kempe as kp

FloatArray = NDArray[np.float64]
Bar = tuple[int, int]

CASES = 25
REMEMBERED = (41000355, 41001079, 41001362)
FAR, NEAR = 0.05, 0.003  # of a side of 1: steps from the start, and from places reached
ITERATIONS = 400  # Gauss and Newton halve what is left of a step that leads nowhere
RANK = 1e-5  # of rows of length 1
MOVED, FOLLOWED = 0.2, 0.3  # share of a step that is left where it leads somewhere
DIRECTIONS = 3  # times the freedoms at first order


def attempt(rng: np.random.Generator) -> list[str]:
    """A framework on a lattice of 2 x 2 to 3 x 3 pins, beside up to three parts that are known."""
    wide, high = (int(n) for n in rng.integers(2, 4, 2))
    pins = [(x, y) for y in range(high) for x in range(wide)]
    near = [
        (a, b)
        for a in range(len(pins))
        for b in range(a + 1, len(pins))
        if max(abs(pins[a][0] - pins[b][0]), abs(pins[a][1] - pins[b][1])) == 1
    ]
    bars = [bar for bar in near if rng.random() < 0.55]
    grounded = {0, int(rng.integers(1, len(pins)))}
    bars = [bar for bar in bars if not set(bar) <= grounded]
    if not bars:
        return []
    points = np.array(pins, dtype=float)
    expected, known = freedoms(points, bars, grounded), []
    m = kp.Builder("framework", plane=True)
    build(m, points, bars, grounded, "f", 0.0)
    for k in range(int(rng.integers(0, 4))):
        kind = str(rng.choice(["swing", "stretched", "flat", "double swing"]))
        expected += beside(m, kind, f"p{k}", 10.0 * (k + 1))
        known.append(kind)
    report = m.build().check()
    case = f"bars {bars} on {pins}, ground {sorted(grounded)}, beside {known}"
    if report.mobility != expected:
        return [f"DOF {report.mobility} instead of {expected}: {case}"]
    return []


def build(
    m: kp.Builder, points: FloatArray, bars: list[Bar], grounded: set[int], tag: str, x: float
) -> None:
    """Bars as bodies; at every pin each is hinged to the first of them, or to the ground."""
    first = {k: m.ground.at(float(points[k, 0]) + x, float(points[k, 1])) for k in grounded}
    for number, (a, b) in enumerate(bars):
        d = points[b] - points[a]
        angle = math.atan2(d[1], d[0])
        at = (float(points[a, 0]) + x, float(points[a, 1]))
        bar = m.bar(f"{tag}{number}", float(np.hypot(*d)), at=at, angle=angle)
        for end, place in ((a, bar.start), (b, bar.end)):
            if end in first:
                m.revolute(first[end], place)
            else:
                first[end] = place


def beside(m: kp.Builder, kind: str, tag: str, x: float) -> int:
    """A part by itself whose freedoms are known."""
    lines = {"swing": 1, "stretched": 2, "flat": 3, "double swing": 2}
    n = lines[kind]
    lengths = [1.0, 2.0, 1.0] if kind == "flat" else [1.0] * n
    bars, place = [], x
    for k, length in enumerate(lengths):
        bars.append(m.bar(f"{tag}{k}", length, at=(place, 0.0), angle=0.0))
        place += length
    if kind == "flat":  # a parallelogram folded onto a line: the third bar lies back
        m.remove(f"{tag}2")
        last = m.bar(f"{tag}last", 1.0, at=(x + 2.0, 0.0), angle=0.0)
        m.revolute(m.ground.at(x, 0), bars[0].start)
        m.revolute(bars[0].end, bars[1].start)
        m.revolute(bars[1].end, last.end)
        m.revolute(last.start, m.ground.at(x + 2.0, 0))
        return 1
    m.revolute(m.ground.at(x, 0), bars[0].start)
    if n == 2:
        m.revolute(bars[0].end, bars[1].start)
    if kind == "stretched":
        m.revolute(bars[1].end, m.ground.at(x + 2.0, 0))
        return 0
    return n


# -- the oracle --------------------------------------------------------------------------------


def freedoms(points: FloatArray, bars: list[Bar], grounded: set[int]) -> int:
    """How many freedoms the pins of the bars have, by moving them."""
    pins = sorted({k for bar in bars for k in bar} - grounded)
    place = {k: 2 * n for n, k in enumerate(pins)}

    def residual(x: FloatArray) -> tuple[FloatArray, FloatArray]:
        p = points.copy()
        for k in pins:
            p[k] = x[place[k] : place[k] + 2]
        f, J = np.zeros(len(bars)), np.zeros((len(bars), len(x)))
        for row, (a, b) in enumerate(bars):
            d, l2 = p[b] - p[a], float(np.sum((points[b] - points[a]) ** 2))
            f[row] = (d @ d - l2) / (2.0 * math.sqrt(l2))
            for k, sign in ((a, -1.0), (b, 1.0)):
                if k in place:
                    J[row, place[k] : place[k] + 2] = sign * d / math.sqrt(l2)
        return f, J

    start = np.concatenate([points[k] for k in pins]) if pins else np.zeros(0)
    rng = np.random.default_rng(7)
    dimension, reached = around(residual, start, FAR, rng)
    if dimension is not None:
        return dimension
    found = [around(residual, x, NEAR, rng)[0] for x in reached[:12]]
    return max((n for n in found if n is not None), default=0)


def around(
    residual: object, start: FloatArray, step: float, rng: np.random.Generator
) -> tuple[int | None, list[FloatArray]]:
    """The dimension at a place, None where branches meet there, and other places nearby."""
    _, J = residual(start)  # type: ignore[operator]
    _, sigma, Vt = np.linalg.svd(J)
    basis = Vt[int((sigma > RANK).sum()) :]
    k = len(basis)
    if k == J.shape[1] - len(J) or k == 0:
        return k, []
    a = rng.standard_normal((DIRECTIONS * k + 4, k))
    a /= np.linalg.norm(a, axis=1)[:, None]
    left, reached = np.zeros_like(a), []
    for row, mix in enumerate(a):
        x = projected(residual, start + step * mix @ basis)
        if x is None:
            continue
        left[row] = basis @ (x - start) / step
        if np.linalg.norm(x - start) > MOVED * step:
            reached.append(x)
    P = np.linalg.lstsq(a, left, rcond=None)[0]
    values = np.linalg.svd(P, compute_uv=False)
    is_smooth = np.abs(left - a @ P).max() < MOVED and np.minimum(values, abs(1 - values)).max() < (
        MOVED
    )
    return (int((values > FOLLOWED).sum()) if is_smooth else None), reached


def projected(residual: object, x: FloatArray) -> FloatArray | None:
    for _ in range(ITERATIONS):
        f, J = residual(x)  # type: ignore[operator]
        if np.abs(f).max(initial=0.0) < 1e-14:
            return x
        x = x - np.linalg.lstsq(J, f, rcond=1e-10)[0]
    f, _ = residual(x)  # type: ignore[operator]
    return x if np.abs(f).max(initial=0.0) < 1e-11 else None
