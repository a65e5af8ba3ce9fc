"""Singular positions are offered with their ways on, and passed only as asked."""

import math
from collections.abc import Callable

import numpy as np
import pytest

import kempe
from kempe import gallery
from kempe.errors import UnknownName
from kempe.kinematics.observe.observation import observe_point

pytestmark = pytest.mark.core

# Newton ends within a hundred roundings of lengths near 1; a square root lies between the drive and
# the linkage beside a dead point, a reciprocal beside a crossing.
SAME = 1e-9
# Samples right at a crossing are read off a polynomial of degree 7 over a hundredth of a radian.
READ_OFF = 1e-8
LOCATED = 1e-12


def double_rocker() -> kempe.Mechanism:
    """Its crank swings between two dead points."""
    return gallery.four_bar(crank=3.0, coupler=3.5, rocker=3.0, ground=4.0)


def parallelogram() -> kempe.Mechanism:
    return gallery.four_bar(crank=1.0, coupler=2.0, rocker=1.0, ground=2.0)


def pushed_slider_crank(speed: float = 1.0) -> kempe.Mechanism:
    """A slider-crank whose slider is driven: crank 1 m, rod 3 m, from x = 3 m."""
    m = gallery.slider_crank(crank=1.0, rod=3.0, start=math.acos(1.0 / 6.0)).edit()
    m.remove("crank.angle")
    slider = kempe.Builder.of(m.build().model)
    slider.drive(gauge(m.build(), "slider.x"), start=3.0, speed=speed)
    return slider.build()


def gauge(mechanism: kempe.Mechanism, name: str):
    from kempe.compile.trace.part_names import gauges_by_name

    return gauges_by_name(mechanism.model)[name]


def folded(t: np.ndarray, start: float, end: float) -> np.ndarray:
    """A drive that runs to and fro between -end and end, from `start`, at 2 pi per second."""
    way = (start + math.tau * t + end) % (4.0 * end)
    return np.where(way < 2.0 * end, way, 4.0 * end - way) - end


def test_a_dead_point_is_located_and_offers_both_ways_on() -> None:
    turn = double_rocker().kinematics(until=1.0)
    outcome = turn.outcome
    limit = math.acos((9.0 + 16.0 - 6.5**2) / 24.0)
    assert outcome.name == "DeadPoint"
    assert outcome.facts["value"] == pytest.approx(limit, abs=LOCATED)
    on, back = outcome.continuations
    assert (on.number, on.drive, on.is_straight, on.is_return) == (1, "turns back", True, False)
    assert (back.number, back.drive, back.is_straight) == (2, "turns back", False)
    assert back.is_return
    np.testing.assert_allclose(on.tangent, -np.array(back.tangent), atol=SAME)
    x = np.array(on.tangent)
    assert x[2] == pytest.approx(0.0, abs=1e-7)  # the crank stands still there
    assert 'through="momentum"' in str(outcome)


@pytest.mark.parametrize("executor", ["vm", "llvm"])
@pytest.mark.parametrize("plan", ["small", "large"])
def test_momentum_carries_a_double_rocker_all_along_its_curve(executor: str, plan: str) -> None:
    mechanism = double_rocker()
    turn = mechanism.kinematics(
        until=3.0, steps=700, through="momentum", executor=executor, plan=plan
    )
    assert turn.outcome.is_done
    assert len(turn) == 701
    limit = math.acos((9.0 + 16.0 - 6.5**2) / 24.0)
    start = float(turn["crank.angle"].values[0])
    crank = turn["crank.angle"]
    np.testing.assert_allclose(crank.values, folded(turn.t, start, limit), atol=SAME)
    np.testing.assert_allclose(np.abs(crank.rate), math.tau, atol=SAME)
    assert [p.turns_back for p in turn.passes] == [True] * len(turn.passes)
    assert len(turn.passes) == 4
    times = [p.t for p in turn.passes]
    side = np.sign(np.sin(turn["coupler.angle"].values - turn["rocker.angle"].values))
    stretch = np.searchsorted(times, turn.t)
    assert (side == side[0] * (-1.0) ** stretch).all()


