"""The verifier's own arithmetic: nothing true is lost, and nothing is proved that is not so."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import kempe
from kempe.algebra import Op
from kempe.algebra.functions import spline_value
from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name
from kempe.geometry.curves import BSpline
from kempe.motion.verify.cover import charts as proof_charts
from kempe.motion.verify.cover.blocks import bounded
from kempe.motion.verify.cover.charts import Contraction, FrameForms, Frames
from kempe.motion.verify.cover.span_cover import SpanContraction, SpanForms
from kempe.motion.verify.enclosures.balls import BallRows, share
from kempe.motion.verify.enclosures.spans import SpanRows, Spans, spline_over
from kempe.motion.verify.written.derivation import derived
from kempe.motion.verify.written.from_model import from_model
from kempe.motion.verify.written.planar_rows import Asked, written_again
from kempe.motion.verify.written.polynomial import Polynomial, Ring, are_proportional

SEED = 120
TRIES = 60
BOXES = 64
EXACT = mpmath.MPContext()
EXACT.dps = 60


def dyadic(rng, size=None):
    return np.round(rng.uniform(-1.0, 1.0, size) * 2.0**20) / 2.0**20


def value_at(poly, x):
    """A polynomial without atoms at fractions, term by term."""
    return sum((c * math.prod((x[g] for g in m), start=Fraction(1)) for m, c in poly.terms.items()))


def random_rows(rng, n, m):
    """m rows of second degree in n unknowns with a common zero x0, and x0."""
    ring = Ring([f"x{j}" for j in range(n)])
    x0 = dyadic(rng, n)
    at = [Fraction(float(v)) for v in x0]
    rows = []
    for _ in range(m):
        terms = {}
        for j in range(n):
            terms[(j,)] = Fraction(float(dyadic(rng))) / 3
            for k in range(j, n):
                if rng.random() < 0.5:
                    terms[(j, k)] = Fraction(float(dyadic(rng))) / 7
        row = Polynomial(ring, {t: c for t, c in terms.items() if c})
        rows.append(row - ring.number(value_at(row, at)))
    return ring, rows, x0


def boxes_around(rng, x0, count=BOXES):
    """Boxes of all sizes that hold x0, in corners and on faces too."""
    width = 10.0 ** rng.uniform(-8, 0.3, (count, 1)) * rng.uniform(0.2, 1.0, (count, len(x0)))
    place = rng.choice([0.0, 0.5, 1.0, 0.3], (count, len(x0)))
    return x0 - place * width, x0 + (1.0 - place) * width


@pytest.mark.parametrize("kind", ["balls", "spans"])
def test_making_a_box_smaller_never_loses_a_solution(kind):
    rng = np.random.default_rng(SEED)
    shrunk = 0.0
    for _ in range(TRIES):
        n = int(rng.integers(2, 6))
        _, rows, x0 = random_rows(rng, n, n - 1)
        if kind == "balls":
            found = BallRows.of(rows, range(n))
            contraction = Contraction(found, BallRows.of([], range(n)))
        else:
            contraction = SpanContraction(
                SpanRows(rows, range(n)), SpanRows([], range(n)), share(n)
            )
        low, high = boxes_around(rng, x0)
        for _ in range(4):
            before = (high - low).sum()
            low, high, empty = contraction.contracted(low, high)
            assert not empty.any()
            assert ((low <= x0) & (x0 <= high)).all()
        shrunk += 1.0 - (high - low).sum() / before
    assert np.isfinite(shrunk)


@pytest.mark.parametrize("kind", ["balls", "spans"])
def test_boxes_without_solutions_are_seen_to_be_empty(kind):
    """The unit circle and boxes well inside of it: the bound is worth something."""
    ring = Ring(["x", "y"])
    x, y = ring.of(0), ring.of(1)
    rows = [x * x + y * y - ring.number(1)]
    if kind == "balls":
        contraction = Contraction(BallRows.of(rows, (0, 1)), BallRows.of([], (0, 1)))
    else:
        contraction = SpanContraction(SpanRows(rows, (0, 1)), SpanRows([], (0, 1)), share(2))
    low = np.array([[-0.5, -0.5], [0.8, 0.8], [-3.0, -3.0]])
    high = np.array([[0.5, 0.5], [0.9, 0.9], [3.0, 3.0]])
    a, b, empty = contraction.contracted(low, high)
    assert empty.tolist() == [True, True, False]
    assert (a[2] <= -1.0).all()
    assert (b[2] >= 1.0).all()


@pytest.mark.parametrize("kind", ["balls", "spans"])
def test_a_solution_is_called_listed_only_in_its_chart(kind):
    """A box that is done in a chart's frame has its solutions in that chart, by exact numbers."""
    rng = np.random.default_rng(SEED + 1)
    done = 0
    for _ in range(TRIES):
        n = int(rng.integers(2, 5))
        _, rows, x0 = random_rows(rng, n, n - 1)
        A = np.linalg.qr(rng.normal(size=(n, n)))[0][None]
        p = x0 + 10.0 ** rng.uniform(-4, -0.5) * dyadic(rng, n)
        h, w = 10.0 ** rng.uniform(-2, 0, 1), 10.0 ** rng.uniform(-2, 0, 1)
        frames = Frames(p[None], A, (h, w), n - 1, np.zeros(n))
        forms = (
            FrameForms(BallRows.of(rows, range(n)), frames)
            if kind == "balls"
            else SpanForms(SpanRows(rows, range(n)), frames)
        )
        low, high = boxes_around(rng, x0)
        which = np.zeros(len(low), dtype=np.int64)
        a, b, listed = forms.judged(which, low, high)
        M = EXACT.matrix(A[0].T.tolist())
        z = EXACT.lu_solve(
            M, EXACT.matrix([EXACT.mpf(float(v)) for v in x0 - 0.0]) - EXACT.matrix(p.tolist())
        )
        inside = all(abs(z[i]) <= (w[0] if i < n - 1 else h[0]) for i in range(n))
        assert inside or not listed.any()
        assert ((a <= x0) & (x0 <= b))[~listed].all()
        done += int(listed.sum())
    assert done > 0


