"""Moments that fall on one time, and what drives and limits do at them, against closed forms."""

from typing import Any

import numpy as np
import pytest

import kempe
from kempe import Builder, Inertia
from kempe.events import Latch, Release, Stop, Switch
from kempe.forces import SpringDamper

pytestmark = pytest.mark.core

TIME = 1e-9  # s: how exactly a moment is found
ROUNDING = 1e-9
ONE = Inertia(1.0, (0, 0, 0), np.eye(3))


def rail(speed: float = 1.0) -> tuple[Builder, Any, Any]:
    """A body of 1 kg on a rail along x, and its joint."""
    m = Builder("rail", plane=True)
    body = m.body("b", at=(0, 0), angle=0.0, inertia=ONE, velocity=(speed, 0))
    return m, body, m.prismatic(m.ground.at(0, 0), body.at(0, 0), name="j")


@pytest.mark.parametrize("order", [("a", "z"), ("z", "a")])
def test_switches_of_one_moment_act_one_after_the_other_in_the_order_of_the_model(order):
    """On and off again: 1 m/s goes on; off first does nothing, and 1 N acts from 0.5 s on."""
    m, _, joint = rail()
    m.force(SpringDamper(joint.displacement, preload=1.0), "p")
    words = {"a": Switch("b.x - 0.5", on=("p",)), "z": Switch("b.x - 0.5", off=("p",))}
    for name in order:
        m.event(words[name], name)
    run = m.build().simulate(until=1.0, steps=10)
    names = [event.name for event in run.events]
    assert names == (["a", "z"] if order == ("a", "z") else ["a"])
    assert [event.t for event in run.events] == pytest.approx([0.5] * len(names), abs=TIME)
    gained = 0.0 if order == ("a", "z") else 0.5 * 0.5**2
    assert run["b.x"].values[-1] == pytest.approx(1.0 + gained, abs=ROUNDING)


def test_a_latch_that_is_let_go_at_its_own_moment_stops_what_it_caught_and_lets_it_be():
    """The latch takes the half joule; 1 N then pushes from rest, by t^2 / 2."""
    m, body, joint = rail()
    m.force(SpringDamper(joint.displacement, preload=1.0), "p")
    m.event(Latch("b.x - 0.5", (body.x,)), "catch")
    m.event(Release("b.x - 0.5", ("catch",)), "let go")
    run = m.build().simulate(until=1.0, steps=10)
    t = np.sqrt(2.0) - 1.0  # t + t^2 / 2 = 0.5, at sqrt(2) m/s
    assert [event.name for event in run.events] == ["catch", "let go"]
    assert [event.lost for event in run.events] == pytest.approx([1.0, 0.0], abs=1e-7)
    assert run["b.x"].values[-1] == pytest.approx(0.5 + 0.5 * (1.0 - t) ** 2, abs=1e-8)


def test_what_would_do_nothing_is_neither_listed_nor_met():
    """A switch off of what is off already passes zero five times, in vain."""
    m, _, joint = rail()
    m.force(SpringDamper(joint.displacement, preload=1.0), "p")
    m.event(Switch("t - 0.9", on=("p",)), "a")
    m.event(Switch("sin(2*pi*5*t + 1)", off=("p",), direction="rising"), "z")
    run = m.build().simulate(until=1.0, steps=10)
    rises = [(k - 1 / (2 * np.pi)) / 5 for k in range(1, 6)]
    after = [x for x in rises if x > 0.9]
    assert [event.name for event in run.events] == ["a", "z"][: 1 + len(after)]
    assert run.events[0].t == pytest.approx(0.9, abs=TIME)


@pytest.mark.parametrize("load", [0.0, 3.0])
def test_works_of_drives_add_up_to_what_drives_put_in_when_one_is_switched_on(load):
    """1 kg thrown to 2 m/s: an impulse of 2 N s at 2 m/s is 4 J, and 3 N over half a metre more."""
    m, body, joint = rail(speed=0.0)
    m.force(SpringDamper(joint.displacement, preload=-load), "p")
    m.event(Stop(joint.displacement, low=0.0), "rest")
    m.drive(body.x, speed=2.0, name="motor")
    m.event(Switch("t - 0.7531", on=("motor",)), "s")
    run = m.build().simulate(until=1.0, steps=40)
    due = 2.0 * 2.0 + load * 2.0 * (1.0 - 0.7531)
    assert run.energy.driven[-1] == pytest.approx(due, rel=1e-8)
    for name in ("motor.work", "b.x.work"):
        np.testing.assert_allclose(run[name].values, run.energy.driven, atol=1e-7)
    assert [e.works for e in run.events if e.name == "s"] == [(("b.x", pytest.approx(4.0)),)]


def test_works_of_drives_add_up_where_an_impact_is_passed_on_to_one():
    """A rider that bumps into what is held at its speed is thrown on at the cost of the drive."""
    m, body, _ = rail(speed=2.0)
    m.drive(body.x, speed=2.0, name="motor")
    rider = m.body("r", at=(1, 0), angle=0.0, inertia=ONE, velocity=(1, 0))
    other = m.prismatic(body.at(0, 0), rider.at(0, 0), name="k")
    m.event(Stop(other.displacement, low=0.5, restitution=0.5), "bump")
    run = m.build().simulate(until=1.0, steps=40)
    impulse = 1.0 * (1.0 + 0.5) * 1.0  # on the rider, which closes in at 1 m/s
    assert run.energy.driven[-1] == pytest.approx(impulse * 2.0, rel=1e-8)
    np.testing.assert_allclose(run["motor.work"].values, run.energy.driven, atol=1e-8)


def test_a_tooth_that_catches_without_bounce_is_struck_once_until_it_is_left():
    run = kempe.gallery.ratchet(load=4, pull=8, inertia=0.4).simulate(until=6)
    kinds = [event.kind for event in run.events if event.name == "tooth2"]
    assert kinds == ["impact", "contact", "departure"]
    assert all(event.speed > 1.0 for event in run.events if event.kind == "impact")
    assert {event.unit for event in run.events if event.kind == "impact"} == {"rad"}


def test_one_latch_takes_over_from_another_at_the_moment_that_lets_it_go():
    """Both at once would hold more than can move; so do the pins of a Geneva wheel."""
    run = kempe.gallery.geneva_drive().simulate(until=3.0, steps=30)
    assert run.outcome.is_done
    assert [event.name for event in run.events][-2:] == ["open1", "pin1"]
