"""What is bad about a question: refused by name, proved empty, or left open and said so."""

import math

import numpy as np
import pytest
from scipy import ndimage

import kempe
from kempe import Effort
from kempe.errors import BadNumber, KempeError, Unbounded, UnsolvableKind
from kempe.geometry.curves import Bezier, BSpline, Circle, Line, Polyline, Segment
from kempe.geometry.surfaces import BSplineSurface
from kempe.results.maps.certificate import Promise

ROUND = Circle((0, 0), 1.0)
SHORT = Effort(seconds=0.5)  # enough to come to nothing


def two_points(first, second, length):
    m = kempe.Builder("two points", plane=True)
    P, Q = m.point("P", on=first), m.point("Q", on=second)
    m.stick("bar", P, Q, length)
    return m.build()


DEGENERATE = {
    "double knot": BSpline(
        ((2, -2), (3, -1), (2, 0), (3, 1), (2, 2), (3, 3)), knots=(0, 0, 0, 0, 1, 1, 2, 2, 2, 2)
    ),
    "knots that make a corner": BSpline(
        ((2, -2), (3, -1), (2, 0), (3, 1), (2, 2), (3, 3), (2, 4)),
        knots=(0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2),
    ),
    "control points in one place": BSpline(((2, -2), (2, 0), (2, 0), (2, 0), (2, 2))),
    "a stretch that stands still": BSpline(((2, -2), (2, 0), (2, 0), (2, 0), (2, 0), (3, 2))),
    "a cusp": Bezier(((2, -1), (4, 1), (2, 1), (4, -1))),
    "a corner": Polyline(((2, -2), (2.5, 0), (2, 2))),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_a_degenerate_curve_is_listed_or_said_to_be_open_where_it_is_bad(name):
    found = two_points(ROUND, DEGENERATE[name], 2.0).motions(effort=Effort(seconds=5.0))
    assert found.outcome in (Promise.COMPLETE, Promise.COMPLETE_EXCEPT)
    assert len(found) > 0


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: BSpline(((2, 0),) * 5), "in one place"),
        (lambda: BSpline(((0, 0), (1, 0), (2, 1), (3, 0)), weights=(1, 0, 1, 1)), "weight 2 is 0"),
        (
            lambda: BSpline(((0, 0),) + ((1, 0),) * 7, knots=(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2)),
            "repeated 4 times",
        ),
        (lambda: Segment((0, 0), (1, 0))(2.0), "runs over"),
        (lambda: two_points(ROUND, ROUND, 0.0), "positive length"),
        (lambda: two_points(ROUND, ROUND, math.nan), "finite"),
    ],
)
def test_a_curve_or_bar_that_is_none_is_refused_by_name(make, words):
    with pytest.raises(BadNumber, match=words):
        make()


def test_curves_out_of_each_other_s_reach_are_proved_to_hold_nothing():
    found = two_points(Segment((0, 0), (1, 0)), Segment((5, 0), (6, 0)), 1.0).motions()
    assert (found.outcome, len(found)) == (Promise.COMPLETE, 0)


def test_two_curves_everywhere_tangent_leave_the_question_open():
    """(s - t)^2 = 0 has a line of double solutions: nothing is certified, and nothing is denied."""
    along, beside = Segment((0, 0), (1, 0)), Segment((0, 1), (1, 1))
    found = two_points(along, beside, 1.0).motions(effort=SHORT)
    assert found.outcome is Promise.CERTIFIED_PARTIAL
    assert "there may be more" in found.message
    assert "no way" not in str(found)


def angles(first, second, *, oriented=True):
    """Two points on circles, and a third whose bar makes two angles with theirs."""
    m = kempe.Builder("angles", plane=True)
    P, Q = m.point("P", on=ROUND), m.point("Q", on=Circle((3, 0), 1.0))
    one, other = m.stick("PQ", P, Q, 2.5), m.stick("PR", P, m.point("R", at=(1, 2)), 1.0)
    one.angle_to(other, first)
    one.angle_to(other, second, oriented=oriented)
    return m.build()


