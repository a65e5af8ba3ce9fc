"""Trajectories are read by name, in SI, with what was reached and why it ended."""

import math
import threading

import numpy as np
import pytest

import kempe
from kempe.errors import UnknownName

ROUNDING = 1e-12


def test_every_name_it_lists_can_be_read(bench):
    turn = bench.run()
    assert len(set(turn.names)) == len(turn.names)
    for name in turn.names:
        assert name in turn
        assert len(turn[name]) == len(turn) == 9
        assert turn[name] is turn[name]


@pytest.mark.parametrize(
    "name", ["crank", "crank.end", "coupler.P", "coupler.angle", "rocker.x", "A.angle", "C.angle"]
)
def test_bodies_points_measures_and_joints_have_names(bench, name):
    assert name in bench.run()


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("rocker.angel", "rocker.angle"), ("Coupler.P", "coupler.P"), ("crnk", "crank")],
)
def test_an_unknown_name_is_answered_with_the_nearest(bench, wrong, right):
    with pytest.raises(UnknownName, match=f"Did you mean .*'{right}'"):
        bench.run()[wrong]


def test_a_measure_s_rate_is_its_derivative(bench):
    turn = bench.run(until=1.0, steps=2000)
    for name in ("rocker.angle", "C.angle", "coupler.x"):
        channel = turn[name]
        slope = np.gradient(channel.values, turn.t)[5:-5]
        # central differences: h^2 / 6 = 4e-8 of the third derivative, some hundreds here
        np.testing.assert_allclose(slope, channel.rate[5:-5], atol=2e-4)
        bend = np.gradient(channel.rate, turn.t)[5:-5]
        np.testing.assert_allclose(bend, channel.acceleration[5:-5], atol=2e-2)


def test_turns_are_counted_without_end(bench):
    turn = bench.run(until=3.0, steps=300)
    assert turn["crank.angle"].values[-1] == pytest.approx(6.0 * math.pi, abs=ROUNDING)
    assert turn["A.angle"].ptp("turn") == pytest.approx(3.0, abs=ROUNDING)
    space = kempe.gallery.four_bar(plane=False).kinematics(until=3.0, steps=300)
    assert space["crank.angle"].ptp("turn") == pytest.approx(3.0, abs=ROUNDING)
    assert space["A.angle"].ptp("turn") == pytest.approx(3.0, abs=ROUNDING)


def test_summaries_are_those_of_the_samples(bench):
    angle = bench.run()["rocker.angle"]
    values = np.degrees(angle.values)
    assert angle.min("deg") == pytest.approx(values.min())
    assert angle.max("deg") == pytest.approx(values.max())
    assert angle.ptp("deg") == pytest.approx(np.ptp(values))
    assert angle.mean("deg") == pytest.approx(values.mean())
    np.testing.assert_allclose(angle.to("deg"), values)


def test_a_point_has_a_speed_and_a_path(bench):
    P = bench.run(steps=3600)["crank.end"]
    assert P.speed.max("m/s") == pytest.approx(2.0 * math.pi)
    assert P.speed.min() == pytest.approx(P.speed.mean())
    assert P.path_length == pytest.approx(2.0 * math.pi, rel=1e-6)


def test_samples_cannot_be_written_to(bench):
    turn = bench.run()
    for array in (turn.t, turn.motion.q, turn.motion.v, turn.motion.a):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_it_says_what_it_is(bench):
    assert repr(bench.run()) == "Trajectory of 'four-bar': 9 samples, 0 ... 1 s, Done"
    assert "from" in repr(bench.run()["rocker.angle"])
    assert "Mechanism 'four-bar' in the plane: 3 moving bodies" in repr(bench.m.build())


def test_a_body_that_stands_still_has_no_rate(bench):
    turn = bench.run()
    still = kempe.Builder("still", plane=True)
    crank = still.bar("crank", 1.0)
    post = still.body("post", points={"top": (0, 2)}, at=(1, 0))
    still.fixed(still.ground.at(1, 0), post.at(0, 0))
    still.revolute(post.at(0, 0), crank.start)
    still.drive(crank.angle, rpm=60)
    turn = still.build().kinematics(until=1.0, steps=4)
    assert turn["post.top"].position == pytest.approx(np.array([[1.0, 2.0]] * 5))
    assert turn["post.top"].velocity == pytest.approx(0.0, abs=ROUNDING)


def test_times_are_even_and_end_where_asked(bench):
    turn = bench.run(until=0.7, steps=49)
    assert len(turn) == 50
    assert turn.t[0] == 0.0
    assert turn.t[-1] == 0.7
    np.testing.assert_allclose(np.diff(turn.t), 0.7 / 49, rtol=1e-12)


def test_mechanisms_of_one_structure_do_not_disturb_each_other():
    """One compiled program, many lengths, several threads."""
    lengths = [3.0 + 0.01 * k for k in range(16)]

    def swing(rocker):
        turn = kempe.gallery.four_bar(rocker=rocker).kinematics(until=1.0, steps=90)
        return turn["rocker.angle"].values

    alone = [swing(rocker) for rocker in lengths]
    together = [None] * len(lengths)

    def work(k):
        together[k] = swing(lengths[k])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(lengths))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for mine, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("key", [slice(2, 5), -1, 0, None, 1.5])
def test_a_trajectory_that_is_read_by_anything_but_a_name_says_so(key):
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=4)
    with pytest.raises(kempe.errors.UnknownName, match=r"read by names.*`state\(k\)`"):
        turn[key]


@pytest.mark.parametrize("number", [1.5, True, "2", None])
def test_a_sample_has_a_whole_number(number):
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=4)
    with pytest.raises(kempe.errors.BadNumber, match="a sample has a whole number, not"):
        turn.state(number)
    assert turn.state(np.int64(2)).t == turn.t[2]
