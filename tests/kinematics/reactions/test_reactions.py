"""Reactions follow from the motion: Newton, Euler, and the power that goes in."""

from dataclasses import replace

import numpy as np
import pytest

import kempe
from kempe.couplers import RackAndPinion
from kempe.errors import KempeError
from kempe.forces import SpringDamper
from kempe.geometry import Inertia, Marker
from kempe.joints import BarsApart, PointFromBar, Prismatic, Revolute, SkewBars
from kempe.kinematics.observe.observation import observe_gauge, observe_point
from kempe.measures import Distance, Gauge, Turn
from kempe.readings.part_readings import reactions_of

GRAVITY = (0.0, -9.81, 0.0)
# Forces here are sums of a dozen terms below 1e3 N: rounding leaves 1e-12 of them.
ROUNDING = 1e-9


def rod(length: float) -> Inertia:
    """A rod whose centre of mass lies beside its middle line."""
    turning = length**3 / 12
    return Inertia(length, [length / 2, 0.1, 0.0], np.diag([0.01 * length, turning, turning]))


def crank(*, plane: bool) -> kempe.Mechanism:
    m = kempe.Builder("crank", plane=plane, gravity=GRAVITY)
    inertia = Inertia(2.0, [0.5, 0.1, 0.0], np.diag([0.1, 0.2, 0.25]))
    bar = m.bar("crank", 1.0, at=(0, 0), angle=0.3, inertia=inertia)
    m.revolute(m.ground.at(0, 0), bar.start, name="A")
    m.drive(bar.angle, start=0.3, speed=2.0, acceleration=1.0)
    return m.build()


def four_bar(*, plane: bool) -> kempe.Mechanism:
    m = kempe.gallery.four_bar(plane=plane).edit()
    m.gravity = GRAVITY
    model = m.build().model
    for body in model.moving:
        m.replace(body.name, replace(body, inertia=rod(body.points["end"][0])))
    return m.build()


@pytest.mark.parametrize("plane", [True, False])
def test_a_turning_crank_pulls_at_its_hinge_as_newton_and_euler_say(plane: bool) -> None:
    turn = crank(plane=plane).kinematics(until=1.0, steps=10)
    angle = turn["crank.angle"]
    c, s = np.cos(angle.values), np.sin(angle.values)
    centre = np.stack([0.5 * c - 0.1 * s, 0.5 * s + 0.1 * c], axis=1)
    across = np.stack([-centre[:, 1], centre[:, 0]], axis=1)
    acceleration = angle.acceleration[:, None] * across - angle.rate[:, None] ** 2 * centre
    force = 2.0 * (acceleration - np.array(GRAVITY[:2]))
    torque = (0.25 + 2.0 * 0.26) * angle.acceleration + 2.0 * 9.81 * centre[:, 0]
    np.testing.assert_allclose(turn["A.force"].values[:, :2], force, atol=ROUNDING)
    np.testing.assert_allclose(turn["A.torque"].values, 0.0, atol=ROUNDING)
    np.testing.assert_allclose(turn["crank.angle.effort"].values, torque, atol=ROUNDING)


@pytest.mark.parametrize("plane", [True, False])
def test_the_drive_gives_the_power_that_the_bodies_take(plane: bool) -> None:
    mechanism = four_bar(plane=plane)
    turn = mechanism.kinematics(until=1.0, steps=100)
    taken = np.zeros(len(turn))
    for body in mechanism.model.moving:
        assert body.inertia is not None
        x, y, z = body.inertia.centre
        _, v, a = observe_point(turn.layout, turn.motion, Marker(body.name, (x, y, z)))
        angle = turn[f"{body.name}.angle"]
        lift = a - np.array(GRAVITY[: v.shape[1]])
        taken += body.inertia.mass * np.sum(v * lift, axis=1)
        taken += body.inertia.tensor[2, 2] * angle.rate * angle.acceleration
    given = turn["crank.angle.effort"].values * turn["crank.angle"].rate
    np.testing.assert_allclose(given, taken, atol=ROUNDING * np.abs(taken).max())


