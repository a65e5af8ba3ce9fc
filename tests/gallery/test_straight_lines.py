"""Linkages that draw straight lines, exactly or nearly.

Sources of the figures: the constructions themselves (circles that meet, inversion), and Norton,
Design of Machinery, table 3-1.
"""

import math

import numpy as np
import pytest

#: Solved to 1e-13 of the machine's size; inversors multiply that near their folded ends.
EXACT = 1e-12
NEARLY_FOLDED = 1e-10
#: Norton prints three decimals.
PRINTED = 5e-4


def test_half_a_turn_of_the_lambda_s_crank_is_a_line_of_four_cranks(run, path):
    P = path(run("chebyshev_lambda", until=0.5, start=math.pi / 2), "coupler.P")
    assert np.ptp(P.real) == pytest.approx(4.0, abs=1e-8)
    assert np.ptp(P.imag) == pytest.approx(0.009753374181278751, abs=1e-8)
    assert P[180] == pytest.approx(2 + 4j, abs=EXACT)


def test_the_lambda_s_point_is_where_its_circles_meet(run, path, meet):
    turn = run("chebyshev_lambda")
    B = np.exp(1j * turn["crank.angle"].values)
    C = meet(B, 2.0, 2.5, 2.5, 1)
    np.testing.assert_allclose(path(turn, "coupler.P"), 2.0 * C - B, atol=EXACT)
    top = path(turn, "coupler.P")[180]  # the crank along x
    assert top == pytest.approx(2 + 4.898979485566356j, abs=EXACT)


def test_hoecken_s_line_is_as_long_and_as_straight_as_norton_prints(run, path):
    P = path(run("hoecken", until=0.5, start=math.pi / 2, steps=720), "coupler.P") / 0.1
    assert np.ptp(P.real) == pytest.approx(4.181, abs=PRINTED)
    assert 100.0 * np.ptp(P.imag) / np.ptp(P.real) == pytest.approx(0.096, abs=PRINTED)


@pytest.mark.parametrize(
    ("degrees", "ground", "coupler", "stroke", "height"),
    [(60, 2.9, 3.85, 1.763, 0.00027), (120, 2.625, 3.438, 3.238, 0.010)],
)
def test_hoecken_s_other_proportions_of_the_table(
    run, path, degrees, ground, coupler, stroke, height
):
    dimensions = {"crank": 1.0, "ground": ground, "coupler": coupler}
    start = math.pi - math.radians(degrees / 2)
    P = path(run("hoecken", until=degrees / 360, start=start, **dimensions), "coupler.P")
    assert np.ptp(P.real) == pytest.approx(stroke, abs=1e-3)
    assert 100.0 * np.ptp(P.imag) / np.ptp(P.real) == pytest.approx(height, rel=0.1)


def test_the_crossed_linkage_passes_its_level_position_and_both_ends(run, path):
    P = path(run("chebyshev_crossed"), "coupler.P")
    assert P[0] == pytest.approx(2 + 4j, abs=EXACT)
    assert P[90] == pytest.approx(4j, abs=EXACT)
    assert P[-91] == pytest.approx(4 + 4j, abs=EXACT)


def test_the_crossed_linkage_is_as_straight_as_its_cognate(run, path):
    P = path(run("chebyshev_crossed"), "coupler.P")
    straight = np.concatenate([P[-91:], P[:91]])
    assert np.ptp(straight.imag) == pytest.approx(0.009753374181278751, abs=1e-6)


def test_the_crossed_linkage_s_arms_end_where_its_circles_meet(run, path, meet):
    turn = run("chebyshev_crossed")
    A = 5.0 * np.exp(1j * turn["left.angle"].values)
    B = 4.0 + 5.0 * np.exp(1j * turn["right.angle"].values)
    np.testing.assert_allclose(np.abs(A - B), 2.0, atol=EXACT)
    np.testing.assert_allclose(path(turn, "coupler.P"), 0.5 * (A + B), atol=EXACT)


def test_roberts_point_passes_through_both_pivots_and_their_middle(run, path):
    swing = run("roberts", steps=400)
    P = path(swing, "plate.P")
    assert P.real.min() == pytest.approx(0.0, abs=EXACT)
    assert P.real.max() == pytest.approx(2.0, abs=EXACT)
    assert np.abs(P.imag[[100, 300]]).max() < EXACT
    middle = np.argmin(np.abs(P.real - 1.0))
    assert abs(P.imag[middle]) < 1e-4


