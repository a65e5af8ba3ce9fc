"""What a motion map and a list of assemblies tell."""

import itertools
import math

import numpy as np
import pytest

import kempe
from kempe import Effort, MotionMap
from kempe.errors import BadNumber, FileError, Unbounded, UnknownName, UnsolvableKind

STEP = 0.05
CLOSED_LOOPS = 1e-9  # m, of hinges whose positions are known to a dozen digits
RADIUS = 1e-11  # a tube far thinner than any step


@pytest.fixture(scope="module")
def bar():
    return kempe.gallery.four_bar()


@pytest.fixture(scope="module")
def loops(bar):
    return bar.motions()


def test_samples_close_every_hinge_and_keep_the_step(bar, loops):
    for component in loops.components:
        samples = component.sample(STEP)
        q = samples.q.reshape(len(samples), 3, 3)
        tip = q[:, 1, :2] + 3.5 * np.stack([np.cos(q[:, 1, 2]), np.sin(q[:, 1, 2])], axis=1)
        end = q[:, 2, :2] + 3.0 * np.stack([np.cos(q[:, 2, 2]), np.sin(q[:, 2, 2])], axis=1)
        np.testing.assert_allclose(tip, end, atol=CLOSED_LOOPS)
        apart = np.linalg.norm(np.diff(samples.x, axis=0), axis=1)
        assert apart.max() <= STEP
        assert np.linalg.norm(samples.x[0] - samples.x[-1]) <= STEP
        assert samples.radius.max() < RADIUS


def test_the_length_of_a_loop_does_not_depend_on_where_it_is_sampled(loops):
    for component in loops.components:
        samples = component.sample(STEP / 10)
        assert component.length == pytest.approx(samples.length[-1], rel=2e-3)


def test_an_arc_ends_where_a_limit_is_met():
    crank = kempe.gallery.slider_crank()
    found = crank.motions(limits={"slider.x": (2.5, 3.5)})
    assert found.outcome == "complete"
    assert [c.closed for c in found.components] == [False, False]
    for component in found.components:
        assert sorted(e.limit for e in component.ends) == ["slider.x at least", "slider.x at most"]
        ends = sorted(end.q[-3] for end in component.ends)
        assert ends == pytest.approx([2.5, 3.5], abs=1e-9)


def test_a_limit_that_cuts_nothing_off_leaves_the_loops_whole():
    found = kempe.gallery.slider_crank().motions(limits={"slider.x": (-9.0, 9.0)})
    assert [c.closed for c in found.components] == [True, True]


def test_a_limit_that_excludes_everything_leaves_nothing():
    found = kempe.gallery.slider_crank().motions(limits={"slider.x": (7.0, 9.0)})
    assert (str(found.outcome), len(found)) == ("complete", 0)


def test_the_turning_points_of_the_rocker_are_its_dead_points(bar):
    found = bar.turning_points("rocker.angle")
    assert (str(found.outcome), len(found)) == ("complete", 4)
    for state in found:  # crank and coupler lie in one line
        assert np.sin(state.q[2] - state.q[5]) == pytest.approx(0.0, abs=1e-9)


def test_a_crank_that_turns_fully_has_no_turning_point(bar):
    assert len(bar.turning_points("crank.angle")) == 0


def test_a_crank_that_cannot_turn_fully_turns_back(bar):
    rocker = kempe.gallery.four_bar(crank=2.0, rocker=2.5, coupler=3.0, ground=2.2)
    assert len(rocker.turning_points("crank.angle")) == 2


def test_every_assembly_lies_on_one_component(bar, loops):
    found = [loops.component_of(state.q) for state in bar.assemblies({"crank.angle": "60 deg"})]
    assert sorted(found) == [0, 1]


def test_two_assemblies_of_a_triple_rocker_lie_on_one_loop():
    rocker = kempe.gallery.four_bar(crank=2.0, rocker=2.5, coupler=3.0, ground=2.2)
    motions = rocker.motions()
    states = rocker.assemblies({"crank.angle": "60 deg"})
    assert [motions.component_of(state.q) for state in states] == [0, 0]


def test_a_position_that_is_no_assembly_lies_on_no_component(loops):
    assert loops.component_of(np.array([0.0, 0.0, 1.0, 0.5, 0.8, 2.0, 4.0, 0.0, 1.0])) is None


def test_an_assembly_within_limits_is_found_though_the_limit_is_an_unknown():
    crank = kempe.gallery.slider_crank()
    motions = crank.motions(limits={"slider.x": (2.5, 3.5)})
    on = {motions.component_of(s.q) for s in crank.assemblies({"slider.x": 3.0})}
    assert on == {0, 1}