def test_power_is_that_of_the_motion_also_after_a_dead_point_is_passed() -> None:
    m = kempe.gallery.four_bar(crank=3.0, coupler=3.5, rocker=3.0, ground=4.0).edit()
    m.gravity = GRAVITY
    model = m.build().model
    for body in model.moving:
        m.replace(body.name, replace(body, inertia=rod(body.points["end"][0])))
    turn = m.build().kinematics(until=0.7, steps=200, through="momentum")
    assert len(turn.passes) == 1
    far = np.abs(turn.t - turn.passes[0].t) > 0.02  # beside it both grow without bound
    taken = np.zeros(len(turn))
    for body in m.build().model.moving:
        assert body.inertia is not None
        x, y, z = body.inertia.centre
        _, v, a = observe_point(turn.layout, turn.motion, Marker(body.name, (x, y, z)))
        angle = turn[f"{body.name}.angle"]
        taken += body.inertia.mass * np.sum(v * (a - np.array(GRAVITY[:2])), axis=1)
        taken += body.inertia.tensor[2, 2] * angle.rate * angle.acceleration
    given = turn["crank.angle.power"].values
    size = np.abs(taken[far]).max()
    np.testing.assert_allclose(given[far], taken[far], atol=1e-8 * size)


def test_the_plane_and_space_agree_on_what_is_unique_and_space_says_what_is_not() -> None:
    flat = four_bar(plane=True).kinematics(until=1.0, steps=20)
    deep = four_bar(plane=False).kinematics(until=1.0, steps=20)
    for name in "ABCD":
        force = deep[f"{name}.force"]
        np.testing.assert_allclose(force.values[:, :2], flat[f"{name}.force"].values, atol=ROUNDING)
        assert force.unique == (True, True, False)
        assert deep[f"{name}.torque"].unique == (False, False, True)
        assert all(flat[f"{name}.force"].unique)


def test_the_small_and_the_large_plan_give_the_same_reactions() -> None:
    mechanism = four_bar(plane=True)
    small = mechanism.kinematics(until=1.0, steps=20)["C.force"].values
    large = mechanism.kinematics(until=1.0, steps=20, plan="large")["C.force"].values
    np.testing.assert_allclose(small, large, atol=ROUNDING)


def test_forces_without_masses_are_refused_with_advice() -> None:
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=2)
    with pytest.raises(KempeError, match="give its bodies an inertia"):
        turn["A.force"]


def lift(*, ground_second: bool) -> kempe.Mechanism:
    """A beam that slides up a post which stands beside it; the guide's markers are apart."""
    m = kempe.Builder("lift", gravity=GRAVITY)
    beam = m.body("beam", inertia=Inertia(3.0, [0.4, 0.0, 0.0], np.eye(3)))
    post = m.ground.at(0, -1).facing((0, 1, 0))
    shoe = beam.at(0, 0).facing((0, 1, 0))
    guide = Prismatic(shoe, post) if ground_second else Prismatic(post, shoe)
    joint = m.add(guide, "guide")
    m.drive(joint.displacement, lambda t: (-1 if ground_second else 1) * (1.0 + 2.0 * t * t))
    return m.build()


@pytest.mark.parametrize("ground_second", [True, False])
def test_a_joint_acts_at_its_second_marker_also_where_that_is_on_the_ground(ground_second) -> None:
    up = lift(ground_second=ground_second).kinematics(until=1.0, steps=5)
    weight = 3.0 * (9.81 + 4.0)
    sign = -1.0 if ground_second else 1.0
    expected = np.tile([0.0, 0.0, sign * weight * 0.4], (6, 1))
    np.testing.assert_allclose(up["guide.torque"].values, expected, atol=ROUNDING)
    np.testing.assert_allclose(up["guide.force"].values, 0.0, atol=ROUNDING)
    np.testing.assert_allclose(up["guide.displacement.effort"].values, sign * weight)


def test_power_is_what_a_drive_exerts_times_how_fast_it_goes() -> None:
    up = lift(ground_second=False).kinematics(until=1.0, steps=5)
    power = up["guide.displacement.power"]
    assert power.unit == "W"
    np.testing.assert_allclose(power.values, 3.0 * 13.81 * 4.0 * up.t, atol=ROUNDING)