def test_velocities_are_the_rates_of_positions_after_a_pass() -> None:
    turn = double_rocker().kinematics(until=1.0, steps=2000, through="momentum")
    (passed,) = turn.passes[:1]
    far = np.abs(turn.t - passed.t) > 0.05
    for name in ("rocker.angle", "coupler.angle", "crank.angle"):
        s = turn[name]
        rate = np.gradient(s.values, turn.t)[1:-1]
        bend = np.gradient(s.rate, turn.t)[1:-1]
        inner = far[1:-1] & far[2:] & far[:-2] & (np.abs(turn.t[1:-1] - turn.passes[-1].t) > 0.05)
        np.testing.assert_allclose(rate[inner], s.rate[1:-1][inner], rtol=1e-3, atol=1e-2)
        np.testing.assert_allclose(bend[inner], s.acceleration[1:-1][inner], rtol=1e-2, atol=1.0)


def test_a_pushed_slider_turns_the_crank_through_both_dead_centres() -> None:
    mechanism = pushed_slider_crank()
    still = mechanism.kinematics(until=2.0)
    assert still.outcome.name == "DeadPoint"
    assert still.outcome.facts["value"] == pytest.approx(4.0, abs=LOCATED)
    turn = mechanism.kinematics(until=4.0, steps=401, through="momentum")
    assert turn.outcome.is_done
    crank = turn["crank.angle"].values
    assert abs(crank[-1] - crank[0]) == pytest.approx(math.tau, abs=SAME)
    assert (np.sign(np.diff(crank)) == np.sign(crank[-1] - crank[0])).all()
    x = turn["slider.x"].values
    np.testing.assert_allclose(x, np.cos(crank) + np.sqrt(9.0 - np.sin(crank) ** 2), atol=SAME)
    values = sorted(p.value for p in turn.passes)
    np.testing.assert_allclose(values, [2.0, 4.0], atol=LOCATED)


def test_the_way_back_is_the_way_it_came() -> None:
    turn = double_rocker().kinematics(until=0.7, steps=700, through="branch 2")
    assert turn.outcome.is_done
    passed = turn.passes[0].t
    later = turn.t > passed
    mirrored = 2.0 * passed - turn.t[later]
    inside = mirrored > turn.t[1]
    rocker = turn["rocker.angle"].values
    from scipy.interpolate import CubicSpline

    before = turn.t < passed - 0.05
    fine = inside & (mirrored < passed - 0.06)
    spline = CubicSpline(turn.t[before], rocker[before])
    np.testing.assert_allclose(rocker[later][fine], spline(mirrored[fine]), atol=1e-6)


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("steps", [360, 350])
def test_a_parallelogram_goes_straight_on_with_momentum(plane: bool, steps: int) -> None:
    mechanism = gallery.four_bar(crank=1.0, coupler=2.0, rocker=1.0, ground=2.0, plane=plane)
    turn = mechanism.kinematics(until=1.0, steps=steps, through="momentum")
    assert turn.outcome.is_done
    assert len(turn) == steps + 1
    assert [p.ending for p in turn.passes] == ["Bifurcation"] * 2
    end = turn["coupler.end"]
    tip = turn["crank.end"]
    np.testing.assert_allclose(
        end.position - tip.position,
        [[2.0, 0.0, 0.0][: end.position.shape[1]]] * len(turn),
        atol=READ_OFF,
    )
    np.testing.assert_allclose(end.velocity, tip.velocity, atol=READ_OFF * math.tau)
    np.testing.assert_allclose(
        end.acceleration, tip.acceleration, atol=100 * READ_OFF * math.tau**2
    )


def antiparallelogram_rocker(crank: np.ndarray) -> np.ndarray:
    """The crossed branch of crank 1, coupler 2, rocker 1, ground 2: circles about B and D."""
    B = np.exp(1j * crank)
    d = 2.0 - B
    square = np.abs(d) ** 2
    x = (4.0 - 1.0 + square) / (2.0 * square)
    y = np.sqrt(np.clip(4.0 / square - x * x, 0.0, None))
    both = [B + d * (x + s * 1j * y) for s in (1.0, -1.0)]
    parallel = B + 2.0
    first = np.abs(both[0] - parallel) > np.abs(both[1] - parallel)
    return np.where(first, both[0], both[1]) - 2.0


