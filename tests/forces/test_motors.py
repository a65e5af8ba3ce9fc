"""Motors against closed forms: run-up, reversal, gears, and what they refuse."""

import math

import numpy as np
import pytest

from kempe import Builder, Inertia, forces
from kempe.drives import Ramp, TextFormula
from kempe.errors import BadConnection, BadNumber, KempeError
from kempe.events import Stop

#: Ten times the tolerance of the runs, relative to sizes of 1.
CLOSE = 1e-7
#: Energies at default settings, beside the largest.
BALANCED = 1e-6


def wheel(inertia: float = 0.5, *, plane: bool = True):
    m = Builder("wheel", plane=plane)
    body = m.body("wheel", at=(0, 0), inertia=Inertia(1.0, (0, 0, 0), inertia * np.eye(3)))
    hinge = m.revolute(m.ground.at(0, 0), body.at(0, 0), name="hinge")
    return m, hinge.angle


@pytest.mark.parametrize("plane", [True, False])
def test_a_motor_runs_up_as_the_exponential_says(plane):
    """J w' = T0 (1 - w / w0): w = w0 (1 - exp(-t / tau)), tau = J w0 / T0."""
    inertia, stall, no_load = 0.5, 4.0, 30.0
    m, angle = wheel(inertia, plane=plane)
    m.force(forces.DcMotor(angle, stall, no_load), "motor")
    motion = m.build().simulate(until=5.0, steps=50)
    t, tau = motion.t, inertia * no_load / stall
    speed = no_load * (1.0 - np.exp(-t / tau))
    assert np.abs(motion["hinge.angle"].rate - speed).max() < CLOSE * no_load
    effort = motion["motor.effort"]
    assert effort.unit == "N m"
    assert np.abs(effort.values - stall * np.exp(-t / tau)).max() < CLOSE * stall
    assert np.ptp(motion.energy.total) < BALANCED * motion.energy.kinetic.max()
    assert motion.energy.dissipated[-1] == pytest.approx(-motion.energy.kinetic[-1], rel=BALANCED)


def test_a_motor_of_constants_is_that_of_its_line():
    """k = 0.05 N m/A, R = 2 ohm at 24 V: 0.6 N m at rest, 480 rad/s without load."""
    _, angle = wheel()
    motor = forces.DcMotor.of_constants(angle, 0.05, 2.0, 24.0, name="m")
    assert (motor.stall, motor.no_load, motor.name) == (pytest.approx(0.6), 480.0, "m")


def test_a_gear_shows_the_motor_the_inertia_over_its_square():
    """tau = J w0 / (e i^2 T0), and the wheel ends at w0 / i."""
    inertia, stall, no_load, gear, efficiency = 2.0, 0.1, 300.0, 20.0, 0.8
    m, angle = wheel(inertia)
    m.force(forces.DcMotor(angle, stall, no_load, gear=gear, efficiency=efficiency))
    motion = m.build().simulate(until=40.0, steps=40)
    tau = inertia * no_load / (efficiency * gear**2 * stall)
    speed = no_load / gear * (1.0 - np.exp(-motion.t / tau))
    assert np.abs(motion["hinge.angle"].rate - speed).max() < CLOSE * 15.0


def test_a_driven_motor_brakes_through_its_gear_with_what_the_gear_loses_too():
    """Without supply J w' = -i^2 T0 w / (e w0): the losses of the gear help the brake."""
    inertia, stall, no_load, gear, efficiency = 2.0, 0.1, 300.0, 20.0, 0.8
    m, angle = wheel(inertia)
    m.rate(angle, 5.0)
    m.force(forces.DcMotor(angle, stall, no_load, Ramp(0.0), gear, efficiency))
    motion = m.build().simulate(until=20.0, steps=20)
    tau = inertia * no_load * efficiency / (gear**2 * stall)
    speed = 5.0 * np.exp(-motion.t / tau)
    assert np.abs(motion["hinge.angle"].rate - speed).max() < CLOSE * 5.0


def test_a_motor_follows_its_supply():
    """u = sin(p t): w = w0 / (1 + (p tau)^2) (sin pt - p tau (cos pt - exp(-t / tau)))."""
    inertia, stall, no_load, p = 0.5, 4.0, 30.0, 0.8
    m, angle = wheel(inertia)
    m.force(forces.DcMotor(angle, stall, no_load, TextFormula("sin(0.8 * t)")))
    motion = m.build().simulate(until=15.0, steps=60)
    t, tau = motion.t, inertia * no_load / stall
    c = p * tau
    speed = no_load / (1 + c * c) * (np.sin(p * t) - c * (np.cos(p * t) - np.exp(-t / tau)))
    assert np.abs(motion["hinge.angle"].rate - speed).max() < CLOSE * no_load


