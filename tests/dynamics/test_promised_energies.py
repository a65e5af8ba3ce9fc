"""What a force says that it stores is held to it all along a run, not only where it starts."""

from dataclasses import dataclass
from typing import final

import numpy as np
import pytest

import kempe
from kempe import Builder, Inertia, Mechanism
from kempe.drives import Formula, Polynomial, TextFormula
from kempe.forces import AbstractForce, Action, NonlinearSpring, SpringDamper
from kempe.geometry import Marker, Vector
from kempe.measures import Gauge

K = 40.0  # N/m
FROM = 1.0  # m, where a promise is no longer kept
TOLERANCE = 1e-8
PLANS = ["small", "large"]


@final
@dataclass(frozen=True)
class Promise(AbstractForce):
    """f = -k x - c dx/dt; the energy is right as far as 1 m, and beyond it a share too large."""

    gauge: Gauge
    share: float
    damping: float = 0.0

    def action(self, now):
        m = now.gauges[0]
        return Action.along(-K * m.value - self.damping * m.rate)

    def energy(self, now):
        x = now.gauges[0].value
        beyond = kempe.where(x > FROM, x - FROM, 0.0)
        return 0.5 * K * (x * x + self.share * beyond * beyond)


def block(force, speed: float = 8.0) -> Mechanism:
    """1 kg on a rail, thrown from 0.3 m beyond 1 m (against 40 N/m: as far as 1.3 m)."""
    m = Builder("block", plane=True)
    body = m.body("block", at=(0.3, 0), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    rail = (1, 0, 0)
    m.prismatic(m.ground.at(0, 0).facing(rail), body.at(0, 0).facing(rail), name="rail")
    m.force(force(body.x), "spring")
    m.rate(body.x, speed)
    return m.build()


def reached() -> float:
    """When x = 0.3 cos wt + 8 / w sin wt passes 1 m."""
    w = np.sqrt(K)
    size, phase = np.hypot(0.3, 8.0 / w), np.arctan2(8.0 / w, 0.3)
    return float((phase - np.arccos(FROM / size)) / w)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("damping", [0.0, 0.5])
def test_an_energy_that_is_wrong_further_on_ends_the_run_where_it_is(plan, damping):
    run = block(lambda x: Promise(x, 0.1, damping)).simulate(until=1.0, steps=500, plan=plan)
    assert run.outcome.name == "Diverged"
    assert run.outcome.facts["force"] == "spring"
    assert "'spring'" in str(run.outcome)
    if not damping:
        assert 0.0 <= run.outcome.facts["t"] - reached() < 3 / 500
    assert run["block.x"].values.max() < FROM + 0.05
    moved = run.energy.kinetic.max()
    assert np.diff(run.energy.dissipated).min() > -1e3 * TOLERANCE * moved


@pytest.mark.parametrize("plan", PLANS)
def test_a_spring_without_damper_dissipates_nothing(plan):
    run = block(lambda x: SpringDamper(x, stiffness=K)).simulate(until=2.0, steps=50, plan=plan)
    assert run.outcome.is_done
    assert np.all(run.energy.dissipated == 0.0)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("share", [1e-3, -1e-3, 1e-5])
def test_a_promise_that_is_broken_between_two_samples_is_an_outcome(plan, share):
    """Seen at the start and far beyond: only what came of it tells."""

    def stored(s):
        bump = kempe.where(s > 1.0, 1.0, 0.0)
        return 0.5 * K * s * s * (1.0 + share * bump)

    spring = lambda x: NonlinearSpring(x, lambda s: K * s, stored=Formula(stored))  # noqa: E731
    run = block(spring).simulate(until=1.0, steps=4, plan=plan)
    assert not run.outcome.is_done
    assert len(run) <= 2


@pytest.mark.parametrize("plan", PLANS)
def test_a_promise_that_is_kept_is_no_outcome(plan):
    run = block(lambda x: Promise(x, 0.0, 0.5)).simulate(until=1.0, steps=50, plan=plan)
    assert run.outcome.is_done
    run = block(lambda x: Promise(x, 0.1), speed=4.0).simulate(until=1.0, steps=50, plan=plan)
    assert run.outcome.is_done  # as far as 0.7 m only


@final
@dataclass(frozen=True)
class Pull(AbstractForce):
    """f = -k (d^2 + 0.01) d between two points, and what that stores."""

    I: Marker
    J: Marker
    k: float

    def action(self, now):
        d = now.X[1].position - now.X[0].position
        return Action.between(now, d * (-self.k * (d @ d + 0.01)), Vector(0.0, 0.0, 0.0))

    def energy(self, now):
        d = now.X[1].position - now.X[0].position
        return self.k / 4 * (d @ d + 0.01) * (d @ d + 0.01)


@pytest.mark.parametrize("angle", [-1.0, -0.63, -0.26, 0.11, 0.48])
def test_a_force_within_one_body_does_nothing_and_is_not_blamed_for_rounding(angle):
    """The arm swings as it does without: what acts at its two points cancels, to 1e-17 N."""

    def swing(*, pulled: bool) -> kempe.Trajectory:
        m = Builder("arm", plane=True, gravity=(0, -9.81))
        inertia = Inertia(1.0, (0.5, 0, 0), np.eye(3))
        arm = m.bar("arm", 0.7, angle=angle, inertia=inertia)
        m.revolute(m.ground.at(0, 0), arm.start)
        if pulled:
            m.force(Pull(arm.start, arm.at(0.7, 0.1), 3.0), "pull")
        return m.build().simulate(until=1.0, steps=10)

    pulled, alone = swing(pulled=True), swing(pulled=False)
    assert pulled.outcome.is_done, pulled.outcome
    assert pulled["arm.angle"].values == pytest.approx(alone["arm.angle"].values, abs=1e-9)


@pytest.mark.parametrize("stored", [None, Polynomial((0.0, 0.0, 0.5 * K))])
@pytest.mark.parametrize("damper", [TextFormula("abs(t - 0.3)"), lambda t: abs(t - 0.3)])
def test_a_damper_that_holds_at_rest_is_no_wrong_energy(stored, damper):
    run = block(
        lambda x: NonlinearSpring(x, Polynomial((0.0, K)), damper=damper, stored=stored), 0.1
    ).simulate(until=0.3, steps=10)
    assert run.outcome.is_done, run.outcome
    assert run.energy.potential == pytest.approx(0.5 * K * run["block.x"].values ** 2)


def test_an_energy_that_is_wrong_at_the_start_is_refused_before_the_run():
    """Off by 1.5e-7 N of 12 N that act there, and of far more that act around it."""
    law = Formula(lambda x: K * x + 1e5 * (x - 0.3) ** 3)
    stored = Formula(lambda x: 0.5 * K * x * x + 2.5e4 * (x - 0.3) ** 4 + 1.5e-7 * x)
    with pytest.raises(kempe.errors.FormulaError, match=r"at rest they differ by 1.5e-07 of 12\."):
        block(lambda x: NonlinearSpring(x, law, stored=stored)).simulate(until=0.3)


def test_a_spring_that_starts_where_it_holds_nothing_is_not_blamed_for_rounding():
    """K (s - 0.3) at 0.3 m, and its energy by terms that cancel there."""
    stored = Formula(lambda x: 0.5 * K * x * x - 0.3 * K * x + 0.045 * K)
    run = block(
        lambda x: NonlinearSpring(x, Formula(lambda x: K * (x - 0.3)), stored=stored), 0.0
    ).simulate(until=0.3, steps=10)
    assert run.outcome.is_done, run.outcome


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("drag", [Polynomial((6.0,)), "6", lambda v: 6.0 + 0.0 * v])
def test_a_damper_that_is_the_same_at_every_rate_dissipates(plan: str, drag: object) -> None:
    """Against f = -k x - 6 N the block swings about -6 N / k, and loses 6 N times its way."""
    mechanism = block(lambda x: NonlinearSpring(x, Polynomial((0.0, K)), damper=drag), speed=0.0)
    motion = mechanism.simulate(until=1.0, steps=20, tolerance=TOLERANCE, plan=plan)
    assert motion.outcome.is_done
    x = (0.3 + 6.0 / K) * np.cos(np.sqrt(K) * motion.t) - 6.0 / K
    assert np.abs(motion["block.x"].values - x).max() < 1e-6
    assert np.abs(motion.energy.dissipated - 6.0 * (x - 0.3)).max() < 1e-5
