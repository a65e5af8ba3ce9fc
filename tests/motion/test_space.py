"""Certified assemblies in space against Newton's method from many starts and closed forms."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import kempe
from kempe.errors import FormulaError, UnsolvableKind
from kempe.geometry import GROUND, Marker, Rotation
from kempe.joints import (
    Cylindrical,
    PointInPlane,
    Prismatic,
    Spherical,
    Universal,
)
from tests.motion import _machines_in_space as machines

CLOSE = 1e-9  # rows of joints in metres or cosines, of machines of the size of 1
NEAR = 1e-6  # of positions that Newton's method left at 1e-11


def every_one_is_listed(others, listed):
    return all(np.abs(listed - x).max(axis=1).min() < NEAR for x in others)


def test_the_octahedral_platform_has_eight_real_assemblies_of_sixteen():
    a, b, lengths = machines.octahedral()
    mechanism = machines.platform(a, b, lengths)
    found = mechanism.assemblies()
    assert (str(found.outcome), len(found)) == ("complete", 8)
    assert machines.residual(mechanism, found) < CLOSE
    others = machines.platforms_by_newton(a, b, lengths, np.random.default_rng(1))
    assert len(others) == 8
    assert every_one_is_listed(others, machines.all_poses(found, "plate"))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("flat", [True, False])
def test_platforms_have_the_assemblies_that_newton_finds(seed, flat):
    rng = np.random.default_rng(seed)
    a, b, lengths = machines.random_platform(rng, flat=flat)
    mechanism = machines.platform(a, b, lengths)
    found = mechanism.assemblies()
    assert str(found.outcome) == "complete"
    assert len(found) % 2 == 0
    assert len(found) <= 40
    assert ("dual quaternion" in found.form) != flat
    assert machines.residual(mechanism, found) < CLOSE
    others = machines.platforms_by_newton(a, b, lengths, rng)
    assert len(others) == len(found)
    assert every_one_is_listed(others, machines.all_poses(found, "plate"))


def test_legs_with_crosses_are_rods_and_say_what_is_left_out():
    mechanism = kempe.gallery.stewart()
    found = mechanism.assemblies(at=0)
    assert (str(found.outcome), len(found)) == ("complete", 8)
    assert machines.residual(mechanism, found) < CLOSE
    assert "turned half round" in found.message
    here = mechanism.assemble().poses["platform"]
    mine = np.array([*here.position, *here.rotation.matrix().ravel()])
    assert every_one_is_listed([mine], machines.all_poses(found, "platform"))


@pytest.mark.parametrize("seed", range(3))
def test_arms_reach_the_hand_in_the_ways_that_newton_finds(seed):
    rng = np.random.default_rng(seed)
    links, hand = machines.random_arm(rng)
    mechanism = machines.arm(links, hand)
    found = mechanism.assemblies()
    assert str(found.outcome) == "complete"
    assert len(found) <= 16
    assert machines.residual(mechanism, found) < CLOSE
    others = machines.arms_by_newton(links, hand, rng)
    assert len(others) == len(found)
    names = [f"hinge{k + 1}.angle" for k in range(6)]
    angles = np.array([[state[name] for name in names] for state in found])
    assert every_one_is_listed(others, np.hstack([np.cos(angles), np.sin(angles)]))


@pytest.mark.parametrize("seed", range(20))
def test_a_spherical_four_bar_closes_where_the_cosine_rule_says(seed):
    rng = np.random.default_rng(seed)
    crank, coupler, rocker, base = rng.uniform(0.4, 1.4, 4)
    angle = float(rng.uniform(-3, 3))
    mechanism = machines.spherical_four_bar((crank, coupler, rocker, base), rng.normal(size=3))
    found = mechanism.assemblies({"crank_hinge.angle": angle})
    # the arc between the crank's end and the rocker's base, by the numbers of two turns
    R = Rotation.planar(angle).matrix() @ Rotation.about((1, 0, 0), crank).matrix()
    across = R[:, 2] @ Rotation.about((1, 0, 0), -base).matrix()[:, 2]
    arc = math.acos(across)
    closes = abs(coupler - rocker) < arc < coupler + rocker
    assert (str(found.outcome), len(found)) == ("complete", 2 if closes else 0)
    assert machines.residual(mechanism, found) < CLOSE


@pytest.mark.parametrize("start", [0.0, 0.7, 2.9, -1.3])
def test_the_rssr_closes_in_the_two_ways_of_its_cosine_equation(start):
    mechanism = kempe.gallery.rssr(start=start)
    found = mechanism.assemblies(at=0)
    told = [kempe.gallery.rssr(start=start, upper=upper).assemble() for upper in (True, False)]
    wanted = sorted(float(one["rocker_bearing.angle"]) for one in told)
    listed = sorted(float(one["rocker_bearing.angle"]) for one in found)
    assert str(found.outcome) == "complete"
    np.testing.assert_allclose(np.cos(listed), np.cos(wanted), atol=CLOSE)
    np.testing.assert_allclose(np.sin(listed), np.sin(wanted), atol=CLOSE)


def four_bar(lengths, axis):
    m = kempe.Builder("four-bar in space")
    R = Rotation.with_z(axis)
    bars = [
        m.body(name, points={"start": (0, 0, 0), "end": (length, 0, 0)})
        for name, length in zip("abc", lengths, strict=False)
    ]
    foot = tuple(float(c) for c in R.x * lengths[3])
    m.revolute(Marker(GROUND, rotation=R), bars[0].start, name="h1")
    m.revolute(bars[0].end, bars[1].start, name="h2")
    m.revolute(bars[1].end, bars[2].end, name="h3")
    m.revolute(Marker(GROUND, foot, R), bars[2].start, name="h4")
    return m.build()


@pytest.mark.parametrize("axis", [(0, 0, 1), (1, 2, 3), (-0.3, 0.1, -1)])
@pytest.mark.parametrize("angle", [1.0, 3.0])
def test_a_planar_four_bar_in_space_has_its_planar_assemblies(axis, angle):
    lengths = (1.0, 3.0, 2.5, 2.8)
    found = four_bar(lengths, axis).assemblies({"h1.angle": angle})
    apart = math.dist((math.cos(angle), math.sin(angle)), (lengths[3], 0.0))
    closes = abs(lengths[1] - lengths[2]) < apart < lengths[1] + lengths[2]
    # Tilted, its pivots lie in one plane but for rounding: that they do so exactly is not proved.
    promise = "complete" if axis == (0, 0, 1) else "numerical"
    assert (str(found.outcome), len(found)) == (promise, 2 if closes else 0)
    along = math.atan2(-math.sin(angle), lengths[3] - math.cos(angle))
    cosine = (apart**2 + lengths[1] ** 2 - lengths[2] ** 2) / (2 * apart * lengths[1])
    wanted = [along + side * math.acos(cosine) - angle for side in (-1, 1)]
    listed = [float(state["h2.angle"]) for state in found]
    apart_by = np.abs(np.exp(1j * np.subtract.outer(listed, wanted)) - 1.0)
    assert apart_by.min(axis=0).max() < CLOSE


def test_a_rod_body_between_balls_is_a_distance_and_its_spin_is_told():
    m = kempe.Builder("rod between balls")
    ends = {"start": (0.0, 0.0, 0.0), "end": (1.0, 0.0, 0.0)}
    crank = m.body("crank", points=ends)
    rocker = m.body("rocker", points={"start": (0, 0, 0), "end": (2.0, 0, 0)})
    rod = m.body("rod", points={"start": (0, 0, 0), "end": (2.5, 0, 0)})
    m.revolute(Marker(GROUND), crank.start, name="crank_bearing")
    at = Marker(GROUND, (2.0, 0.3, 0.4), Rotation.about((1, 0, 0), 1.1))
    m.revolute(at, rocker.start, name="rocker_bearing")
    m.add(Spherical(crank.end, rod.start))
    m.add(Spherical(rod.end, rocker.end))
    mechanism = m.build()
    found = mechanism.assemblies({"crank_bearing.angle": 0.4})
    assert (str(found.outcome), len(found)) == ("complete", 2)
    assert "can spin" in found.message
    assert machines.residual(mechanism, found) < CLOSE


def test_slides_and_sleeves_have_their_displacement_for_unknown():
    m = kempe.Builder("slider on skew rail")
    crank = m.body("crank", points={"start": (0, 0, 0), "end": (1.0, 0, 0)})
    rod = m.body("rod", points={"start": (0, 0, 0), "end": (3.0, 0, 0)})
    block = m.body("block", points={"P": (0, 0, 0)})
    m.revolute(Marker(GROUND), crank.start, name="bearing")
    rail = Marker(GROUND, (0.2, 0.5, 0.1), Rotation.with_z((1.0, 0.2, -0.4)))
    m.add(Prismatic(rail, block.P), "rail")
    m.add(Spherical(crank.end, rod.start))
    m.add(Spherical(rod.end, block.P))
    mechanism = m.build()
    found = mechanism.assemblies({"bearing.angle": 0.8})
    assert (str(found.outcome), len(found)) == ("complete", 2)
    assert machines.residual(mechanism, found) < CLOSE
    # |p + s z - q|^2 = 9
    z = rail.rotation.matrix()[:, 2]
    d = np.array(rail.position) - [math.cos(0.8), math.sin(0.8), 0.0]
    half = math.sqrt((d @ z) ** 2 - d @ d + 9.0)
    listed = sorted(float(state["rail.displacement"]) for state in found)
    np.testing.assert_allclose(listed, [-(d @ z) - half, -(d @ z) + half], atol=CLOSE)
    one = mechanism.assemblies({"bearing.angle": 0.8}, limits={"rail.displacement": (0.0, 10.0)})
    assert len(one) == 1


def test_joints_that_contradict_welded_bodies_are_not_forgotten():
    m = kempe.Builder("welded twice")
    body = m.body("body", points={"A": (0, 0, 0), "B": (1.0, 0, 0)})
    m.fixed(m.ground.at(0, 0, 0), body.A)
    m.add(Spherical(m.ground.at(1.1, 0, 0), body.B), "ball")
    found = m.build().assemblies()
    assert (str(found.outcome), len(found)) == ("complete", 0)
    assert "ball" in found.message


@dataclass(frozen=True)
class Foreign(kempe.AbstractJoint):
    """The origins of I and J are 1 m apart, by a function that takes nothing but numbers."""

    rows: ClassVar[tuple[str, ...]] = ("m",)
    symbol: ClassVar[str] = "rod"
    traced: ClassVar[bool] = False

    def phi(self, X_WI, X_WJ):
        return [math.dist(X_WJ.position, X_WI.position) - 1.0]


def test_what_cannot_be_enclosed_is_refused_by_name():
    m = kempe.Builder("foreign")
    arm = m.body("arm", points={"O": (0, 0, 0), "P": (1, 0, 0)})
    m.revolute(Marker(GROUND), arm.O, name="hinge")
    m.add(Foreign(Marker(GROUND, (0.0, 1.0, 0.5)), arm.P), "rod")
    with pytest.raises(FormulaError, match=r"'rod'.*need formulas"):
        m.build().assemblies()
    with pytest.raises(UnsolvableKind, match="independent way"):
        kempe.gallery.rssr().assemblies()


def test_a_joint_of_one_formula_is_written_by_it():
    m = kempe.Builder("own joint")
    arm = m.body("arm", points={"O": (0, 0, 0), "P": (1, 0, 0)})
    m.revolute(Marker(GROUND), arm.O, name="hinge")
    m.add(Apart(Marker(GROUND, (0.0, 1.0, 0.5)), arm.P), "rod")
    found = m.build().assemblies()
    # |(cos a, sin a, 0) - (0, 1, 1/2)|^2 = 1: sin a = 5/8
    assert (str(found.outcome), len(found)) == ("complete", 2)
    sines = [math.sin(float(state["hinge.angle"])) for state in found]
    np.testing.assert_allclose(sines, 0.625, atol=CLOSE)


@dataclass(frozen=True)
class Apart(kempe.AbstractJoint):
    """The origins of I and J are 1 m apart."""

    rows: ClassVar[tuple[str, ...]] = ("m",)
    symbol: ClassVar[str] = "rod"

    def phi(self, X_WI, X_WJ):
        return [(X_WJ.position - X_WI.position).square - 1.0]


def test_crosses_join_shafts_in_the_two_ways_of_cardan():
    bend = 0.6
    m = kempe.Builder("cross")
    driving = m.body("driving", points={"O": (0, 0, 0)})
    driven = m.body("driven", points={"O": (0, 0, 0)})
    m.revolute(Marker(GROUND), driving.O, name="first")
    m.revolute(Marker(GROUND, rotation=Rotation.about((0, 1, 0), bend)), driven.O, name="second")
    arm = Rotation.with_z((1.0, 0.0, 0.0))
    other = Rotation.with_z((0.0, 1.0, 0.0))
    cross = Universal(Marker("driving", rotation=arm), Marker("driven", rotation=other))
    m.add(cross, "cross")
    mechanism = m.build()
    found = mechanism.assemblies({"first.angle": 0.9})
    assert (str(found.outcome), len(found)) == ("complete", 2)
    # x_1 = (cos a, sin a, 0) square to y_2 = (-sin b cos bend, cos b, ...)
    told = [math.tan(float(state["second.angle"])) for state in found]
    np.testing.assert_allclose(told, math.tan(0.9) / math.cos(bend), atol=CLOSE)


def test_a_sleeve_reaches_a_point_beside_its_bar_in_four_ways():
    m = kempe.Builder("sleeve")
    bar = m.body("bar", points={"O": (0, 0, 0)})
    sleeve = m.body("sleeve", points={"P": (0, 0.5, 0)})
    m.revolute(Marker(GROUND), bar.O, name="bearing")
    along = Rotation.with_z((1.0, 0.0, 0.0))
    m.add(Cylindrical(Marker("bar", rotation=along), Marker("sleeve", rotation=along)), "bore")
    m.add(Spherical(Marker(GROUND, (3.0, 4.0, 0.3)), sleeve.P), "ball")
    mechanism = m.build()
    found = mechanism.assemblies()
    assert (str(found.outcome), len(found)) == ("complete", 4)
    assert machines.residual(mechanism, found) < CLOSE
    # 0.5 from the bar and 0.3 above it: 0.4 beside it, 5 from the bearing
    far = math.sqrt(25.0 - 0.4**2)
    listed = sorted(float(state["bore.displacement"]) for state in found)
    np.testing.assert_allclose(listed, [-far, -far, far, far], atol=CLOSE)


def test_bodies_whose_joints_are_all_held_stand_where_they_are_held():
    """Nothing is left unknown, and a body in space has its pose of space all the same."""
    m = kempe.Builder("held")
    arm = m.body("arm", points={"start": (0, 0, 0), "end": (1, 0, 0)})
    ram = m.body("ram", points={"start": (0, 0, 0)})
    m.revolute(Marker(GROUND), arm.start, name="hinge")
    m.add(Prismatic(arm.end, ram.start), "slide")
    (only,) = (found := m.build().assemblies({"hinge.angle": 0.3, "slide.displacement": 0.5}))
    assert str(found.outcome) == "complete"
    assert [*only.poses["ram"].position] == pytest.approx([math.cos(0.3), math.sin(0.3), 0.5])


def test_a_slide_that_a_plane_stops_is_the_one_unknown_there_is():
    """z of a slider that leans at 60 deg is sin(60 deg) of its way."""
    m = kempe.Builder("slider")
    block = m.body("block", points={"O": (0, 0, 0)})
    lean = Rotation.about((1, 0, 0), math.radians(30.0))
    m.add(Prismatic(Marker(GROUND, rotation=lean), block.O), "slide")
    m.add(PointInPlane(Marker(GROUND), block.O, offset=0.4), "floor")
    (only,) = (found := m.build().assemblies())
    assert found.form == "displacements of slides"
    assert only.poses["block"].position.z == pytest.approx(0.4)
    assert only["slide.displacement"] == pytest.approx(0.4 / math.cos(math.radians(30.0)))
