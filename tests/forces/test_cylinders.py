"""Cylinders and magnets against closed forms."""

import math

import numpy as np
import pytest

from kempe import forces
from kempe.drives import Ramp, TextFormula
from kempe.errors import BadConnection, BadNumber

#: Ten times the tolerance of the runs, relative to sizes of 1.
CLOSE = 1e-7
#: Energies at default settings, beside the largest.
BALANCED = 1e-6


@pytest.mark.row("C11")
def test_a_hydraulic_cylinder_comes_to_the_speed_its_orifice_lets_through(slider):
    """m v' = F - k v^2: v = sqrt(F / k) tanh(sqrt(F k) t / m)."""
    mass, area, ring, orifice = 200.0, 2e-3, 1.2e-3, 4e-6
    m, block = slider(mass)
    cylinder = forces.HydraulicCylinder(block.x, Ramp(50e5), area, orifice, ring, 2e5)
    m.force(cylinder, "cylinder")
    motion = m.build().simulate(until=0.02, steps=40)
    force = 50e5 * area - 2e5 * ring
    k = 870.0 * (area**3 + ring**3) / (2.0 * (0.61 * orifice) ** 2)
    speed = math.sqrt(force / k) * np.tanh(math.sqrt(force * k) * motion.t / mass)
    assert speed[-1] > 0.9 * math.sqrt(force / k)
    assert np.abs(motion["block.x"].rate - speed).max() < CLOSE
    assert motion["cylinder.effort"].values[0] == pytest.approx(force)
    assert np.ptp(motion.energy.total) < BALANCED * motion.energy.kinetic.max()


def test_the_orifice_resists_both_ways(slider):
    """Pushed back without pressure: 1 / v grows by k t / m, whichever way it moves."""
    mass, area, orifice = 200.0, 2e-3, 4e-5
    for way in (1.0, -1.0):
        m, block = slider(mass)
        m.rate(block.x, 0.5 * way)
        m.force(forces.HydraulicCylinder(block.x, Ramp(0.0), area, orifice))
        motion = m.build().simulate(until=2.0, steps=10)
        k = 870.0 * area**3 / (2.0 * (0.61 * orifice) ** 2)
        speed = way / (2.0 + k / mass * motion.t)
        assert np.abs(motion["block.x"].rate - speed).max() < CLOSE


def test_a_magnet_closes_its_gap_in_keplers_time(slider):
    """r'' = -K / (m r^2) from r0: t = sqrt(m r0^3 / 2K) (acos sqrt x + sqrt(x (1 - x)))."""
    mass, turns, area, current, residual, gap = 0.2, 500.0, 1e-4, 2.0, 1e-3, 9e-3
    m, block = slider(mass, at=gap)
    m.force(forces.Electromagnet(block.x, turns, area, Ramp(current), residual), "magnet")
    K = 0.5 * 4e-7 * math.pi * (turns * current) ** 2 * area
    r0, x = gap + residual, 0.3
    time = math.sqrt(mass * r0**3 / (2.0 * K)) * (
        math.acos(math.sqrt(x)) + math.sqrt(x * (1.0 - x))
    )
    motion = m.build().simulate(until=time, steps=10, tolerance=1e-9)
    assert motion["block.x"].values[-1] == pytest.approx(x * r0 - residual, abs=CLOSE * r0)
    assert motion["magnet.effort"].values[0] == pytest.approx(-K / r0**2, rel=1e-12)


def test_a_magnet_pulls_alike_whichever_way_the_current_flows(slider):
    m, block = slider(0.2, at=0.01)
    m.force(forces.Electromagnet(block.x, 500.0, 1e-4, TextFormula("2*cos(400*t)"), 1e-3), "magnet")
    motion = m.build().simulate(until=0.01, steps=40)
    gap = motion["block.x"].values + 1e-3
    wanted = -0.5 * 4e-7 * math.pi * 1e-4 * (1000.0 * np.cos(400.0 * motion.t) / gap) ** 2
    assert motion["magnet.effort"].values == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(("exponent", "n"), [(1.4, 1.4), (1.2, 1.2), (None, 1.0)])