def test_two_angles_in_one_place_contradict_each_other_or_repeat_each_other():
    for found in (angles("30 deg", "60 deg").motions(), angles("30 deg", "60 deg").assemblies()):
        assert (found.outcome, len(found)) == (Promise.COMPLETE, 0)
    twice = angles("30 deg", "30 deg").motions()
    assert (twice.outcome, len(twice)) == (Promise.COMPLETE, 2)  # the same row, exactly
    squared = angles("30 deg", "30 deg", oriented=False).motions()
    assert (squared.outcome, len(squared)) == (Promise.NUMERICAL, 2)
    assert 0.0 < squared.within < 1e-4


def test_assemblies_of_what_can_move_are_no_points_and_said_to_be_none():
    found = angles("30 deg", "30 deg", oriented=False).assemblies()
    assert (found.outcome, len(found)) == (Promise.COMPLETE_EXCEPT, 0)
    assert {place.freedom for place in found.singular if place.is_sheet} == {1}
    assert "no assembly is certified" in str(found)


@pytest.mark.parametrize("at", [(100.0, 100.0), (0.0, 0.0), (-1e9, 3.0)])
def test_a_first_guess_off_the_curve_changes_no_list(at):
    def guessed(at):
        m = kempe.Builder("guessed", plane=True)
        P = m.point("P", on=ROUND, at=at)
        m.stick("bar", P, m.point("Q", on=Segment((2, -1), (2, 1))), 2.0)
        return m.build().motions()

    found, wanted = guessed(at), guessed(None)
    assert (found.outcome, len(found)) == (Promise.COMPLETE, len(wanted))
    assert len(wanted) == 2


def test_a_double_root_is_neither_counted_nor_denied():
    found = kempe.gallery.slider_crank(crank=1.0, rod=2.0).assemblies({"slider.x": 3.0})
    assert (found.outcome, len(found)) == (Promise.COMPLETE_EXCEPT, 0)
    assert len(found.singular) == 1
    assert "no assembly is certified" in str(found)


@pytest.mark.parametrize(("short", "count"), [(1e-9, 2), (-1e-9, 0), (1e-12, 2), (-1e-12, 0)])
def test_roots_a_hair_s_breadth_apart_are_two_and_a_near_miss_is_none(short, count):
    """x = 3 - short, 3 the reach: cos of the crank's angle misses 1 by 2/3 short."""
    found = kempe.gallery.slider_crank(crank=1.0, rod=2.0).assemblies({"slider.x": 3.0 - short})
    if found.outcome is Promise.COMPLETE:
        assert len(found) == count
    else:
        assert found.outcome is Promise.COMPLETE_EXCEPT
        assert len(found) in (0, count)
        assert len(found.singular) > 0


def test_more_unknowns_than_the_time_allows_end_with_what_is_missing():
    found = kempe.gallery.four_bar_chain(loops=12).motions(effort=SHORT)
    assert found.outcome is Promise.CERTIFIED_PARTIAL
    assert found.unsearched.boxes > 0


@pytest.mark.parametrize("effort", [Effort(memory=10.0), Effort(boxes=1)])
def test_limits_of_memory_and_boxes_end_with_what_is_missing(effort):
    found = kempe.gallery.dyad_chain(dyads=4).motions(effort=effort)
    assert found.outcome is Promise.CERTIFIED_PARTIAL
    assert found.unsearched.boxes > 0


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan])
@pytest.mark.parametrize("name", ["seconds", "boxes", "memory", "threads", "resolution"])
def test_an_effort_that_is_none_is_refused(name, value):
    with pytest.raises(BadNumber, match=name):
        Effort(**{name: value})


