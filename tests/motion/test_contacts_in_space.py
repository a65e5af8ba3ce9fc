"""Bodies in space that touch curves and surfaces of bodies that turn, against closed forms."""

import math

import numpy as np
import pytest

import kempe
from kempe.geometry import GROUND, Marker, Rotation
from kempe.geometry.curves import Circle, Segment
from kempe.geometry.surfaces import PlaneSurface, RuledSurface, SphereSurface
from kempe.joints import (
    BarOffSurface,
    BarOnSurface,
    FaceOnSurface,
    PointOnCurve,
    PointOnSurface,
    Prismatic,
)

CLOSE = 1e-9
ZERO = (0.0, 0.0, 0.0)
STEP = 0.05


def crank_and_slider(away):
    """A crank about z and a slider along z at (away, 0), its point P where it is put."""
    m = kempe.Builder("crank and slider")
    crank, slider = m.body("crank"), m.body("slider", points={"P": ZERO})
    m.revolute(Marker(GROUND), crank.at(*ZERO), name="crank_hinge")
    m.add(Prismatic(Marker(GROUND, (away, 0.0, 0.0)), slider.P), "guide")
    return m, crank, slider


def along(mechanism, found):
    """(k, 2): the crank's angle and the slider's height along all components."""
    told = [mechanism.follow(c, STEP) for c in found.components]
    pairs = [
        np.column_stack([t["crank_hinge.angle"].values, t["guide.displacement"].values])
        for t in told
    ]
    return np.concatenate(pairs)


def test_a_pin_in_a_tilted_ring_that_turns_has_the_four_places_of_a_line_and_a_ring():
    tilt, away = 0.5, 0.9
    m, _, slider = crank_and_slider(away)
    ring = Circle(ZERO, 1.0)
    leaning = Marker("crank", ZERO, Rotation.about((1, 0, 0), tilt))
    m.add(PointOnCurve(leaning, slider.P, curve=ring), "ring")
    found = m.build().assemblies()
    # (x, y, z) = (cos t, sin t cos tilt, sin t sin tilt) is `away` from the axis
    sine = math.sqrt(1.0 - away**2) / math.sin(tilt)
    wanted = sorted(side * sine * math.sin(tilt) for side in (-1, -1, 1, 1))
    assert (str(found.outcome), len(found)) == ("complete", 4)
    assert found.form.endswith("places on curves and surfaces")
    heights = sorted(float(s["guide.displacement"]) for s in found)
    np.testing.assert_allclose(heights, wanted, atol=CLOSE)


def test_a_follower_on_a_ball_beside_its_shaft_rises_as_pythagoras_says():
    radius, aside, away = 1.0, 0.3, 0.4
    m, crank, slider = crank_and_slider(away)
    ball = SphereSurface((aside, 0.0, 0.0), radius)
    m.add(PointOnSurface(crank.at(*ZERO), slider.P, surface=ball), "ball")
    mechanism = m.build()
    found = mechanism.motions()
    assert str(found) == "crank and slider: 2 loops - complete."
    angle, height = along(mechanism, found).T
    square = aside**2 + away**2 - 2.0 * aside * away * np.cos(angle)
    np.testing.assert_allclose(np.abs(height), np.sqrt(radius**2 - square), atol=CLOSE)


def test_a_wavy_rim_that_turns_carries_its_ball_once_round():
    cam = kempe.gallery.barrel_cam()
    found = cam.motions()
    assert str(found) == "barrel cam: 1 loop - complete."
    rise = cam.follow(found.components[0], STEP)["follower.P"].position[:, 2]
    assert np.ptp(rise) == pytest.approx(0.03, abs=1e-4)  # samples near its ends, not at them


@pytest.mark.parametrize("gap", [0.0, 0.2])
def test_a_leaning_rod_that_turns_keeps_off_a_ball_by_the_distance_of_lines(gap):
    radius, away, reach, lean = 0.5, 0.8, 0.25, 0.4
    m, _, _ = crank_and_slider(away)
    ball = Marker("slider", ZERO)
    d = np.array([0.0, math.sin(lean), math.cos(lean)])
    ends = [Marker("crank", tuple(np.array([reach, 0.0, 0.0]) + s * d)) for s in (-3.0, 3.0)]
    surface = SphereSurface(ZERO, radius)
    rest = {"surface": surface, "K": ends[1], "bar": 6.0}
    touch = (
        BarOffSurface(ball, ends[0], length=gap, **rest)
        if gap
        else BarOnSurface(ball, ends[0], **rest)
    )
    m.add(touch, "touch")
    mechanism = m.build()
    with pytest.raises(kempe.errors.Unbounded, match=r"guide\.displacement"):
        mechanism.motions()  # a line has no end: where it touches is bounded by its slope alone
    found = mechanism.motions(limits={"guide.displacement": (-4.0, 4.0)})
    assert (str(found.outcome), len(found) > 0) == ("complete", True)
    angle, height = along(mechanism, found).T
    # the ball's middle as the crank sees it, and its distance from the rod's line
    seen = np.column_stack([away * np.cos(angle), -away * np.sin(angle), height])
    off = np.linalg.norm(np.cross(seen - [reach, 0.0, 0.0], d), axis=1)
    np.testing.assert_allclose(off, radius + gap, atol=CLOSE)


