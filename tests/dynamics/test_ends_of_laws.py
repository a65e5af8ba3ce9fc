"""Laws that have no value somewhere, or jump: outcomes with advice, and no NaN in any sample."""

import numpy as np
import pytest

import kempe
from kempe.errors import FormulaError
from kempe.forces import DcMotor, GasSpring, PneumaticCylinder, SpringDamper
from kempe.geometry import Inertia

METHODS = ["auto", "dop853", "rodas5p", "gear"]


def slider(speed, force):
    m = kempe.Builder("piston", plane=True)
    inertia = Inertia(2.0, (0, 0, 0), np.eye(3))
    body = m.body("piston", at=(0, 0), angle=0, inertia=inertia, velocity=(speed, 0))
    way = m.prismatic(m.ground.at(0, 0), body.at(0, 0), name="way").displacement
    m.force(force(way), "gas")
    return m.build()


@pytest.mark.parametrize("method", METHODS)
def test_a_gas_spring_driven_to_the_end_of_its_stroke_ends_with_advice(method):
    """All 250 kJ would fit into the last 1e-30 of the column: no step is short enough."""
    run = slider(-500.0, lambda way: GasSpring(way, 1e5, 1e-4, 0.1)).simulate(
        until=0.1, method=method
    )
    assert not run.outcome.is_done
    assert run.outcome.advice
    assert run.t[-1] < 0.1 / 500.0 * 1.01
    assert np.isfinite(run.motion.q).all()
    assert np.isfinite(run["gas.effort"].values).all()


@pytest.mark.parametrize("method", METHODS)
def test_what_starts_beyond_its_stroke_says_so(method):
    machine = slider(0.0, lambda way: GasSpring(way, 1e5, 1e-3, 0.1, at=0.2))
    outcome = machine.simulate(until=0.1, method=method).outcome
    assert outcome.name == "Diverged"
    assert "beyond its stroke" in outcome.advice
    with pytest.raises(FormulaError, match="beyond its stroke"):
        machine.statics()


@pytest.mark.parametrize("method", METHODS)
def test_a_pneumatic_cylinder_never_gives_what_is_no_number(method):
    cylinder = lambda way: PneumaticCylinder(way, 1e-3, 1e5, 0.1, 8e-4, 1e5, 0.1)  # noqa: E731
    run = slider(-500.0, cylinder).simulate(until=0.1, method=method)
    assert np.isfinite(run.motion.q).all()
    assert run.outcome.is_done or run.outcome.advice
    assert (np.abs(run["way.displacement"].values) < 0.1).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("spin", [0.0, 2.0])
def test_a_geared_motor_that_its_load_holds_between_driving_and_driven_is_named(method, spin):
    """With 24 N m at stall a gear of 60 % gives 14.4 and holds 40: a load of 20 stops it."""
    m = kempe.Builder("hoist", plane=True)
    inertia = Inertia(2.0, (0, 0, 0), 0.01 * np.eye(3))
    drum = m.body("drum", at=(0, 0), angle=0, inertia=inertia, spin=spin)
    turn = m.revolute(m.ground.at(0, 0), drum.at(0, 0), name="axle").angle
    m.force(DcMotor(turn, 0.6, 300.0, gear=40, efficiency=0.6), "motor")
    m.force(SpringDamper(turn, preload=-20.0), "load")
    run = m.build().simulate(until=1.0, method=method)
    assert run.outcome.name == "LimitReached"
    assert "'motor'" in run.outcome.message
    assert "continuous" in run.outcome.advice
    assert abs(run["axle.angle"].rate[-1]) <= spin
