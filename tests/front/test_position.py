"""Positions: samples, assemblies and what a solver stands at are states that can be read."""

import copy
import pickle

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, KempeError, UnknownName
from kempe.results.state import State

STEPS = 8


@pytest.fixture(params=[True, False], ids=["plane", "space"])
def four_bar(request):
    return kempe.gallery.four_bar(plane=request.param)


@pytest.fixture
def positions(four_bar):
    """One of every kind."""
    turn = four_bar.kinematics(until=1.0, steps=STEPS)
    return [turn.state(3), turn.at(turn.t[3]), four_bar.assemble(), four_bar.solver().state]


def test_every_position_is_a_state_that_is_read_drawn_and_kept(positions, tmp_path):
    for number, position in enumerate(positions):
        assert isinstance(position, State)
        assert set(position.poses) == {"crank", "coupler", "rocker"}
        assert position.svg().startswith("<svg")
        again = kempe.Trajectory.load(position.save(tmp_path / f"{number}.npz")).state()
        for name in ("coupler.P", "rocker.angle"):
            np.testing.assert_array_equal(again[name], position[name])
            np.testing.assert_array_equal(again.rate(name), position.rate(name))


def test_every_analysis_starts_from_every_position(four_bar, positions):
    for position in positions:
        for start in (position, pickle.loads(pickle.dumps(position)), copy.deepcopy(position)):
            angle = float(position["crank.angle"])
            over = ("crank.angle", angle, angle + 0.1)
            turn = four_bar.kinematics(over=over, steps=1, start=start)
            assert turn["rocker.angle"].values[0] == pytest.approx(position["rocker.angle"])
            there = four_bar.assemble(near=start)
            np.testing.assert_allclose(there["coupler.P"], position["coupler.P"], atol=1e-9)


def test_a_sample_is_found_by_its_time_with_its_rates(four_bar):
    turn = four_bar.kinematics(until=1.0, steps=STEPS)
    for k, t in enumerate(turn.t):
        at = turn.at(f"{1000 * t} ms")
        assert at["rocker.angle"] == turn["rocker.angle"].values[k]
        assert at.rate("rocker.angle") == turn["rocker.angle"].rate[k]
        np.testing.assert_array_equal(at.rate("coupler.P"), turn["coupler.P"].velocity[k])


@pytest.mark.parametrize("t", [0.51, -1.0, 2.0])
def test_between_samples_there_is_none(four_bar, t):
    turn = four_bar.kinematics(until=1.0, steps=STEPS)
    with pytest.raises(BadNumber, match=r"no sample at t = .*nearest is at .*other steps"):
        turn.at(t)


def test_a_certified_assembly_is_a_position_too(tmp_path):
    four_bar = kempe.gallery.four_bar()
    ways = four_bar.assemblies({"crank.angle": "60 deg"})
    assert len(ways) == 2
    for way in ways:
        other = four_bar.assemble(way, values={"crank.angle": "60 deg"})
        assert way["rocker.angle"] == pytest.approx(other["rocker.angle"], abs=1e-9)
        np.testing.assert_allclose(way["coupler.end"], other["coupler.end"], atol=1e-9)
        assert "<svg" in way.svg()
        kept = kempe.Trajectory.load(way.save(tmp_path / "way.npz")).state()
        assert kept["rocker.angle"] == way["rocker.angle"]
        with pytest.raises(KempeError, match="rocker"):
            way["roker.angle"]


def test_a_position_reads_whatever_its_names_list() -> None:
    loop = kempe.gallery.bennett().kinematics(until=0.1, steps=4)
    swing = kempe.gallery.simple_pendulum().simulate(until=0.1, steps=4)
    for run in (loop, swing):
        here = run.state()
        for name in here.names:
            channel = run[name]
            values = channel.position if hasattr(channel, "position") else channel.values
            np.testing.assert_allclose(here[name], values[-1], rtol=1e-9, atol=1e-12)
    for name in ("pivot.force", "energy.total"):
        with pytest.raises(UnknownName, match=f"'{name}' has no rate here"):
            swing.state().rate(name)


def test_a_bearing_that_nobody_drives_keeps_its_turns() -> None:
    run = kempe.gallery.wobble_plate().kinematics(until=1.0, steps=40)
    assert np.ptp(run["rod1.bearing"].values) > np.pi
    for k in (10, 20, -1):
        expected = run["rod1.bearing"].values[k]
        assert run.state(k)["rod1.bearing"] == pytest.approx(expected)
    on = kempe.gallery.wobble_plate().assemble(run.state())
    assert on["rod1.bearing"] == pytest.approx(run["rod1.bearing"].values[-1])


def test_a_position_of_a_motion_with_events_has_a_picture():
    fall = kempe.gallery.bouncing_ball().simulate(until=1.0, steps=10)
    assert fall.events
    assert fall.at(0.9).svg().startswith("<svg")
    assert fall.at(0.0).svg().startswith("<svg")
