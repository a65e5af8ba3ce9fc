"""Steps of one length: their order, their cost, and that they never err in silence."""

import math

import numpy as np
import pytest
from scipy.special import ellipj

from kempe.dynamics import FixedStep, Gear
from kempe.errors import BadNumber
from kempe.gallery import COURSES, MECHANISMS, double_pendulum, stiff_flyball_governor
from kempe.outcome import Ending

pytestmark = pytest.mark.core

G = 9.81
# Stages of a step, less the first, which is known, and those that stand where the step starts; and
# one evaluation at its end.
EVALUATIONS = {3: 3, 5: 8}
LOST = {3: 0.3, 5: 1.8}  # of the order, where springs are stiff: order 5 is an order 4 there


@pytest.mark.parametrize("order", [3, 5])
def test_a_swinging_rod_follows_the_elliptic_functions_with_the_stated_order(
    planar_pendulum, order
):
    w0, errors = math.sqrt(1.5 * G), []
    for steps in (50, 100):
        swing = planar_pendulum(-math.pi / 2, spin=w0)
        run = swing.simulate(until=1.0, steps=steps, method=FixedStep(order=order))
        assert run.outcome.is_done
        # at all times: at a single one, errors of two orders may cancel
        expected = 2 * np.arcsin(0.5 * ellipj(w0 * run["rod.angle"].t, 0.25)[0]) - math.pi / 2
        errors.append(np.abs(run["rod.angle"].values - expected).max())
    assert order - 0.3 < math.log2(errors[0] / errors[1]) < order + 0.7


@pytest.mark.parametrize("order", [3, 5])
def test_stiff_springs_take_no_shorter_steps_and_hardly_any_order(order):
    machine, until, errors = stiff_flyball_governor(), 0.25, []
    exact = machine.simulate(until=until, steps=1, method="gear", tolerance=1e-10).motion.q[-1]
    for steps in (25, 50):  # with more, errors of two orders cancel, a billionth of the machine
        step = FixedStep(step=until / steps, order=order)
        run = machine.simulate(until=until, steps=1, method=step)
        assert run.motion.counts["steps"] == steps
        errors.append(np.abs(run.motion.q[-1] - exact).max())
    assert math.log2(errors[0] / errors[1]) > order - LOST[order]


@pytest.mark.parametrize("order", [3, 5])
def test_every_step_costs_the_same(order):
    run = double_pendulum().simulate(until=0.5, steps=200, method=FixedStep(order=order))
    counts = run.motion.counts
    assert counts["steps"] == counts["jacobians"] == 200
    assert counts["rejected"] == 0
    at_the_start = 4
    assert abs(counts["evaluations"] - 200 * EVALUATIONS[order]) <= at_the_start


def test_the_largest_error_is_told_and_a_run_that_errs_more_ends():
    machine = double_pendulum()
    fine = machine.simulate(until=1.0, steps=1000, method="fixed")
    assert fine.outcome.is_done
    assert any("largest error of a step" in note for note in fine.motion.notes)
    coarse = machine.simulate(until=10.0, steps=20, method="fixed")
    assert coarse.outcome.ending is Ending.STEP_TOO_SMALL
    assert "shorter step" in coarse.outcome.advice
    assert len(coarse) < 21


@pytest.mark.parametrize("name", [n for n in COURSES if n != "n_four_bar"])
def test_every_entry_ends_near_the_motion_or_says_that_it_does_not(name):
    """Never a wrong answer in silence: a run that is done has erred by what its step allows."""
    machine, until = MECHANISMS[name](), 0.05 * COURSES[name].until
    exact = machine.simulate(until=until, steps=1, tolerance=1e-10)
    run = machine.simulate(until=until, steps=1, method=FixedStep(step=until / 200))
    if run.outcome.is_done and exact.outcome.is_done:
        size = np.abs(exact.motion.q).max()
        assert np.abs(run.motion.q[-1] - exact.motion.q[-1]).max() < 1e-2 * size
    else:
        assert run.outcome.advice


def test_gear_with_too_few_iterations_ends_and_says_what_to_change():
    hurried = Gear(order=3, step=0.05, newton_iterations=2, newton_tolerance=1e-9)
    run = double_pendulum().simulate(until=5.0, steps=10, method=hurried)
    assert run.outcome.ending is Ending.STEP_TOO_SMALL
    assert "newton_iterations" in run.outcome.advice
    assert run.motion.counts["rejected"] <= 200


@pytest.mark.parametrize("given", [{"step": 0.0}, {"order": 4}, {"most_error": -1.0}])
def test_what_means_nothing_is_refused(given):
    with pytest.raises(BadNumber):
        FixedStep(**given)


@pytest.mark.parametrize("name", ["engine_with_flywheel", "ratchet"])
def test_a_first_step_from_rest_is_compared_with_what_it_reaches(name):
    """Nothing has moved before it; explicit steps that follow their errors say it is near."""
    machine, until = MECHANISMS[name](), COURSES[name].until / 50
    fixed = machine.simulate(until=until, steps=50, method=FixedStep())
    assert fixed.outcome.is_done
    exact = machine.simulate(until=until, steps=50, method="dop853", tolerance=1e-10)
    size = np.abs(exact.motion.q).max()
    assert np.abs(fixed.motion.q - exact.motion.q).max() < 1e-2 * size
