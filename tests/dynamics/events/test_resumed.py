"""A run that goes on from a state after events, against the one run that never ended."""

import numpy as np
import pytest

import kempe
from kempe.events import Latch, Release, Stop, Switch
from kempe.forces import SpringDamper
from tests.dynamics.events.test_moments import rail

pytestmark = pytest.mark.core

CLOSE = 1e-8  # m: two runs of the tolerance 1e-8 each


def continued(machine: kempe.Mechanism, split: float, name: str = "b.x") -> kempe.Trajectory:
    """The second of two runs that are one until t = 1; it must be as the one is."""
    whole = machine.simulate(until=1.0, steps=40)
    half = machine.simulate(until=split, steps=20)
    rest = machine.simulate(until=1.0 - split, steps=20, start=half.state(-1))
    assert rest.outcome.is_done
    assert rest[name].values[-1] == pytest.approx(whole[name].values[-1], abs=CLOSE)
    assert not rest.notes
    return rest


def test_what_was_caught_is_still_held():
    m, body, joint = rail()
    m.force(SpringDamper(joint.displacement, preload=1.0), "p")
    m.event(Latch("b.x - 0.25", (body.x,)), "catch")
    rest = continued(m.build(), 0.5)
    np.testing.assert_allclose(rest["b.x"].values, 0.25, atol=CLOSE)
    np.testing.assert_allclose(rest["catch.effort"].values, -1.0, rtol=1e-8)


def test_what_was_switched_off_and_let_go_stays_so_and_a_third_run_knows_it_too():
    m, _, joint = rail()
    m.force(SpringDamper(joint.displacement, preload=1.0), "p")
    m.event(Stop(joint.displacement, high=0.6), "wall")
    m.event(Switch("b.x - 0.2", off=("p",)), "off")
    m.event(Release("b.x - 0.3", ("wall",)), "let go")
    machine = m.build()
    rest = continued(machine, 0.5)
    third = machine.simulate(until=1.0, steps=4, start=rest.state(-1))
    speed = (1.0 + 2 * 0.2) ** 0.5  # v^2 = 1 + 2 a x until 0.2 m
    due = rest["b.x"].values[-1] + speed
    assert third["b.x"].values[-1] == pytest.approx(due, abs=2 * CLOSE)


def test_a_joint_that_was_let_go_does_not_catch_what_flies():
    m, _, _ = rail()
    m = m.build().edit()
    m.event(Release("b.x - 0.25", ("j",)), "let go")
    machine = m.build()
    half = machine.simulate(until=0.5, steps=4)
    rest = machine.simulate(until=0.5, steps=4, start=half)
    np.testing.assert_allclose(rest["b.x"].values, 0.5 + rest.t, atol=CLOSE)


def test_a_drive_that_was_switched_on_goes_on_from_where_it_was():
    m, body, _ = rail(speed=0.0)
    m.drive(body.x, speed=2.0, name="motor")
    m.event(Switch("t - 0.25", on=("motor",), direction="rising"), "s")
    rest = continued(m.build(), 0.5)
    np.testing.assert_allclose(rest["b.x"].values, 0.5 + 2.0 * rest.t, atol=CLOSE)
    assert rest.energy.driven[-1] == pytest.approx(0.0, abs=1e-9)


def test_a_state_in_a_file_knows_it_too(tmp_path):
    m, body, joint = rail()
    m.force(SpringDamper(joint.displacement, preload=1.0), "p")
    m.event(Latch("b.x - 0.25", (body.x,)), "catch")
    machine = m.build()
    half = machine.simulate(until=0.5, steps=4)
    again = kempe.Trajectory.load(half.save(tmp_path / "half.npz"))
    rest = machine.simulate(until=0.5, steps=4, start=again)
    np.testing.assert_allclose(rest["b.x"].values, 0.25, atol=CLOSE)


def test_events_that_a_model_does_not_have_are_told_to_be_forgotten():
    m, body, joint = rail()
    m.force(SpringDamper(joint.displacement, preload=1.0), "p")
    machine = m.build()
    half = machine.simulate(until=0.5, steps=4, events=[Latch("b.x - 0.25", (body.x,), name="c")])
    rest = machine.simulate(until=0.5, steps=4, start=half)
    assert "'c'" in rest.notes[0]
    np.testing.assert_allclose(rest["b.x"].values, 0.25 + 0.5 * rest.t**2, atol=CLOSE)
