"""The power balance of every entry that forces move: nothing is lost but what is told.

Drives, springs, friction, impacts and contact: kinetic + potential + dissipated - driven energy is
the same at all times. The works are integrated with the state, so that the balance errs as the
motion does: by a few tolerances for each unit of time that the machine has.
"""

import numpy as np
import pytest

from kempe import Trajectory
from kempe.gallery import COURSES, MECHANISMS

#: Of the largest energy, at the tolerance FINE.
CLOSED = 1e-8
FINE = 1e-10
#: Of the largest energy, for each unit of the tolerance: what errors of steps add up to.
ADDED_UP = 60.0
DEFAULT = 1e-8
#: What rounding alone leaves of a balance over thousands of steps.
ROUNDING = 1e-13


def gap(motion: Trajectory) -> float:
    """How far the balance strays over the course, of the largest energy there is in it."""
    energy = motion.energy
    parts = (energy.kinetic, energy.potential, energy.dissipated, energy.driven)
    largest = max(float(np.abs(part).max()) for part in parts)
    assert largest > 0.0
    return float(np.ptp(energy.total)) / largest


@pytest.mark.parametrize("name", COURSES)
def test_the_balance_closes_and_does_so_better_at_a_finer_tolerance(name: str) -> None:
    until = COURSES[name].until
    coarse, fine = (
        MECHANISMS[name]().simulate(until=until, steps=200, tolerance=tolerance)
        for tolerance in (DEFAULT, FINE)
    )
    assert coarse.outcome.is_done
    assert fine.outcome.is_done
    assert gap(coarse) < ADDED_UP * DEFAULT
    assert gap(fine) < CLOSED
    assert gap(fine) < max(0.1 * gap(coarse), ROUNDING)
