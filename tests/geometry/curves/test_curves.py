"""Every curve: its derivatives, executors, enclosures, length and nearest point."""

import math

import mpmath as mp
import numpy as np
import pytest

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.native import native_tape
from kempe.compile.llvm.native_tape import llvm_available
from kempe.errors import BadNumber, OutsideDomain
from kempe.geometry.curves import (
    Arc,
    Bezier,
    BSpline,
    Circle,
    Ellipse,
    Helix,
    Line,
    Polyline,
    Segment,
    Through,
)
from tests.compile.compiled_tape import CompiledTape

#: Evaluations in another order, of numbers of size 10 at most.
AGREE = 1e-13
#: Chords of 20,000 points fall short of the arc by the cube of their length.
CHORDS = 1e-6

HALF = math.sqrt(0.5)
NINE = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0))
NINE_WEIGHTS = (1, HALF, 1, HALF, 1, HALF, 1, HALF, 1)
NINE_KNOTS = (0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4)
SPACE = ((0, 0, 0), (1, 2, 0.5), (3, 1, 1), (4, 3, -1), (2, 4, 0), (0, 3, 1))

CURVES = {
    "line": Line((1.0, 2.0), (3.0, -1.0), limits=(-2.0, 2.0)),
    "segment": Segment((0.0, 1.0), (2.0, 3.0, 1.0)),
    "circle": Circle((1.0, -0.5), 2.0),
    "circle in space": Circle((1.0, -0.5, 0.3), 2.0, normal=(1.0, 2.0, 2.0)),
    "arc": Arc((0.3, 0.2), 1.5, -1.0, 2.2),
    "ellipse": Ellipse((0.1, 0.2), (3.0, 0.0), (0.5, 1.2)),
    "helix": Helix((0.0, 0.0, 1.0), 0.7, 0.4, 2.5),
    "polyline": Polyline(((0, 0), (3, 4), (3, 5), (0, 1))),
    "closed polyline": Polyline(((0, 0), (3, 0), (0, 4)), closed=True),
    "Bezier": Bezier(((0, 0), (1, 2), (3, 2), (4, 0), (5, 1))),
    "rational Bezier": Bezier(((1, 0), (1, 1), (0, 1)), weights=(1.0, 1.0, 2.0)),
    "B-spline": BSpline(SPACE),
    "closed B-spline": BSpline(SPACE, closed=True),
    "uneven B-spline": BSpline(SPACE, degree=2, knots=(0, 0, 0, 0.3, 1.1, 1.7, 2, 2, 2)),
    "NURBS": BSpline(NINE, 2, NINE_KNOTS, NINE_WEIGHTS),
    "closed NURBS": BSpline(SPACE, 3, weights=(1, 2, 1, 0.5, 1, 3), closed=True),
    "through": Through(SPACE),
    "closed through": Through(((0, 0), (2, 0), (3, 2), (1, 3)), closed=True),
}


@pytest.fixture(params=CURVES)
def curve(request):
    return CURVES[request.param]


def parameters(curve, count=41):
    """Spread over the curve, away from its breaks."""
    rng = np.random.default_rng(4)
    a, b = curve.domain.low, curve.domain.high
    return a + (b - a) * np.sort(rng.uniform(0.02, 0.98, count))


def tape_of(curve, orders=3):
    graph = Graph()
    t = Expression(graph, graph.input("t"))
    return record_formula([t], [0.0 * t + c for k in range(orders) for c in curve.derivative(t, k)])


def test_each_derivative_is_that_of_the_one_before(curve):
    h = 1e-5 * curve.domain.width
    t = parameters(curve)
    t = t[[all(abs(x - c) > 2 * h for c in curve.pieces) for x in t]]
    for order in range(3):
        coarse = (curve(t + h, order) - curve(t - h, order)) / (2 * h)
        size = 1.0 + np.abs(coarse).max()
        breaks = getattr(curve, "bezier", None)
        near = [] if breaks is None else breaks.breaks
        smooth = [all(abs(x - c) > 2 * h for c in near) for x in t]
        np.testing.assert_allclose(
            curve(t, order + 1)[smooth], coarse[smooth], atol=1e-6 * size / curve.domain.width
        )


def test_the_traced_derivative_is_the_derivative_of_the_traced_curve(curve):
    graph = Graph()
    t = Expression(graph, graph.input("t"))
    one = 0.0 * t + 1.0
    point = [one * 0.0 + c for c in curve.point(t)]
    rate = tangent(point, {t.node: one})
    given = [0.0 * t + c for c in curve.derivative(t, 1)]
    tape = record_formula([t], [*rate, *given])
    values = native_tape(tape).evaluate(parameters(curve)[:, None], tape.outputs)
    np.testing.assert_allclose(values[:, :3], values[:, 3:], atol=AGREE)


