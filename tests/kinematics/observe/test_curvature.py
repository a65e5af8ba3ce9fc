"""The curvature of paths against known curves: circle, ellipse, cycloid, trochoid, helix, line."""

import math

import numpy as np
import pytest

import kempe

# Curvatures of order 1 / m from samples that are solved to 1e-13.
CLOSE = 1e-10
# A place between samples comes from a polynomial that is off by h^4 in acceleration, h = 1 / 200.
BETWEEN = 1e-6


@pytest.mark.parametrize("rpm", [60, -60])
def test_a_crank_draws_a_circle_to_the_left_or_to_the_right(rpm: float) -> None:
    m = kempe.Builder("crank", plane=True)
    crank = m.bar("crank", 0.25)
    m.revolute(m.ground.at(1, 1), crank.start)
    m.drive(crank.angle, rpm=rpm)
    circle = m.build().kinematics(until=1.0, steps=30)["crank.end"].curvature
    np.testing.assert_allclose(circle.radius, math.copysign(0.25, rpm), atol=CLOSE)
    assert not circle.cusps
    assert not circle.inflections


def test_a_point_of_a_trammel_draws_an_ellipse(trammel) -> None:
    turn = trammel(2.0, 0.3).kinematics(until=1.0, steps=60)
    a, b = 0.3 * 2.0, 0.7 * 2.0  # P = (a cos phi, -b sin phi)
    phi = turn["bar.angle"].values
    P = turn["bar.P"]
    np.testing.assert_allclose(P.position[:, 0], a * np.cos(phi), atol=CLOSE)
    expected = a * b / ((a * np.sin(phi)) ** 2 + (b * np.cos(phi)) ** 2) ** 1.5
    np.testing.assert_allclose(np.abs(P.curvature.values), expected, rtol=1e-9)
    assert not P.curvature.inflections


def test_a_point_on_a_rim_draws_a_cycloid_with_a_cusp_where_it_touches(rolling_wheel) -> None:
    turn = rolling_wheel().kinematics(until=2.2, steps=440)
    phi = -turn["wheel.angle"].values
    curve = turn["wheel.P"].curvature
    apart = np.abs(np.sin(phi / 2)) > 1e-6
    assert not apart.all()
    np.testing.assert_allclose(
        curve.values[apart], -1.0 / (4.0 * np.abs(np.sin(phi[apart] / 2))), rtol=1e-7
    )
    assert [round(cusp.t, 9) for cusp in curve.cusps] == [1.0, 2.0]
    assert np.isposinf(curve.values[[200, 400]]).all()
    assert (curve.radius.values[[200, 400]] == 0.0).all()
    assert not curve.inflections


def test_a_cusp_between_samples_is_found(rolling_wheel) -> None:
    turn = rolling_wheel().kinematics(until=1.7, steps=333)
    assert np.linalg.norm(turn["wheel.P"].velocity, axis=1)[1:].min() > 1e-2
    curve = turn["wheel.P"].curvature
    assert len(curve.cusps) == 1
    assert abs(curve.cusps[0].t - 1.0) < BETWEEN
    np.testing.assert_allclose(curve.cusps[0].position, [2 * math.pi, 0.0], atol=BETWEEN)


def test_a_point_inside_the_wheel_draws_a_trochoid_with_inflections(rolling_wheel) -> None:
    arm = 0.6
    turn = rolling_wheel(arm).kinematics(until=1.0, steps=199)
    curve = turn["wheel.P"].curvature
    phi = np.array([2 * math.pi * place.t for place in curve.inflections])
    first = math.acos(arm)
    np.testing.assert_allclose(phi, [first, 2 * math.pi - first], atol=BETWEEN)
    assert not curve.cusps


def test_a_point_outside_the_wheel_draws_loops_without_cusp_or_inflection(rolling_wheel) -> None:
    curve = rolling_wheel(1.4).kinematics(until=2.0, steps=400)["wheel.P"].curvature
    assert not curve.cusps
    assert not curve.inflections


@pytest.mark.parametrize("steps", [40, 41, 200])
def test_a_motion_that_turns_back_draws_neither_cusp_nor_inflection(trammel, steps) -> None:
    swings = trammel(law=lambda t: -0.6 + 0.4 * np.sin(2 * math.pi * t))
    curve = swings.kinematics(until=1.0, steps=steps)["bar.P"].curvature
    assert not curve.cusps
    assert not curve.inflections
    assert not np.isinf(curve.values).any()


def test_a_slider_draws_a_straight_line() -> None:
    turn = kempe.gallery.slider_crank(offset=0.3).kinematics(until=1.0, steps=77)
    curve = turn["slider"].curvature
    moving = np.isfinite(curve.values)
    assert moving.sum() > 70
    assert np.abs(curve.values[moving]).max() < 1e-6
    assert not curve.cusps
    assert not curve.inflections


def test_a_point_on_a_screw_draws_a_helix(screwing) -> None:
    turn = screwing(3.0, 0.6).kinematics(until=1.0, steps=20)
    curve = turn["bolt.rim"].curvature
    np.testing.assert_allclose(curve.values, 0.5 / (0.5**2 + 0.2**2), atol=CLOSE)


def test_a_coupler_point_bends_as_its_path_says() -> None:
    """The circle through three near samples has the radius of curvature there."""
    turn = kempe.gallery.four_bar(point=(1.0, 2.0)).kinematics(until=1.0, steps=20_000)
    P = turn["coupler.P"]
    k = np.arange(100, 19_900, 500)
    a, b, c = P.position[k - 5], P.position[k], P.position[k + 5]
    u, v, w = b - a, c - b, c - a
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    through = 2.0 * area / np.prod([np.linalg.norm(x, axis=1) for x in (u, v, w)], axis=0)
    # three points 1e-3 m apart: h^2 of the curvature's change, and rounding over h^2
    np.testing.assert_allclose(P.curvature.values[k], through, atol=2e-5)


@pytest.mark.parametrize("name", ["gyroscope", "andrews_squeezer"])
def test_a_point_that_is_fixed_in_the_ground_draws_no_path(name: str, tmp_path) -> None:
    run = getattr(kempe.gallery, name)().simulate(until=0.01, steps=4)
    run.save(tmp_path / "run.npz")
    fixed = {"gyroscope": ("fork", "fork.foot"), "andrews_squeezer": ("K1", "K3", "K5", "K7")}[name]
    for trajectory in (run, kempe.Trajectory.load(tmp_path / "run.npz")):
        for point in fixed:
            assert trajectory[f"{point}.speed"].values.max() < 1e-12
            assert np.isnan(trajectory[f"{point}.curvature"].values).all()
            assert not trajectory[point].curvature.cusps
