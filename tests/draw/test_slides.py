"""Rods in barrels and pistons in cylinders, instead of blocks on guides."""

import numpy as np
import pytest

import kempe
from kempe import gallery
from kempe.draw import Polygon
from kempe.pictures.animation import scene_of

LEGS = {"excavator_arm": 3, "stewart": 6}


@pytest.mark.parametrize("name", LEGS)
def test_a_rod_ends_inside_its_barrel_at_one_end_and_outside_at_the_other(name):
    scene = scene_of(gallery.MECHANISMS[name]().kinematics(until=1.0, steps=24))
    legs = [joint for joint in scene.joints if joint.symbol == "telescope"]
    assert len(legs) == LEGS[name]
    for leg in legs:
        guide, guided = leg.guiding
        back, mouth = leg.reach[:2]
        (rod,) = scene.body(guided.body).shapes
        ends = scene.body(guided.body).motion.carried(rod.corners)
        for sample in range(len(scene.times)):
            point, axes = scene.pose(guide, sample)
            along = np.sort(((ends[sample] - point) @ axes[:, 2] - back) / (mouth - back))
            assert 0.0 <= along[0] <= 1.0 < along[1]


def test_a_block_about_its_way_is_a_piston_and_what_pushes_it_is_inside():
    scene = scene_of(gallery.engine().simulate(until=0.1, steps=24))
    (piston,) = [joint for joint in scene.joints if joint.symbol == "piston"]
    bore, body = 0.08, scene.body("piston")
    assert piston.reach[2:] == pytest.approx((-0.5 * bore, 0.5 * bore))
    assert [shape.rim for shape in body.shapes] == [False]
    assert list(body.points) == ["P"]
    assert "cylinder" not in {joint.symbol for joint in scene.joints}
    low, high = scene.travel(piston)
    assert piston.reach[0] < low - 0.3 * bore
    assert high + 0.3 * bore < piston.reach[1]


def test_a_round_piston_in_space_has_a_cylinder_of_its_radius():
    scene = scene_of(gallery.wobble_plate().kinematics(until=1.0, steps=24))
    bores = [joint for joint in scene.joints if joint.symbol == "piston"]
    assert len(bores) == 5
    assert all(joint.reach[3] == pytest.approx(0.2 * 0.08) for joint in bores)


@pytest.mark.parametrize("name", ["belt_oscillator", "slider_crank", "oldham", "box_gripper"])
def test_a_block_beside_its_way_or_without_a_shape_stays_on_its_guide(name):
    mechanism = gallery.MECHANISMS[name]()
    course = gallery.COURSES.get(name)
    motion = (
        mechanism.simulate(until=0.1, steps=8)
        if course
        else mechanism.kinematics(until=0.5, steps=8)
    )
    symbols = {joint.symbol for joint in scene_of(motion).joints}
    assert "slider" in symbols
    assert not symbols & {"piston", "telescope"}


def test_a_barrel_may_open_backwards():
    m = kempe.Builder("pull", plane=True)
    barrel = m.bar("barrel", 1.0, at=(0, 0), angle=0.0)
    rod = m.bar("rod", 1.0, at=(-0.5, 0), angle=0.0)
    m.revolute(m.ground.at(1, 0), barrel.end)
    slide = m.prismatic(barrel.start, rod.end, along=(1, 0))
    m.drive(barrel.angle, start=0.0, speed=0.0)
    m.drive(slide.displacement, start=0.2, speed=0.3)
    scene = scene_of(m.build().kinematics(until=1.0, steps=8))
    (leg,) = [joint for joint in scene.joints if joint.symbol == "telescope"]
    back, mouth = leg.reach[:2]
    assert mouth < back


def test_point_masses_are_bobs_and_what_rides_or_has_a_moment_is_not():
    swinging = gallery.simple_pendulum().simulate(until=0.1, steps=2).outlines["arm"]
    assert [type(shape) for shape in swinging][-1] is Polygon
    assert len(swinging[-1].points) > 8
    solid = gallery.spherical_pendulum().simulate(until=0.1, steps=2).outlines["bob"]
    radii = np.linalg.norm(np.array(solid[0].points), axis=1)
    assert np.ptp(radii) < 1e-9 * radii.max()
    assert [type(s) for s in gallery.car_axis().simulate(until=0.1, steps=2).outlines["right"]] == [
        Polygon
    ]
    assert gallery.car_axis().simulate(until=0.1, steps=2).outlines["right"][0].rim
    assert all(
        len(shapes) < 2
        for shapes in gallery.double_pendulum().simulate(until=0.1, steps=2).outlines.values()
    )
    assert len(gallery.inverted_pendulum().simulate(until=0.1, steps=2).outlines["cart"]) == 1


def test_every_ground_pin_of_a_geneva_drive_shows_its_stand():
    from kempe.draw.formats.svg import scene_items
    from kempe.draw.view.camera import fitted

    scene = scene_of(gallery.geneva_drive().simulate(until=0.5, steps=4))
    kinds = [item.kind for item in scene_items(scene, fitted(scene, 800, 600), 0)]
    pins = [j for j in scene.joints if j.symbol == "pin" and j.guiding[0].body is None]
    assert kinds.count("stand") == len(pins) == 2
    assert kinds.count("behind") == 3 * len(pins)  # bracket, foot, hatching
