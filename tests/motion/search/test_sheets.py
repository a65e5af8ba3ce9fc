"""Sheets of positions: listed as places of complete_except, with what moves there by itself."""

import numpy as np
import pytest

import kempe
from kempe.algebra.native import native_tape

SEED = 7
STARTS = 300  # random positions from which Newton's method looks for solutions
FOUND = 1e-10  # residual of what counts as one
INSIDE = 1e-9  # of unknowns of the size of 1: how far off such a solution may be


@pytest.fixture(scope="module")
def inversor():
    return kempe.gallery.peaucellier_lipkin().motions()


@pytest.fixture(scope="module")
def gripper():
    return kempe.gallery.gripper().motions()


def test_the_folded_rhombus_of_the_inversor_is_one_sheet_beside_four_arcs(inversor):
    assert inversor.outcome == "complete_except"
    # The point P on its line and P on C, each with the rhombus either way round.
    assert len(inversor.components) == 4
    (sheet,) = inversor.singular
    # The rhombus folded onto one bar: the rest is a four-bar, and the far bars turn freely.
    assert (sheet.is_sheet, sheet.freedom) == (True, 2)
    assert sheet.movers == ("far_left", "far_right")
    assert sorted(sheet.branches) == [(k, side) for k in range(4) for side in (0, 1)]
    assert "far_left and far_right can move alone" in inversor.message


@pytest.mark.parametrize(("stages", "arcs"), [(1, 4), (2, 16), (3, 32)])
def test_a_scissor_lift_drawn_shut_swings_stage_by_stage(stages, arcs):
    found = kempe.gallery.scissor_lift(stages=stages).motions()
    assert found.outcome == "complete_except"
    # The foot left or right of the origin, folded up or down stage by stage, the platform either
    # way round. From two stages on they are cut where all lies flat as well.
    assert len(found.components) == arcs
    sheets = [place for place in found.singular if place.is_sheet]
    # Feet in one point: every pair of arms swings as one, and so does the platform.
    assert [(s.freedom, s.movers) for s in sheets] == [(stages + 1, ("platform",))]
    flat = [len(place.branches) for place in found.singular if not place.is_sheet]
    assert flat == ([] if stages == 1 else [2**stages] * 4)
    assert len(sheets[0].branches) + sum(flat) == 2 * arcs


@pytest.mark.parametrize(("stages", "arcs"), [(1, 4), (2, 8), (3, 16)])
def test_limits_that_keep_away_from_a_sheet_leave_a_complete_list(stages, arcs):
    lift = kempe.gallery.scissor_lift(stages=stages)
    found = lift.motions(limits={"foot.x": (0.2, 1.9)})
    assert (found.outcome, len(found.components), found.singular) == ("complete", arcs, ())


def test_every_crossing_of_the_gripper_is_a_small_place_with_all_its_branches(gripper):
    assert gripper.outcome == "complete_except"
    assert len(gripper.components) == 64
    met = [len(place.branches) for place in gripper.singular]
    assert (met.count(4), met.count(8), len(met)) == (24, 4, 28)
    assert not any(place.is_sheet for place in gripper.singular)
    assert max(place.size for place in gripper.singular) < 1e-4


