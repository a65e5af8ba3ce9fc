"""Energies that are wrong are an outcome: how small an error is told, and a switch found late.

The errors are made on purpose, in the energy that a spring declares or in the search for switches.
"""

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import final

import numpy as np
import pytest

import kempe
from kempe import Builder, Inertia, Mechanism
from kempe.compile.program.program import DYNAMIC_PROGRAMS
from kempe.compile.trace import switches
from kempe.forces import AbstractForce, Acting, Action, LineSpring, NonlinearSpring
from kempe.measures import Gauge

G, K = 9.81, 40.0
TOLERANCES = [1e-6, 1e-8, 1e-10]
#: What a run may err by: every step its tolerance, beside the energies moved. Told beyond it:
TOLD = 100.0
#: ... and what a good run errs by is far below.
QUIET = 0.1
NEVER = 7  # no side of a switch


@final
@dataclass(frozen=True)
class Leap(AbstractForce):
    """f = -k x; the energy leaps at x = 0, where the gradient of it does not tell."""

    gauge: Gauge
    leap: float  # J

    def action(self, now):
        return Action.along(-K * now.gauges[0].value)

    def energy(self, now):
        x = now.gauges[0].value
        return 0.5 * K * x * x + kempe.where(x < 0.0, self.leap, 0.0)


