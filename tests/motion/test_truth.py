"""Counts that are known: by closed forms, by Grashof, by the two sides of every dyad."""

import importlib.util
import itertools
import random
from pathlib import Path

import numpy as np
import pytest

import kempe
from kempe.results.maps.certificate import Promise

ROOT = Path(__file__).parents[2]
NEAR_CHANGE = 1e-6  # by which s + l misses p + q
ROUNDING = 1e-9  # of angles that a closed form and the search both give to a dozen digits
SEED, FOUR_BARS, SIX_BARS = 7, 40, 25


@pytest.fixture(scope="module")
def campaign():
    spec = importlib.util.spec_from_file_location("campaign", ROOT / "tools" / "motion_campaign.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def four_bar(crank, rocker, coupler, ground):
    return kempe.gallery.four_bar(crank=crank, rocker=rocker, coupler=coupler, ground=ground)


@pytest.mark.parametrize(
    ("lengths", "loops"),
    [
        ((1.0, 2.5, 3.0, 2.8), 2),
        ((2.0, 2.5, 3.0, 2.2), 1),
        ((1.0, 1.2 + NEAR_CHANGE, 3.0, 2.8), 2),
        ((1.0, 1.2 - NEAR_CHANGE, 3.0, 2.8), 1),
    ],
)
def test_a_four_bar_has_as_many_loops_as_grashof_says(lengths, loops):
    found = four_bar(*lengths).motions()
    assert found.outcome == "complete"
    assert [c.closed for c in found.components] == [True] * loops


@pytest.mark.parametrize("by", [1e-6, -1e-6, 1e-8, -1e-8])
@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::5])
def test_a_hair_s_breadth_from_a_change_of_class_decides_the_count(order, by):
    """Whichever bar is the shortest: p + q exceeds s + l by a hair, or falls short of it."""
    lengths = (1.0, 1.2 + by, 3.0, 2.8)
    found = four_bar(*(lengths[k] for k in order)).motions()
    assert (str(found.outcome), len(found)) == ("complete", 2 if by > 0.0 else 1)


@pytest.mark.parametrize("by", [1e-6, 1e-9])
def test_bars_that_just_close_make_a_tiny_loop_and_those_that_just_do_not_none(by):
    closes = four_bar(1.0, 0.7, 1.5, 3.2 - by).motions()
    assert (str(closes.outcome), [c.closed for c in closes.components]) == ("complete", [True])
    fails = four_bar(1.0, 0.7, 1.5, 3.2 + by).motions()
    assert (str(fails.outcome), len(fails)) == ("complete", 0)


def test_a_six_bar_whose_dyad_is_out_of_reach_is_certified_to_have_no_motion():
    found = kempe.gallery.watt_six_bar(link=0.1, follower=0.1, grounds=(2.8, 30.0)).motions()
    assert (str(found.outcome), len(found)) == ("complete", 0)


def test_a_piston_has_two_loops():
    found = kempe.gallery.slider_crank(crank=1.0, rod=2.0).motions()
    assert (str(found.outcome), len(found)) == ("complete", 2)


def test_bars_that_cannot_close_are_certified_to_have_no_motion():
    found = four_bar(1.0, 1.0, 1.0, 5.0).motions()
    assert found.outcome is Promise.COMPLETE
    assert len(found) == 0
    assert "cannot be put together" in str(found)


def test_a_parallelogram_has_four_arcs_that_meet_in_two_nodes():
    found = four_bar(1.0, 1.0, 2.0, 2.0).motions()
    assert found.outcome == "complete_except"
    assert [c.closed for c in found.components] == [False] * 4
    assert len(found.singular) == 2
    # the cranks' tips P and Q lie on the ground's line
    tips = sorted(
        (*place.q[3:5], place.q[6] + np.cos(place.q[8]), place.q[7] + np.sin(place.q[8]))
        for place in found.singular
    )
    np.testing.assert_allclose(tips, [(-1, 0, 1, 0), (1, 0, 3, 0)], atol=1e-3)
    for place in found.singular:
        assert len(place.branches) == 4
        assert place.singular_value < 1e-4
        assert place.size < 1e-3
    # folded flat: the crank points along the ground, one way or the other
    cosines = sorted(round(float(np.cos(place.q[2])), 4) for place in found.singular)
    assert cosines == [-1.0, 1.0]
    ends = {(number, side) for place in found.singular for number, side in place.branches}
    assert ends == {(number, side) for number in range(4) for side in (0, 1)}
    assert all(end.kind == "singular" for c in found.components for end in c.ends)


