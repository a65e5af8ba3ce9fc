"""Wheels as couplers imply them."""

import math

import numpy as np
import pytest

import kempe
from kempe.couplers import Belt, GearPair, RackAndPinion
from kempe.draw import Disc, Polyline
from kempe.front.wheels import wheels

EXACT = 1e-12


def at_start(mechanism):
    layout = mechanism.layout
    return wheels(layout, mechanism.kinematics(until=0.1, steps=1).motion.q[0])


def pair(coupler, distance=0.3, angle=0.4):
    m = kempe.Builder("pair", plane=True)
    a = m.body("a", at=(0, 0), angle=0.1)
    b = m.body("b", at=(distance * math.cos(angle), distance * math.sin(angle)), angle=-0.3)
    m.revolute(m.ground.at(0, 0), a.at(0, 0))
    m.revolute(m.ground.at(distance * math.cos(angle), distance * math.sin(angle)), b.at(0, 0))
    m.couple(coupler(a.angle, b.angle))
    m.drive(a.angle, start=0.1, rpm=60)
    return at_start(m.build())


def test_a_pair_of_gears_touches_on_the_line_of_its_axles():
    found = pair(lambda a, b: GearPair((a, b), teeth=(20, 10)))
    (a,), (b,) = found["a"], found["b"]
    assert (a.radius, b.radius) == pytest.approx((0.2, 0.1), abs=EXACT)
    assert (a.teeth, b.teeth) == (20, 10)


def test_a_tooth_of_one_gear_lies_in_a_gap_of_the_other():
    """At the point of contact the shares of a pitch since the last tooth add up to a half."""
    found = pair(lambda a, b: GearPair((a, b), teeth=(20, 10)))
    (a,), (b,) = found["a"], found["b"]
    contact, pitch_a, pitch_b = 0.4, math.tau / 20, math.tau / 10
    since_a = (contact - 0.1 - a.phase) / pitch_a
    since_b = (contact + math.pi + 0.3 - b.phase) / pitch_b
    assert (since_a + since_b) % 1.0 == pytest.approx(0.5, abs=1e-9)


def test_an_internal_gear_is_a_ring_around_its_wheel():
    found = pair(lambda a, b: GearPair((a, b), teeth=(30, 10), internal=True))
    assert [type(shape) for shape in found["a"]] == [Polyline, Polyline]
    inner = np.linalg.norm(found["a"][0].corners, axis=1)
    np.testing.assert_allclose(inner, 0.45, atol=EXACT)
    assert found["b"][0].radius == pytest.approx(0.15, abs=EXACT)


def test_pulleys_have_the_radii_of_their_belt():
    found = pair(lambda a, b: Belt((a, b), radii=(0.05, 0.1)))
    assert found["a"][0].radius == 0.05
    assert found["b"][0].radius == 0.1


def test_a_pinion_has_the_radius_of_its_rack():
    m = kempe.Builder("rack", plane=True)
    wheel, rack = m.body("wheel", at=(0, 0), angle=0), m.body("rack", at=(0, -0.1))
    m.revolute(m.ground.at(0, 0), wheel.at(0, 0))
    slide = m.prismatic(m.ground.at(0, -0.1), rack.at(0, 0))
    m.couple(RackAndPinion((slide.displacement, wheel.angle), radius=0.1))
    m.drive(wheel.angle, rpm=60)
    found = at_start(m.build())
    assert found["wheel"][0].radius == 0.1
    assert "rack" not in found


def test_bevel_gears_meet_at_the_corner_of_their_axles():
    found = at_start(kempe.gallery.differential())
    (left,), (pinion,) = found["left"], found["pinion"]
    assert left.radius == pytest.approx(0.06, abs=EXACT)
    assert pinion.radius == pytest.approx(0.04, abs=EXACT)
    assert np.abs(np.dot(left.axis, pinion.axis)) < EXACT


def test_a_wheel_in_two_meshes_is_drawn_once():
    found = at_start(kempe.gallery.planetary_train())
    assert [type(shape) for shape in found["sun"]] == [Disc]
    assert all(len(found[f"planet{k}"]) == 1 for k in (1, 2, 3))


def test_gears_on_one_axle_have_no_pitch_circles():
    m = kempe.Builder("on one axle", plane=True)
    parts = [m.body(name, at=(0, 0), angle=0) for name in "ab"]
    for part in parts:
        m.revolute(m.ground.at(0, 0), part.at(0, 0))
    m.couple(GearPair((parts[0].angle, parts[1].angle), teeth=(20, 10)))
    m.drive(parts[0].angle, rpm=60)
    assert at_start(m.build()) == {}