def test_following_a_loop_is_a_trajectory_that_comes_home(bar, loops):
    turn = bar.follow(loops.components[0], step=0.02)
    path = turn["coupler.P"].position
    np.testing.assert_allclose(path[0], path[-1], atol=1e-9)
    assert abs(turn["crank.angle"].values[-1] - turn["crank.angle"].values[0]) == pytest.approx(
        2.0 * np.pi
    )


def test_a_component_cannot_be_followed_by_another_mechanism(loops):
    with pytest.raises(BadNumber, match="another mechanism"):
        kempe.gallery.slider_crank().follow(loops.components[0])


MANY_OR_FEW = {
    "chain of eight loops": lambda: kempe.gallery.dyad_chain(dyads=3),
    "chain of sixteen loops": lambda: kempe.gallery.dyad_chain(dyads=4),
    "moving triangle": kempe.gallery.moving_triangle,
    "arcs between singular places": lambda: kempe.gallery.four_bar(
        crank=1.0, rocker=1.0, coupler=2.0, ground=2.0
    ),
}


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("name", MANY_OR_FEW)
def test_every_bit_of_a_map_is_the_same_with_any_number_of_threads(name, threads):
    mechanism = MANY_OR_FEW[name]()
    one = mechanism.motions(effort=Effort(threads=1))
    more = mechanism.motions(effort=Effort(threads=threads))
    assert one.counts == more.counts
    assert one.outcome == more.outcome
    for a, b in zip(one.components, more.components, strict=True):
        assert a.charts.keys() == b.charts.keys()
        for key in a.charts:
            np.testing.assert_array_equal(a.charts[key], b.charts[key])


def test_every_bit_of_assemblies_is_the_same_with_any_number_of_threads():
    platform = kempe.gallery.planar_platform()
    one = platform.assemblies(at=0, effort=Effort(threads=1))
    two = platform.assemblies(at=0, effort=Effort(threads=2))
    assert one.counts == two.counts
    for a, b in zip(one.states, two.states, strict=True):
        np.testing.assert_array_equal(a.x, b.x)
        assert a.radius == b.radius


def test_a_search_that_may_look_at_few_boxes_says_so():
    found = kempe.gallery.dyad_chain(dyads=3).motions(effort=Effort(boxes=50))
    assert found.outcome == "certified_partial"
    assert found.unsearched.boxes > 0
    assert 0.0 < found.unsearched.share <= 1.0
    assert "there may be more" in found.message


def test_a_search_without_memory_says_so():
    found = kempe.gallery.dyad_chain(dyads=3).motions(effort=Effort(memory=1000.0))
    assert found.outcome == "certified_partial"
    assert "memory" in found.message


def test_progress_is_told_and_an_interruption_keeps_what_is_certified():
    told = []

    def watch(progress):
        told.append(progress)
        if progress.components >= 1:
            raise KeyboardInterrupt

    chain = kempe.gallery.dyad_chain(dyads=6)
    with pytest.raises(KeyboardInterrupt) as stop:
        chain.motions(effort=Effort(progress=watch))
    found = stop.value.result
    assert told
    assert found.outcome == "certified_partial"
    assert 1 <= len(found) <= 64
    assert "interrupted" in found.message


def test_three_freedoms_are_too_many_and_the_message_says_what_to_hold():
    m = kempe.Builder("six-bar loop", plane=True)
    bars = [m.bar(f"bar{k}", 1.0 + 0.1 * k) for k in range(5)]
    m.revolute(m.ground.at(0, 0), bars[0].start)
    for a, b in itertools.pairwise(bars):
        m.revolute(a.end, b.start)
    m.revolute(bars[4].end, m.ground.at(2, 0))
    six = m.build()
    with pytest.raises(UnsolvableKind, match=r"3 independent ways .* 1 or 2 left: hold 2 or 1"):
        six.motions()
    found = six.motions({"bar0.angle": "70 deg", "bar1.angle": "10 deg"})
    assert found.outcome == "complete"
    assert len(found) in (1, 2)


def test_a_slider_without_end_needs_a_limit():
    m = kempe.Builder("sled", plane=True)
    sled = m.body("sled")
    m.prismatic(m.ground.at(0, 0), sled.at(0, 0), along=(1, 0), name="guide")
    with pytest.raises(Unbounded, match="limit"):
        m.build().motions()


