"""Events of expressions that are faster than the motion, against zeros in closed form."""

from typing import Any

import numpy as np
import pytest

from kempe import Builder, Inertia
from kempe.dynamics.events import event_run
from kempe.events import Crossing, Latch, Switch
from kempe.forces import SpringDamper
from kempe.outcome import Ending

pytestmark = pytest.mark.core

TIME = 1e-9  # s: how exactly a moment is found
PI = np.pi


def rail(*events: Any, push: float = 0.0) -> Builder:
    """A body of 1 kg that leaves x = 0 at 1 m/s along a rail: one step takes it anywhere."""
    m = Builder("rail", plane=True)
    inertia = Inertia(1.0, (0, 0, 0), np.eye(3))
    body = m.body("b", at=(0, 0), angle=0.0, inertia=inertia, velocity=(1, 0))
    joint = m.prismatic(m.ground.at(0, 0), body.at(0, 0), name="j")
    if push:
        m.force(SpringDamper(joint.displacement, preload=push), "push")
    for k, event in enumerate(events):
        m.event(event, f"e{k}")
    return m


def sines(w: float, phase: float, level: float, until: float = 1.0) -> np.ndarray:
    """The times in (0, until) at which sin(w t + phase) = level."""
    turns = 2.0 * PI * np.arange(-2, w * until / (2.0 * PI) + 2)
    t = np.concatenate([turns + np.arcsin(level), turns + PI - np.arcsin(level)])
    t = np.sort((t - phase) / w)
    return t[(t > 0.0) & (t < until)]


def times(when: str, until: float = 1.0, **asked: Any) -> np.ndarray:
    run = rail(Crossing(when)).build().simulate(until=until, steps=3, **asked)
    assert run.outcome.is_done, run.outcome
    return np.array([event.t for event in run.events])


FAST = {
    "sin(60*t + 1)": sines(60.0, 1.0, 0.0),
    "sin(2500*t + 1)": sines(2500.0, 1.0, 0.0),
    "sin(300*b.x + 1)": sines(300.0, 1.0, 0.0),
    "b.x.rate*sin(300*t + 1)": sines(300.0, 1.0, 0.0),
    "energy.kinetic*sin(90*t + 1)": sines(90.0, 1.0, 0.0),
    "sin(90*t + 1) - 0.9999": sines(90.0, 1.0, 0.9999),
    "abs(sin(90*t + 1)) - 0.5": np.sort([*sines(90.0, 1.0, 0.5), *sines(90.0, 1.0, -0.5)]),
    "exp(-((t - 0.3)/1e-5)^2) - 0.5": 0.3 + 1e-5 * np.log(2.0) ** 0.5 * np.array([-1, 1]),
    "exp(-((b.x - 0.3)/1e-5)^2) - 0.5": 0.3 + 1e-5 * np.log(2.0) ** 0.5 * np.array([-1, 1]),
}


@pytest.mark.parametrize("when", FAST)
def test_every_zero_of_an_expression_is_listed_however_long_steps_are(when):
    np.testing.assert_allclose(times(when), FAST[when], atol=TIME)


@pytest.mark.parametrize("method", ["dop853", "tsit5", "rodas5p", "gear", "fixed"])
@pytest.mark.parametrize("seed", range(3))
def test_every_zero_is_listed_by_every_method(method, seed):
    """Of sums of sines, whose zeros a grid of a million places brackets."""
    random = np.random.default_rng(seed)
    a, w, p = random.uniform(0.2, 1.0, 3), random.uniform(10.0, 200.0, 3), random.uniform(0, 6, 3)
    when = " + ".join(
        f"{a[k]!r}*sin({w[k]!r}*{word} + {p[k]!r})" for k, word in enumerate(["t", "b.x", "t"])
    ).replace("np.float64", "")
    t = np.linspace(0.0, 1.0, 1_000_001)
    sides = np.sign((a * np.sin(np.outer(t, w) + p)).sum(axis=1))
    np.testing.assert_allclose(
        times(when, method=method), t[np.flatnonzero(np.diff(sides))], atol=2e-6
    )


def test_a_latch_and_a_switch_act_at_the_first_zero_of_what_is_fast():
    """1 N from the first zero of sin(70 t + 1) on; held at the first of sin(90 t + 1) after 0.5."""
    start = sines(70.0, 1.0, 0.0)[0]
    m = rail(push=1.0)
    m.event(Switch("sin(70*t + 1)", on=("push",)), "on")
    m.event(Latch("max(sin(90*t + 1), 0.5 - t)", (m.part("j").displacement,)), "held")
    run = m.build().simulate(until=1.0, steps=4)
    end = next(t for t in sines(90.0, 1.0, 0.0) if t > 0.5 and np.sin(90 * (t - 1e-4) + 1) > 0.0)
    assert [event.t for event in run.events] == pytest.approx([start, end], abs=TIME)
    assert run["b.x"].values[-1] == pytest.approx(end + 0.5 * (end - start) ** 2, abs=1e-8)


@pytest.mark.parametrize(("when", "due"), [("max(b.x - 0.5, 0)", []), ("max(0.5 - b.x, 0)", [0.5])])
def test_an_expression_that_stays_at_zero_is_no_obstacle(when, due):
    assert times(when) == pytest.approx(due, abs=1e-8)


def test_more_zeros_than_can_be_listed_end_the_run_with_advice(monkeypatch):
    monkeypatch.setattr(event_run, "MOST_EVENTS", 50)
    run = rail(Crossing("sin(1e8*t)")).build().simulate(until=1.0, steps=3)
    assert run.outcome.ending is Ending.LIMIT_REACHED
    assert "pass zero less often" in run.outcome.advice


def test_an_expression_whose_zeros_cannot_be_told_apart_is_said_to_be_too_fast():
    """It has no last zero before 0.5."""
    run = rail(Crossing("sin(1e-3/(0.5 - t)^4)")).build().simulate(until=1.0, steps=3)
    assert not run.outcome.is_done
    assert 0.3 < run.events[-1].t < 0.5