def swing(leap: float) -> Mechanism:
    """1 kg, let go half a metre from rest: 5 J are moved to and fro."""
    m = Builder("swing", plane=True)
    block = m.body("block", at=(0.5, 0), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    rail = (1, 0, 0)
    m.prismatic(m.ground.at(0, 0).facing(rail), block.at(0, 0).facing(rail), name="rail")
    m.force(Leap(block.x, leap), "spring")
    return m.build()


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("tolerance", TOLERANCES)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_an_error_of_a_hundred_times_what_the_steps_may_make_is_told(tolerance, plan, sign):
    options = {"until": 3.0, "steps": 300, "tolerance": tolerance, "plan": plan}
    good = swing(0.0).simulate(**options)
    moved = 0.5 * K * 0.5**2
    per_step = tolerance * good.motion.counts["steps"] * moved
    assert good.outcome.is_done
    assert np.ptp(good.energy.total) < QUIET * TOLD * per_step
    wrong = swing(sign * TOLD * per_step).simulate(**options)
    assert wrong.outcome.name == "Diverged"
    assert wrong.outcome.advice.endswith(" The samples before are kept.")
    assert wrong.outcome.facts["off"] == pytest.approx(TOLD * per_step, rel=QUIET)
    assert np.pi / 2 / np.sqrt(K) <= wrong.outcome.facts["t"] < np.pi / 2 / np.sqrt(K) + 0.011


def beside_a_stop(leap: float) -> Mechanism:
    """The swing passes its rest at 0.89 s, after a ball of 1 kg has met a stiff stop at 0.45 s."""
    m = Builder("swing and ball", plane=True, gravity=(0, -G))
    block = m.body("block", at=(0.5, 0), angle=0.0, inertia=Inertia(13, (0, 0, 0), np.eye(3)))
    m.prismatic(m.ground.at(0, 0), block.at(0, 0), along=(1, 0))
    m.force(Leap(block.x, leap), "spring")
    body = m.body("ball", at=(0, 1), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    m.prismatic(m.ground.at(0, 0), body.at(0, 0), along=(0, 1))
    m.force(NonlinearSpring(body.y, "1e5 * t", acting=Acting.COMPRESSION), "stop")
    return m.build()


@pytest.mark.parametrize("plan", ["small", "large"])
def test_a_stop_that_was_met_does_not_hide_an_error_that_comes_later(plan):
    options = {"until": 1.2, "steps": 1200, "plan": plan}
    good = beside_a_stop(0.0).simulate(**options)
    assert good.outcome.is_done
    moved = good.energy.kinetic.max() + np.ptp(good.energy.potential)
    leap = TOLD * 1e-8 * good.motion.counts["steps"] * moved
    wrong = beside_a_stop(leap).simulate(**options)
    assert wrong.outcome.name == "Diverged"
    assert wrong.outcome.facts["t"] == pytest.approx(np.pi / 2 * np.sqrt(13 / K), abs=2e-3)


@pytest.fixture
def found_late(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[float], None]]:
    """Lets the first switch of every law be found beyond the place where it is."""
    exact = switches.frozen

    def by(late: float) -> None:
        def shifted(outputs, inputs, *overlaps):
            law = exact(outputs, inputs, *overlaps)
            first = [one - late for one in law.switches[:1]]
            return dataclasses.replace(law, switches=[*first, *law.switches[1:]])

        for room in ("trace.dynamic_tracing", "large.dynamic_tiles"):
            monkeypatch.setattr(f"kempe.compile.{room}.frozen", shifted)
        DYNAMIC_PROGRAMS.clear()

    yield by
    DYNAMIC_PROGRAMS.clear()


def ball(force) -> Mechanism:
    m = Builder("ball", plane=True, gravity=(0, -G))
    body = m.body("ball", at=(0, 1), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    m.prismatic(m.ground.at(0, 0), body.at(0, 0), along=(0, 1))
    m.force(force(m, body), "buffer")
    return m.build()


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize(("k", "share"), [(1e3, 0.01), (1e5, 0.02), (1e7, 0.05)])
def test_a_landing_that_is_found_late_is_told(found_late, k, share, plan):
    """By a share of the way d that the buffer gives: k (share d)^2 / 2 comes from nowhere."""

    def run():
        return ball(
            lambda m, body: LineSpring(
                m.ground.at(0, -5), body.at(0, 0), k, free=5.0, acting=Acting.COMPRESSION
            )
        ).simulate(until=3.0, steps=30000, plan=plan)

    good = run()
    deepest = -good["ball.y"].values.min()
    assert good.outcome.is_done
    found_late(share * deepest)
    late = run()
    assert late.outcome.name == "Diverged"
    assert late.outcome.facts["off"] < 0.5 * k * (share * deepest) ** 2 * (1 + QUIET)
    assert late["ball.y"].values.min() > -share * deepest  # before anything pushed


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("tolerance", [1e-8, 1e-10, 1e-12])
@pytest.mark.parametrize("angle", [0.0, 0.3, -1.1, 2.0])
def test_what_a_drive_holds_still_against_gravity_loses_nothing(plane, tolerance, angle):
    """The drive holds m g cos(angle) / 2; the works it does are rounding, and of rounding."""
    gravity = (0, -9.81) if plane else (0, -9.81, 0)
    m = kempe.Builder("held", plane=plane, gravity=gravity)
    bar = m.bar("bar", 1.0, inertia=kempe.Inertia(1.0, (0.5, 0, 0), 0.1 * np.eye(3)))
    m.revolute(m.ground.at(*((0, 0) if plane else (0, 0, 0))), bar.start)
    m.drive(bar.angle, start=angle)
    run = m.build().simulate(until=1.0, steps=10, tolerance=tolerance)
    assert run.outcome.is_done, run.outcome
    effort = 9.81 * 0.5 * np.cos(angle)
    assert run["bar.angle.effort"].values == pytest.approx(np.full(11, effort), abs=1e-9)


@pytest.mark.parametrize("name", ["conical_pendulum", "spherical_pendulum", "rattleback"])
def test_a_rough_tolerance_is_told_where_its_energies_are_far_off(name):
    """Nothing feeds these machines: what their energies sum up to is what they began with."""
    machine = kempe.gallery.MECHANISMS[name]()
    until = kempe.gallery.COURSES[name].until
    for tolerance in (1e-2, 1e-3, 1e-6):
        run = machine.simulate(until=until, steps=40, method="tsit5", tolerance=tolerance)
        off = np.ptp(run.energy.total) / np.max(run.energy.kinetic)
        told = [note for note in run.notes if "come from nowhere" in note]
        assert bool(told) == (tolerance == 1e-2 or (name, tolerance) == ("rattleback", 1e-3))
        assert off > 0.05 if told else off < 0.05
        assert all(f"tolerance of {tolerance:g} is too rough" in note for note in told)