def test_a_piston_between_two_chambers_swings_as_stiff_as_their_gas(slider, exponent, n):
    """About its rest k = n (p A / l + p_r A_r / l_r); a swing of l / 10^4 keeps to it."""
    mass, area, ring, length, back = 3.0, 8e-4, 6e-4, 0.2, 0.3
    pressure = 6e5
    behind = (pressure * area - 101325.0 * (area - ring)) / ring  # holds the piston at 0
    m, block = slider(mass, at=2e-5)
    m.force(
        forces.PneumaticCylinder(
            block.x, area, pressure, length, ring, behind, back, exponent=exponent
        ),
        "air",
    )
    stiffness = n * (pressure * area / length + behind * ring / back)
    period = math.tau / math.sqrt(stiffness / mass)
    motion = m.build().simulate(until=period, steps=4, tolerance=1e-10)
    x = motion["block.x"].values / 2e-5
    # The gas law's second order shifts the swing's middle by about 1e-4 of it.
    assert x == pytest.approx([1.0, 0.0, -1.0, 0.0, 1.0], abs=5e-4)


@pytest.mark.parametrize("exponent", [1.4, None])
def test_a_piston_between_two_chambers_gives_back_what_it_takes(slider, exponent):
    """Through a third of the stroke and back, with the rest of both chambers off the middle."""
    m, block = slider(3.0, at=0.09)
    air = forces.PneumaticCylinder(
        block.x, 8e-4, 6e5, 0.2, 6e-4, 7e5, 0.3, at=0.01, exponent=exponent
    )
    m.force(air)
    motion = m.build().simulate(until=0.5, steps=50, tolerance=1e-10)
    assert np.ptp(motion["block.x"].values) > 0.1
    assert motion.energy.dissipated == pytest.approx(0.0, abs=1e-12)
    assert np.ptp(motion.energy.mechanical) < BALANCED * motion.energy.kinetic.max()


def test_gas_of_one_temperature_gives_the_work_of_the_logarithm(slider):
    """With next to no ring m v^2 / 2 = A p l ln((l + s) / l) - A outside s."""
    area, pressure, length = 4e-4, 5e5, 0.1
    m, block = slider(2.0, at=0.0)
    m.force(
        forces.PneumaticCylinder(block.x, area, pressure, length, 1e-12, 1e5, 1.0, exponent=None)
    )
    motion = m.build().simulate(until=0.02, steps=10)
    x = motion["block.x"].values
    work = area * (pressure * length * np.log1p(x / length) - 101325.0 * x)
    assert x[-1] > 0.01
    assert np.abs(motion.energy.kinetic - work).max() < 1e-6 * work.max()


WRONG = {
    "no gas": lambda x: forces.PneumaticCylinder(x, 1e-3, 0.0, 0.1, 1e-4, 1e5, 0.1),
    "a ring too large": lambda x: forces.PneumaticCylinder(x, 1e-4, 1e5, 0.1, 1e-3, 1e5, 0.1),
    "an exponent of one": lambda x: forces.PneumaticCylinder(
        x, 1e-3, 1e5, 0.1, 1e-4, 1e5, 0.1, exponent=1.0
    ),
    "no piston": lambda x: forces.HydraulicCylinder(x, Ramp(1e5), 0.0, 1e-6),
    "no orifice": lambda x: forces.HydraulicCylinder(x, Ramp(1e5), 1e-3, 0.0),
    "a ring larger than its piston": lambda x: forces.HydraulicCylinder(
        x, Ramp(1e5), 1e-3, 1e-6, 2e-3
    ),
    "weightless oil": lambda x: forces.HydraulicCylinder(x, Ramp(1e5), 1e-3, 1e-6, density=0.0),
    "no turns": lambda x: forces.Electromagnet(x, 0.0, 1e-4, Ramp(1.0), 1e-3),
    "iron without resistance": lambda x: forces.Electromagnet(x, 10.0, 1e-4, Ramp(1.0), 0.0),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_number_is_refused_where_it_is_given(slider, wrong):
    _, block = slider()
    with pytest.raises(BadNumber) as caught:
        WRONG[wrong](block.x)
    assert len(str(caught.value)) > 20


def test_cylinders_and_magnets_do_not_sit_on_angles(slider):
    _, block = slider()
    with pytest.raises(BadConnection, match="is an angle: use Actuator there"):
        forces.HydraulicCylinder(block.angle, Ramp(1e5), 1e-3, 1e-6)
    with pytest.raises(BadConnection, match="is an angle: use DcMotor or Actuator there"):
        forces.Electromagnet(block.angle, 10.0, 1e-4, Ramp(1.0), 1e-3)
