"""A live simulation: its steps against SciPy, its inputs, and coming back to where it stood."""

import copy
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from kempe import Builder, Inertia
from kempe.drives import Ramp
from kempe.dynamics import FixedStep
from kempe.errors import BadNumber, ModelError, UnknownName
from kempe.events import Stop
from kempe.forces import Actuator
from kempe.joints import Revolute

G, HALF, MOMENT = 9.81, 0.5, 0.1  # m/s^2, m to the centre, kg m^2 about it; the rod has 1 kg
ORDER_5 = 1e-8  # rad, after 0.5 s of steps of 2 ms
ROUNDING = 1e-12  # of angles about 1 and a few hundred steps


def pendulum(angle=-math.pi / 2):
    m = Builder("pendulum", plane=True, gravity=(0, -G))
    rod = m.bar(
        "rod", 1.0, angle=angle, inertia=Inertia(1.0, (HALF, 0, 0), np.diag([0, MOMENT, MOMENT]))
    )
    m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    m.force(Actuator(rod.angle, Ramp(0.0)), "motor")
    return m


def swung(torques, dt):
    """Angle and rate of the pendulum after torques that are held for dt each, by SciPy."""
    state = np.array([-math.pi / 2, 0.0])
    for torque in torques:

        def rate(_, y, torque=torque):
            return [y[1], (torque - G * HALF * math.cos(y[0])) / (MOMENT + HALF**2)]

        state = solve_ivp(rate, (0, dt), state, rtol=1e-12, atol=1e-12).y[:, -1]
    return state


@pytest.mark.parametrize("method", [FixedStep(order=5), "rodas5p", "dop853"])
def test_held_torques_swing_a_pendulum_as_scipy_says(method):
    torques = [2.0, -1.0, 3.0, 0.5, 0.0]
    solver = pendulum().build().dynamic_solver("motor", step=2e-3, method=method, tolerance=1e-10)
    for torque in torques:
        assert solver.step(0.1, {"motor": torque}).is_done
    angle, rate = swung(torques, 0.1)
    assert solver.t == pytest.approx(0.5)
    assert abs(solver["rod.angle"] - angle) < ORDER_5
    assert abs(solver.rate("rod.angle") - rate) < 10 * ORDER_5
    assert solver["motor.effort"] == 0.0


def test_inputs_keep_their_values_and_take_units():
    solver = pendulum().build().dynamic_solver("motor")
    solver.step("5 ms", {"motor": "0.5 kN mm"})
    assert solver.inputs == {"motor": pytest.approx(0.5)}
    solver.step("5 ms")
    assert solver["motor.effort"] == pytest.approx(0.5)


def test_one_long_step_is_many_of_one_length():
    long, short = (pendulum().build().dynamic_solver("motor", step=1e-3) for _ in range(2))
    long.step(0.05, {"motor": 2.0})
    for _ in range(50):
        short.step(None, {"motor": 2.0})
    assert abs(long["rod.angle"] - short["rod.angle"]) < ROUNDING


def test_a_drive_goes_to_what_it_is_told_without_a_jump_of_speed():
    m = Builder("crank", plane=True, gravity=(0, -G))
    inertia = Inertia(1.0, (HALF, 0, 0), np.diag([0, MOMENT, MOMENT]))
    crank = m.bar("crank", 1.0, angle=0.0, inertia=inertia)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.drive(crank.angle, Ramp(0.0, 1.0))
    solver = m.build().dynamic_solver("crank.angle")
    assert solver.rate("crank.angle") == pytest.approx(1.0)
    solver.step(0.1, {"crank.angle": 0.2})
    assert solver["crank.angle"] == pytest.approx(0.2, abs=ROUNDING)
    assert solver.rate("crank.angle") == pytest.approx(2.0, abs=1e-9)
    solver.step(0.1, {"crank.angle": ("20 deg", 0.0)})
    assert solver["crank.angle"] == pytest.approx(math.radians(20.0), abs=ROUNDING)
    assert abs(solver.rate("crank.angle")) < 1e-9
    # f'' at the second end of the cubic of Hermite
    D, d, r0 = math.radians(20.0) - 0.2, 0.1, 2.0
    bend = (-6.0 * D + 2.0 * d * r0) / d**2
    torque = (MOMENT + HALF**2) * bend + G * HALF * math.cos(math.radians(20.0))
    assert solver["crank.angle.effort"] == pytest.approx(torque, rel=1e-6)


