"""Starts in space keep the whole turns that poses do not show."""

import math

import numpy as np
import pytest

import kempe as kp
from kempe.couplers import RackAndPinion
from kempe.forces import SpringDamper

ONE = kp.Inertia(1.0, (0, 0, 0), np.eye(3))
EXACT = 1e-7  # of a simulation to 1e-8
WOUND = (10.0, -7.0, 3.0 * math.pi, 100.0)  # rad


def sprung_hinge(plane):
    """A body of 1 kg m^2 on a hinge with 1 N m/rad: its angle is a cos(t)."""
    m = kp.Builder("hinge", plane=plane)
    origin = (0, 0) if plane else (0, 0, 0)
    body = m.body("body", inertia=ONE)
    hinge = m.revolute(m.ground.at(*origin), body.at(*origin), name="hinge")
    m.force(SpringDamper(hinge.angle, stiffness=1.0), "spring")
    return m.build()


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("angle", WOUND)
def test_a_wound_spring_swings_as_its_closed_form_says(angle, plane):
    mechanism = sprung_hinge(plane)
    start = mechanism.assemble(values={"hinge.angle": angle})
    assert start["hinge.angle"] == pytest.approx(angle)
    swing = mechanism.simulate(until=0.8, steps=8, start=start)
    np.testing.assert_allclose(
        swing["hinge.angle"].values, angle * np.cos(swing.t), atol=EXACT * abs(angle)
    )
    assert swing["spring.effort"].values[0] == pytest.approx(-angle)


@pytest.mark.parametrize("angle", WOUND)
@pytest.mark.parametrize("through", ["state", "trajectory", "file"])
def test_a_run_that_goes_on_from_another_keeps_its_turns(angle, through, tmp_path):
    mechanism = sprung_hinge(plane=False)
    first = mechanism.simulate(
        until=0.8, steps=8, start=mechanism.assemble(values={"hinge.angle": angle})
    )
    start = {"state": first.state(), "trajectory": first}.get(through)
    if start is None:
        start = kp.Trajectory.load(first.save(tmp_path / "first.npz")).state()
    then = mechanism.simulate(until=0.7, steps=7, start=start)
    np.testing.assert_allclose(
        then["hinge.angle"].values, angle * np.cos(0.8 + then.t), atol=EXACT * abs(angle)
    )


@pytest.mark.parametrize("measure", ["hinge.angle", "slide.displacement"])
def test_a_rack_starts_as_far_as_its_pinion_has_turned(measure):
    m = kp.Builder("rack")
    pinion, rack = m.body("pinion", inertia=ONE), m.body("rack", inertia=ONE)
    hinge = m.revolute(m.ground.at(0, 0, 0), pinion.at(0, 0, 0), name="hinge")
    slide = m.prismatic(m.ground.at(0, -0.1, 0), rack.at(0, 0, 0), name="slide")
    m.couple(RackAndPinion((slide.displacement, hinge.angle), radius=0.1, constant=0.0), "mesh")
    m.force(SpringDamper(hinge.angle, stiffness=1.0), "spring")
    mechanism = m.build()
    start = mechanism.assemble(values={measure: 7.0 if measure == "hinge.angle" else 0.7})
    run = mechanism.simulate(until=0.1, steps=2, start=start)
    assert run["hinge.angle"].values[0] == pytest.approx(7.0)
    assert run["slide.displacement"].values[0] == pytest.approx(0.7)
    assert run["spring.effort"].values[0] == pytest.approx(-7.0)


def test_an_assembly_near_a_state_has_its_turns():
    mechanism = sprung_hinge(plane=False)
    state = mechanism.simulate(
        until=0.1, steps=2, start=mechanism.assemble(values={"hinge.angle": 9.0})
    ).state()
    assert mechanism.assemble(near=state)["hinge.angle"] == pytest.approx(9.0 * math.cos(0.1))
