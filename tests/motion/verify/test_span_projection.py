"""Boxes cut by values of rows: no solution is lost, and wide boxes lose what they cannot hold."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from kempe.algebra import Op
from kempe.geometry.curves import BSpline
from kempe.motion.verify.cover.span_cover import SpanProjection
from kempe.motion.verify.enclosures.spans import SpanRows, Spans
from kempe.motion.verify.written.polynomial import Ring

SEED = 221
TRIES = 40
BOXES = 64
POINTS = ((0.0, 0.0), (1.0, 2.0), (3.0, -1.0), (4.0, 1.0), (6.0, 0.5))
SPLINE = BSpline(POINTS).bezier.coordinates[1]
ATOMS = ("sine", "spline", "root", "reciprocal")
ROUNDING = 1e-9  # far more than bounds of a few operations are rounded by


def spline_at(x):
    """The spline at a fraction, exactly, by de Casteljau's scheme."""
    piece = min(int(np.searchsorted(SPLINE.breaks, float(x), "right")), len(SPLINE.breaks) - 1) - 1
    start, stop = (Fraction(float(b)) for b in SPLINE.breaks[piece : piece + 2])
    s = (x - start) / (stop - start)
    w = [Fraction(float(c)) for c in SPLINE.numerators[piece]]
    while len(w) > 1:
        w = [(1 - s) * a + s * b for a, b in itertools.pairwise(w)]
    return w[0]


def atom(ring, kind, x):
    """A function of a polynomial; of a root and a reciprocal the argument is positive near it."""
    if kind == "sine":
        return ring.apply(Op.SIN, [x])
    if kind == "spline":
        if not x.unknowns:
            return ring.number(spline_at(x.terms.get((), Fraction(0))))
        return ring.apply(Op.SPLINE, [x], SPLINE, 0)
    inner = x + ring.number(3)
    return ring.apply(Op.SQRT, [inner]) if kind == "root" else ring.reciprocal(inner)


def random_row(rng, ring, kind, at):
    """A row with squares, products and an atom that vanishes, exactly, at some fractions."""
    n = len(at)
    j, k, l = (int(i) for i in rng.integers(0, n, 3))
    a, b, c = (Fraction(int(i), 7) for i in rng.integers(-9, 10, 3))

    def value(x):
        quadratic = (x[j] * x[j]).scaled(a) + (x[k] * x[l]).scaled(b) + x[l].scaled(Fraction(1, 3))
        return quadratic + (atom(ring, kind, x[k]) * x[j]).scaled(c)

    return value([ring.of(i) for i in range(n)]) - value([ring.number(x) for x in at])


@pytest.mark.parametrize("kind", ATOMS)
def test_no_solution_is_cut_off(kind):
    rng = np.random.default_rng(SEED)
    cut = 0
    for _ in range(TRIES):
        n = int(rng.integers(2, 5))
        ring = Ring([f"x{j}" for j in range(n)])
        x0 = np.round(rng.uniform(0.0, 2.0, n) * 2.0**20) / 2.0**20
        at = [Fraction(float(v)) for v in x0]
        rows = [random_row(rng, ring, kind, at) for _ in range(n - 1)]
        projection = SpanProjection(SpanRows([r for r in rows if not r.is_zero], range(n)))
        width = 10.0 ** rng.uniform(-6, 1.0, (BOXES, 1)) * rng.uniform(0.2, 1.0, (BOXES, n))
        place = rng.choice([0.0, 0.5, 1.0, 0.3], (BOXES, n))
        low, high = x0 - place * width, x0 + (1.0 - place) * width
        for step in (projection.projected, projection.sliced, projection.contracted):
            a, b, empty = step(low, high)
            assert not empty.any(), (SEED, kind, step)
            assert ((a <= x0) & (x0 <= b)).all(), (SEED, kind, step)
            assert ((a >= low) & (b <= high)).all()
            cut += int(((b - a) < 0.9 * (high - low)).any(axis=1).sum())
    assert cut > BOXES  # it does something, so the test could fail


def test_a_circle_is_told_from_a_box_of_any_width():
    """Slopes of a square over a box about 0 hold 0 and tell nothing; its values do."""
    ring = Ring(["x", "y"])
    x, y = ring.of(0), ring.of(1)
    projection = SpanProjection(SpanRows([x * x + y * y - ring.number(1)], (0, 1)))
    low = np.array([[-30.0, -30.0], [0.0, -30.0], [-30.0, 0.6], [-0.5, -0.5], [-5.0, 2.0]])
    high = np.array([[30.0, 30.0], [30.0, 0.6], [-0.1, 30.0], [0.5, 0.5], [5.0, 3.0]])
    a, b, empty = projection.contracted(low, high)
    assert empty.tolist() == [False, False, False, True, True]
    assert np.abs(a[:3] - [[-1.0, -1.0], [0.0, -1.0], [-0.8, 0.6]]).max() < ROUNDING
    assert np.abs(b[:3] - [[1.0, 1.0], [1.0, 0.6], [-0.1, 1.0]]).max() < 0.01  # y from x <= -0.1


def test_slices_cut_what_is_inside_a_sine():
    """sin t = 1/2 between 0 and 3: 8 slices leave those between pi / 6 and 5 pi / 6."""
    ring = Ring(["t"])
    row = ring.apply(Op.SIN, [ring.of(0)]) - ring.number(Fraction(1, 2))
    projection = SpanProjection(SpanRows([row], (0,)))
    a, b, empty = projection.sliced(np.array([[0.0], [1.0]]), np.array([[3.0], [2.0]]))
    assert empty.tolist() == [False, True]  # sin t > 0.84 from 1 to 2
    assert a[0, 0] == 0.375  # the slice that holds pi / 6
    assert b[0, 0] == 2.625  # the one that holds 5 pi / 6


@pytest.mark.parametrize("one", [(0.3, 0.7), (-0.7, -0.3), (-0.3, 0.7), (0.1, 0.1), (-3.0, -3.0)])
def test_products_with_one_number_for_all_hold_all_products(one):
    rng = np.random.default_rng(SEED)
    a = np.sort(rng.normal(size=(2, TRIES)), axis=0)
    c = Spans(np.array([one[0]]), np.array([one[1]]))
    for product in (Spans(a[0], a[1]) * c, c * Spans(a[0], a[1])):
        for k in range(TRIES):
            ends = [Fraction(x) * Fraction(y) for x in a[:, k].tolist() for y in one]
            assert Fraction(float(product.low[k])) <= min(ends)
            assert Fraction(float(product.high[k])) >= max(ends)
            assert product.low[k] >= float(min(ends)) - ROUNDING
            assert product.high[k] <= float(max(ends)) + ROUNDING
