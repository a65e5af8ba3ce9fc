"""Linear rows are solved for, and what is left without unknowns is proved, or called unproved."""

import math

import numpy as np

from kempe.motion.reduction import reduced
from kempe.motion.search import Effort
from kempe.motion.solution import motions
from kempe.motion.system import Equations
from kempe.results.promise import Promise


def circle_with_a_slider(again):
    """x^2 + y^2 = 1, and z = sqrt(2) said twice: as it is, and as `again` says."""
    found = Equations()
    x, y = found.unknown("x", -1.0, 1.0), found.unknown("y", -1.0, 1.0)
    z = found.unknown("z", -4.0, 4.0)
    found.equate(x * x + y * y - 1.0, "circle")
    found.equate(z - np.sqrt(found.number(2.0)), "slider")
    found.equate(z - again(found), "guide")
    return reduced(found)


def test_a_row_that_repeats_another_to_rounding_is_called_undecided():
    system = circle_with_a_slider(lambda e: e.number(2.0) / np.sqrt(e.number(2.0)))
    assert system.undecided == ("guide",) or system.undecided == ("slider",)
    assert not system.contradiction
    found = motions(system, "circle", (), Effort())
    assert found.outcome is Promise.NUMERICAL
    assert "not proved" in found.message


def test_a_row_that_contradicts_another_is_found_without_fractions():
    system = circle_with_a_slider(lambda e: np.sqrt(e.number(math.nextafter(2.0, 3.0)) + 1e-9))
    assert system.contradiction
    assert motions(system, "circle", (), Effort()).outcome is Promise.COMPLETE


def test_a_row_that_repeats_another_exactly_changes_no_promise():
    system = circle_with_a_slider(lambda e: np.sqrt(e.number(2.0)))
    assert motions(system, "circle", (), Effort()).outcome is Promise.COMPLETE
