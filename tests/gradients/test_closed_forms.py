"""Gradients of a four-bar are those of its closed form, by a step in the imaginary direction."""

import numpy as np
import pytest
from scipy.optimize import least_squares, minimize

import kempe as kp
from tests.gradients.four_bar_by_jets import by_complex_step, coupler_point

MM = 1e-3
NAMES = ("crank", "coupler", "rocker", "px", "py", "ax", "ay", "bx", "by", "phase", "speed")
HOME = (30.0, 90.0, 70.0, 45.0, 40.0, 0.0, 0.0, 100.0, 0.0, 0.0, 6.0)
DIGITS = 1e-10  # of the largest: what is asked of gradients
STEPS = 24


@kp.parametric
def four_bar(
    crank=30.0, coupler=90.0, rocker=70.0, px=45.0, py=40.0, ax=0.0, ay=0.0, bx=100.0, by=0.0,
    phase=0.0, speed=6.0,
):  # fmt: skip
    m = kp.Builder("four-bar", plane=True, units="mm")
    first, last = m.bar("crank", crank), m.bar("rocker", rocker)
    middle = m.bar("coupler", coupler, points={"P": (px, py)})
    m.revolute(m.ground.at(ax, ay), first.start)
    m.revolute(first.end, middle.start)
    m.revolute(middle.end, last.end)
    m.revolute(last.start, m.ground.at(bx, by))
    m.drive(first.angle, start=phase, speed=speed)
    return m.build()


def closed_form(t, side, order):
    """P (n, 2) in m, or its rates, as a function of the parameters as they are given."""

    def point(*x):
        lengths, rest = x[:9], x[9:]
        jets = coupler_point(t, side, *(MM * v for v in lengths), *rest)
        return np.stack([(j.f, j.d, j.e)[order] for j in jets], axis=-1)

    return point


@pytest.fixture(scope="module")
def run():
    return four_bar().kinematics(until=1.0, steps=STEPS)


@pytest.fixture(scope="module")
def side(run):
    here = run["coupler.P"].position
    return min((1, -1), key=lambda s: np.abs(closed_form(run.t, s, 0)(*HOME) - here).max())


@pytest.mark.parametrize("order", [0, 1, 2])
def test_slopes_of_places_velocities_and_accelerations_are_those_of_the_closed_form(
    run, side, order
):
    true = by_complex_step(closed_form(run.t, side, order), HOME)
    letter = ("", "v", "a")[order]
    for axis, name in enumerate("xy"):
        found = run.gradient(f"coupler.P.{letter}{name}", NAMES)
        assert found.notes == ()
        off = np.abs(found.values - true[:, axis]).max(axis=0)
        assert (off <= DIGITS * np.abs(true[:, axis]).max(axis=0)).all()


def test_a_point_has_its_components_side_by_side_and_parameters_last(run):
    whole = run.gradient("coupler.P", NAMES)
    assert whole.values.shape == (STEPS + 1, 2, len(NAMES))
    assert (whole["px"][:, 1] == run.gradient("coupler.P.y", "px")["px"]).all()
    assert whole.unit == "m"


def objective(steps=STEPS, **changed):
    m = four_bar(**changed)
    names = NAMES[:10]
    points = four_bar(crank=33.0, py=30.0, ax=3.0, phase=0.2).kinematics(until=1.0, steps=steps)
    goal = points["coupler.P"].position
    return m.objective(
        kp.gradients.PathError("coupler.P", goal), names, until=1.0, steps=steps
    ), goal


def test_the_path_error_of_ten_parameters_has_the_slopes_of_the_closed_form(run, side):
    cost, goal = objective()
    x = cost.x0 + np.array([1.0, -2.0, 0.5, 3.0, -1.0, 0.3, 0.2, -0.4, 0.1, 0.05])

    def error(*x):
        off = closed_form(run.t, side, 0)(*x, 6.0) - goal
        return (off * off).sum() / len(goal)

    true = by_complex_step(error, x)
    value, slopes = cost.value_and_gradient(x)
    assert value == pytest.approx(np.real(error(*x)), rel=1e-11)
    assert np.abs(slopes - true).max() <= DIGITS * np.abs(true).max()
    assert cost.notes == ()