WRONG = {
    "no torque": lambda angle: forces.DcMotor(angle, 0.0, 30.0),
    "a speed below zero": lambda angle: forces.DcMotor(angle, 1.0, -30.0),
    "a torque that is none": lambda angle: forces.DcMotor(angle, math.nan, 30.0),
    "a torque in newtons": lambda angle: forces.DcMotor(angle, "3 N", 30.0),
    "a gear of nothing": lambda angle: forces.DcMotor(angle, 1.0, 30.0, gear=0.0),
    "a gear that gives more": lambda angle: forces.DcMotor(angle, 1.0, 30.0, efficiency=1.2),
    "no resistance": lambda angle: forces.DcMotor.of_constants(angle, 0.1, 0.0, 12.0),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_number_of_a_motor_is_refused_where_it_is_given(wrong):
    _, angle = wheel()
    with pytest.raises(KempeError) as caught:
        WRONG[wrong](angle)
    assert len(str(caught.value)) > 20
    assert isinstance(caught.value, BadNumber) or "no unit of" in str(caught.value)


def test_a_motor_turns_and_does_not_push():
    m, _ = wheel()
    block = m.body("block", at=(1, 0), inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    with pytest.raises(BadConnection, match="which is a length: use"):
        forces.DcMotor(block.x, 1.0, 30.0)


def test_numbers_of_a_motor_may_be_texts_with_units():
    _, angle = wheel()
    motor = forces.DcMotor(angle, "200 N mm", "3000 rpm", efficiency="90 %")
    assert motor.stall == pytest.approx(0.2)
    assert motor.no_load == pytest.approx(100.0 * math.pi)
    assert motor.efficiency == pytest.approx(0.9)


def test_an_induction_motor_pulls_hardest_at_its_breakdown_slip():
    """Kloss: T_b at s_b, 2 T_b / (1 / s_b + s_b) at rest, none at the synchronous speed."""
    breakdown, slip, synchronous = 20.0, 0.2, 100.0
    for s, wanted in ((slip, 20.0), (1.0, 40.0 / 5.2), (0.0, 0.0), (-slip, -20.0)):
        m, angle = wheel()
        m.rate(angle, synchronous * (1.0 - s))
        m.force(forces.InductionMotor(angle, breakdown, slip, synchronous), "motor")
        motion = m.build().simulate(until=1e-6, steps=1)
        assert motion["motor.effort"].values[0] == pytest.approx(wanted, abs=1e-12)


def test_an_induction_motor_runs_up_as_the_integral_of_kloss_says():
    """t(s) = J w_s / (2 T_b) ((1 - s^2) / (2 s_b) - s_b ln s), at half the voltage 4 t."""
    inertia, breakdown, slip, synchronous = 0.5, 20.0, 0.2, 100.0
    for supply, slower in ((None, 1.0), (Ramp(0.5), 4.0)):
        m, angle = wheel(inertia)
        m.force(forces.InductionMotor(angle, breakdown, slip, synchronous, supply))
        s = 0.1
        time = (1.0 - s * s) / (2.0 * slip) - slip * math.log(s)
        time *= slower * inertia * synchronous / (2.0 * breakdown)
        motion = m.build().simulate(until=time, steps=8)
        wanted = synchronous * (1.0 - s)
        assert motion["hinge.angle"].rate[-1] == pytest.approx(wanted, rel=CLOSE)
        assert np.ptp(motion.energy.total) < BALANCED * motion.energy.kinetic.max()


@pytest.mark.parametrize("wrong", [(0.0, 0.2, 100.0), (20.0, 0.0, 100.0), (20.0, 0.2, -1.0)])
def test_an_induction_motor_without_torque_slip_or_speed_is_refused(wrong):
    _, angle = wheel()
    with pytest.raises(BadNumber, match="must be positive"):
        forces.InductionMotor(angle, *wrong)


@pytest.mark.parametrize("tolerance", [1e-8, 1e-10])
@pytest.mark.parametrize("method", ["tsit5", "dop853", "rodas5p", "gear"])
def test_a_motor_at_rest_against_a_stop_drives(method, tolerance):
    """It rebounds and comes to rest: what rounding leaves of its speed does not drive it back."""
    stall, no_load, gear = 1.5692635354092692, 16.815028114916718, 3.706340264920155
    efficiency, high = 0.8443856861622814, 0.5047649968096577
    m = Builder("wheel")
    body = m.body("wheel", at=(0, 0), angle=high, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    angle = m.revolute(m.ground.at(0, 0), body.at(0, 0), name="hinge").angle
    m.rate(angle, -0.9099747468572739)
    m.force(forces.DcMotor(angle, stall, no_load, gear=gear, efficiency=efficiency), "motor")
    rub = {"breakaway": 3.8284101146187193, "fading": 0.7285152197300319}
    m.force(forces.DryFriction(angle, 3.1804993869562277, 0.28198252090030956, **rub), "rub")
    m.event(Stop(angle, low=0.20798336815142515, high=high, restitution=0.5), "stop")
    run = m.build().simulate(until=2.9113705691260603, steps=1, method=method, tolerance=tolerance)
    assert run["hinge.angle"].values[-1] == pytest.approx(high)
    assert run["stop.effort"].values[-1] == pytest.approx(-efficiency * gear * stall)
