"""What the verifier tells in doubles: pairs, points beside solutions, slopes, boxes of places."""

import dataclasses
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import kempe
from kempe.algebra import Op
from kempe.geometry.curves import BSpline
from kempe.motion.verify.cover.covering import PlaceBoxes
from kempe.motion.verify.enclosures.pairs import (
    PairRows,
    Pairs,
    doubles,
    sine_and_cosine,
    spline_at,
)
from kempe.motion.verify.enclosures.spans import SpanRows
from kempe.motion.verify.written.polynomial import Ring

SEED = 195
EXACT = mpmath.MPContext()
EXACT.dps = 80
POINTS = ((0.0, 0.0), (1.0, 2.0), (3.0, -1.0), (4.0, 1.0), (6.0, 0.5))
CURVES = {
    "plain": BSpline(POINTS),
    "rational": BSpline(POINTS, weights=(1.0, 2.0, 0.5, 3.0, 1.0)),
    "closed": BSpline(POINTS, closed=True),
}


def random_pairs(rng, count):
    high = rng.uniform(-2.0, 2.0, count) * 10.0 ** rng.uniform(-6, 6, count)
    return Pairs(high, high * 2.0**-54 * rng.uniform(-1.0, 1.0, count), np.zeros(count))


def exact(pairs):
    return [
        Fraction(a) + Fraction(b)
        for a, b in zip(pairs.high.tolist(), pairs.low.tolist(), strict=True)
    ]


def test_pairs_are_as_near_as_they_say():
    rng = np.random.default_rng(SEED)
    a, b = random_pairs(rng, 400), random_pairs(rng, 400)
    near = Pairs(-a.high, a.low, a.off)  # nearly all of the sum cancels
    x, y = exact(a), exact(b)
    for other, values in ((b, y), (near, exact(near))):
        made = a + other
        for told, off, p, q in zip(exact(made), made.off.tolist(), x, values, strict=True):
            assert abs(told - (p + q)) <= Fraction(off) <= Fraction(1e-25) * (abs(p) + abs(q))
    made = a * b
    for told, off, p, q in zip(exact(made), made.off.tolist(), x, y, strict=True):
        assert abs(told - p * q) <= Fraction(off) <= abs(p * q) * Fraction(1e-25)
    made = a.reciprocal()
    for told, off, p in zip(exact(made), made.off.tolist(), x, strict=True):
        assert abs(told - 1 / p) <= Fraction(off) <= abs(1 / p) * Fraction(1e-25)
    made = (a * a).root()
    for told, off, p in zip(exact(made), made.off.tolist(), x, strict=True):
        assert abs(told - abs(p)) <= Fraction(off) <= abs(p) * Fraction(1e-25)


def test_sines_of_pairs_are_as_near_as_they_say():
    rng = np.random.default_rng(SEED + 1)
    x = np.concatenate([rng.uniform(-700.0, 700.0, 300), np.arange(-8, 9) * np.pi / 4])
    made = sine_and_cosine(doubles(x))
    for pairs, function in zip(made, (EXACT.sin, EXACT.cos), strict=True):
        columns = (e.tolist() for e in (pairs.high, pairs.low, pairs.off, x))
        for a, b, off, at in zip(*columns, strict=True):
            assert abs(EXACT.mpf(a) + EXACT.mpf(b) - function(EXACT.mpf(at))) <= off < 1e-25


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("kind", CURVES)
def test_a_spline_at_pairs_is_as_near_as_it_says(kind, order):
    from kempe.motion.verify.tape_run import _over

    rng = np.random.default_rng(SEED + 2)
    spline = CURVES[kind].bezier.coordinates[1]
    end = float(spline.breaks[-1])
    x = rng.uniform(0.001 * end, 0.999 * end, 200)
    made = spline_at(spline, doubles(x), order)
    columns = (e.tolist() for e in (made.high, made.low, made.off, x))
    for a, b, off, at in zip(*columns, strict=True):
        value = _over(spline, EXACT.mpf(at), order, EXACT)
        assert abs(EXACT.mpf(a) + EXACT.mpf(b) - value) <= off < 1e-22
    outside = spline_at(spline, doubles(np.array([-0.1 * end, 1.2 * end])), order)
    assert spline.is_periodic or not np.isfinite(outside.off).any()


def row_with_atoms():
    """A row with a root, a sine, a reciprocal and products, and its exact value."""
    ring = Ring(["x", "y", "z"])
    x, y, z = (ring.of(j) for j in range(3))
    root = ring.apply(Op.SQRT, [x * x + y * y + ring.number(2)])
    sine = ring.apply(Op.SIN, [z.scaled(Fraction(3)) + x])
    below = ring.apply(Op.REC, [y + ring.number(5)])
    third = ring.number(Fraction(1, 3))
    row = root * sine * x - below * z * z + third * x * y - ring.number(Fraction(1, 7))

    def value(p):
        a, b, c = (EXACT.mpf(e) for e in p)
        first = EXACT.sqrt(a * a + b * b + 2) * EXACT.sin(3 * c + a) * a
        return first - c * c / (b + 5) + a * b / 3 - EXACT.mpf(1) / 7

    return row, value