def test_functions_of_intervals_hold_the_function_of_every_point():
    rng = np.random.default_rng(SEED + 2)
    low = rng.uniform(-9.0, 9.0, 4000)
    high = low + 10.0 ** rng.uniform(-12, 1, 4000)
    x = Spans(low, high)
    for share_of in (0.0, 0.37, 1.0):
        at = np.clip(low + share_of * (high - low), low, high)
        for spans, function in ((x.cosine(), EXACT.cos), (x.sine(), EXACT.sin)):
            for k in range(0, 4000, 40):
                exact = function(EXACT.mpf(float(at[k])))
                assert spans.low[k] <= exact <= spans.high[k]
        square, back, root = x.square(), x.reciprocal(), Spans(low + 9.0, high + 9.0).root()
        for k in range(0, 4000, 40):
            v = Fraction(float(at[k]))
            assert Fraction(square.low[k]) <= v * v <= Fraction(square.high[k])
            if v and np.isfinite(back.low[k]):
                assert Fraction(back.low[k]) <= 1 / v <= Fraction(back.high[k])
            assert root.low[k] <= math.sqrt(max(float(at[k]) + 9.0, 0.0)) <= root.high[k]


POINTS = ((0.0, 0.0), (1.0, 2.0), (3.0, -1.0), (4.0, 1.0), (6.0, 0.5))
CURVES = {
    "plain": BSpline(POINTS),
    "rational": BSpline(POINTS, weights=(1.0, 2.0, 0.5, 3.0, 1.0)),
    "closed": BSpline(POINTS, closed=True),
}


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("kind", CURVES)
def test_a_spline_over_intervals_holds_its_values(kind, order):
    rng = np.random.default_rng(SEED + 3)
    spline = CURVES[kind].bezier.coordinates[1]
    end = float(spline.breaks[-1])
    low = rng.uniform(-0.1 * end, end, 500)
    high = low + 10.0 ** rng.uniform(-9, 0, 500)
    both = spline_over(spline, Spans(low, high), order)
    for spans, r in zip(both, (order, order + 1), strict=True):
        for share_of in (0.0, 0.4, 1.0):
            at = np.clip(low + share_of * (high - low), low, high)
            values = spline_value(spline, at, r)
            slack = 1e-12 * (1.0 + np.abs(values))  # of the values, which are plain doubles
            assert (spans.low <= values + slack).all()
            assert (values - slack <= spans.high).all()


