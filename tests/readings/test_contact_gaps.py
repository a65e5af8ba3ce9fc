"""The gap of a contact as a reading, and starts deep inside, against parabolas and corners."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadConnection
from kempe.forces import (
    Attraction,
    BoxOnPlane,
    Bushing,
    LineSpring,
    SphereOnPlane,
    SphereOnSphere,
)
from kempe.geometry.solids import Sphere

G = 9.81


def ball(height, *, gravity=G, stiffness=1e5) -> kempe.Mechanism:
    m = kempe.Builder("ball", gravity=(0, 0, -gravity))
    body = m.body("ball", at=(0, 0, height), inertia=Sphere(0.05).inertia(mass=0.4))
    floor = SphereOnPlane(
        m.ground.at(0, 0, 0), body.at(0, 0, 0), normal=kempe.Z, radius=0.05, stiffness=stiffness
    )
    m.force(floor, "floor")
    return m.build()


def test_the_gap_of_a_falling_ball_is_a_parabola_with_its_rate() -> None:
    fall = ball(0.5).simulate(until=0.25, steps=25)
    gap = fall["floor.gap"]
    assert gap.unit == "m"
    np.testing.assert_allclose(gap.values, 0.45 - G * fall.t**2 / 2, atol=1e-9)
    np.testing.assert_allclose(gap.rate, -G * fall.t, atol=1e-8)
    np.testing.assert_allclose(gap.acceleration, -G, atol=1e-8)


def test_the_gap_is_below_zero_by_what_presses_over_the_stiffness() -> None:
    fall = ball(0.1).simulate(until=0.3, steps=3000)
    gap, push = fall["floor.gap"].values, fall["floor.force"].values[:, 2]
    np.testing.assert_allclose(push, 1e5 * np.maximum(-gap, 0.0), atol=1e-6)
    assert gap.min() < -1e-3


def test_of_several_places_the_nearest_counts() -> None:
    """A box that turns: its lowest corner is where half of its diagonal says."""
    m = kempe.Builder("box", gravity=(0, 0, 0))
    box = m.body("box", at=(0, 0, 1.0), inertia=kempe.Inertia(1.0, (0, 0, 0), np.eye(3)))
    hinge = m.revolute(
        m.ground.at(0, 0, 1.0).facing((0, 1, 0)), box.at(0, 0, 0).facing((0, 1, 0)), name="hinge"
    )
    floor = BoxOnPlane(
        m.ground.at(0, 0, 0), box.at(0, 0, 0), normal=kempe.Z, x=0.6, y=0.2, z=0.4, stiffness=1e4
    )
    m.force(floor, "floor")
    m.drive(hinge.angle, speed=1)
    run = m.build().kinematics(until=3.0, steps=60)
    half = math.hypot(0.3, 0.2)
    first = math.atan2(0.2, 0.3)
    lowest = half * np.max([abs(np.sin(run.t + s * first)) for s in (-1, 1)], axis=0)
    np.testing.assert_allclose(run["floor.gap"].values, 1.0 - lowest, atol=1e-9)


@pytest.mark.parametrize("gravity", [G, 0.0])
def test_a_start_deep_inside_is_told(gravity) -> None:
    (note,) = ball(0.02, gravity=gravity).simulate(until=0.01).notes
    assert "contact 'floor' starts with 'ground' and 'ball' 0.03 m deep in each other" in note


def test_a_start_at_rest_on_a_soft_floor_or_above_it_is_not() -> None:
    sag = 0.4 * G / 200.0  # 20 mm
    assert not ball(0.05 - sag, stiffness=200.0).simulate(until=0.01).notes
    assert not ball(0.051).simulate(until=0.01).notes


def test_a_force_between_two_places_of_one_body_is_refused() -> None:
    one, other = kempe.Marker("a", (0, 0, 0)), kempe.Marker("a", (1, 0, 0))
    for make in (
        lambda: SphereOnSphere(one, other, radius_I=0.1, radius_J=0.1, stiffness=1e3),
        lambda: LineSpring(one, other, stiffness=1.0),
        lambda: Attraction(one, other, 1.0),
        lambda: Bushing(one, other, (1.0,) * 6),
    ):
        with pytest.raises(BadConnection, match=r"both ends of .* are on 'a'.*two bodies"):
            make()


def test_the_gap_is_an_output_of_a_file_and_a_column_of_its_table(tmp_path) -> None:
    m = ball(0.5).edit()
    m.output("floor.gap")
    m.build().save(tmp_path / "ball.yaml")
    again = kempe.Mechanism.load(tmp_path / "ball.yaml").simulate(until=0.2, steps=4)
    table = again.to_csv(tmp_path / "ball.csv").read_text().splitlines()
    column = table[0].split(",").index("floor.gap")
    told = [float(row.split(",")[column]) for row in table[1:]]
    assert told == pytest.approx(0.45 - G * again.t**2 / 2, abs=1e-9)
