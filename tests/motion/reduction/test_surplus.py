"""Mechanisms with more equations than their freedom needs: they move, or they do not."""

import math
import time

import numpy as np
import pytest

import kempe
from kempe import Effort
from kempe.errors import UnsolvableKind
from kempe.geometry import GROUND, Marker
from kempe.geometry.curves import BSpline, Circle, Line
from kempe.joints import PointFromCurve, PointOnCurve

WITHIN = 1e-4  # the proved bound of rows that hold but for rounding, along curves of length 6
AT_A_POINT = 1e-12  # the same at single positions, which are known to a dozen digits


def three_cranks(third=1.0, at=1.0):
    """A parallelogram with a third crank, parallel to the others if it is as long."""
    m = kempe.Builder("three cranks", plane=True)
    tip = (math.cos(1.0), math.sin(1.0))
    a, b = m.bar("a", 1.0, at=(0, 0), angle=1.0), m.bar("b", 1.0, at=(2, 0), angle=1.0)
    c = m.bar("c", third, at=(at, 0), angle=1.0)
    coupler = m.bar("coupler", 2.0, at=tip, angle=0.0)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(m.ground.at(2, 0), b.start)
    m.revolute(m.ground.at(at, 0), c.start)
    m.revolute(a.end, coupler.start)
    m.revolute(coupler.end, b.end)
    m.revolute(coupler.at(at, 0), c.end)
    return m.build()


@pytest.fixture(scope="module")
def cranks():
    return three_cranks(at=0.75)


def test_a_third_crank_leaves_the_parallel_motion_and_takes_the_crossed_one(cranks):
    found = cranks.motions()
    assert found.outcome == "numerical"
    assert [c.closed for c in found.components] == [False, False]
    assert [len(place.branches) for place in found.singular] == [2, 2]
    assert 0.0 < found.within < WITHIN
    assert "holds within" in found.message
    for component in found.components:
        samples = component.sample(0.05)
        k = cranks.layout.body_index["coupler"]
        np.testing.assert_allclose(samples.q[:, 3 * k + 2], 0.0, atol=1e-9)
        a, c = (3 * cranks.layout.body_index[name] + 2 for name in ("a", "c"))
        np.testing.assert_allclose(np.cos(samples.q[:, a] - samples.q[:, c]), 1.0, atol=1e-9)


def test_what_was_left_out_is_bounded_at_single_positions_too(cranks):
    found = cranks.assemblies({"a.angle": 1.0})
    assert (str(found.outcome), len(found)) == ("numerical", 1)
    assert found.within < AT_A_POINT


def test_a_third_crank_of_another_length_is_proved_not_to_fit():
    for question in (three_cranks(third=1.1).motions, three_cranks(third=1.1).assemblies):
        found = question()
        assert (str(found.outcome), len(found)) == ("complete", 0)


def test_a_bound_along_a_curve_lies_above_what_samples_show(cranks):
    from kempe.algebra.native import native_tape
    from kempe.front.requests.motions import Question
    from kempe.motion.search.search import search
    from kempe.motion.search.sifting import residual

    (block,) = Question.of(cranks.layout, None, None, None).system(freedom=1).blocks
    assert block.surplus is not None
    kinds = set()
    for curve in search(block, Effort()).components:
        bounds = residual(block, curve)
        tape = block.surplus.tape
        left_out = tape.outputs[: len(block.surplus.sources)]
        shown = np.abs(
            native_tape(tape).evaluate(np.ascontiguousarray(curve.charts["p"]), left_out)
        )
        assert shown.max() <= bounds.most
        assert bounds.somewhere <= bounds.most
        kinds.add(bounds.somewhere > 0.0)
        if bounds.somewhere > 0.0:
            assert shown.max() > 0.1  # the crossed parallelogram
    assert kinds == {True, False}


def test_a_train_with_three_planets_has_two_freedoms_whatever_its_rows_count():
    with pytest.raises(UnsolvableKind, match="2 independent ways"):
        kempe.gallery.planetary_train().motions()


def test_bars_that_contradict_each_other_have_no_placement():
    m = kempe.Builder("three lengths", plane=True)
    P, Q = m.point("P", on=Circle((0, 0), 1.0)), m.point("Q", on=Circle((3, 0), 1.0))
    for k, length in enumerate((2.5, 2.6, 2.7)):
        m.stick(f"bar{k}", P, Q, length)
    mechanism = m.build()
    assert str(mechanism.assemblies()).startswith("three lengths: cannot go together - complete")
    assert str(mechanism.motions()).startswith("three lengths: no way to put it together - comp")


def test_a_mechanism_that_goes_together_but_cannot_move_is_told_so():
    with pytest.raises(UnsolvableKind, match="cannot move"):
        kempe.gallery.barton_stuck().motions()