@pytest.mark.parametrize("ends", [(3.0, 2.0), (math.nan, 2.0), (0.0, math.inf), (2.0, 2.0)])
def test_limits_that_are_none_are_refused(ends):
    with pytest.raises(BadNumber):
        kempe.gallery.slider_crank().motions(limits={"slider.x": ends})


def test_what_slides_without_end_needs_a_limit_and_with_one_is_listed():
    coupling = kempe.gallery.oldham()
    with pytest.raises(Unbounded, match="limit"):
        coupling.motions()
    found = coupling.motions(limits={"disc.x": (-1.0, 1.0), "disc.y": (-1.0, 1.0)})
    assert (found.outcome, len(found)) == (Promise.COMPLETE, 1)
    m = kempe.Builder("endless", plane=True)
    m.point("P", on=Line((0, 0), (1, 0)))
    endless = m.build()
    with pytest.raises(KempeError, match="P_path"):
        endless.motions()


def test_nothing_at_all_has_one_assembly_and_no_motion():
    empty = kempe.Builder("none", plane=True).build()
    assert len(empty.assemblies()) == 1
    with pytest.raises(UnsolvableKind, match="cannot move"):
        empty.motions()


def test_a_measure_that_never_changes_has_no_turning_points_to_list():
    with pytest.raises(UnsolvableKind, match="stays what it is"):
        kempe.gallery.barton_tangent().turning_points("P.x")


def folded(a, b):
    return a * a, b, a**3


def pointed(a, b):
    """All of one edge is a point."""
    return a + 1.0, (a + 1.0) * b, 0.0


def with_poles(a, b):
    wide = math.sqrt(max(0.0, 1.0 - a * a))
    return wide * math.cos(3.0 * b), wide * math.sin(3.0 * b), a


PATCHES = {
    "a fold, cut off": (folded, 5, 1.0, (0.2, 0.1, 1.0), 1, "P_path.u at most"),
    "a fold, from its edge": (folded, 5, 0.6, (0.4, 0.1, 0.0), 1, ""),
    "a fold, from behind": (folded, 5, 0.9, (-0.3, 0.1, 0.0), 1, ""),
    "an edge that is a point": (pointed, 5, 1.3, (0.5, 0.2, 0.6), 1, "P_path.v at least"),
    "two poles": (with_poles, 6, 0.9, (0.2, 0.1, 1.0), 1, "P_path.v at least"),
    "two poles, from inside": (with_poles, 6, 0.8, (0.2, 0.1, 0.1), 1, ""),
}


@pytest.mark.parametrize("name", PATCHES)
def test_folds_poles_and_edges_that_are_points_have_the_pieces_that_a_fine_grid_shows(name):
    """Cells of the parameters in which |S - foot| - length changes its sign, where they adjoin."""
    shape, count, length, foot, pieces, end = PATCHES[name]
    ticks = [float(x) for x in np.linspace(-1.0, 1.0, count)]
    surface = BSplineSurface(tuple(tuple(shape(a, b) for b in ticks) for a in ticks))
    grid = np.meshgrid(*(np.linspace(d.low, d.high, 300) for d in surface.domains), indexing="ij")
    p = surface.point(*(g.ravel() for g in grid))
    off = sum((np.asarray(x) - y) ** 2 for x, y in zip(p, foot, strict=True)) - length**2
    sign = (off > 0.0).reshape(grid[0].shape)
    corners = [sign[1:, :-1], sign[:-1, 1:], sign[1:, 1:]]
    cells = np.any([sign[:-1, :-1] != c for c in corners], axis=0)
    assert ndimage.label(cells, structure=np.ones((3, 3)))[1] == pieces
    m = kempe.Builder("patch")
    P = m.point("P", on=surface)
    m.stick("bar", m.ground.at(*foot), P, length)
    found = m.build().motions()
    assert (found.outcome, len(found)) == (Promise.COMPLETE, pieces)
    assert [e.limit for c in found.components for e in c.ends][:1] == [end] * bool(end)
