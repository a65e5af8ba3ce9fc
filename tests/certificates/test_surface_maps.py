"""Surfaces proved again by other code: charts in fractions, shapes by degree, nothing left out.

The equations are written here by hand, so nothing of the search is used but its answer.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.spatial import cKDTree

from tests.motion._two_freedoms import COARSE, arm_of_two, five_bar, rod_in_space

SEED = 5
SAMPLES = 3000  # random solutions, found by Newton's method
FOUND = 1e-13  # residual of what counts as one
NEAREST = 12  # charts that are looked at for a point, or for a box
CHARTS = 80  # of a large surface that are proved again
SMALLEST = 2.0**-9  # box that is given up when a cover is proved again
LENGTHS = (1.0, 1.1, 1.2, 1.3, 3.0)


class Rows:
    """Rows c + l x + x H x / 2 in fractions, made of (factor, unknown, unknown) and a constant."""

    def __init__(self, n, *rows):
        self.n, self.m = n, len(rows)
        self.H = np.full((self.m, n, n), Fraction(0))
        self.linear = np.full((self.m, n), Fraction(0))
        self.c = np.full(self.m, Fraction(0))
        for r, (constant, linear, products) in enumerate(rows):
            self.c[r] = Fraction(constant)
            for factor, j in linear:
                self.linear[r, j] += Fraction(factor)
            for factor, j, k in products:
                self.H[r, j, k] += Fraction(factor)
                self.H[r, k, j] += Fraction(factor)
        self.floats = [a.astype(float) for a in (self.c, self.linear, self.H)]

    def at(self, x):
        """Values (k, m) and gradients (k, m, n) at points (k, n), in doubles."""
        c, linear, H = self.floats
        bent = np.einsum("rij,kj->kri", H, x)
        return c + x @ linear.T + 0.5 * np.einsum("kri,ki->kr", bent, x), linear + bent

    def over(self, low, high):
        """Enclosures (k, m) of the rows over boxes (k, n), term by term, stepped outward."""
        c, linear, H = self.floats
        total = [np.tile(c, (len(low), 1)), np.tile(c, (len(low), 1))]
        for r in range(self.m):
            for j in range(self.n):
                terms = [linear[r, j] * low[:, j], linear[r, j] * high[:, j]]
                if any(terms[0]) or any(terms[1]):
                    _add(total, r, np.minimum(*terms), np.maximum(*terms))
                for k in range(j, self.n):
                    factor = H[r, j, k] * (0.5 if j == k else 1.0)
                    if factor:
                        _add(total, r, *_product(low, high, j, k, factor))
        return total


def _product(low, high, j, k, factor):
    if j == k:
        squares = np.stack([low[:, j] ** 2, high[:, j] ** 2])
        least = np.where((low[:, j] <= 0.0) & (high[:, j] >= 0.0), 0.0, squares.min(axis=0))
        ends = np.stack([factor * least, factor * squares.max(axis=0)])
    else:
        ends = np.stack([factor * a[:, j] * b[:, k] for a in (low, high) for b in (low, high)])
    return ends.min(axis=0), ends.max(axis=0)


def _add(total, r, low, high):
    """Adds terms of a few roundings each: 2^-50 of their size is more than these lose."""
    room = 2.0**-50 * (np.abs(low) + np.abs(high) + np.abs(total[0][:, r]) + np.abs(total[1][:, r]))
    total[0][:, r] += low - room
    total[1][:, r] += high + room


def circle(c, s):
    """c^2 + s^2 = 1."""
    return (-1, [], [(1, c, c), (1, s, s)])


def rod_rows(found):
    unit = 2.0 ** -round(math.log2(np.linalg.norm(found.components[0].charts["x"][0])))
    radius = Fraction(1.0 / unit)
    return Rows(3, (-(radius**2), [], [(1, 0, 0), (1, 1, 1), (1, 2, 2)]))


def arm_rows(found):
    assert [u.rpartition(".")[2] for u in found.unknowns] == ["c", "s", "c", "s"]
    return Rows(4, circle(0, 1), circle(2, 3))


def five_bar_rows(found):
    """Three circles, and the bar that was eliminated: l^2 = |g - a - b - c|^2."""
    bars = [int(u[3]) for u in found.unknowns[::2]]
    (gone,) = {0, 1, 2, 3} - set(bars)
    lengths = [Fraction(LENGTHS[k]) for k in bars]
    ground = Fraction(LENGTHS[4])
    linear = [(-2 * ground * length, 2 * i) for i, length in enumerate(lengths)]
    products = [
        (lengths[i] * lengths[j], 2 * i + axis, 2 * j + axis)
        for i in range(3)
        for j in range(3)
        for axis in (0, 1)
    ]
    constant = ground**2 - Fraction(LENGTHS[gone]) ** 2
    return Rows(6, circle(0, 1), circle(2, 3), circle(4, 5), (constant, linear, products))


CASES = {
    "rod": (rod_in_space, rod_rows),
    "arm": (arm_of_two, arm_rows),
    "five-bar": (lambda: five_bar(LENGTHS), five_bar_rows),
}


@pytest.fixture(scope="module", params=CASES)
def case(request):
    make, rows = CASES[request.param]
    found = make().motions(effort=COARSE)
    assert found.outcome == "complete"
    return found, rows(found)


@pytest.fixture(scope="module", params=["rod", "arm"])
def small_case(request):
    make, rows = CASES[request.param]
    found = make().motions(effort=COARSE)
    return found, rows(found)


def frames(charts):
    n = charts["x"].shape[1]
    return charts["A"].reshape(-1, n, n)  # row j is the j-th direction: N first, then T


def fractions(array):
    return np.vectorize(Fraction, otypes=[object])(array)


def is_proved(rows, p, A, h, w):
    """Krawczyk's condition for x = p + A z, |y| <= w, |s| <= h, exactly; any C will do."""
    m = rows.m
    _, J = rows.at(p[None, :])
    C = fractions(np.linalg.inv(J[0] @ A[:m].T))
    p, A, h, w = fractions(p), fractions(A), Fraction(h), Fraction(w)
    bent = rows.H @ p
    v = C @ (rows.c + rows.linear @ p + (bent @ p) / 2)
    S = C @ ((rows.linear + bent) @ A.T)
    S[:, :m] -= fractions(np.eye(m))
    turned = np.stack([A @ H @ A.T for H in rows.H])
    K = np.tensordot(C, turned, axes=1)
    size = np.array([w] * m + [h] * 2)
    for i in range(m):
        bend = np.abs(K[i])
        mapped = abs(v[i]) + np.abs(S[i]) @ size + (size @ bend @ size) / 2
        contraction = np.abs(S[i, :m]).sum() + (bend[:m] @ size).sum()
        if not (mapped < w and contraction < 1):
            return False
    return True