def test_from_a_snapshot_it_goes_the_same_way_to_the_last_bit():
    solver = pendulum().build().dynamic_solver("motor")
    solver.step(0.05, {"motor": 1.0})
    there = solver.snapshot()
    first = [solver.step(0.01, {"motor": x}) and solver["rod.angle"] for x in (3.0, -2.0)]
    solver.restore(there)
    assert solver.t == there.t == pytest.approx(0.05)
    assert [solver.step(0.01, {"motor": x}) and solver["rod.angle"] for x in (3.0, -2.0)] == first


def test_a_copy_goes_its_own_way():
    solver = pendulum().build().dynamic_solver("motor")
    solver.step(0.05, {"motor": 1.0})
    other = copy.copy(solver)
    before = solver["rod.angle"]
    other.step(0.05, {"motor": -5.0})
    assert solver["rod.angle"] == before != other["rod.angle"]
    solver.restore(other.snapshot())
    assert solver["rod.angle"] == other["rod.angle"]


def test_reset_begins_anew():
    solver = pendulum().build().dynamic_solver("motor")
    solver.step(0.05, {"motor": 1.0})
    reached = solver["rod.angle"]
    solver.reset()
    assert (solver.t, solver["rod.angle"]) == (0.0, pytest.approx(-math.pi / 2))
    solver.step(0.05, {"motor": 1.0})
    assert solver["rod.angle"] == reached


def test_turns_in_space_are_counted_from_step_to_step():
    m = Builder("wheel")
    wheel = m.body("wheel", at=(0, 0, 0), inertia=Inertia(1.0, (0, 0, 0), np.diag([1, 1, 2.0])))
    hinge = m.add(Revolute(m.ground.at(0, 0, 0), wheel.at(0, 0, 0)), "hinge")
    m.force(Actuator(hinge.angle, Ramp(0.0)), "motor")
    solver = m.build().dynamic_solver("motor", step=0.01)
    for _ in range(300):  # a = 4 / 2 rad/s^2
        assert solver.step(0.02, {"motor": 4.0}).is_done
    assert solver["hinge.angle"] == pytest.approx(0.5 * 2.0 * 6.0**2, abs=1e-6)


def test_a_step_that_cannot_be_made_leaves_everything_as_it_was():
    solver = pendulum(angle=0.0).build().dynamic_solver("motor", step=2.0)
    before = solver["rod.angle"]
    outcome = solver.step(2.0, {"motor": 0.0})
    assert not outcome.is_done
    assert "shorter step" in outcome.advice
    assert (solver.t, solver["rod.angle"]) == (0.0, before)


def test_energies_add_up_over_steps():
    solver = (
        pendulum(angle=0.0).build().dynamic_solver("motor", step=1e-3, method=FixedStep(order=5))
    )
    for _ in range(20):
        solver.step(0.05, {"motor": 1.5})
    energy = solver.state.trajectory.energy
    put_in = 1.5 * solver["rod.angle"]  # the work of a held torque
    gained = float(energy.kinetic[-1]) + G * HALF * math.sin(solver["rod.angle"])
    assert gained == pytest.approx(put_in, abs=1e-6)


def test_what_cannot_be_followed_is_refused():
    m = pendulum()
    m.event(Stop(m.build().model.forces[0].gauge, high=0.3), "peg")
    with pytest.raises(ModelError, match="events"):
        m.build().dynamic_solver("motor")
    with pytest.raises(UnknownName, match="motor"):
        pendulum().build().dynamic_solver("moter")
    solver = pendulum().build().dynamic_solver("motor")
    with pytest.raises(UnknownName):
        solver.step(0.01, {"rod.angle": 1.0})
    with pytest.raises(BadNumber):
        solver.step(-1.0)
    with pytest.raises(BadNumber):
        solver.restore("yesterday")
    with pytest.raises(BadNumber, match="gear"):
        pendulum().build().dynamic_solver("motor", method="gear")