def test_rows_at_points_are_as_near_as_they_say():
    rng = np.random.default_rng(SEED + 3)
    row, value = row_with_atoms()
    x = rng.uniform(-2.0, 2.0, (100, 3))
    values, off = PairRows([row], [0, 1, 2]).at(x)
    for p, told, away in zip(x.tolist(), values[:, 0].tolist(), off[:, 0].tolist(), strict=True):
        # `off` holds the lower half of the pair as well
        assert abs(EXACT.mpf(told) - value(p)) <= away < 1e-14


@pytest.mark.parametrize("inside", [True, False])
def test_slopes_hold_what_changes_between_a_point_and_a_box(inside):
    rng = np.random.default_rng(SEED + 4)
    row, value = row_with_atoms()
    low = rng.uniform(-2.0, 1.0, (60, 3))
    high = low + 10.0 ** rng.uniform(-4, 0, (60, 3))
    c = low + rng.uniform(0.0, 1.0, low.shape) * (high - low)
    if not inside:
        c = c + 0.5
    values, there, slopes = SpanRows([row], [0, 1, 2]).about(low, high, c)
    for k in range(len(low)):
        for _ in range(5):
            x = low[k] + rng.uniform(0.0, 1.0, 3) * (high[k] - low[k])
            at, start = value(x.tolist()), value(c[k].tolist())
            assert values.low[0, k] <= at <= values.high[0, k]
            assert there.low[0, k] <= start <= there.high[0, k]
            d = [EXACT.mpf(a) - EXACT.mpf(b) for a, b in zip(x, c[k], strict=True)]
            both = [(slopes.low[0, j, k], slopes.high[0, j, k]) for j in range(3)]
            ends = [sorted(e * float(s) for s in pair) for e, pair in zip(d, both, strict=True)]
            assert sum(e[0] for e in ends) <= at - start <= sum(e[1] for e in ends)


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 300])
def test_boxes_of_places_are_found_as_by_looking_at_all_of_them(count):
    rng = np.random.default_rng(SEED + 5)
    low = rng.uniform(-1.0, 1.0, (count, 3))
    high = low + 10.0 ** rng.uniform(-3, 0, (count, 3))
    places = PlaceBoxes(low, high)
    a = np.concatenate([rng.uniform(-1.0, 1.0, (200, 3)), low])
    b = a + 10.0 ** rng.uniform(-3, -0.5, a.shape)
    b[200:] = np.where(rng.random((count, 1)) < 0.5, high, b[200:])
    held = [bool(((low <= p) & (q <= high)).all(axis=1).any()) for p, q in zip(a, b, strict=True)]
    assert places.holding(a, b).tolist() == held
    axis, at = (b - a).argmax(axis=1), np.full(len(a), np.nan)
    axis, at = places.cuts(a, b, axis, at)
    wide = float((high - low).max(initial=0.0))
    for k, (p, q) in enumerate(zip(a, b, strict=True)):
        both = np.minimum(high, q) - np.maximum(low, p)
        meets = (both > 0.0).all(axis=1) if count else np.zeros(0, dtype=bool)
        is_cut = meets.any() and not held[k] and (q - p).max() <= wide
        if not is_cut:
            continue
        assert p[axis[k]] < at[k] < q[axis[k]]
        assert at[k] in low[:, axis[k]] or at[k] in high[:, axis[k]]


@pytest.mark.parametrize("name", ["four_bar", "barton_tangent", "jansen"])
def test_links_are_told_in_doubles_and_only_where_long_numbers_agree(name):
    """Radii that are cut down more and more: doubles stop believing no later than long numbers."""
    motions = getattr(kempe.gallery, name)().motions()
    told = verify_links(motions, 1.0)
    assert all(flags.all() for flags in told)
    for factor in (0.3, 0.1, 0.03, 1e-3, 1e-6):
        quick, long = verify_links(motions, factor)
        assert not (quick & ~long).any()
    assert not quick.all()


def verify_links(motions, factor):
    """For the first component with smaller radii: links that doubles and long numbers accept."""
    from kempe.compile.layout.layout import Layout
    from kempe.motion.verify.component_proof import ProvedAgain
    from kempe.motion.verify.cover.blocks import BlockProof
    from kempe.motion.verify.written.from_model import from_model
    from kempe.motion.verify.written.planar_rows import Asked

    first = motions.components[0]
    radii = factor * np.asarray(first.charts["link_radii"])
    one = dataclasses.replace(first, charts={**first.charts, "link_radii": radii})
    model = from_model(motions, Layout(motions.origin.model), Asked())
    k = next(k for k, b in enumerate(motions.blocks) if b is one.block)
    proof = BlockProof(one.block, model.blocks[k], [one])
    again = ProvedAgain(one)
    long = [not again._link(i, x, float(radii[i])) for i, x in enumerate(one.charts["links"])]
    return proof.joined(one), np.array(long)
