"""What is said of runs that events end, and what is advised."""

from types import SimpleNamespace

import numpy as np
import pytest

from kempe import Builder, Inertia
from kempe.dynamics.events.event_ending import fighting_stops, too_many_events
from kempe.events import Crossing, Stop
from kempe.forces import Bumper

KEPT = "The samples so far are kept."


def block(event, name, *, driven=False, speed=1.0):
    """A block of 1 kg on a rail that sets out from 0 at 1 m/s, and one event."""
    m = Builder("block", plane=True)
    inertia = Inertia(1.0, (0, 0, 0), np.eye(3))
    body = m.body("b", at=(0, 0), inertia=inertia, velocity=(0.0 if driven else speed, 0.0))
    rail = m.prismatic(m.ground.at(0, 0), body.at(0, 0), name="rail")
    if driven:
        m.drive(rail.displacement, speed=speed)
    part = event(rail.displacement)
    if isinstance(part, Bumper):
        m.force(part, name)
    else:
        m.event(part, name)
    return m.build().simulate(until=2.0, steps=4)


def test_a_run_that_is_asked_to_end_is_done_and_says_by_what():
    run = block(lambda _: Crossing("b.x - 0.5", ends=True), "half")
    assert run.outcome.is_done
    assert run.outcome.message == "ended by 'half' at t = 0.5 s, as asked."


def test_a_drive_into_a_stop_is_told_and_what_is_advised_helps():
    outcome = block(lambda x: Stop(x, high=0.5), "wall", driven=True).outcome
    assert outcome.name == "Locked"
    assert outcome.message == (
        "at t = 0.5 s 'rail.displacement' is driven into stop 'wall' by the drive on"
        " 'rail.displacement': joints and drives hold it so that no impulse of the stop can turn it"
        " back."
    )
    assert outcome.advice == (
        "End the drive before the limit, release it there, or put a Bumper in the stop's place."
        f" {KEPT}"
    )
    soft = block(lambda x: Bumper(x, high=0.5, stiffness=1e4), "wall", driven=True)
    assert soft.outcome.is_done
    assert soft["wall.effort"].values[-1] == pytest.approx(-1.5e4, rel=1e-6)


def test_an_expression_that_has_no_value_names_its_event():
    outcome = block(lambda _: Crossing("sqrt(0.5 - b.x) - 2"), "root").outcome
    assert outcome.name == "Diverged"
    assert outcome.facts["t"] == pytest.approx(0.5, abs=1e-6)
    assert "the expression 'sqrt(0.5 - b.x) - 2' of event 'root' is no finite" in outcome.message
    assert "a root or logarithm of a negative number" in outcome.advice


@pytest.mark.parametrize(
    ("kind", "advised"),
    [
        (
            "impact",
            "give stops a smaller restitution, so that bounces end, or put a Bumper in their place",
        ),
        ("crossing", "take expressions that pass zero less often"),
    ],
)
def test_too_many_events_are_told_by_what_they_are(kind, advised):
    events = [SimpleNamespace(name="wall", kind=kind)] * 20
    outcome = too_many_events(events, 0.5, at_once=False)
    assert outcome.message == "until t = 0.5 s there were 20 events, the last of 'wall'."
    assert outcome.advice == f"Ask for a shorter run, or {advised}. {KEPT}"


def test_stops_that_leave_no_room_are_named():
    sides = [SimpleNamespace(stop=SimpleNamespace(name=name)) for name in ("low", "high")]
    outcome = fighting_stops(sides, 0.5)
    told = "at t = 0.5 s no forces of 'low', 'high' can keep all these limits at once."
    assert outcome.message == told
    assert "leave room for the motion" in outcome.advice