def test_a_rack_passes_on_the_force_that_its_pinion_needs() -> None:
    m = kempe.Builder("hoist", gravity=GRAVITY, plane=True)
    rack = m.body("rack", at=(0.2, 0), inertia=Inertia(5.0, [0.0, 0.0, 0.0], np.eye(3)))
    pinion = m.body("pinion", at=(0, 0), angle=0.0)
    slide = m.prismatic(m.ground.at(0.2, 0), rack.at(0, 0), along=(0, 1, 0))
    bearing = m.revolute(m.ground.at(0, 0), pinion.at(0, 0), name="bearing")
    m.couple(RackAndPinion((slide.displacement, bearing.angle), radius=0.2), "mesh")
    m.drive(bearing.angle, speed=3.0)
    up = m.build().kinematics(until=1.0, steps=4)
    np.testing.assert_allclose(up["mesh.effort"].values, 5.0 * 9.81)
    assert up["mesh.effort"].unit == "N"
    np.testing.assert_allclose(up["bearing.angle.effort"].values, 0.2 * 5.0 * 9.81)
    np.testing.assert_allclose(up["bearing.angle.power"].values, 0.2 * 5.0 * 9.81 * 3.0)
    with pytest.raises(KempeError, match="no drive acts on 'mesh'"):
        up["mesh.power"]


def test_what_is_determined_turns_with_a_mechanism() -> None:
    """On a table turned by a quarter, the component across the plane is another one."""
    m = four_bar(plane=False).edit()
    table = m.body("table", at=(0, 0))
    upright = [part.at(0, 0).facing((0, 1, 0)) for part in (m.ground, table)]
    axle = m.add(Revolute(*upright), "axle")
    hinges = {joint.name: joint for joint in m.build().model.joints}
    for name in ("A", "D"):
        on_ground = next(k for k in "IJ" if getattr(hinges[name], k).body == "ground")
        place = getattr(hinges[name], on_ground).position
        m.reattach(name, **{on_ground: table.at(*place)})
    m.remove("crank.angle")
    hinge = m.build().model.joint("A")
    m.drive(Gauge("A.angle", Turn(), hinge.I, hinge.J), start=0.1, speed=1.0)
    m.drive(axle.angle, speed=0.5 * np.pi)
    turn = m.build().kinematics(until=1.0, steps=10)
    forces = reactions_of(turn.layout, turn.motion).of_joint("B")
    assert forces.determined[0, :3].tolist() == [True, True, False]
    assert forces.determined[5, :3].tolist() == [False, True, False]
    assert forces.determined[10, :3].tolist() == [False, True, True]
    assert forces.unique[:3] == (False, True, False)
    assert turn["B.force"].unique == (False, True, False)


def test_a_drive_holds_against_a_torsion_spring_through_whole_turns() -> None:
    m = kempe.Builder("mainspring", plane=True)
    drum = m.body("drum", at=(0, 0), angle=0.0)
    axle = m.revolute(m.ground.at(0, 0), drum.at(0, 0), name="axle")
    m.force(SpringDamper(axle.angle, stiffness=0.3, damping=0.02, name="spring"))
    m.drive(axle.angle, rpm=60)
    wound = m.build().kinematics(until=3.0, steps=90)
    turned, rate = wound["axle.angle"].values, 2.0 * np.pi
    effort = wound["axle.angle.effort"].values
    np.testing.assert_allclose(effort, 0.3 * turned + 0.02 * rate, atol=ROUNDING)
    assert effort[-1] > 0.3 * 5.9 * np.pi


@pytest.mark.parametrize("plane", [True, False])
def test_a_coil_spring_pulls_along_itself_and_gives_back_what_it_took(plane: bool) -> None:
    m = four_bar(plane=plane).edit()
    end = m.build().model.body("rocker").marker("end")
    gauge = Gauge("coil", Distance(), m.ground.at(1.0, 3.0), end)
    m.force(SpringDamper(gauge, stiffness=40.0, free=0.5, name="coil"))
    with_spring = m.build().kinematics(until=1.0, steps=400)
    without = four_bar(plane=plane).kinematics(until=1.0, steps=400)
    extra = with_spring["crank.angle.power"].values - without["crank.angle.power"].values
    _, rate, _ = observe_gauge(with_spring.layout, with_spring.motion, gauge)
    length = observe_gauge(with_spring.layout, with_spring.motion, gauge)[0]
    np.testing.assert_allclose(extra, 40.0 * (length - 0.5) * rate, atol=1e-8)