def test_equal_formulas_have_equal_terms():
    ring = Ring(["x"])
    x = ring.of(0)
    angle, two = ring.number(Fraction(1, 3)), ring.number(2)
    c, s = ring.apply(Op.COS, [angle]), ring.apply(Op.SIN, [angle])
    root = ring.apply(Op.SQRT, [two])
    assert (c * c + s * s - ring.number(1)).is_zero
    assert (root * root - two).is_zero
    assert (ring.reciprocal(root) - root.scaled(Fraction(1, 2))).is_zero
    assert are_proportional(x * root - c, (x * two - c * root).scaled(Fraction(-5)))
    assert not are_proportional(x * root - c, x * root - s)


def test_unbounded_unknowns_get_bounds_that_hold():
    ring = Ring(["x", "y", "u"])
    x, y, u = (ring.of(j) for j in range(3))
    rows = [(x - u) * (x - u) + y * y - ring.number(4)]
    inf = np.inf
    found = bounded(rows, range(3), np.array([-inf, -inf, -1.0]), np.array([inf, inf, 1.0]))
    assert found is not None
    low, high = found
    assert (low[:2] <= [-3.0, -2.0]).all()
    assert (high[:2] >= [3.0, 2.0]).all()
    assert bounded([x * y - u], range(3), np.full(3, -inf), np.full(3, inf)) is None


def test_an_unknown_that_no_row_tells_cannot_be_eliminated():
    layout = kempe.gallery.four_bar().layout
    written = written_again(layout, Asked())
    kept = kempe.gallery.four_bar().motions().unknowns
    assert derived(written, kept).stuck == []
    assert derived(written_again(layout, Asked()), kept[1:]).stuck != []


def test_a_held_angle_leaves_one_of_two_turns():
    """A lock: the sine of the difference vanishes twice, the side refuses one."""
    bar = kempe.gallery.four_bar()
    gauge = gauges_by_name(bar.layout.model)["crank.angle"]
    asked = Asked(held=((gauge, 0.5),))
    small = derived(written_again(bar.layout, asked), ("rocker.c", "rocker.s"))
    crank = small.readings["crank.c"]
    low, high = small.ring.bounds(crank)
    assert low <= Fraction(math.cos(0.5)) + Fraction(1, 2**50)
    assert high >= Fraction(math.cos(0.5)) - Fraction(1, 2**50)
    assert low > 0
    assert ("crank.c", "crank.angle") in small.steps


def test_charts_are_told_in_parts_as_they_are_at_once(monkeypatch):
    """A map of a hundred thousand charts has no room for all second derivatives at a time."""
    motions = kempe.gallery.four_bar_chain(loops=2).motions()
    charts = motions.components[0].charts
    block = motions.components[0].block
    n = len(block.places)
    rows = BallRows.of(*_rows_of(motions))
    frames = Frames(
        np.asarray(charts["p"]),
        np.asarray(charts["A"]).reshape(-1, n, n),
        (np.asarray(charts["h"]), np.asarray(charts["w"])),
        block.n_equations,
        block.period,
    )
    which = np.arange(len(frames.p))
    about = frames.p - 1e-3, frames.p + 1e-3
    whole = FrameForms(rows, frames)
    told, judged = whole.are_one_arc(), whole.judged(which, *about)
    assert told.any()
    monkeypatch.setattr(proof_charts, "AT_A_TIME", 3 * n**3)
    monkeypatch.setattr(proof_charts, "MOST_KEPT", 0)
    again = FrameForms(rows, Frames(*_given(frames)))
    assert (again.are_one_arc() == told).all()
    for one, other in zip(again.judged(which, *about), judged, strict=True):
        assert np.abs(one.astype(float) - other.astype(float)).max() < 1e-12  # sums in other orders


def _rows_of(motions):
    """The rows of the first block as the model says them, and their unknowns."""
    model = from_model(motions, Layout(motions.origin.model), Asked())
    return model.blocks[0].rows, model.blocks[0].unknowns


def _given(frames):
    return frames.p, frames.A.transpose(0, 2, 1), (frames.h, frames.w), frames.m, frames.period
