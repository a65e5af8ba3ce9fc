"""A block on a belt: it sticks and slips as its docstring says."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber

G = 9.81
EXACT = 1e-9  # s, at the tolerance of the run
BALANCED = 1e-8  # of the largest energy


@pytest.mark.parametrize("speed", [0.1, 0.4])
def test_a_block_on_a_belt_sticks_and_slips_for_as_long_as_its_closed_form_says(speed):
    mass, k, sliding, static = 2.0, 40.0, 0.2, 0.35
    oscillator = kempe.gallery.belt_oscillator(speed=speed)
    run = oscillator.simulate(until=10.0, steps=100, tolerance=1e-11)
    A, w = (static - sliding) * mass * G / k, math.sqrt(k / mass)
    slides, sticks = 2.0 / w * (math.pi - math.atan(A * w / speed)), 2.0 * A / speed
    times = np.array([event.t for event in run.events])
    assert times[0] == pytest.approx(static * mass * G / k / speed, abs=EXACT)
    assert np.diff(times)[::2] == pytest.approx(slides, abs=EXACT)
    assert np.diff(times)[1::2] == pytest.approx(sticks, abs=EXACT)
    assert len(times) > 5
    largest = max(run.energy.dissipated.max(), run.energy.potential.max())
    assert np.ptp(run.energy.total) < BALANCED * largest


def test_a_belt_whose_friction_never_lets_go_suddenly_is_refused():
    with pytest.raises(BadNumber, match="must be more than sliding friction"):
        kempe.gallery.belt_oscillator(static=0.2)
