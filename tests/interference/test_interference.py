"""Touching along a motion: closed forms of times, depths and gaps, and nothing missed between."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, ModelError, UnknownName
from kempe.geometry import Rotation
from kempe.geometry.solids import Cuboid, Cylinder, Mesh, Plate, SlenderBar, Sphere, Tube

#: a cubic through 361 samples of a turn is off by 2e-10 of the radius, and the threshold of a touch
#: is 1e-10 of a shape; divided by the slowest approach of these cases, 0.1 m/s
TIMES = 1e-8
LENGTHS = 1e-9


def arm_and_post(plane, radius=0.05, width=0.1, distance=0.8, speed=1.0):
    """A beam turns about the origin, past a ball at (0, distance)."""
    m = kempe.Builder("arm and post", plane=plane)
    arm = m.bar("arm", 1.0)
    m.revolute(m.ground.at(0, 0), arm.start, name="hinge")
    m.shape(arm, Cuboid((1.0, width, 0.1)), at=(0.5, 0), name="beam")
    m.shape(m.ground, Sphere(radius), at=(0.0, distance), name="post")
    m.drive(arm.angle, speed=speed)
    return m.build()


def slides(*shapes, plane=False, speed=1.0, start=-2.0):
    """Bodies on rails along x, the first of which moves from `start` at a speed; others rest."""
    m = kempe.Builder("rails", plane=plane)
    for k, (solid, at) in enumerate(shapes):
        body = m.body(f"b{k}", at=(0, 0))
        slide = m.prismatic(m.ground.at(0, 0), body.at(0, 0), name=f"rail{k}")
        m.shape(body, solid, at=at, name="solid")
        law = {"start": start, "speed": speed} if k == 0 else {}
        m.drive(slide.displacement, **law)
    return m.build()


@pytest.mark.row("C8")
@pytest.mark.parametrize("plane", [True, False])
def test_a_beam_strikes_a_post_when_the_arc_sine_says(plane):
    found = arm_and_post(plane).kinematics(until=3.0).interference()
    (touch,) = found["arm", "ground"].touches
    half = math.asin((0.05 + 0.05) / 0.8)
    assert touch.start == pytest.approx(math.pi / 2 - half, abs=TIMES)
    assert touch.end == pytest.approx(math.pi / 2 + half, abs=TIMES)
    assert touch.deepest == pytest.approx(math.pi / 2, abs=1e-5)  # a corner: depth goes with |t|
    assert touch.depth == pytest.approx(0.1, abs=1e-6)
    normal = np.array([math.sin(half), -math.cos(half), 0]) * [1, 1, 0]
    at = 0.8 * np.array([0, 1, 0]) + 0.05 * np.array(
        [math.sin(touch.start), -math.cos(touch.start), 0]
    )
    assert np.linalg.norm(normal) == pytest.approx(1.0)
    np.testing.assert_allclose(touch.place, at, atol=1e-7)


@pytest.mark.parametrize("plane", [True, False])
def test_balls_meet_and_part_when_their_centres_are_two_radii_apart(plane):
    model = slides((Sphere(0.3), (0, 0)), (Sphere(0.2), (0, 0.4)), plane=plane)
    pair = model.kinematics(until=4.0, steps=10).interference()["b0", "b1"]
    (touch,) = pair.touches
    reach = math.sqrt(0.5**2 - 0.4**2)
    assert [touch.start, touch.end] == pytest.approx([2 - reach, 2 + reach], abs=TIMES)
    assert touch.depth == pytest.approx(0.1, abs=LENGTHS)
    assert touch.deepest == pytest.approx(2.0, abs=1e-4)
    assert touch.begins
    assert touch.ends


@pytest.mark.parametrize("plane", [True, False])
def test_balls_that_pass_say_how_near_they_come_and_when(plane):
    model = slides((Sphere(0.3), (0, 0)), (Sphere(0.2), (0, 0.7)), plane=plane)
    pair = model.kinematics(until=4.0, steps=7).interference()["b0", "b1"]
    assert not pair.touches
    assert pair.gap == pytest.approx(0.2, abs=LENGTHS)
    assert pair.at == pytest.approx(2.0, abs=1e-4)
    np.testing.assert_allclose(pair.places, [[0, 0.3, 0], [0, 0.5, 0]], atol=1e-4)


def test_boxes_in_space_are_as_deep_as_the_least_way_out():
    model = slides((Cuboid((0.6, 0.5, 0.4)), (0, 0)), (Cuboid((0.2, 0.3, 0.8)), (0, 0.3, 0)))
    (touch,) = model.kinematics(until=4.0, steps=10).interference()["b0", "b1"].touches
    assert [touch.start, touch.end] == pytest.approx([2 - 0.4, 2 + 0.4], abs=TIMES)
    assert touch.depth == pytest.approx(0.1, abs=LENGTHS)  # along y: 0.25 + 0.15 - 0.3


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("thickness", [1e-3, 1e-4])
def test_thin_plates_that_pass_through_each_other_between_samples_are_found(plane, thickness):
    """At 200 m/s a plate of 0.1 mm is met for a microsecond; samples are 40 ms apart."""
    thin = Cuboid((thickness, 0.2, 0.2))
    model = slides((thin, (0, 0)), (thin, (0.4321, 0)), plane=plane, speed=200.0)
    found = model.kinematics(until=0.12, steps=3).interference()
    (touch,) = found["b0", "b1"].touches
    middle, half = (2.0 + 0.4321) / 200.0, thickness / 200.0
    assert [touch.start, touch.end] == pytest.approx([middle - half, middle + half], abs=1e-11)
    assert touch.depth == pytest.approx(thickness, rel=1e-6)


def test_two_crossing_bars_without_thickness_cross_when_the_sine_says():
    """A bar of length 1 turns about the origin; the other stands at x = 0.5 from y = 0.1 to 0.6."""
    m = kempe.Builder("crossing bars", plane=True)
    arm = m.bar("arm", 1.0)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.shape(arm, SlenderBar(1.0), name="line")
    m.shape(m.ground, SlenderBar(0.5), at=(0.5, 0.1), angle=math.pi / 2, name="wall")
    m.drive(arm.angle, speed=1)
    (touch,) = m.build().kinematics(until=2.0).interference()["arm", "ground"].touches
    assert touch.start == pytest.approx(math.atan2(0.1, 0.5), abs=TIMES)
    assert touch.end == pytest.approx(math.atan2(0.6, 0.5), abs=TIMES)


def test_lines_in_space_that_meet_for_an_instant_are_found():
    """One slides along z through the other: they share one point, at one time."""
    m = kempe.Builder("lines")
    one, other = m.body("one", at=(0, 0, 0)), m.body("other", at=(0, 0, 0))
    rail = m.prismatic(m.ground.at(0, 0), one.at(0, 0), along=(0, 0, 1))
    m.fixed(m.ground.at(0, 0), other.at(0, 0))
    m.shape(one, SlenderBar(1.0), at=(-0.5, 0, 0), name="x")
    upright = Rotation.about((0, 0, 1), math.pi / 2)
    m.shape(other, SlenderBar(1.0), at=(0, -0.5, 0), rotation=upright, name="y")
    m.drive(rail.displacement, start=-1.0, speed=1.3)
    (touch,) = m.build().kinematics(until=2.0, steps=9).interference()["one", "other"].touches
    assert touch.start == pytest.approx(1 / 1.3, abs=TIMES)
    assert touch.end == pytest.approx(1 / 1.3, abs=TIMES)
    assert touch.depth < LENGTHS


def test_a_shaft_in_a_tube_does_not_touch_and_a_thicker_one_does():
    clear = slides(
        (Cylinder(0.25, 1.0), (0, 0)), (Tube(0.5, 0.3, 0.6), (0, 0)), start=0.0, speed=0.1
    )
    pair = clear.kinematics(until=1.0, steps=20).interference()["b0", "b1"]
    (touch,) = pair.touches
    assert touch.start == pytest.approx(0.5, rel=0.01)  # 0.3 - 0.25 at 0.1 m/s; 72 sides of a tube
    assert not pair.is_depth_exact


@pytest.mark.parametrize("is_mesh", [True, False])
def test_a_ball_enclosed_by_a_closed_surface_is_told_as_touching(is_mesh):
    """A mesh with a dent is no convex part: its surface is far from the ball in its middle."""
    solid = dented_box() if is_mesh else Cuboid((2.0, 2.0, 2.0))
    model = slides((Sphere(0.1), (0, 0)), (solid, (0, 0)), start=-3.0)
    (touch,) = model.kinematics(until=6.0, steps=30).interference()["b0", "b1"].touches
    dent = 0.5 if is_mesh else 0.0  # the right face is dented by so much in its middle
    assert touch.start == pytest.approx(3 - 1.1, abs=TIMES)
    if not is_mesh:
        assert touch.end == pytest.approx(3 + 1.1, abs=TIMES)
        assert touch.depth == pytest.approx(1.1, abs=1e-6)
    else:
        slope = math.atan2(dent, 1.0)  # the ball leaves the dent's flanks, at right angles to them
        assert touch.end == pytest.approx(3 + 1 - dent + 0.1 / math.cos(slope), abs=1e-7)
        assert touch.depth == pytest.approx(0.75, rel=0.2)


def dented_box():
    """A cube of side 2 whose face at x = 1 is drawn in to 0.5 in its middle."""
    corners = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
    faces = [(0, 1, 3), (0, 3, 2), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
             (1, 5, 7), (1, 7, 3)]  # fmt: skip
    rim = [4, 6, 7, 5]
    faces += [(rim[k], rim[(k + 1) % 4], 8) for k in range(4)]
    return Mesh((*corners, (0.5, 0.0, 0.0)), tuple(faces))


def test_surfaces_that_cross_are_as_deep_as_their_deepest_corner():
    """A corner of one lies 0.2 behind a face of the other: the least way out is 0.2, along x."""
    m = kempe.Builder("crossing surfaces")
    one, other = m.body("one", at=(0, 0, 0)), m.body("other", at=(0, 0, 0))
    rail = m.prismatic(m.ground.at(0, 0), one.at(0, 0))
    m.prismatic(m.ground.at(0, 0), other.at(0, 0), name="still")
    m.shape(one, dented_box(), at=(-1.8, 0.3, 0.2), name="left")
    m.shape(other, dented_box(), name="right")
    m.drive(rail.displacement, start=-1.0, speed=1.0)
    m.drive(m.part("still").displacement)
    pair = m.build().kinematics(until=1.0, steps=8).interference(joined=True)["one", "other"]
    (touch,) = pair.touches
    assert touch.start == pytest.approx(0.8, abs=1e-7)
    assert touch.depth == pytest.approx(0.2, abs=1e-6)
    assert touch.deepest == pytest.approx(1.0, abs=1e-6)


def test_a_search_without_end_is_refused_with_advice():
    """Plates that slide 10 micrometres apart at 1 km/s: a billion looks would tell."""
    long = Cuboid((5000.0, 0.1, 0.1))
    model = slides((long, (0, 0)), (long, (0, 0.1 + 1e-5)), plane=True, speed=1000.0, start=0.0)
    turn = model.kinematics(until=1.0, steps=4)
    with pytest.raises(BadNumber, match=r"b0.solid - b1.solid.*give a larger one"):
        turn.interference(tolerance=1e-9)
    assert turn.interference(tolerance=1.0).is_clear


def test_a_notched_plate_lets_a_pin_into_its_notch():
    """A U of width 1 with a slot of 0.4: a pin of radius 0.1 enters it and meets the bottom."""
    u = Plate(
        ((0, -0.5), (1, -0.5), (1, -0.2), (0.3, -0.2), (0.3, 0.2), (1, 0.2), (1, 0.5), (0, 0.5)),
        0.1,
    )
    model = slides((Sphere(0.1), (0, 0)), (u, (0, 0)), plane=True, start=2.0, speed=-1.0)
    pair = model.kinematics(until=1.9, steps=12).interference()["b0", "b1"]
    (touch,) = pair.touches
    assert touch.start == pytest.approx(2 - 0.4, abs=TIMES)
    assert not touch.ends
    assert not pair.is_depth_exact


def test_shapes_in_other_layers_of_the_plane_do_not_touch():
    for height, count in ((0.0, 1), (0.2, 0)):
        m = kempe.Builder("layers", plane=True)
        arm = m.bar("arm", 1.0)
        m.revolute(m.ground.at(0, 0), arm.start)
        m.shape(arm, Cuboid((1.0, 0.1, 0.1)), at=(0.5, 0, height), name="beam")
        m.shape(m.ground, Cuboid((0.1, 0.1, 0.1)), at=(0.7, 0.3), name="block")
        m.drive(arm.angle, speed=1)
        found = m.build().kinematics(until=1.0).interference()
        assert len(found.touching) == count


def test_shapes_that_meet_in_a_joint_are_left_out_unless_asked_for():
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=36)
    found = turn.interference()
    assert found.left_out == (
        ("crank.outline", "coupler.outline", "B"),
        ("coupler.outline", "rocker.outline", "C"),
    )
    assert found.is_clear
    joined = turn.interference(joined=True)
    assert {pair.joint for pair in joined.touching} == {"B", "C"}
    assert not joined.left_out


def test_bodies_on_one_pin_of_a_third_are_joined_too():
    found = kempe.gallery.excavator_arm().kinematics(until=0.1, steps=4).interference()
    told = {(first, second): joint for first, second, joint in found.left_out}
    assert told["link.outline", "curl_rod.outline"] == "knuckle and curl_eye"


def test_what_comes_nearer_than_a_margin_counts_as_touching():
    model = slides((Sphere(0.3), (0, 0)), (Sphere(0.2), (0, 0.7)), plane=True)
    turn = model.kinematics(until=4.0, steps=10)
    assert turn.interference(margin="199 mm").is_clear
    (touch,) = turn.interference(margin=0.3)["b0", "b1"].touches
    reach = math.sqrt(0.8**2 - 0.7**2)
    assert [touch.start, touch.end] == pytest.approx([2 - reach, 2 + reach], abs=TIMES)


def test_only_what_is_named_is_looked_at():
    turn = kempe.gallery.tray_and_post().kinematics(until=1.0, steps=60)
    found = turn.interference(between=["coupler", "ground.post"])
    assert {pair.name for pair in found.pairs} == {
        "coupler.plate - ground.post",
        "coupler.tray - ground.post",
    }
    with pytest.raises(UnknownName, match=r"there is no body or shape 'cuopler'.*coupler"):
        turn.interference(between=["cuopler"])


def test_a_wrong_question_is_refused():
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=4)
    with pytest.raises(BadNumber, match="margin"):
        turn.interference(margin=-1.0)
    with pytest.raises(UnknownName, match="no pair 'crank - coupler' was looked at"):
        turn.interference()["crank", "coupler"]
    m = kempe.Builder("nothing", plane=True)
    m.revolute(m.ground.at(0, 0), m.body("b").at(0, 0))
    m.drive(m.part("b").angle, speed=1)
    with pytest.raises(ModelError, match="fewer than two bodies with a shape"):
        m.build().kinematics(until=1.0, steps=2).interference()


def test_a_touch_that_lasts_is_one_touch():
    """A block slides along a floor it rests on: no gap opens, whatever rounding makes of it."""
    model = slides(
        (Cuboid((0.4, 0.2, 0.2)), (0, 0.1)), (Cuboid((9.0, 0.2, 0.2)), (0, -0.1)), plane=True
    )
    (touch,) = model.kinematics(until=4.0, steps=100).interference()["b0", "b1"].touches
    assert (touch.begins, touch.ends) == (False, False)
    assert touch.depth < LENGTHS


def test_it_reads_as_a_report_and_as_a_table():
    found = kempe.gallery.tray_and_post().kinematics(until=1.0, steps=60).interference()
    lines = str(found).splitlines()
    assert lines[0] == "tray and post: 1 of 9 pairs of shapes touches."
    assert "at least" in lines[1]
    assert "left out" not in str(found)  # crank and coupler lie in other layers
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=4)
    assert "coupler.outline - rocker.outline: left out, they meet in joint 'C'" in str(
        turn.interference()
    )
    rows = found.table()
    assert len(rows) == 9
    assert rows[0]["depth"] == found.touching[0].touches[0].depth
    assert rows[1]["depth"] is None
    gaps = found.gaps()
    for pair in found.pairs:
        assert gaps[pair.name].min() >= pair.gap - LENGTHS
