"""Wheels as couplers imply them."""

import math

import numpy as np
import pytest

import kempe
from kempe.couplers import Belt, CamLaw, GearPair, RackAndPinion
from kempe.draw import Disc, Polygon
from kempe.pictures.wheels import wheels

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
    (ring,), (wheel,) = found["a"], found["b"]
    assert isinstance(ring, Polygon)
    (hole,) = ring.holes
    around = np.linalg.norm(np.array(hole), axis=1)
    module = 2 * 0.45 / 30
    assert sorted(set(around.round(9))) == pytest.approx([0.45 - module, 0.45 + 1.25 * module])
    assert len(hole) == 4 * 30
    assert np.linalg.norm(ring.corners, axis=1).min() > around.max()
    assert wheel.radius == pytest.approx(0.15, abs=EXACT)


def test_a_tooth_of_a_wheel_lies_in_a_gap_of_the_ring_around_it():
    """Before the contact the same share of a pitch has gone by on both: they turn the same way."""
    found = pair(lambda a, b: GearPair((a, b), teeth=(30, 10), internal=True))
    (ring,), (wheel,) = found["a"], found["b"]
    contact = 0.4
    x, y, _ = np.array(ring.holes[0])[np.linalg.norm(np.array(ring.holes[0]), axis=1) > 0.45].T
    gaps = np.sort(np.arctan2(y, x).reshape(-1))
    middles = np.angle(np.exp(1j * (gaps + 0.1)).reshape(-1))  # in the world: the ring is turned
    tooth = math.remainder(wheel.phase - 0.3 - contact, math.tau / 10)
    gap_middle = contact + tooth * 10 / 30
    apart = np.abs(np.angle(np.exp(1j * (middles - gap_middle))))
    assert np.sort(apart)[:2] == pytest.approx(np.full(2, np.sort(apart)[:2].mean()), abs=1e-9)


def test_pulleys_have_the_radii_of_their_belt():
    found = pair(lambda a, b: Belt((a, b), radii=(0.05, 0.1)))
    assert found["a"][0].radius == 0.05
    assert found["b"][0].radius == 0.1


def rack(radius, angle=0.0):
    m = kempe.Builder("rack", plane=True)
    wheel, bar = m.body("wheel", at=(0, 0), angle=0), m.body("rack", at=(0, -radius))
    m.revolute(m.ground.at(0, 0), wheel.at(0, 0))
    slide = m.prismatic(m.ground.at(0, -radius), bar.at(0, 0))
    m.couple(RackAndPinion((slide.displacement, wheel.angle), radius=radius, constant=0.0))
    m.drive(wheel.angle, start=angle, rpm=60)
    return at_start(m.build())


def test_a_pinion_has_the_radius_of_its_rack():
    found = rack(0.1)
    assert found["wheel"][0].radius == 0.1
    assert found["rack"][0].rim is False


@pytest.mark.parametrize("radius", [0.1, -0.1])
@pytest.mark.parametrize("angle", [0.0, 0.1, 0.77])
def test_a_tooth_of_a_rack_lies_in_a_gap_of_its_pinion(radius, angle):
    """Along x from the contact, teeth of rack and pinion alternate by half a pitch."""
    found = rack(radius, angle)
    corners = np.array(found["rack"][0].corners)
    towards = math.copysign(1.0, radius)
    tips = corners[corners[:, 1] * towards > 1e-6, 0]  # two corners at the top of every tooth
    tooth = tips.reshape(-1, 2).mean(axis=1) + radius * angle  # the rack has moved
    step = math.tau / found["wheel"][0].teeth
    below = -0.5 * math.pi * towards
    pinion = radius * (math.remainder(angle - below, step) + step * np.arange(-5, 6))
    gaps = np.array([np.abs(pinion - x).min() for x in tooth[abs(tooth) < 0.1]])
    np.testing.assert_allclose(gaps, abs(radius) * step / 2, atol=1e-9)


def test_a_cam_touches_its_follower_wherever_it_is_turned():
    def lift(a):
        return 0.2 + 0.05 * np.sin(a)

    def camshaft(angle):
        m = kempe.Builder("cam", plane=True)
        cam = m.body("cam", at=(0, 0), angle=angle)
        edge = m.body("edge", at=(0.03, float(lift(angle))))
        m.revolute(m.ground.at(0, 0), cam.at(0, 0))
        slide = m.prismatic(m.ground.at(0.03, 0), edge.at(0, 0), along=(0, 1))
        m.couple(CamLaw((cam.angle, slide.displacement), law=lift))
        m.drive(cam.angle, start=angle, rpm=60)
        return at_start(m.build())["cam"]

    (outline,) = camshaft(0.0)
    for angle in np.arange(0, 144, 12) * math.tau / 144:
        (c, s), (x, y) = (math.cos(angle), math.sin(angle)), (0.03, float(lift(angle)))
        seen = np.array([c * x + s * y, -s * x + c * y, 0.0])
        assert np.linalg.norm(outline.corners - seen, axis=1).min() < EXACT
    np.testing.assert_allclose(  # and it is the same cam from whatever start
        sorted(np.linalg.norm(camshaft(1.0)[0].corners, axis=1))[::143],
        sorted(np.linalg.norm(outline.corners, axis=1))[::143],
        atol=1e-4,
    )


@pytest.mark.parametrize(
    "law", [lambda a: 0.1 * a, lambda a: 0.05 * np.cos(a) - 0.05, lambda a: np.sqrt(0.1 - a)]
)
def test_a_law_that_closes_no_cam_gives_no_outline(law):
    """It does not come back after a turn, goes through the axle, or has no value."""
    m = kempe.Builder("no cam", plane=True)
    cam, edge = m.body("cam", at=(0, 0), angle=0), m.body("edge", at=(0, float(law(0.0))))
    m.revolute(m.ground.at(0, 0), cam.at(0, 0))
    slide = m.prismatic(m.ground.at(0, 0), edge.at(0, 0), along=(0, 1))
    m.couple(CamLaw((cam.angle, slide.displacement), law=law))
    m.drive(cam.angle, speed=0.1)
    assert "cam" not in at_start(m.build())


def test_wheels_that_mesh_by_their_centres_are_drawn_as_others_are():
    m = kempe.Builder("by centres", plane=True)
    a, b = m.body("a", at=(0, 0), angle=0), m.body("b", at=(0.3, 0), angle=0)
    m.revolute(m.ground.at(0, 0), a.at(0, 0))
    m.revolute(m.ground.at(0.3, 0), b.at(0, 0))
    m.couple(GearPair.meshing(a.at(0, 0), b.at(0, 0), teeth=(10, 20)))
    m.drive(a.angle, rpm=60)
    found = at_start(m.build())
    assert (found["a"][0].radius, found["b"][0].radius) == pytest.approx((0.1, 0.2), abs=EXACT)
    assert (found["a"][0].teeth, found["b"][0].teeth) == (10, 20)


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