def long_curve():
    """A gear train whose loop has so many charts that it is not followed in a moment."""
    return kempe.gallery.planetary_train(planets=1)


def test_a_long_curve_is_left_when_the_time_is_up():
    began = time.process_time()
    found = long_curve().motions({"ring.angle": 0.0}, effort=Effort(seconds=0.3))
    assert found.outcome == "certified_partial"
    assert time.process_time() - began < 60.0  # not a measurement: it took minutes to the end
    assert {end.kind for c in found.components for end in c.ends} <= {"unfinished", "singular"}


def test_a_long_curve_can_be_interrupted_and_is_kept_as_far_as_it_was_followed():
    told = []

    def watch(progress):
        told.append(progress)
        if len(told) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stop:
        long_curve().motions({"ring.angle": 0.0}, effort=Effort(progress=watch))
    found = stop.value.result
    assert len(told) == 3
    assert found.outcome == "certified_partial"
    assert "interrupted" in found.message


def parallel_rods(third=1.0, *, feet=(0.0, 1.0, 2.2)):
    """A plate on three parallel rods; it swings where they are equally long."""
    m = kempe.Builder("rods", plane=True)
    plate = m.body("plate")
    for k, x in enumerate(feet):
        m.stick(f"rod{k}", m.ground.at(x, 0), plate.at(x, 0), third if k == 2 else 1.0)
    return m.build()


@pytest.mark.parametrize("feet", [(0.0, 1.0, 2.0), (0.0, 1.0, 2.2), (0.0, 1.5, 0.4)])
def test_a_plate_on_three_equal_parallel_rods_swings(feet):
    found = parallel_rods(feet=feet).motions()
    assert found.outcome == "numerical"
    assert len(found) == 2
    swings = [c.sample(0.05).q[:, 2] for c in found.components]
    assert all(np.abs(np.sin(turn)).max() < 1e-9 for turn in swings)  # it never turns


def test_that_nothing_moves_is_said_where_it_is_proved():
    """Rods of 1, 1 and 1.1 are no parallelogram in any position, so no two positions join."""
    with pytest.raises(UnsolvableKind, match="each of its 4 positions stands alone, which"):
        parallel_rods(third=1.1).motions()
    with pytest.raises(UnsolvableKind, match="each of its 2 positions stands alone, which"):
        kempe.gallery.barton_stuck().motions()


def test_a_row_in_pieces_that_holds_along_a_part_of_a_curve_keeps_that_part_listed():
    """A track that leaves a line: the bead of both moves along their common stretch."""
    leaving = BSpline(
        ((-4, 0), (-3, 0), (-2, 0), (-1, 0), (0, 0), (1, 0), (2, 1), (3, 3)), degree=2
    )
    m = kempe.Builder("overlap", plane=True)
    m.point("P", on=leaving)
    line = PointOnCurve(Marker(GROUND), Marker("P"), curve=Line((-4, 0), (4, 0)), name="line")
    m.add(line, "line")
    found = m.build().motions(limits={"P.x": (-3.9, 2.9)})
    assert str(found.outcome) == "numerical"
    P = np.concatenate([c.sample(0.01).q[:, :2] for c in found.components])
    for x in np.arange(-3.8, -0.2, 0.1):
        assert np.abs(P - [x, 0.0]).max(axis=1).min() < 0.05


def test_a_distance_from_a_curve_said_twice_loses_no_assembly():
    """Of each pair of rows the distance repeats, and not the foot, which alone finds its place."""
    m = kempe.Builder("off a circle, twice", plane=True)
    P = m.point("P", at=(1.0, 1.0))
    for _ in range(2):
        circle = Circle((3.0, 3.0), 0.91)
        m.add(PointFromCurve(m.ground.at(0, 0), P.at(0, 0), curve=circle, length=0.109))
    bar = m.stick("bar", m.ground.at(-2, -1), P)
    bar.parallel_to(m.stick("guide", m.ground.at(0, 3), m.ground.at(0.7316, 3.4224)))
    found = m.build().assemblies(limits={"P.x": (-4, 4), "P.y": (-4, 4)})
    # The line through (-2, -1) cuts one of the two circles about (3, 3) twice.
    along = np.array([0.7316, 0.4224]) / np.hypot(0.7316, 0.4224)
    foot = np.array([5.0, 4.0]) @ along
    gap = abs(5.0 * along[1] - 4.0 * along[0])
    assert 0.91 - 0.109 < gap < 0.91 + 0.109
    half = np.sqrt((0.91 + 0.109) ** 2 - gap**2)
    expected = sorted(-2.0 + (foot + sign * half) * along[0] for sign in (1.0, -1.0))
    assert sorted(float(a.q[0]) for a in found) == pytest.approx(expected, abs=1e-9)
