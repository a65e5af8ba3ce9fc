"""Counterweights and springs of machines whose answers are known in closed form."""

import numpy as np
import pytest

import kempe as kp
from kempe.errors import BadNumber, ModelError, UnknownName

CRANK, COUPLER, ROCKER, GROUND = 0.05, 0.15, 0.12, 0.16  # m
MASSES = {"crank": 0.1, "coupler": 0.3, "rocker": 0.2}
RADIUS = 0.04
ROUNDING = 1e-9  # of the force before
WIDE = 1e-6


@kp.parametric
def four_bar(crank=CRANK):
    m = kp.Builder("four-bar", plane=True)
    lengths = {"crank": crank, "coupler": COUPLER, "rocker": ROCKER}
    bars = {
        name: m.bar(name, x, inertia=kp.Inertia(MASSES[name], (x / 2, 0), MASSES[name] * x**2 / 12))
        for name, x in lengths.items()
    }
    m.revolute(m.ground.at(0, 0), bars["crank"].start)
    m.revolute(bars["crank"].end, bars["coupler"].start)
    m.revolute(bars["coupler"].end, bars["rocker"].end)
    m.revolute(bars["rocker"].start, m.ground.at(GROUND, 0))
    m.drive(bars["crank"].angle, rpm=300)
    return m.build()


@pytest.fixture(scope="module")
def found():
    return four_bar().balance({"crank": RADIUS, "rocker": RADIUS}, until=0.2, steps=90)


def test_two_counterweights_cancel_the_force_of_a_four_bar_as_berkof_and_lowen_have_them(found):
    assert found.after.force_size.max() < ROUNDING * found.before.force_size.max()
    half = MASSES["coupler"] / 2  # the coupler's centre is in its middle: half to either pin
    for name, length in (("crank", CRANK), ("rocker", ROCKER)):
        weight = found.counterweights[name]
        product = MASSES[name] * length / 2 + half * length
        assert weight.mass == pytest.approx(product / RADIUS, rel=WIDE)
        assert weight.place == pytest.approx([-RADIUS, 0.0], abs=WIDE * RADIUS)


def test_the_force_that_shakes_is_what_the_bearings_carry():
    machine = four_bar()
    found = machine.balance({"crank": RADIUS}, until=0.2, steps=36)
    run = machine.kinematics(until=0.2, steps=36)
    carried = sum(
        run[f"{joint.name}.force"].values * (1.0 if joint.I.body == "ground" else -1.0)
        for joint in machine.model.joints
        if "ground" in (joint.I.body, joint.J.body)
    )
    sizes = np.linalg.norm(np.asarray(carried).reshape(len(run.t), -1), axis=1)
    assert sizes == pytest.approx(found.before.force_size, rel=1e-8)


def test_the_mechanism_that_comes_back_is_the_balanced_one(found):
    again = found.mechanism.kinematics(until=0.2, steps=90)
    grounded = [j for j in found.mechanism.model.joints if "ground" in (j.I.body, j.J.body)]
    carried = sum(
        again[f"{j.name}.force"].values * (1.0 if j.I.body == "ground" else -1.0) for j in grounded
    )
    assert np.abs(carried).max() < 1e-7 * found.before.force_size.max()


def test_the_moment_is_balanced_with_the_force_where_a_length_weighs_it(found):
    machine = four_bar()
    weighed = machine.balance({"crank": RADIUS, "rocker": RADIUS}, 0.2, 90, length=0.02)

    def total(one):
        force, moment = one.after.force_size, one.after.moment_size / 0.02
        return float((force**2 + moment**2).mean())

    assert total(weighed) < 0.9 * total(found)


def test_a_disk_turned_in_space_is_balanced_along_its_arm():
    m = kp.Builder("arm", plane=False)
    arm = m.body("arm", inertia=kp.Inertia(2.0, (0.0, 0.05, 0.0), np.diag([1e-3, 1e-3, 1e-3])))
    axle = m.revolute(m.ground.at(0, 0, 0), arm.at(0, 0, 0))
    m.drive(axle.angle, rpm=120)
    found = m.build().balance({"arm": 0.1}, until=0.5, steps=24)
    weight = found.counterweights["arm"]
    assert weight.mass == pytest.approx(1.0, rel=WIDE)
    assert weight.place == pytest.approx([0.0, -0.1, 0.0], abs=WIDE)
    assert found.after.moment.shape == (25, 3)


def test_a_spring_is_sized_so_that_a_lamp_needs_no_torque():
    @kp.parametric
    def lamp(stiffness=100.0, free=0.05):
        m = kp.Builder("lamp", plane=True, gravity=(0, -9.81))
        arm = m.bar("arm", 0.5, inertia=kp.Inertia(2.0, (0.4, 0), 0.1))
        m.revolute(m.ground.at(0, 0), arm.start)
        m.force(kp.forces.LineSpring(m.ground.at(0, 0.3), arm.end, stiffness, free=free), "spring")
        m.drive(arm.angle, speed=0.1)
        return m.build()

    turn = ("arm.angle", "-60 deg", "60 deg")
    bounds = {"stiffness": (1.0, 500.0), "free": (0.0, 0.2)}
    found = lamp().lessen(["arm.angle.effort"], bounds, over=turn, steps=24)
    # k h l sin = m g c sin: an ideal spring of no free length carries the arm everywhere,
    # but for the 2 rad/s with which the sweep turns, which asks for no torque about the axle.
    assert found.parameters["stiffness"] == pytest.approx(2.0 * 9.81 * 0.4 / (0.3 * 0.5), rel=1e-5)
    assert found.parameters["free"] == pytest.approx(0.0, abs=1e-6)
    assert found.errors["arm.angle.effort"][1] < 1e-4


@pytest.mark.parametrize(
    ("radii", "more", "kind", "said"),
    [
        ({}, {}, BadNumber, "where do counterweights go"),
        ({"crnk": 0.1}, {}, UnknownName, "crank"),
        ({"crank": -0.1}, {}, BadNumber, "positive"),
        ({"crank": 0.1}, {"length": 0.0}, BadNumber, "length"),
    ],
)
def test_what_means_nothing_is_refused_in_words(radii, more, kind, said):
    with pytest.raises(kind, match=said):
        four_bar().balance(radii, until=0.1, steps=4, **more)


def test_a_machine_without_masses_has_nothing_to_balance():
    with pytest.raises(ModelError, match="nothing shakes"):
        kp.gallery.four_bar().balance({"crank": 0.1}, until=1.0)
