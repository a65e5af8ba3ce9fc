"""Where there is no slope, a typed error says so; where there is one, odd cases have it."""

import pickle

import numpy as np
import pytest

import kempe as kp
from kempe.errors import BadNumber, GradientError, UnknownName
from tests.gradients.test_closed_forms import four_bar


@kp.parametric
def three_parallel(height=1.0, third=1.0):
    """A parallelogram with a third crank, which only fits while it is as long as the others."""
    m = kp.Builder("three", plane=True)
    beam = m.bar("beam", 2.0, points={"M": (1.0, 0.0)})
    for name, x, at, length in (
        ("a", 0.0, beam.start, height), ("b", 2.0, beam.end, height), ("c", 1.0, "M", third),
    ):  # fmt: skip
        bar = m.bar(name, length, angle=1.2)
        m.revolute(m.ground.at(x, 0.0), bar.start)
        m.revolute(bar.end, beam.M if at == "M" else at)
        if name == "a":
            m.drive(bar.angle, start=1.2, speed=0.3)
    return m.build()


def test_a_length_that_others_repeat_cannot_change_alone_and_the_joint_is_named():
    run = three_parallel().kinematics(until=1.0, steps=4)
    assert run.redundant
    with pytest.raises(GradientError, match="cannot change alone"):
        run.gradient("beam.M", "third")


def test_up_to_a_dead_point_there_are_slopes_and_an_objective_says_how_it_ended():
    run = four_bar(crank=70.0).kinematics(until=1.0, steps=60)
    assert run.outcome.name == "DeadPoint"
    assert np.isfinite(run.gradient("coupler.P", "crank").values).all()
    goal = four_bar().kinematics(until=1.0, steps=60)["coupler.P"].position
    cost = four_bar().objective(
        kp.gradients.PathError("coupler.P", goal), ["crank"], until=1.0, steps=60
    )
    with pytest.raises(GradientError) as found:
        cost.value_and_gradient([70.0])
    assert found.value.facts["outcome"] == "DeadPoint"
    assert pickle.loads(pickle.dumps(found.value)).facts == found.value.facts


def test_what_cannot_be_put_together_or_built_is_an_outcome_of_an_objective():
    cost = four_bar().objective(
        lambda r: r["rocker.angle"].max(), ["crank", "bx"], until=1.0, steps=20
    )
    with pytest.raises(GradientError) as found:
        cost.value([30.0, 400.0])
    assert found.value.facts["outcome"] == "NotReached"
    with pytest.raises(GradientError) as found:
        cost.value([-3.0, 100.0])
    assert found.value.facts["outcome"] == "Refused"


def test_a_bend_of_what_builds_is_refused_where_it_is():
    @kp.parametric
    def bent(size=0.0):
        return four_bar(py=40.0 + 5.0 * abs(size))

    run = bent().kinematics(until=1.0, steps=4)
    with pytest.raises(GradientError, match="bend"):
        run.gradient("coupler.P", "size")


def test_cosines_of_parameters_have_their_slopes_and_say_how():
    @kp.parametric
    def turned(angle=40.0):
        bend = np.radians(angle)
        return four_bar(px=60.0 * float(np.cos(bend)), py=60.0 * float(np.sin(bend)))

    slope = turned().kinematics(until=1.0, steps=6).gradient("coupler.P")
    parts = turned().kinematics(until=1.0, steps=6)["coupler.P"]
    both = four_bar(px=60.0 * np.cos(np.radians(40.0)), py=60.0 * np.sin(np.radians(40.0)))
    by = both.kinematics(until=1.0, steps=6).gradient("coupler.P", ["px", "py"])
    turn = 60.0 * np.pi / 180.0 * np.array([-np.sin(np.radians(40.0)), np.cos(np.radians(40.0))])
    assert parts.position == pytest.approx(by.value, abs=1e-12)
    assert slope["angle"] == pytest.approx(by.values @ turn, rel=1e-10, abs=1e-14)
    assert "differences of order eight" in slope.notes[0]


def test_functions_that_hide_the_imaginary_part_have_their_slope_all_the_same():
    run = four_bar().kinematics(until=1.0, steps=12)
    plain = run.gradient(lambda r: (r["coupler.P"] ** 2).sum(), "crank")
    hidden = run.gradient(lambda r: (np.abs(r["coupler.P"]) ** 2).sum(), "crank")
    assert hidden["crank"] == pytest.approx(plain["crank"], rel=1e-9)


def test_a_drive_s_torque_has_the_slopes_of_its_neighbours():
    @kp.parametric
    def weighed(crank=30.0, mass=2.0):
        m = kp.Builder("crank", plane=True, gravity=(0, -9.81), units="mm")
        bob = kp.Inertia(mass, (1e-3 * crank, 0, 0), np.diag([0, 0.1, 0.1]))
        arm = m.bar("arm", crank, inertia=bob)
        m.revolute(m.ground.at(0, 0), arm.start)
        m.drive(arm.angle, speed=2.0)
        return m.build()

    run = weighed().kinematics(until=1.0, steps=8)
    slope = run.gradient("arm.angle.effort")
    weight = 9.81 * np.cos(2.0 * run.t)
    assert slope["mass"] == pytest.approx(0.030 * weight, rel=1e-10, abs=1e-12)
    assert slope["crank"] == pytest.approx(2.0 * 1e-3 * weight, rel=1e-9, abs=1e-12)
    peak = run.gradient(lambda r: r["arm.angle.effort"].max(), "mass")
    assert peak["mass"] == pytest.approx(0.030 * 9.81, rel=1e-9)


def test_wrong_questions_are_told_apart():
    run = four_bar().kinematics(until=1.0, steps=4)
    with pytest.raises(UnknownName, match="Did you mean 'crank'"):
        run.gradient("coupler.P", "crnk")
    with pytest.raises(UnknownName, match="coupler"):
        run.gradient("coupler.Q")
    with pytest.raises(BadNumber, match="function"):
        run.gradient(3.0)
    with pytest.raises(GradientError, match="how its mechanism was made"):
        pickle.loads(pickle.dumps(run)).gradient("coupler.P")
    with pytest.raises(BadNumber, match="4 places"):
        four_bar().objective(
            kp.gradients.PathError("coupler.P", np.zeros((4, 2))), until=1.0, steps=9
        )
    with pytest.raises(UnknownName, match="no parameters"):
        kp.Builder.of(run.layout.model).build().kinematics(until=1.0, steps=4).gradient("coupler.P")


def test_gears_whose_ratio_is_a_parameter_count_their_turns():
    @kp.parametric
    def pair(first=20.0, second=50.0):
        m = kp.Builder("gears", plane=True, units="mm")
        a, b = m.bar("a", 10.0), m.bar("b", 10.0)
        left = m.revolute(m.ground.at(0, 0), a.start, name="left")
        right = m.revolute(m.ground.at(70.0, 0), b.start, name="right")
        gauges = (left.angle, right.angle)
        m.couple(kp.couplers.Combination(gauges, coefficients=(first, second)))
        m.drive(left.angle, speed=40.0)
        return m.build()

    run = pair().kinematics(until=1.0, steps=100)
    slope = run.gradient("right.angle")
    assert slope["first"] == pytest.approx(-40.0 * run.t / 50.0, rel=1e-10, abs=1e-12)