@pytest.mark.parametrize("branch", [2, 3])
def test_a_parallelogram_can_be_crossed_over(branch: int) -> None:
    mechanism = parallelogram()
    stopped = mechanism.kinematics(until=1.0).outcome
    assert stopped.name == "Bifurcation"
    assert stopped.facts["value"] == pytest.approx(math.pi, abs=LOCATED)
    assert [c.drive for c in stopped.continuations] == [
        "goes on",
        "goes on",
        "turns back",
        "turns back",
    ]
    turn = mechanism.kinematics(until=0.7, steps=333, through=(f"branch {branch}",))
    assert turn.outcome.is_done
    later = turn.t > turn.passes[0].t
    crank, rocker = turn["crank.angle"].values[later], turn["rocker.angle"].values[later]
    away = np.abs(np.exp(1j * rocker) - antiparallelogram_rocker(crank))
    assert away.max() < SAME
    assert np.abs(np.exp(1j * rocker) - np.exp(1j * crank)).max() > 0.5
    assert turn.passes[0].turns_back == (branch == 3)


@pytest.mark.parametrize(("count", "branches"), [(2, 2), (3, 4), (4, 8)])
def test_every_branch_of_coupled_wheels_is_found_and_can_be_taken(
    count: int, branches: int, coupled_wheels: Callable[[int], kempe.Mechanism]
) -> None:
    mechanism = coupled_wheels(count)
    stopped = mechanism.kinematics(until=1.0, steps=100).outcome
    assert stopped.name == "Bifurcation"
    assert len(stopped.continuations) == 2 * branches
    tangents = np.array([c.tangent for c in stopped.continuations])
    opposite = -tangents @ tangents.T / np.outer(*[np.linalg.norm(tangents, axis=1)] * 2)
    assert (np.isclose(opposite, 1.0, atol=1e-6).sum(axis=1) == 1).all()
    on = [c for c in stopped.continuations if c.drive == "goes on"]
    assert len(on) == branches
    speeds = set()
    for c in on:
        turn = mechanism.kinematics(until=0.5, steps=50, through=(f"branch {c.number}",))
        assert turn.outcome.is_done
        ends = [round(float(turn[f"wheel{k}.angle"].values[-1]), 6) for k in range(count)]
        speeds.add(tuple(ends))
    assert len(speeds) == branches


def test_a_branch_on_which_the_drive_stands_is_offered_but_cannot_be_led() -> None:
    """A kite whose crank lies on the ground: coupler and rocker turn together by themselves."""
    mechanism = gallery.four_bar(crank=1.0, coupler=2.0, rocker=2.0, ground=1.0, start=1.0)
    stopped = mechanism.kinematics(until=1.0).outcome
    standing = [c for c in stopped.continuations if c.drive == "stands still"]
    assert len(standing) == 2
    turn = mechanism.kinematics(until=1.0, through=f"branch {standing[0].number}")
    assert turn.outcome.name == "Bifurcation"
    assert "the drive stands still" in turn.outcome.message


def test_a_number_that_no_continuation_has_ends_the_run_there() -> None:
    turn = double_rocker().kinematics(until=1.0, through="branch 3")
    assert turn.outcome.name == "DeadPoint"
    assert "no continuation 3" in turn.outcome.message


def test_ways_in_a_row_hold_for_one_pass_each() -> None:
    turn = parallelogram().kinematics(until=1.0, through=("momentum",))
    assert turn.outcome.name == "Bifurcation"
    assert len(turn.passes) == 1


@pytest.mark.parametrize("way", ["impulse", "branch 0", "branch", "branch -1", "branch two", ""])
def test_a_way_that_is_none_is_refused_before_anything_moves(way: str) -> None:
    with pytest.raises(UnknownName, match="'momentum' or 'branch k'"):
        parallelogram().kinematics(until=1.0, through=way)


