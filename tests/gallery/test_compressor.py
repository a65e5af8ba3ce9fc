"""A compressor runs up: its energies balance, and it ends below the motor's speed."""

import numpy as np
import pytest

from kempe import gallery

#: Of the largest energy.
BALANCED = 1e-8


def test_a_compressor_runs_up_and_its_energies_balance():
    start = gallery.compressor_start().simulate(until=2.0, steps=400, tolerance=1e-10)
    assert start.outcome.is_done
    energy = start.energy
    assert np.ptp(energy.total) < BALANCED * energy.kinetic.max()
    speed = start["crank.angle"].rate
    assert 80.0 < speed[-100:].mean() < 100.0


def test_a_larger_flywheel_runs_more_evenly():
    """The speed swings by work / (J w): a fourth, once the run-up of J w0 / T0 < 2 s is over."""
    ripple = []
    for flywheel in (0.05, 0.2):
        start = gallery.compressor_start(flywheel=flywheel).simulate(until=20.0, steps=4000)
        ripple.append(np.ptp(start["crank.angle"].rate[-200:]))
    assert ripple[1] == pytest.approx(ripple[0] / 4.0, rel=0.3)