def test_numbers_tape_lanes_and_compiled_code_agree(curve):
    tape, t = tape_of(curve), parameters(curve)
    expected = np.concatenate([curve(t, k) for k in range(3)], axis=1)
    native = native_tape(tape)
    found = native.evaluate(t[:, None], tape.outputs)
    np.testing.assert_allclose(found, expected, atol=AGREE, rtol=AGREE)
    np.testing.assert_array_equal(native.evaluate_lanes(t[:, None], tape.outputs), found)
    if llvm_available():
        code = CompiledTape(tape)
        np.testing.assert_array_equal(code.evaluate(t[:, None], tape.outputs), found)


@pytest.mark.row("B3")
def test_an_enclosure_holds_every_value_and_is_not_much_wider(curve):
    t = parameters(curve, 60)
    width = 1e-3 * curve.domain.width
    for order in range(3):
        lower, upper = curve.enclosure(t, t + width, order)
        inside = np.stack([curve(t + f * width, order) for f in np.linspace(0, 1, 21)])
        assert (lower <= inside.min(axis=0)).all()
        assert (inside.max(axis=0) <= upper).all()
        room = (upper - lower) - np.ptp(inside, axis=0)
        size = 1.0 + np.abs(inside).max()
        bend = np.abs(curve.enclosure(curve.domain.low, curve.domain.high, order + 2)[0]).max()
        assert room.max() <= 1e-11 * size + 2.0 * (width**2) * (bend + size) + 0.02 * size


def test_an_enclosure_of_the_whole_curve_holds_all_of_it(curve):
    lower, upper = curve.enclosure(curve.domain.low, curve.domain.high)
    points = curve(np.linspace(curve.domain.low, curve.domain.high, 2001))
    assert (lower <= points.min(axis=0)).all()
    assert (points.max(axis=0) <= upper).all()


def test_the_length_is_that_of_many_chords(curve):
    spread = np.linspace(curve.domain.low, curve.domain.high, 20001)
    t = np.unique(np.concatenate([spread, curve.pieces]))
    chords = np.linalg.norm(np.diff(curve(t), axis=0), axis=1).sum()
    assert curve.length() == pytest.approx(chords, rel=CHORDS)
    middle = 0.5 * (curve.domain.low + curve.domain.high)
    parts = curve.length(None, middle) + curve.length(middle, None)
    assert parts == pytest.approx(curve.length(), rel=1e-12)


def test_no_point_is_nearer_than_the_nearest(curve):
    rng = np.random.default_rng(6)
    t = np.linspace(curve.domain.low, curve.domain.high, 4001)
    for place in rng.uniform(-3.0, 5.0, (2, 3)):
        found = curve.nearest(place)
        sampled = np.linalg.norm(curve(t) - place, axis=1).min()
        assert found.bound <= found.distance <= sampled + 1e-12
        assert found.distance - found.bound <= 1e-6 * found.distance
        np.testing.assert_allclose(np.linalg.norm(np.array(found.point) - place), found.distance)


def test_a_parameter_outside_is_refused_unless_the_curve_is_closed(curve):
    beyond = curve.domain.high + 1.0
    if curve.is_closed:
        np.testing.assert_allclose(curve(beyond), curve(beyond - curve.domain.period), atol=1e-12)
    else:
        with pytest.raises(OutsideDomain, match="is not on the"):
            curve(beyond)
        with pytest.raises(OutsideDomain):
            curve.enclosure(curve.domain.low, beyond)


def test_a_curve_is_planar_if_it_lies_in_z_0(curve):
    z = curve(parameters(curve))[:, 2]
    assert curve.is_planar == (not z.any())


def test_a_circle_of_nine_points_is_round_to_the_last_places():
    t = np.linspace(0.0, 4.0, 301)
    radii = np.linalg.norm(CURVES["NURBS"](t), axis=1)
    np.testing.assert_allclose(radii, 1.0, atol=5e-16)
    assert CURVES["NURBS"].length() == pytest.approx(math.tau, rel=1e-12)


def test_a_rational_quarter_encloses_the_true_circle():
    """The exact point of the circle, to 40 digits, lies in the enclosure of every parameter."""
    quarter = CURVES["rational Bezier"]
    with mp.workdps(40):
        for t in np.linspace(0.0, 1.0, 33):
            s = mp.mpf(float(t))
            truth = ((1 - s**2) / (1 + s**2), 2 * s / (1 + s**2))
            lower, upper = quarter.enclosure(t, t)
            for k in range(2):
                assert mp.mpf(lower[k]) <= truth[k] <= mp.mpf(upper[k])
                assert upper[k] - lower[k] < 1e-12