def test_a_slider_with_a_limit_is_one_arc():
    m = kempe.Builder("sled", plane=True)
    sled = m.body("sled")
    m.prismatic(m.ground.at(0, 0), sled.at(0, 0), along=(1, 0), name="guide")
    found = m.build().motions(limits={"guide.displacement": (0.0, 2.0)})
    assert (str(found.outcome), len(found)) == ("complete", 1)
    assert found.components[0].length > 0.0


def test_independent_parts_combine_in_every_way():
    m = kempe.Builder("crank and pendulum", plane=True)
    a, b = m.bar("a", 1.0), m.bar("b", 1.5)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, m.ground.at(2, 0))  # a triangle: two ways
    c = m.bar("c", 1.0)
    m.revolute(m.ground.at(5, 0), c.start)  # turns freely: one loop
    found = m.build().motions()
    assert (str(found.outcome), len(found)) == ("complete", 2)


def test_a_linkage_with_more_rows_than_it_needs_is_not_called_certified():
    found = kempe.gallery.bennett().motions()
    assert str(found.outcome) == "numerical"
    assert len(found) > 0
    assert 0.0 < found.within < 1e-3


def test_an_unknown_measure_is_named(bar):
    with pytest.raises(UnknownName, match=r"crank\.angle"):
        bar.assemblies({"crnk.angle": 1.0})


def test_a_map_comes_back_from_its_file_as_it_was(loops, tmp_path):
    again = MotionMap.load(loops.save(tmp_path / "map.npz"))
    assert str(again) == str(loops)
    for a, b in zip(again.components, loops.components, strict=True):
        np.testing.assert_array_equal(a.sample(STEP).q, b.sample(STEP).q)


def test_equal_maps_are_equal_files(bar, loops, tmp_path):
    first, second = loops.save(tmp_path / "a.npz"), bar.motions().save(tmp_path / "b.npz")
    assert first.read_bytes() == second.read_bytes()


def test_a_damaged_map_is_refused(loops, tmp_path):
    path = loops.save(tmp_path / "map.npz")
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(FileError, match="no motion map"):
        MotionMap.load(path)


def test_nonsense_steps_are_refused(loops):
    with pytest.raises(BadNumber, match="positive"):
        loops.components[0].sample(0.0)


@pytest.mark.parametrize("step", [0.3, 0.01])
def test_samples_are_no_further_apart_than_asked(step):
    """In the space of unknowns, also from chart to chart and from the last sample to the first."""
    mechanism = kempe.gallery.four_bar()
    for component in mechanism.motions().components:
        x = component.sample(step).x
        gaps = np.linalg.norm(np.diff(np.vstack([x, x[:1]]), axis=0), axis=1)
        assert gaps.max() <= step
        assert gaps.max() > 0.2 * step


@pytest.mark.parametrize("angle", [3e5, 2e6 * math.pi, 1e9, 1e308])
def test_an_angle_held_beyond_many_turns_is_the_angle_without_them(angle):
    four_bar = kempe.gallery.four_bar()
    least = math.atan2(math.sin(angle), math.cos(angle))
    found = four_bar.assemblies({"crank.angle": angle})
    assert len(found) == 2
    for one, other in zip(found, four_bar.assemblies({"crank.angle": least}), strict=True):
        assert one["rocker.angle"] == pytest.approx(other["rocker.angle"], abs=1e-12)
    assert not kempe.verify(found).failures


@pytest.mark.parametrize("turns", [1e4, -1e6])
def test_limits_of_an_angle_many_turns_on_are_those_without_these_turns(turns):
    four_bar, away = kempe.gallery.four_bar(), math.tau * turns
    near = four_bar.motions(limits={"crank.angle": (0.5, 1.5)})
    far = four_bar.motions(limits={"crank.angle": (away + 0.5, away + 1.5)})
    assert far.outcome == near.outcome == "complete"
    assert [c.length for c in far.components] == pytest.approx([c.length for c in near.components])
    assert not kempe.verify(far).failures
    wide = four_bar.motions(limits={"crank.angle": (away, away + 8.0)})  # more than a turn: all
    assert [component.closed for component in wide.components] == [True, True]


def test_drives_many_turns_on_are_followed_over_time():
    """The crank makes a turn a second: a million seconds on it is where it was."""
    four_bar = kempe.gallery.four_bar()
    near, far = (four_bar.timeline(t, t + 0.75) for t in (0.0, 1e6))
    assert far.outcome == near.outcome == "complete"
    assert len(far.branches) == len(near.branches) == 2
    assert str(far).splitlines()[1] == "  1: 1000000 s (start) to 1000000.75 s (stop)"
    motions = four_bar.motions(during=(1e6, 1e6 + 0.75))
    assert not kempe.verify(motions).failures