def test_charts_hold_in_fractions(case):
    found, rows = case
    for surface in found.components:
        charts = surface.charts
        A = frames(charts)
        step = max(1, len(A) // CHARTS) if rows.n > 4 else 3
        for k in range(0, len(A), step):
            for h, w in (("h", "w"), ("star_h", "star_w")):
                if charts[h][k] > 0.0:
                    assert is_proved(rows, charts["x"][k], A[k], charts[h][k], charts[w][k]), k


def test_a_chart_twice_as_large_does_not_hold_in_fractions(case):
    found, rows = case
    charts = found.components[0].charts
    A, k = frames(charts), len(charts["h"]) // 2
    assert not is_proved(rows, charts["x"][k], A[k], 4.0 * charts["h"][k], charts["w"][k])


def test_neighbours_lie_in_each_other_s_charts(case):
    found, _ = case
    for surface in found.components:
        charts = surface.charts
        x, A, m = charts["x"], frames(charts), len(found.blocks[-1].sources)
        t = charts["triangles"]
        for a, b in ((0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)):
            z = np.einsum("kij,kj->ki", A[t[:, a]], x[t[:, b]] - x[t[:, a]])
            assert (np.abs(z[:, :m]).max(axis=1) < charts["star_w"][t[:, a]]).all()
            assert (np.hypot(z[:, m], z[:, m + 1]) < charts["star_h"][t[:, a]]).all()


def test_every_edge_has_two_triangles_turned_alike(case):
    found, _ = case
    for surface in found.components:
        t = surface.charts["triangles"]
        directed = np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]])
        there = {tuple(pair) for pair in directed.tolist()}
        assert len(there) == len(directed)
        assert {(b, a) for a, b in there} == there


