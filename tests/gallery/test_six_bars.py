"""Six-bars and legs: closed forms by circles that meet, one after the other."""

import numpy as np
import pytest

EXACT = 1e-12


def swing(z):
    """How far a direction swings, in degrees."""
    return np.degrees(np.ptp(np.unwrap(np.angle(z))))


def test_watt_s_follower_swings_further_than_its_rocker(run, meet):
    turn = run("watt_six_bar", steps=3600)
    B = 0.1 * np.exp(1j * turn["crank.angle"].values)
    C = meet(B, 0.25, 0.28, 0.15, 1)
    S = 0.25 + (C - 0.25) / 0.15 * 0.2 * np.exp(1j * np.pi / 6)
    E = meet(S, 0.45, 0.3, 0.12, 1)
    assert swing(C - 0.25) == pytest.approx(96.906, abs=1e-3)
    assert turn["rocker.angle"].ptp("deg") == pytest.approx(swing(C - 0.25), abs=1e-9)
    assert turn["follower.angle"].ptp("deg") == pytest.approx(swing(E - 0.45), abs=1e-9)
    np.testing.assert_allclose(
        0.12 * np.exp(1j * turn["follower.angle"].values), E - 0.45, atol=EXACT
    )


def test_stephenson_s_follower_dwells_for_a_third_of_the_turn(run, meet, path):
    turn = run("stephenson_six_bar", steps=3600)
    B = 0.1 * np.exp(1j * turn["crank.angle"].values)
    C = meet(B, 0.35, 0.4, 0.4, 1)
    P = B + (C - B) / 0.4 * (0.74641 - 0.2j)
    E = meet(0.325 + 0.873j, P, 0.25, 0.315, 1)
    np.testing.assert_allclose(path(turn, "coupler.P"), P, atol=EXACT)
    out = 0.25 * np.exp(1j * turn["follower.angle"].values)
    np.testing.assert_allclose(out, E - (0.325 + 0.873j), atol=EXACT)
    follower = turn["follower.angle"].to("deg")
    assert np.ptp(follower[1200:2401]) < 0.07
    assert np.ptp(follower) == pytest.approx(35.58, abs=0.01)


def test_jansen_s_toe_is_where_its_circles_meet(run, meet, path):
    turn = run("jansen", scale=1.0)
    pin, pivot = 15.0 * np.exp(1j * turn["crank.angle"].values), -38.0 - 7.8j
    crown = meet(pivot, pin, 41.5, 50.0, 1)
    knee = meet(pivot, pin, 39.3, 61.9, -1)
    shoulder = meet(pivot, crown, 40.1, 55.8, 1)
    heel = meet(knee, shoulder, 36.7, 39.4, 1)
    toe = meet(knee, heel, 49.0, 65.7, 1)
    np.testing.assert_allclose(path(turn, "foot.P"), toe, atol=100 * EXACT)


def test_jansen_s_toe_is_level_for_more_than_half_a_turn(run, path):
    P = path(run("jansen"), "foot.P")[:-1]
    on_floor = P.imag < P.imag.min() + 0.02  # of a step of 0.68 m
    assert on_floor.sum() > 180
    assert np.ptp(P.real[on_floor]) > 0.5


def test_klann_s_leg_starts_in_the_pose_of_the_patent(run, path):
    turn = run("klann", scale=1.0)
    shaft = 1.599 + 0.750j
    for point, place in (
        ("leg.P", 0.0),
        ("rod.knee", 0.232 + 0.866j),
        ("lower_rocker.end", 0.741 + 0.750j),
        ("upper_rocker.end", 0.866 + 1.500j),
    ):
        assert path(turn, point)[0] + shaft == pytest.approx(place, abs=EXACT)


def test_klann_s_foot_strides_one_unit_on_level_ground(run, path):
    """Half a turn on it stands at (1, 0), and stays near the floor on the way."""
    P = path(run("klann", scale=1.0, steps=720), "leg.P") + 1.599 + 0.750j
    assert P[360] == pytest.approx(1.0, abs=2e-4)
    assert np.abs(P[360:].imag).max() < 0.05
    assert P.imag.max() > 0.4


def test_the_wipers_swing_alike_as_far_as_the_crank_s_triangles_say(run, meet):
    turn = run("windscreen_wiper", steps=3600)
    motor = 0.28 - 0.06j
    pin = motor + 0.04 * np.exp(1j * turn["crank.angle"].values)
    lever = meet(0.0, pin, 0.06, 0.29, -1)
    left, right = (turn[f"{side}.angle"] for side in ("left", "right"))
    assert left.ptp("deg") == pytest.approx(swing(lever), abs=1e-9)
    np.testing.assert_allclose(right.values, left.values, atol=EXACT)
    # the lever turns back where crank and rod lie on one line
    d = abs(motor)
    ends = [np.arccos((0.06**2 + d**2 - (0.29 + s * 0.04) ** 2) / (2 * 0.06 * d)) for s in (1, -1)]
    assert left.ptp("deg") == pytest.approx(np.degrees(ends[0] - ends[1]), abs=1e-4)