@pytest.mark.parametrize("dyads", [1, 2, 3, 4])
def test_a_chain_of_dyads_has_a_loop_for_every_choice_of_sides(dyads):
    found = kempe.gallery.dyad_chain(dyads=dyads).motions()
    assert (str(found.outcome), len(found)) == ("complete", 2**dyads)
    assert len(found.unknowns) == 2 * dyads + 2


def test_boxes_for_each_component_do_not_grow_along_a_chain():
    boxes = [
        found.counts["boxes"] / len(found)
        for found in (kempe.gallery.dyad_chain(dyads=d).motions() for d in (2, 3, 4, 5))
    ]
    assert max(boxes) < 2.0 * min(boxes)


def test_a_triangle_of_bars_has_twice_the_loops_of_its_four_bar():
    found = kempe.gallery.moving_triangle().motions()
    assert (str(found.outcome), len(found)) == ("complete", 4)


def test_a_planar_platform_goes_together_in_twelve_ways_six_of_them_mirrored():
    found = kempe.gallery.planar_platform().assemblies(at=0)
    assert (str(found.outcome), len(found)) == ("complete", 12)
    # bodies PQ, QR, RP: the triangle runs left or right round
    turns = [np.sin(state.q[5] - state.q[2]) for state in found]
    assert sum(turn > 0 for turn in turns) == 6


def test_the_assemblies_of_a_four_bar_are_those_of_the_closed_form():
    bar = kempe.gallery.four_bar(crank=30, coupler=90, rocker=70, ground=100, units="mm")
    found = bar.assemblies({"crank.angle": "60 deg"})
    assert found.outcome == "complete"
    B = 0.03 * np.exp(1j * np.pi / 3)
    d = 0.1 - B
    x = (0.09**2 - 0.07**2 + abs(d) ** 2) / (2 * abs(d))
    wanted = []
    for side in (1.0, -1.0):
        C = B + d / abs(d) * complex(x, side * np.sqrt(0.09**2 - x * x))
        wanted.append(np.angle(C - 0.1))
    assert sorted(state.q[8] for state in found) == pytest.approx(sorted(wanted), abs=ROUNDING)


def test_random_four_bars_have_as_many_loops_as_grashof_says(campaign):
    chance = random.Random(SEED)
    for _ in range(FOUR_BARS):
        bar = campaign.random_four_bar(chance)
        found = campaign.four_bar_map(bar)
        assert (str(found.outcome), len(found)) == ("complete", bar.loops), bar


def test_random_six_bars_have_as_many_loops_as_a_sweep_along_closed_forms_finds(campaign):
    chance = random.Random(SEED)
    told = 0
    for _ in range(SIX_BARS):
        six = campaign.random_six_bar(chance)
        found = campaign.six_bar_map(six)
        wanted = six.loops()
        assert found.outcome == "complete", six
        assert wanted is None or len(found) == wanted, six
        told += wanted is not None
    assert told > 0.9 * SIX_BARS


def test_a_dead_point_approached_to_a_millionth_still_gives_two_assemblies():
    bar = four_bar(1.0, 2.5, 3.0, 2.8)
    turning = bar.turning_points("rocker.angle")
    extreme = max(state.q[8] for state in turning)
    for short in (1e-4, 1e-6):
        found = bar.assemblies({"rocker.angle": extreme - short})
        assert (str(found.outcome), len(found)) == ("complete", 2)
        found = bar.assemblies({"rocker.angle": extreme + short})
        assert len([s for s in found if abs(s.q[8] - extreme) < 0.1]) == 0


def test_scraps_of_curve_beside_a_singular_place_are_part_of_it_and_no_arcs():
    """Hart's inversor: four arcs between two places where the crossed parallelogram lies flat."""
    found = kempe.gallery.hart().motions()
    assert found.outcome == "complete_except"
    assert [c.closed for c in found.components] == [False] * 4
    assert min(c.length for c in found.components) > 1.0
    met = [place for place in found.singular if place.branches]
    assert sorted(len(place.branches) for place in met) == [4, 4]
