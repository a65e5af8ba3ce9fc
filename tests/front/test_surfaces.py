"""What a point reaches and where drives fail, on surfaces of positions, against closed forms."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, UnknownName
from tests.motion._two_freedoms import COARSE, arm_of_two, five_bar

UPPER, LOWER = 1.0, 0.8
FLAT = 0.01  # of an area or a length: what flat triangles lose
IN_LINE = 5e-3  # of a sine that vanishes along a curve, interpolated between corners of a mesh
SIDES = (1.0, 1.4, 1.4, 1.0, 1.2)


@pytest.fixture(scope="module")
def arm():
    mechanism = arm_of_two(UPPER, LOWER)
    return mechanism, mechanism.motions(effort=COARSE)


@pytest.fixture(scope="module")
def five():
    mechanism = five_bar(SIDES)
    return mechanism, mechanism.motions(effort=COARSE)


def test_an_arm_reaches_a_ring(arm):
    mechanism, found = arm
    reached = mechanism.workspace(found, "lower.end")
    assert reached.area == pytest.approx(4.0 * math.pi * UPPER * LOWER, rel=FLAT)
    radii = sorted(float(np.linalg.norm(line, axis=1).mean()) for line in reached.rim)
    np.testing.assert_allclose(radii, [UPPER - LOWER, UPPER + LOWER], atol=FLAT)
    assert reached.holds((1.0, 0.0))
    assert not reached.holds((0.1, 0.0))
    assert not reached.holds((0.0, 1.9))


def test_a_five_bar_s_point_reaches_where_both_dyads_do(five):
    """Places that each of two arms of two bars can reach: two rings, laid over each other."""
    mechanism, found = five
    reached = mechanism.workspace(found, "bar1.end")
    rng = np.random.default_rng(3)
    places = rng.uniform(-2.6, 3.6, (4000, 2))
    left = np.linalg.norm(places, axis=1)
    right = np.linalg.norm(places - [SIDES[4], 0.0], axis=1)
    clear = 0.02  # of a rim: nearer places are not asked for
    a, b, c, d, _ = SIDES
    spans = (left, abs(a - b), a + b), (right, abs(c - d), c + d)
    inside = np.all([(r > low) & (r < high) for r, low, high in spans], axis=0)
    far = np.all(
        [(abs(r - low) > clear) & (abs(r - high) > clear) for r, low, high in spans], axis=0
    )
    np.testing.assert_array_equal(reached.coverage.holds(places[far]), inside[far])


def test_drives_on_both_cranks_fail_where_the_upper_bars_are_in_line(five):
    mechanism, found = five
    curves = mechanism.singular_curves(found, "bar0.angle", "bar3.angle")
    assert len(curves) > 0
    assert all(curves.is_closed)
    for q, values in zip(curves.q, curves.values, strict=True):
        assert np.abs(np.sin(q[:, 5] - q[:, 8])).max() < IN_LINE
        np.testing.assert_allclose(np.cos(values[:, 0]), np.cos(q[:, 2]), atol=1e-12)


def test_an_arm_s_own_angles_never_fail(arm):
    mechanism, found = arm
    assert len(mechanism.singular_curves(found, "upper.angle", "lower.angle")) == 0


def test_a_point_of_one_freedom_reaches_no_area(arm):
    mechanism, found = arm
    with pytest.raises(BadNumber, match=r"'upper\.end' moves along a line at most"):
        mechanism.workspace(found, "upper.end")


def test_drives_on_one_turn_by_two_names_fail_everywhere(arm):
    mechanism, found = arm
    for other in ("upper.angle", "O.angle"):
        with pytest.raises(BadNumber, match="lose rank at every position"):
            mechanism.singular_curves(found, "upper.angle", other)


def test_points_are_no_measures(arm):
    mechanism, found = arm
    with pytest.raises(UnknownName, match="is no measure"):
        mechanism.singular_curves(found, "upper.angle", "lower.end")


def test_curves_have_no_workspace():
    bar = kempe.gallery.four_bar()
    with pytest.raises(BadNumber, match="two freedoms"):
        bar.workspace(bar.motions(), "coupler.P")