@pytest.mark.parametrize(("loops", "arcs"), [(2, 4), (3, 8), (4, 32)])
def test_arcs_of_a_chain_are_followed_into_crossings_and_every_end_is_at_one(loops, arcs):
    """Rockers that turn back: two branches cross, and no arc is given up before it gets there."""
    found = kempe.gallery.four_bar_chain(loops=loops).motions()
    assert (found.outcome, len(found.components)) == ("complete_except", arcs)
    assert [len(place.branches) for place in found.singular] == [4] * (arcs // 2)
    ends = [end for place in found.singular for end in place.branches]
    assert sorted(ends) == [(k, side) for k in range(arcs) for side in (0, 1)]
    assert max(place.size for place in found.singular) < 1e-4


def test_a_long_list_that_was_not_finished_says_so():
    found = kempe.gallery.dyad_chain(dyads=7).motions(effort=kempe.Effort(boxes=1000))
    assert found.outcome == "certified_partial"
    assert f"The list is a long one, {len(found.components)} so far" in found.message


@pytest.mark.parametrize("loops", [2, 3])
def test_curves_that_count_twice_are_set_aside_like_sheets(loops):
    """Rhombi in a row: a crank whose tip lies on the next pivot lets the next crank turn."""
    found = kempe.gallery.n_four_bar(loops=loops).motions()
    assert (found.outcome, len(found.components)) == ("complete_except", 8)
    assert min(place.freedom for place in found.singular if place.is_sheet) >= 2


def _solutions(block, count):
    """Solutions from random starts, also where equations depend on each other."""
    chance, n = np.random.default_rng(SEED), len(block.low)
    native, rows = native_tape(block.tape), block.tape.outputs[: block.n_equations]
    for _ in range(count):
        x = chance.uniform(block.low, block.high)
        for _ in range(60):
            probes = np.vstack([x[None, :], x + 1e-7 * np.eye(n), x - 1e-7 * np.eye(n)])
            values = native.evaluate(np.ascontiguousarray(probes), rows)
            J = (values[1 : n + 1] - values[n + 1 :]).T / 2e-7
            step = np.linalg.lstsq(J, values[0], rcond=1e-7)[0]
            x = x - step * min(1.0, 0.5 / max(np.linalg.norm(step), 1e-300))
        if np.abs(values[0]).max() < FOUND:
            yield x


def _lies_on(component, x):
    charts, n = component.charts, len(x)
    A = np.asarray(charts["A"]).reshape(-1, n, n)
    z = np.linalg.solve(A.transpose(0, 2, 1), (x - charts["p"])[:, :, None])[:, :, 0]
    m = n - 1
    inside = (np.abs(z[:, :m]) <= charts["w"][:, None] + INSIDE).all(axis=1)
    return bool((inside & (np.abs(z[:, m]) <= charts["h"] + INSIDE)).any())


def test_every_solution_lies_on_an_arc_or_in_a_box_of_the_sheet(inversor):
    on_sheet = on_arcs = 0
    (sheet,) = inversor.singular
    for x in _solutions(inversor.blocks[0], STARTS):
        in_box = ((x >= sheet.lows - INSIDE) & (x <= sheet.highs + INSIDE)).all(axis=1).any()
        on_arc = any(_lies_on(c, x) for c in inversor.components)
        on_sheet, on_arcs = on_sheet + in_box, on_arcs + on_arc
        assert in_box or on_arc, x
    assert on_sheet > 10
    assert on_arcs > 10


def test_arcs_lie_outside_the_boxes_of_a_sheet_but_for_where_they_meet_it(inversor):
    (sheet,) = inversor.singular
    for component in inversor.components:
        held = [sheet.holds(x) for x in component.charts["p"]]
        assert 0 < sum(held) < 0.5 * len(held)


def test_limits_of_boxes_stop_making_a_sheet_finer_and_nothing_else(inversor):
    effort = kempe.Effort(boxes=6000)
    coarse = kempe.gallery.peaucellier_lipkin().motions(effort=effort)
    assert coarse.outcome == "complete_except"
    assert coarse.singular[0].width > inversor.singular[0].width
    few = kempe.gallery.peaucellier_lipkin().motions(effort=kempe.Effort(boxes=300))
    assert few.outcome == "certified_partial"


def test_two_threads_find_the_same_sheet(inversor):
    effort = kempe.Effort(threads=2)
    twice = kempe.gallery.peaucellier_lipkin().motions(effort=effort)
    np.testing.assert_array_equal(twice.singular[0].lows, inversor.singular[0].lows)
    assert twice.counts == inversor.counts


def test_sheets_are_saved_and_read_back(inversor, tmp_path):
    read = kempe.MotionMap.load(inversor.save(tmp_path / "map.npz"))
    (sheet,), (read_sheet,) = inversor.singular, read.singular
    np.testing.assert_array_equal(read_sheet.lows, sheet.lows)
    assert (read_sheet.freedom, read_sheet.movers) == (2, ("far_left", "far_right"))
    assert str(read) == str(inversor)
