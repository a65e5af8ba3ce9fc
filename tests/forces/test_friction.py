"""Friction of a given size against closed forms: stopping, creeping, Stribeck's curve."""

import math

import numpy as np
import pytest

from kempe import forces
from kempe.drives import Ramp
from kempe.errors import BadNumber

#: Ten times the tolerance of the runs, relative to sizes of 1.
CLOSE = 1e-7
#: Energies at default settings, beside the largest.
BALANCED = 1e-6


def test_a_sliding_block_stops_as_the_smoothed_law_says(slider):
    """m v' = -F tanh(v / c): sinh(v / c) = sinh(v0 / c) exp(-F t / (m c))."""
    mass, sliding, creep, start = 2.0, 3.0, 0.1, 1.5
    m, block = slider(mass)
    m.rate(block.x, start)
    m.force(forces.DryFriction(block.x, sliding, creep), "floor")
    motion = m.build().simulate(until=1.5, steps=30)
    left = np.sinh(start / creep) * np.exp(-sliding * motion.t / (mass * creep))
    speed = creep * np.arcsinh(left)
    assert np.abs(motion["block.x"].rate - speed).max() < CLOSE * start
    assert motion.energy.dissipated[-1] == pytest.approx(0.5 * mass * start**2, rel=1e-3)
    assert np.ptp(motion.energy.total) < BALANCED * motion.energy.kinetic[0]


def test_a_block_stops_where_and_when_coulomb_says(slider):
    """Without smoothing it stops after m v0 / F and m v0^2 / (2 F): a small creep comes near."""
    mass, sliding, start = 2.0, 3.0, 1.5
    m, block = slider(mass, at=0.0)
    m.rate(block.x, start)
    m.force(forces.DryFriction(block.x, sliding, 1e-4))
    time = mass * start / sliding
    motion = m.build().simulate(until=1.5 * time, steps=60)
    v, t = motion["block.x"].rate, motion.t
    assert np.abs(v - np.maximum(start * (1.0 - t / time), 0.0)).max() < 1e-4
    assert motion["block.x"].values[-1] == pytest.approx(mass * start**2 / (2 * sliding), rel=1e-6)


def test_what_should_stick_creeps_as_slowly_as_said(slider):
    """Under a load of half its friction: v = c atanh(1 / 2)."""
    m, block = slider(1.0)
    m.force(forces.DryFriction(block.x, 4.0, 1e-3))
    m.force(forces.Actuator(block.x, Ramp(2.0)))
    motion = m.build().simulate(until=1.0, steps=4)
    assert motion["block.x"].rate[-1] == pytest.approx(1e-3 * math.atanh(0.5), rel=1e-6)


def test_the_curve_of_stribeck_falls_from_breakaway_and_rises_again(slider):
    """At 0.02 m/s = v_s: (2 + (3 - 2) / e) tanh(20) + 5 * 0.02."""
    m, block = slider(1.0)
    m.rate(block.x, 0.02)
    m.force(forces.DryFriction(block.x, 2.0, 1e-3, 3.0, 0.02, 5.0), "seal")
    motion = m.build().simulate(until=1e-3, steps=1)
    wanted = -(2.0 + math.exp(-1.0)) * math.tanh(20.0) - 0.1
    assert motion["seal.effort"].values[0] == pytest.approx(wanted, rel=1e-12)


WRONG = {
    "no friction": {"sliding": 0.0},
    "no creep": {"creep": 0.0},
    "easier to start": {"breakaway": 0.5, "fading": 0.1},
    "breakaway alone": {"breakaway": 1.5},
    "fading alone": {"fading": 0.1},
    "a fluid that drives": {"viscous": -1.0},
    "no number": {"sliding": math.nan},
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_number_of_friction_is_refused_where_it_is_given(slider, wrong):
    _, block = slider()
    with pytest.raises(BadNumber) as caught:
        forces.DryFriction(block.x, **({"sliding": 1.0, "creep": 0.01} | WRONG[wrong]))
    assert len(str(caught.value)) > 20
