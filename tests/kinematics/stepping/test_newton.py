"""Newton's tolerance and iterations: what they do to samples, and what is said where they fail."""

import numpy as np
import pytest

from kempe.algebra.native import core
from kempe.cli.motion import motion_of
from kempe.errors import BadNumber
from kempe.gallery import four_bar
from kempe.kinematics.stepping.ending import SweepCost, SweepEnd, ending
from kempe.kinematics.stepping.newton import Newton
from kempe.outcome import Ending
from kempe.results.state import State

# Lengths of the four-bar are about 1 m, so a weighted row of 1 is a gap of about as many metres.
GAP = 10.0
EXACT = 1e-12  # of coordinates about 1: what a converged sample leaves


def gaps(run):
    """How far apart the ends of the joints stand, the largest of every sample."""
    coupler = np.linalg.norm(run["coupler.start"].position - run["crank.end"].position, axis=1)
    rocker = np.linalg.norm(run["coupler.end"].position - run["rocker.end"].position, axis=1)
    return np.maximum(coupler, rocker)


def test_a_loose_tolerance_leaves_gaps_below_it_and_takes_fewer_iterations():
    machine = four_bar()
    usual, loose = machine.kinematics(until=1.0, steps=30), None
    loose = machine.kinematics(until=1.0, steps=30, newton_tolerance=1e-5)
    assert loose.outcome.is_done
    assert loose.motion.counts["iterations"] < usual.motion.counts["iterations"]
    assert gaps(usual).max() < EXACT
    assert EXACT < gaps(loose).max() < GAP * 1e-5
    assert loose.motion.recipe.tolerances["converged"] == 1e-5


def test_with_one_iteration_steps_are_halved_and_samples_are_the_same():
    machine = four_bar()
    usual = machine.kinematics(until=1.0, steps=12)
    once = machine.kinematics(until=1.0, steps=12, newton_iterations=1)
    assert once.outcome.is_done
    assert once.motion.counts["substeps"] > usual.motion.counts["substeps"]
    assert once.motion.control.refusals["too_many_iterations"] > 0
    assert np.abs(once.motion.q - usual.motion.q).max() < EXACT


def test_freedoms_that_move_the_least_take_the_same_limits():
    machine = four_bar()
    few = machine.kinematics(until=1.0, steps=12, free="nearest", newton_iterations=2)
    assert few.outcome.is_done


def test_a_sweep_that_ends_for_its_iterations_says_so_and_what_to_change():
    drives = four_bar().model.drives
    at = State(0.25, np.zeros(9))
    end = SweepEnd(3, core.Refusal.too_many_iterations, at, False, 0.5, 1.0, SweepCost())
    outcome = ending(end, 10, drives, 1.0, "t = {t} s")
    assert outcome.ending is Ending.STEP_TOO_SMALL
    assert "Newton" in outcome.message
    assert outcome.advice == (
        "Allow it more iterations (newton_iterations), or a larger tolerance (newton_tolerance)."
    )


@pytest.mark.parametrize("given", [{"tolerance": 0.1}, {"tolerance": np.nan}, {"iterations": 0}])
def test_limits_that_mean_nothing_are_refused(given):
    with pytest.raises(BadNumber):
        Newton(**given)


def test_a_file_says_both_and_options_come_first(tmp_path):
    path = tmp_path / "rough.yaml"
    run = "{until: 1 s, steps: 30, newton_tolerance: 1.0e-5, newton_iterations: 3}"
    path.write_text(f"version: 1\nuse: gallery/four_bar\nrun: {run}\n")
    by_file, asked = motion_of(str(path), None, None, None)
    assert asked.newton_iterations == 3
    assert by_file.motion.recipe.tolerances["converged"] == 1e-5
    by_option, _ = motion_of(str(path), None, None, None, newton_tolerance=1e-9)
    assert by_option.motion.recipe.tolerances["converged"] == 1e-9
    assert gaps(by_option).max() < GAP * 1e-9 < gaps(by_file).max()