def test_a_swash_plate_lifts_a_ball_as_its_plane_leans():
    tilt, away, radius = 0.4, 0.7, 0.2
    m, _, _ = crank_and_slider(away)
    R = Rotation.about((1, 0, 0), tilt)
    corners = [tuple(R.apply(kempe.geometry.Vector(*p))) for p in (ZERO, (1, 0, 0), (0, 1, 0))]
    plate = [Marker("crank", corner) for corner in corners]
    ball = SphereSurface(ZERO, radius)
    m.add(FaceOnSurface(Marker("slider"), plate[0], K=plate[1], L=plate[2], surface=ball), "plate")
    mechanism = m.build()
    found = mechanism.motions(limits={"guide.displacement": (-2.0, 2.0)})
    assert str(found) == "crank and slider: 2 loops - complete."
    angle, height = along(mechanism, found).T
    # n . p = +- radius, with n = (0, -sin tilt, cos tilt) on the crank
    lean = -away * np.sin(angle) * -math.sin(tilt) + height * math.cos(tilt)
    np.testing.assert_allclose(np.abs(lean), radius, atol=CLOSE)


def test_a_rocking_ring_lifts_its_plate_by_the_height_of_its_highest_point():
    lifter = kempe.gallery.ring_lifter()
    found = lifter.motions({}, limits={"spindle.angle": (0.3, 2.8)})
    heights = []
    for component in found.components:
        turn = lifter.follow(component, STEP)
        angle, height = turn["spindle.angle"].values, turn["guide.displacement"].values
        lift = 0.08 * np.abs(np.sin(angle))  # of the middle of the tube
        tube = np.abs(np.abs(height) - lift)
        np.testing.assert_allclose(tube, 0.015, atol=CLOSE)
        heights.append(np.abs(height).max())
    assert max(heights) == pytest.approx(0.095, abs=1e-4)


def test_shafts_of_a_constant_velocity_joint_turn_alike():
    joint = kempe.gallery.constant_velocity()
    found = joint.motions()
    (loop,) = found.components
    turn = joint.follow(loop, STEP)
    names = [j.name for j in joint.layout.model.joints if hasattr(j, "freedom")][:2]
    first, second = (np.unwrap(turn[f"{name}.angle"].values) for name in names)
    gap = (first - second) if np.ptp(first - second) < 1.0 else (first + second)
    np.testing.assert_allclose(gap, gap[0], atol=CLOSE)


def test_a_ruled_ramp_that_turns_has_ends_where_its_edges_are():
    """A point on a plank of a crank: limits are the edges of the patch."""
    m, crank, slider = crank_and_slider(0.5)
    edges = [Segment((0.2, y, 0.1), (0.8, y, 0.3)) for y in (-0.2, 0.2)]
    m.add(PointOnSurface(crank.at(*ZERO), slider.P, surface=RuledSurface(*edges)), "plank")
    mechanism = m.build()
    found = mechanism.motions()
    (arc,) = found.components
    assert (str(found.outcome), arc.closed) == ("complete", False)
    assert {end.limit.partition(" ")[0] for end in arc.ends} == {"plank.v"}
    angle, height = along(mechanism, found).T
    # z = 0.1 + (x - 0.2) / 3 with x = 0.5 cos(angle) on the crank
    np.testing.assert_allclose(height, 0.1 + (0.5 * np.cos(angle) - 0.2) / 3.0, atol=CLOSE)
    assert np.abs(0.5 * np.sin(angle)).max() == pytest.approx(0.2, abs=CLOSE)


def test_a_plane_on_a_part_that_turns_needs_no_place():
    m, crank, slider = crank_and_slider(0.5)
    slope = PlaneSurface(normal=(0.6, 0.0, 0.8))
    m.add(PointOnSurface(crank.at(*ZERO), slider.P, surface=slope), "slope")
    found = m.build().motions()
    assert str(found) == "crank and slider: 1 loop - complete."
    assert not any(name.startswith("slope") for name in found.unknowns)