def test_the_rod_s_mesh_goes_once_round_the_sphere():
    (surface,) = rod_in_space().motions(effort=COARSE).components
    x = surface.charts["x"] / np.linalg.norm(surface.charts["x"][0])
    a, b, c = (x[surface.charts["triangles"][:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c))
    below = 1.0 + (a * b).sum(axis=1) + (b * c).sum(axis=1) + (c * a).sum(axis=1)
    angles = 2.0 * np.arctan2(volume, below)  # solid ones
    assert (angles > 0.0).all() or (angles < 0.0).all()
    assert abs(angles.sum()) == pytest.approx(4.0 * math.pi, rel=1e-9)


def test_the_arm_s_mesh_goes_once_round_both_circles():
    (surface,) = arm_of_two().motions(effort=COARSE).components
    x = surface.charts["x"]
    turns = np.arctan2(x[:, [1, 3]], x[:, [0, 2]])
    a, b, c = (turns[surface.charts["triangles"][:, k]] for k in range(3))
    u, v = (np.mod(side - a + math.pi, math.tau) - math.pi for side in (b, c))
    areas = 0.5 * (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
    assert (areas > 0.0).all() or (areas < 0.0).all()
    assert abs(areas.sum()) == pytest.approx(4.0 * math.pi**2, rel=1e-9)


def inside(charts, numbers, low, high):
    """Whether boxes (k, n) lie in the parallelotopes of charts of these numbers (k,)."""
    A, m = frames(charts)[numbers], frames(charts).shape[1] - 2
    middle, half = 0.5 * (low + high) - charts["x"][numbers], 0.5 * (high - low)
    z = np.abs(np.einsum("kij,kj->ki", A, middle)) + np.einsum("kij,kj->ki", np.abs(A), half)
    z += 1e-12
    across = z[:, :m].max(axis=1) <= charts["w"][numbers]
    return across & (z[:, m:].max(axis=1) <= charts["h"][numbers])


def in_some_chart(found, low, high):
    """Whether each box lies in one of the charts nearest to its middle."""
    done = np.zeros(len(low), dtype=bool)
    for surface in found.components:
        charts = surface.charts
        near = cKDTree(charts["x"]).query(0.5 * (low + high), NEAREST)[1]
        for k in range(NEAREST):
            left = np.flatnonzero(~done)
            done[left] = inside(charts, near[left, k], low[left], high[left])
    return done


def test_random_solutions_lie_in_charts(case):
    found, rows = case
    rng = np.random.default_rng(SEED)
    x = rng.uniform(found.cover.low, found.cover.high, (SAMPLES, rows.n))
    for _ in range(60):
        f, J = rows.at(x)
        step = np.einsum("kij,kj->ki", np.linalg.pinv(J), f)
        x -= step / np.maximum(1.0, 4.0 * np.linalg.norm(step, axis=1, keepdims=True))
    x = x[np.abs(rows.at(x)[0]).max(axis=1) < FOUND]
    assert len(x) > SAMPLES / 3
    assert in_some_chart(found, x, x).all()


def last_parts(cover):
    """Boxes (k, n) of the cover that are cut no more, and whether each is said to be done."""
    boxes, ends, done, cut = [(cover.low, cover.high)], [], [], 0
    for node, unknown in enumerate(cover.unknown.tolist()):
        low, high = boxes[node]
        if unknown < 0:
            ends.append((low, high))
            done.append(unknown == cover.DONE)
            continue
        middle, cut = cover.at[cut], cut + 1
        lower, upper = high.copy(), low.copy()
        lower[unknown] = upper[unknown] = middle
        boxes += [(low, lower), (upper, high)]
    return np.array([e[0] for e in ends]), np.array([e[1] for e in ends]), all(done)


def test_what_was_thrown_away_holds_nothing(small_case):
    """Every last part of the cover, cut up anew: rows exclude zero, or one chart holds it."""
    found, rows = small_case
    low, high, done = last_parts(found.cover)
    assert done
    while len(low):
        at_least, at_most = rows.over(low, high)
        left = ((at_least <= 0.0) & (at_most >= 0.0)).all(axis=1)
        low, high = low[left], high[left]
        left = ~in_some_chart(found, low, high)
        low, high = low[left], high[left]
        if not len(low):
            break
        widths = high - low
        assert widths.max() > SMALLEST, f"{len(low)} boxes are neither empty nor in a chart"
        at = widths.argmax(axis=1)
        rows_of = np.arange(len(low))
        middle = 0.5 * (low + high)[rows_of, at]
        lower, upper = high.copy(), low.copy()
        lower[rows_of, at] = upper[rows_of, at] = middle
        low, high = np.concatenate([low, upper]), np.concatenate([lower, high])