def test_the_pieces_of_a_b_spline_are_scipys():
    from scipy.interpolate import BSpline as Theirs

    knots = (0, 0, 0, 0.3, 1.1, 1.7, 2, 2, 2)
    theirs = Theirs(knots, np.array(SPACE, float), 2)
    t = np.linspace(0.0, 2.0, 97)
    np.testing.assert_allclose(CURVES["uneven B-spline"](t), theirs(t), atol=1e-14)


def test_a_curve_through_points_meets_them_and_bends_smoothly():
    curve = CURVES["closed through"]
    breaks = curve.bezier.breaks
    np.testing.assert_array_equal(curve(breaks[:-1])[:, :2], ((0, 0), (2, 0), (3, 2), (1, 3)))
    left, right = curve(breaks - 1e-9, 2), curve(breaks + 1e-9, 2)
    np.testing.assert_allclose(left, right, atol=1e-6)
    assert curve.corners == ()


def test_corners_are_where_the_direction_jumps():
    assert CURVES["polyline"].corners == (5.0, 6.0)
    assert CURVES["closed polyline"].corners == (0.0, 3.0, 8.0)
    double = BSpline(SPACE, 2, (0, 0, 0, 1, 1, 2, 3, 3, 3))
    assert double.corners == (1.0,)
    assert CURVES["B-spline"].corners == ()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Circle((0, 0), 0.0), "must be positive"),
        (lambda: Circle((0, 0, 0, 0), 1.0), "4 coordinates"),
        (lambda: Circle((0, math.nan), 1.0), "finite"),
        (lambda: Circle((0, 0), 1.0, normal=(0, 0, 0)), "no direction"),
        (lambda: Line((0, 0), (0, 0)), "no direction"),
        (lambda: Line((0, 0), (1, 0), limits=(1.0, 1.0)), "room"),
        (lambda: Segment((1, 1), (1, 1)), "one place"),
        (lambda: Arc((0, 0), 1.0, 2.0, 1.0), "room"),
        (lambda: Ellipse((0, 0), (1, 0), (2, 0)), "on one line"),
        (lambda: Helix((0, 0), 1.0, 0.0, 1.0), "Circle"),
        (lambda: Polyline(((0, 0), (1, 1), (1, 1))), "points 2 and 3"),
        (lambda: Through(((0, 0), (0, 0), (1, 1))), "points 1 and 2"),
        (lambda: Bezier(((0, 0), (0, 0))), "one place"),
        (lambda: Bezier(tuple((k, k) for k in range(17))), "16 points or fewer"),
        (lambda: BSpline(NINE, 2, NINE_KNOTS, (1, 0, *NINE_WEIGHTS[2:])), "weight 2 is 0"),
        (lambda: BSpline(NINE, 2, NINE_KNOTS, (1, 1)), "as many weights"),
        (lambda: BSpline(NINE, 2, (0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 4, 4)), "repeated 3 times"),
        (lambda: BSpline(NINE, 2, (0, 0, 0, 2, 1, 2, 2, 3, 3, 4, 4, 4)), "must not fall"),
        (lambda: BSpline(NINE, 2, (0, 1)), "12 knots"),
        (lambda: BSpline(SPACE[:3], 3), "4 points or more"),
        (lambda: BSpline(SPACE, 20), "degree 1 to 15"),
        (lambda: BSpline(SPACE, 2, (1,) * 9), "no length"),
        (lambda: BSpline(SPACE, 3, (1, 2, 3, 4, 5, 6, 7), closed=True), "start at 0"),
        (lambda: Line((0, 0), (1, 0)).length(), "no length"),
        (lambda: Line((0, 0), (1, 0)).pieces, "no ends"),
    ],
)
def test_what_is_no_curve_is_refused(make, words):
    with pytest.raises(BadNumber, match=words):
        make()


def test_coincident_control_points_are_a_curve_as_long_as_it_is_not_a_point():
    """Three equal control points of a cubic: the speed is 0 there, and nothing breaks."""
    slow = BSpline(((0, 0), (1, 0), (1, 0), (1, 0), (2, 1), (3, 0)))
    t = np.linspace(slow.domain.low, slow.domain.high, 200)
    assert np.isfinite(slow(t)).all()
    assert slow.length() > 2.0


def test_the_nearest_point_of_a_line_without_ends_is_the_foot():
    found = Line((0, 0), (2, 0)).nearest((7.0, 3.0))
    assert found.parameter == pytest.approx(3.5)
    assert found.distance == pytest.approx(3.0)