@pytest.mark.parametrize(("arm", "height"), [(1.2, 0.01365), (1.5, 0.0058)])
def test_longer_arms_make_roberts_line_straighter(run, path, arm, height):
    P = path(run("roberts", arm=arm), "plate.P")
    assert np.ptp(P.imag) == pytest.approx(height, rel=0.02)


def test_watt_s_point_stays_on_watt_s_curve(run, path):
    """r^2 = b^2 - (a sin t +- sqrt(c^2 - a^2 cos^2 t))^2, foci 2a apart, arms b, link 2c."""
    P = path(run("watt_line"), "link.P")
    pivots = np.array([0.0, 2.0 - 0.6j])
    a, b, c = 0.5 * abs(pivots[1] - pivots[0]), 1.0, 0.3
    seen = (P - pivots.mean()) / np.exp(1j * np.angle(pivots[1] - pivots[0]))
    r, t = np.abs(seen), np.angle(seen)
    part = np.sqrt(np.maximum(0.0, c**2 - (a * np.cos(t)) ** 2))
    misfit = [np.abs(r**2 - b**2 + (a * np.sin(t) + s * part) ** 2) for s in (1, -1)]
    far = r > 0.05  # at the middle the direction is lost in rounding
    assert np.minimum(*misfit)[far].max() < 1e-11


def test_watt_s_point_leaves_its_line_by_the_fifth_power_of_the_swing(run, path):
    """x - arm = d^5 / (4 link) + ..., d being the arm's angle over its length."""
    off = []
    for degrees in (5.0, 10.0):
        P = path(run("watt_line", amplitude=math.radians(degrees)), "link.P")
        off.append(np.abs(P.real - 1.0).max())
    assert off[0] == pytest.approx(math.radians(5.0) ** 5 / (4 * 0.6), rel=0.1)
    assert off[1] / off[0] == pytest.approx(32.0, rel=0.1)


def test_the_piston_moves_as_watt_s_point_but_further(run, path):
    swing = run("parallel_motion")
    P, W = path(swing, "piston_link.P"), path(swing, "back_link.W")
    np.testing.assert_allclose(P, (1.0 + 1.0 / 0.75) * W, atol=EXACT)
    assert np.ptp(P.real) < 0.01 * np.ptp(P.imag)


def test_scott_russell_s_point_stays_on_the_y_axis(run, path):
    swing = run("scott_russell", amplitude=math.radians(85.0))
    P, angle = path(swing, "rod.P"), swing["crank.angle"].values
    assert np.abs(P.real).max() < EXACT
    np.testing.assert_allclose(P.imag, 2.0 * np.sin(angle), atol=EXACT)


def test_peaucellier_s_point_stays_on_its_line(run, path):
    """|OC| |OP| = arm^2 - side^2: P = x (1 + i tan(angle / 2))."""
    swing = run("peaucellier_lipkin")
    P, angle = path(swing, "far_left.P"), swing["crank.angle"].values
    np.testing.assert_allclose(P, 2.28 * (1 + 1j * np.tan(0.5 * angle)), atol=EXACT)


def test_peaucellier_s_figures_at_sixty_degrees(run, path):
    dimensions = {"arm": 2.5, "side": 1.5, "start": math.radians(60.0), "amplitude": 0.5}
    P = path(run("peaucellier_lipkin", **dimensions), "far_left.P")
    assert P[0] == pytest.approx(2 + 1.1547005383792515j, abs=EXACT)
    assert np.abs(P.real - 2.0).max() < NEARLY_FOLDED


def test_hart_s_point_stays_on_its_line(run, path):
    """|ON| |OP| = split (1 - split) (long^2 - short^2) = 3 = 2 crank x."""
    swing = run("hart")
    P, angle = path(swing, "BC.P"), swing["crank.angle"].values
    np.testing.assert_allclose(P, 1.25 * (1 + 1j * np.tan(0.5 * angle)), atol=EXACT)


def test_hart_s_bars_may_be_split_elsewhere(run, path):
    P = path(run("hart", split=0.6, amplitude=1.0), "BC.P")
    assert np.abs(P.real - 0.24 * 12.0 / 2.4).max() < EXACT