def test_residuals_square_to_the_path_error_and_have_its_gradient():
    cost, _ = objective()
    x = cost.x0 + 0.7
    residuals, jacobian = cost.residuals(x), cost.jacobian(x)
    assert residuals @ residuals == pytest.approx(cost.value(x), rel=1e-13)
    both = 2.0 * residuals @ jacobian
    assert both == pytest.approx(cost.gradient(x), rel=1e-9, abs=1e-12 * np.abs(both).max())


def test_scipy_finds_the_four_bar_that_drew_a_curve_without_being_told():
    cost, _ = objective(steps=30)
    found = least_squares(cost.residuals, cost.x0, jac=cost.jacobian, xtol=1e-15, ftol=1e-15)
    assert found.cost < 1e-18
    best = minimize(cost.value_and_gradient, cost.x0, jac=True, options={"gtol": 1e-12})
    assert best.fun < 1e-3 * cost.value(cost.x0)


def test_a_number_that_is_nothing_has_a_slope_too():
    """The ends of bars and grounds at 0 fold into formulas, and must not lose their slopes."""
    run = four_bar().kinematics(until=1.0, steps=8)
    for name in ("ay", "by", "phase"):
        assert np.abs(run.gradient("coupler.P", name).values).max() > 1e-4


def test_a_parameter_without_influence_has_slope_nothing_exactly():
    @kp.parametric
    def idle(length=1.0, nothing=3.0):
        m = kp.Builder("arm", plane=True)
        arm = m.bar("arm", length)
        m.revolute(m.ground.at(0, 0), arm.start)
        m.drive(arm.angle, speed=1.0)
        return m.build()

    slope = idle().kinematics(until=1.0, steps=4).gradient("arm.end")
    assert (slope["nothing"] == 0.0).all()
    assert slope["length"] == pytest.approx(np.column_stack([np.cos(slope.t), np.sin(slope.t)]))


def test_one_parameter_in_two_places_has_the_sum_of_both_slopes():
    @kp.parametric
    def both(size=30.0, far=100.0):
        return four_bar(crank=size, py=2.0 * size - 20.0, bx=far)

    @kp.parametric
    def apart(crank=30.0, py=40.0):
        return four_bar(crank=crank, py=py)

    one = both().kinematics(until=1.0, steps=8).gradient("coupler.P", "size")
    two = apart().kinematics(until=1.0, steps=8).gradient("coupler.P")
    assert one["size"] == pytest.approx(two["crank"] + 2.0 * two["py"], rel=1e-10, abs=1e-15)


def test_slopes_are_per_unit_in_which_a_parameter_is_given():
    def arm(unit):
        @kp.parametric
        def made(length="40 mm" if unit == "mm" else "4 cm"):
            m = kp.Builder("arm", plane=True)
            bar = m.bar("arm", length)
            m.revolute(m.ground.at(0, 0), bar.start)
            m.drive(bar.angle, speed=1.0)
            return m.build()

        return made().kinematics(until=1.0, steps=4).gradient("arm.end.x")["length"]

    assert arm("cm") == pytest.approx(10.0 * arm("mm"), rel=1e-12)
    assert arm("mm")[0] == pytest.approx(1e-3, rel=1e-12)


def test_a_length_that_is_nothing_has_a_slope_to_the_side_it_can_go():
    """A bar of no length: the coupler's point sits in its hinge."""

    @kp.parametric
    def eccentric(offset=0.0):
        m = kp.Builder("arm", plane=True)
        bar = m.bar("arm", 1.0, points={"P": (1.0, offset)})
        m.revolute(m.ground.at(0, 0), bar.start)
        m.drive(bar.angle, speed=1.0)
        return m.build()

    slope = eccentric().kinematics(until=1.0, steps=4).gradient("arm.P")["offset"]
    t = np.linspace(0.0, 1.0, 5)
    assert slope == pytest.approx(np.column_stack([-np.sin(t), np.cos(t)]), abs=1e-13)
