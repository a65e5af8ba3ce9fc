"""Machines: strokes, ratios of times, lifts, grips, triangles of cylinders, the knee."""

import math

import numpy as np
import pytest

EXACT = 1e-12
#: Strokes are read off samples: a stroke's end lies between two of 3600.
SAMPLED = 1e-6


def test_the_slotted_lever_turns_as_its_pin_says(run):
    turn = run("quick_return")
    a = turn["crank.angle"].values
    pin = 0.5 * np.exp(1j * a) + 1.2j
    np.testing.assert_allclose(turn["lever.angle"].values, np.angle(pin), atol=EXACT)
    np.testing.assert_allclose(turn["slot.displacement"].values, np.abs(pin), atol=EXACT)


def test_the_quick_return_s_published_figures(run):
    turn = run("quick_return", steps=36000)
    lever = turn["lever.angle"]
    assert lever.ptp() == pytest.approx(0.8595508626090554, abs=1e-7)
    speed = lever.rate / (2 * math.pi)  # against a crank of 1 rad/s
    assert speed.max() == pytest.approx(0.29411764705882354, abs=1e-7)
    assert speed.min() == pytest.approx(-0.7142857142857143, abs=1e-7)
    slow = np.count_nonzero(speed[:-1] > 0) / np.count_nonzero(speed[:-1] < 0)
    assert slow == pytest.approx(1.7533173721938302, rel=2e-4)


def test_the_ram_s_stroke_is_twice_the_lever_by_the_crank_s_share(run):
    assert run("quick_return", steps=3600)["ram.x"].ptp() == pytest.approx(
        2 * 2.0 * 0.5 / 1.2, abs=SAMPLED
    )


def test_whitworth_s_ram_takes_twice_as_long_one_way(run):
    turn = run("whitworth", steps=36000)
    assert turn["ram.x"].ptp() == pytest.approx(0.16, abs=SAMPLED)
    out = np.count_nonzero(turn["ram.x"].rate[:-1] > 0)
    assert out / (36000 - out) == pytest.approx(2.0, rel=2e-4)
    assert turn["lever.angle"].ptp() == pytest.approx(2 * math.pi, abs=1e-9)


@pytest.mark.parametrize("offset", [0.0, 0.01])
def test_the_slider_crank_s_stroke_is_that_of_its_dead_points(run, offset):
    turn = run("slider_crank", steps=3600, crank=0.05, rod=0.15, offset=offset)
    stroke = math.sqrt(0.2**2 - offset**2) - math.sqrt(0.1**2 - offset**2)
    assert turn["slider.x"].ptp() == pytest.approx(stroke, abs=SAMPLED)


def test_the_ram_of_the_press_stands_where_its_knee_says(run, path):
    turn = run("toggle_press")
    x = path(turn, "upper.end").real
    height = -2.0 * np.sqrt(0.4**2 - x**2)
    np.testing.assert_allclose(turn["ram.y"].values, height, atol=EXACT)


def test_the_press_gains_force_as_its_knee_straightens(run, path):
    """Speeds: ram to knee as 2 x / sqrt(l^2 - x^2), which falls with x."""
    turn = run("toggle_press", steps=3600)
    knee = turn["upper.end"]
    moving = np.abs(knee.velocity[:, 0]) > 1e-3
    gain = np.abs(turn["ram.y"].rate / np.where(moving, knee.velocity[:, 0], 1.0))
    x = np.abs(knee.position[:, 0])
    np.testing.assert_allclose(gain[moving], (2 * x / np.sqrt(0.16 - x**2))[moving], rtol=1e-9)
    assert x.min() == pytest.approx(0.03007, abs=1e-4)


@pytest.mark.parametrize("stages", [1, 2, 5])
def test_the_lift_rises_by_its_stages_and_stays_level(run, stages):
    turn = run("scissor_lift", stages=stages)
    x = turn["foot.x"].values
    np.testing.assert_allclose(
        turn["platform.y"].values, stages * np.sqrt(4.0 - x**2), atol=10 * EXACT
    )
    assert np.abs(turn["platform.angle"].values).max() < EXACT


def test_the_gripper_s_fingers_stay_parallel_and_meet_in_the_middle(run, path):
    turn = run("gripper")
    upper, lower = path(turn, "upper_finger.P"), path(turn, "lower_finger.P")
    np.testing.assert_allclose(upper, lower.conj(), atol=EXACT)
    for side in ("upper", "lower"):
        assert np.ptp(turn[f"{side}_finger.angle"].values) < EXACT
    gap = 2.0 * (0.03 - 0.012 + 0.06 * np.sin(turn["upper_inner.angle"].values))
    np.testing.assert_allclose(upper.imag - lower.imag, gap, atol=EXACT)
    assert 0.0 < gap.min() < 0.005


def test_the_cylinders_of_the_excavator_span_their_triangles(run, path):
    """Law of cosines, for the cylinder that lifts the boom from the chassis."""
    turn = run("excavator_arm")
    chassis, eye = 0.75 - 0.8j, 2.3 + 0.2j
    opening = turn["boom.angle"].values + np.angle(eye) - np.angle(chassis)
    square = abs(chassis) ** 2 + abs(eye) ** 2 - 2 * abs(chassis) * abs(eye) * np.cos(opening)
    length = np.abs(path(turn, "lift_rod.eye") - chassis)
    np.testing.assert_allclose(length, np.sqrt(square), atol=10 * EXACT)


def test_every_cylinder_of_the_excavator_makes_its_stroke(run):
    turn = run("excavator_arm")
    for name, stroke in (("lift", 0.25), ("crowd", 0.35), ("curl", 0.25)):
        assert turn[f"{name}_bore.displacement"].ptp() == pytest.approx(2 * stroke, rel=1e-3)


def test_the_bucket_goes_round_and_comes_back(run, path):
    teeth = path(run("excavator_arm"), "bucket.P")
    assert teeth[-1] == pytest.approx(teeth[0], abs=1e-9)
    area = 0.5 * abs(np.sum(teeth[:-1].conj() * np.diff(teeth)).imag)
    assert area > 2.0  # m^2: not to and fro on one line


def crossing(a, b, c, d):
    """Where the line from a to b meets that from c to d, and the shares of both."""
    det = ((b - a).conjugate() * (d - c)).imag
    s = ((c - a).conjugate() * (d - c)).imag / det
    t = ((c - a).conjugate() * (b - a)).imag / det
    return a + s * (b - a), s, t


def test_the_thigh_turns_about_the_crossing_of_the_ligaments(run, path):
    bend = run("knee")
    A, D = 0j, -0.026 - 0.006j
    B, C = path(bend, "femur.start"), path(bend, "femur.end")
    centre, s, t = crossing(A, B, D, C)
    assert ((s > 0) & (s < 1) & (t > 0) & (t < 1)).all()  # crossed all the way
    P, omega = path(bend, "femur.P"), bend["femur.angle"].rate
    velocity = bend["femur.P"].velocity @ np.array([1.0, 1.0j])
    np.testing.assert_allclose(velocity, 1j * omega * (P - centre), atol=1e-10)


@pytest.mark.row("A6")
def test_the_centre_moves_back_as_the_knee_bends(run, path):
    bend = run("knee")
    flexion = bend["femur.angle"].values
    centre, _, _ = crossing(0j, path(bend, "femur.start"), -0.026 - 0.006j, path(bend, "femur.end"))
    straight, bent = np.argmin(flexion), np.argmax(flexion)
    back = centre.real[straight] - centre.real[bent]
    assert 0.005 < back < 0.03  # m