@pytest.mark.parametrize("ground_second", [True, False])
def test_a_bar_holds_up_a_body_that_keeps_its_distance_from_it(ground_second: bool) -> None:
    """A block rests on a level bar and cannot turn: its weight of 9.81 N is all there is."""
    m = kempe.Builder("shelf", plane=True, gravity=GRAVITY)
    block = m.body("block", at=(0.3, 0.5), angle=0.0, inertia=Inertia(1.0, [0, 0, 0], np.eye(3)))
    foot = block.at(0, 0)
    if ground_second:  # the bar is the block's, the point the ground's
        bar = PointFromBar(block.at(-1, 0), m.ground.at(0, 0), K=block.at(1, 0), length=0.5)
    else:
        bar = PointFromBar(m.ground.at(-1, 0), foot, K=m.ground.at(1, 0), length=0.5)
    m.add(bar, "rest")
    m.add(kempe.joints.Absolute(m.ground.at(0, 0), foot, angle=0.0), "upright")
    m.drive(Gauge("across", kempe.measures.Displacement(kempe.X), m.ground.at(0, 0), foot))
    still = m.build().kinematics(until=1.0, steps=2)
    sign = -1.0 if ground_second else 1.0
    np.testing.assert_allclose(still["rest.force"].values, [[0, sign * 9.81]] * 3, atol=ROUNDING)
    assert still["rest.force"].unique == (True, True)


@pytest.mark.parametrize("word", [SkewBars, BarsApart])
def test_torques_of_bars_are_about_the_second_marker_too(word: type) -> None:
    """What two bars do to each other is a force along what joins them, or a couple beside it.

    The body hangs on the one joint and a ball at the joint's second marker, whose force has no
    torque about that marker: the weight's torque about it is the joint's alone.
    """
    m = kempe.Builder("bars", gravity=(0.0, 0.0, -9.81))
    body = m.body("body", at=(0, 0, 1.0), inertia=Inertia(1.0, [0.4, 0.3, 0.0], np.eye(3)))
    start = body.at(0, 0, 0)
    far = body.at(0, 1, -0.75) if word is SkewBars else body.at(1, 0, 0)
    ground = (m.ground.at(-1, 0, 0), m.ground.at(1, 0, 0))
    apart = 0.8 if word is SkewBars else 1.0
    m.add(word(ground[0], start, K=ground[1], L=far, length=apart), "bars")
    m.add(kempe.joints.Spherical(m.ground.at(0, 0, 1), start), "ball")
    motion = m.build().simulate(until=1e-3, steps=1)
    found = reactions_of(motion.layout, motion.motion)
    force, torque = found.of_joint("bars").force[0], found.of_joint("bars").torque[0]
    ball = found.of_joint("ball")
    np.testing.assert_allclose(ball.torque[0], 0.0, atol=ROUNDING)
    # Euler about the centre of mass, which the ball and the bars act beside: T = I alpha
    arm = np.array([-0.4, -0.3, 0.0])
    turned = torque + np.cross(arm, force + ball.force[0])
    alpha = motion.motion.a[0, 3:6]
    np.testing.assert_allclose(turned, alpha, atol=ROUNDING)


def test_a_joint_of_three_bodies_acts_on_each_of_them() -> None:
    """A point kept from a bar that two carriages bear pushes each down by its share."""
    m = kempe.Builder("bridge", plane=True, gravity=GRAVITY)
    weight = Inertia(1.0, [0, 0, 0], np.eye(3))
    block = m.body("block", at=(0.25, 0.5), angle=0.0, inertia=weight)
    left, right = m.body("left", at=(0, 0), angle=0.0), m.body("right", at=(1, 0), angle=0.0)
    m.add(PointFromBar(left.at(0, 0), block.at(0, 0), K=right.at(0, 0), length=0.5), "rest")
    for body, x in ((left, 0.0), (right, 1.0)):
        rail = m.prismatic(m.ground.at(x, 0), body.at(0, 0), along=(0, 1, 0))
        m.drive(rail.displacement, start=0.0)
    place = m.ground.at(0.25, 0), block.at(0, 0)
    m.add(kempe.joints.Absolute(*place, x=0.0, angle=0.0), "guide")
    still = m.build().kinematics(until=1.0, steps=1)
    found = reactions_of(still.layout, still.motion)
    np.testing.assert_allclose(found.of_joint("rest").force[0], [0, 9.81], atol=ROUNDING)
    np.testing.assert_allclose(found.of_joint("rest", on="left").force[0, 1], -0.75 * 9.81)
    np.testing.assert_allclose(found.of_joint("rest", on="right").force[0, 1], -0.25 * 9.81)
    with pytest.raises(KempeError, match="does not hold 'ground'"):
        found.of_joint("rest", on="ground")