def test_a_drive_that_stops_right_in_a_dead_centre_may_go_back_or_on() -> None:
    """The slider is moved as a crank would move it: it is at rest where the crank is dead."""
    m = gallery.slider_crank(crank=1.0, rod=3.0, start=1.0).edit()
    m.remove("crank.angle")

    def law(t):
        angle = 1.0 + 2.0 * math.pi * t
        return kempe.cos(angle) + kempe.sqrt(9.0 - kempe.sin(angle) ** 2)

    m.drive(gauge(m.build(), "slider.x"), law)
    mechanism = m.build()
    assert mechanism.kinematics(until=1.0).outcome.name == "Bifurcation"
    turn = mechanism.kinematics(until=1.0, through="momentum")
    assert turn.outcome.is_done
    crank = turn["crank.angle"].values
    np.testing.assert_allclose(crank, 1.0 + math.tau * turn.t, atol=READ_OFF)


def test_several_drives_turn_back_together() -> None:
    """Two cranks of a five-bar driven at once, until its two long links are stretched."""
    m = kempe.Builder("five-bar", plane=True)
    left = m.bar("left", 1.0, at=(0, 0), angle=math.pi / 2)
    right = m.bar("right", 1.0, at=(2, 0), angle=math.pi / 2)
    a = m.bar("a", 1.2, at=(0, 1), angle=0.5)
    b = m.bar("b", 1.2, at=(2, 1), angle=math.pi - 0.5)
    m.revolute(m.ground.at(0, 0), left.start)
    m.revolute(m.ground.at(2, 0), right.start)
    m.revolute(left.end, a.start)
    m.revolute(right.end, b.start)
    m.revolute(a.end, b.end)
    m.drive(left.angle, start=math.pi / 2, speed=1.0)
    m.drive(right.angle, start=math.pi / 2, speed=-0.5)
    mechanism = m.build()
    turn = mechanism.kinematics(until=1.0)
    assert turn.outcome.name == "DeadPoint"
    t = float(turn.outcome.facts["t"])
    tips = [np.exp(1j * (math.pi / 2 + t)), 2.0 + np.exp(1j * (math.pi / 2 - 0.5 * t))]
    assert abs(tips[1] - tips[0]) == pytest.approx(2.4, abs=LOCATED)
    assert "turn back" in turn.outcome.continuations[0].words
    on = mechanism.kinematics(until=2 * t, steps=200, through="momentum")
    assert on.outcome.is_done
    for name, speed in (("left.angle", 1.0), ("right.angle", -0.5)):
        s = on[name].values
        assert s[-1] == pytest.approx(s[0], abs=SAME)
        assert s[100] == pytest.approx(s[0] + speed * t, abs=0.02)
    height = observe_point(on.layout, on.motion, mechanism.model.body("a").marker("end"))[0][:, 1]
    assert height[0] > 1.0 > height[-1]


def test_a_saved_motion_keeps_its_passes_and_its_ways_on(tmp_path) -> None:
    turn = parallelogram().kinematics(until=1.0, through=("branch 2",))
    again = kempe.Trajectory.load(turn.save(tmp_path / "turn.npz"))
    assert again.passes == turn.passes
    assert again.outcome == turn.outcome
    assert again.motion.control == turn.motion.control


def test_the_same_run_gives_the_same_bits_and_counts() -> None:
    one, two = (double_rocker().kinematics(until=3.0, through="momentum") for _ in range(2))
    for name in ("t", "q", "v", "a"):
        np.testing.assert_array_equal(getattr(one.motion, name), getattr(two.motion, name))
    assert one.motion.counts == two.motion.counts
    assert one.motion.control == two.motion.control
    assert one.outcome == two.outcome


def test_the_control_of_steps_says_how_small_they_became_and_why() -> None:
    smooth = gallery.four_bar().kinematics(until=1.0, steps=100).motion.control
    assert smooth.refusals == {}
    assert smooth.smallest_step == pytest.approx(0.01)
    stopped = double_rocker().kinematics(until=1.0).motion
    assert sum(stopped.control.refusals.values()) == stopped.counts["halvings"]
    assert 0.0 < stopped.control.smallest_step < 1e-9
