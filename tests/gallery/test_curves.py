"""Linkages that draw, enlarge and divide: ellipses, copies, a third of an angle."""

import math

import numpy as np
import pytest

EXACT = 1e-12


def test_a_point_of_the_trammel_draws_an_ellipse(run, path):
    turn = run("elliptic_trammel")
    P, angle = path(turn, "bar.P"), turn["bar.angle"].values
    np.testing.assert_allclose(P, 0.7 * np.cos(angle) - 1.2j * np.sin(angle), atol=EXACT)
    assert np.abs((P.real / 0.7) ** 2 + (P.imag / 1.2) ** 2 - 1.0).max() < EXACT


def test_the_trammel_turns_about_the_corner_its_blocks_span(run):
    """The velocity of every point is square to its distance from (x of one, y of the other)."""
    turn = run("elliptic_trammel")
    centre = np.column_stack([turn["on_x.x"].values, turn["on_y.y"].values])
    P = turn["bar.P"]
    assert np.abs(np.sum((P.position - centre) * P.velocity, axis=1)).max() < 1e-11


@pytest.mark.parametrize("ratio", [1.5, 2.0, 3.0])
def test_the_pen_draws_what_the_tracing_point_follows_larger(run, path, ratio):
    turn = run("pantograph", ratio=ratio)
    P, T = path(turn, "far.P"), path(turn, "inner.T")
    np.testing.assert_allclose(P, ratio * T, atol=EXACT)
    np.testing.assert_allclose(np.abs(T - 0.32), 0.06, atol=EXACT)


def test_the_trisector_divides_by_three(run):
    swing = run("kempe_trisector", amplitude=math.radians(150.0))
    whole = swing["OG.angle"].values
    assert np.ptp(whole) == pytest.approx(math.radians(300.0), abs=1e-12)
    np.testing.assert_allclose(swing["OC.angle"].values, whole / 3.0, atol=EXACT)
    np.testing.assert_allclose(swing["OE.angle"].values, whole * 2.0 / 3.0, atol=EXACT)


def test_the_trisector_runs_uphill_too(run):
    """The rates divide as the angles do, to all derivatives that are computed."""
    swing = run("kempe_trisector")
    for quantity in ("rate", "acceleration"):
        third, whole = (getattr(swing[n], quantity) for n in ("OC.angle", "OG.angle"))
        np.testing.assert_allclose(3.0 * third, whole, atol=1e-9)


def test_oldham_s_shafts_turn_alike_and_its_disc_runs_twice_as_fast(run, path):
    turn = run("oldham")
    angle = turn["driving.angle"].values
    np.testing.assert_allclose(turn["driven.angle"].values, angle, atol=EXACT)
    circle = 0.01 * (1.0 + np.exp(2j * angle))
    np.testing.assert_allclose(path(turn, "disc.P"), circle, atol=EXACT)
