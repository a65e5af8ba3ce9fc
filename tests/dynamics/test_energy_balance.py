"""Energies add up, whatever switches; where they do not, the run says so instead of going on."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kempe
from kempe import Builder, Inertia, Mechanism
from kempe.drives import Cycloidal, Piecewise, Polynomial, Table
from kempe.dynamics.energy_check import imbalance
from kempe.forces import (
    Acting,
    Actuator,
    Control,
    LineSpring,
    NonlinearSpring,
    SpringDamper,
)
from tests.dynamics.efforts import Effort

G = 9.81
K, C, FREE = 200.0, 5.0, 1.0
#: Beside the energy dissipated: as many steps as there are, each to its tolerance.
PER_TOLERANCE = 1e3
POINTS = ((0.0, 0.0), (0.5, 0.8), (1.2, 0.3), (2.0, 1.0))


def on_a_rope(acting: Acting = Acting.TENSION) -> Mechanism:
    """A ball of 1 kg that falls half a metre into a damped rope, straight down."""
    m = Builder("ball on a rope", plane=True, gravity=(0, -G))
    inertia = Inertia(1.0, (0, 0, 0), 0.1 * np.eye(3))
    ball = m.body("ball", at=(0, -0.5), angle=0.0, inertia=inertia)
    m.force(LineSpring(m.ground.at(0, 0), ball.at(0, 0), K, C, FREE, acting=acting), "rope")
    return m.build()


def dissipated_by_the_rope(until: float) -> float:
    """The same by SciPy, the work an unknown of its own, every switch an event."""
    y, t = np.array([0.5, 0.0, 0.0]), 0.0  # length, speed, work
    taut = False
    while t < until:

        def rates(_, y, taut=taut):
            pull = K * (y[0] - FREE) + C * y[1]
            return [y[1], G - (pull if taut else 0.0), C * y[1] ** 2 if taut else 0.0]

        def slack(_, y, taut=taut):
            return K * (y[0] - FREE) + C * y[1] if taut else y[0] - FREE

        slack.terminal, slack.direction = True, -1.0 if taut else 1.0
        found = solve_ivp(
            rates, (t, until), y, "DOP853", rtol=1e-12, atol=1e-13, events=slack, first_step=1e-6
        )
        y, t = found.y[:, -1], float(found.t[-1])
        if taut:  # no longer pulls, though longer than at rest: what is still stored is given up
            y[2] += 0.5 * K * max(y[0] - FREE, 0.0) ** 2
            y, t, extra = _until_short(y, t, until)
            y[2] -= extra
        taut = not taut
    return float(y[2])


def _until_short(y: np.ndarray, t: float, until: float) -> tuple[np.ndarray, float, float]:
    """Free flight until the rope is shorter than at rest; the energy stored if it ends before."""
    fall = 0.5 * G
    a, b, c = fall, y[1], y[0] - FREE
    if c <= 0.0:
        return y, t, 0.0
    roots = [r.real for r in np.roots([a, b, c]) if abs(r.imag) < 1e-9 and r.real > 1e-12]
    h = min([*roots, until - t])
    after = np.array([y[0] + b * h + a * h * h, y[1] + G * h, y[2]])
    rest = 0.5 * K * max(after[0] - FREE, 0.0) ** 2 if t + h >= until else 0.0
    return after, t + h, rest


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-10])
def test_what_a_rope_dissipates_is_right_and_never_falls(tolerance, plan):
    motion = on_a_rope().simulate(until=3.0, steps=300, tolerance=tolerance, plan=plan)
    energy = motion.energy
    assert motion.outcome.is_done
    expected = dissipated_by_the_rope(3.0)
    assert energy.dissipated[-1] == pytest.approx(
        expected, abs=PER_TOLERANCE * tolerance * expected
    )
    assert np.ptp(energy.total) < PER_TOLERANCE * tolerance * expected
    assert np.diff(energy.dissipated).min() > -PER_TOLERANCE * tolerance * expected


def reversing(x):
    """f = 5 N until 0.7 s, then -5 N."""
    return Effort(x, lambda m, t: kempe.where(t < 0.7, 5.0, -5.0))


def stop(x):
    """f = -2000 (x - 0.15) - 9 dx/dt beyond 0.15 m: it jumps where it is touched at speed."""

    def push(m, t):
        return kempe.where(m.value > 0.15, -2000.0 * (m.value - 0.15) - 9.0 * m.rate, 0.0)

    return Effort(x, push)


SWITCHED = {
    "a jump in time": reversing,
    "a dry friction": lambda x: Control(x, "-3 * x_rate / max(abs(x_rate), 0.01) - 20 * x"),
    "a play": lambda x: NonlinearSpring(x, lambda s: 300.0 * (abs(s - 0.1) - abs(s + 0.1) + 2 * s)),
    "a table": lambda x: Actuator(x, Table(((0.0, 3.0), (0.4, -2.0), (1.1, 4.0)))),
    "a one-sided damper": lambda x: Control(x, "-40 * x - 8 * max(x_rate, 0)"),
    "a stop": stop,
}


@pytest.mark.parametrize("name", SWITCHED)
def test_the_balance_holds_over_every_kind_of_switch(name):
    m = Builder("block", plane=True)
    block = m.body("block", at=(0.3, 0), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    rail = (1, 0, 0)
    m.prismatic(m.ground.at(0, 0).facing(rail), block.at(0, 0).facing(rail), name="rail")
    m.force(SWITCHED[name](block.x), "force")
    m.rate(block.x, 0.8)
    motion = m.build().simulate(until=3.0, steps=100)
    energy = motion.energy
    assert motion.outcome.is_done
    moved = energy.kinetic.max() + np.abs(energy.dissipated).max()
    assert np.ptp(energy.total) < PER_TOLERANCE * 1e-8 * moved


def driven(law) -> Mechanism:
    m = Builder("crank", plane=True, gravity=(0, -G))
    inertia = Inertia(1.0, (0.5, 0, 0), np.diag([0, 1, 1]) / 12)
    bar = m.bar("bar", 1.0, angle=0.0, inertia=inertia)
    m.revolute(m.ground.at(0, 0), bar.start, name="A")
    m.drive(bar.angle, law)
    return m.build()


def test_a_simulation_starts_with_the_speed_of_its_table_and_gains_nothing():
    motion = driven(Table(POINTS)).simulate(until=2.0, steps=20)
    assert motion.outcome.is_done
    assert motion["bar.angle"].rate[0] == pytest.approx(3.4607142857)
    assert np.ptp(motion.energy.total) < 1e-6 * motion.energy.kinetic.max()


def test_a_simulation_ends_where_its_table_does_at_speed():
    run = driven(Table(POINTS)).simulate(until=3.0, steps=30)
    assert run.outcome.name == "LimitReached"
    assert run.outcome.facts["t"] == 2.0
    assert run.outcome.facts["drive"] == "bar.angle"
    assert len(run) == 21
    assert run.t[-1] == 2.0
    assert np.ptp(run.energy.total) < 1e-6 * run.energy.kinetic.max()


@pytest.mark.parametrize(
    ("law", "corner"),
    [
        (Piecewise(((0.7, Polynomial((0.0, 1.0))), (1.0, Polynomial((0.7, -2.0))))), 0.7),
        (
            Piecewise(
                ((0.5, Polynomial((0.0, 1.0))), (0.5, Polynomial((0.5, -1.0)))), repeats=True
            ),
            0.5,
        ),
        (lambda t: 0.3 * abs(t - 1.3), 1.3),
        (Table(((0, 0), (1, 0.4), (1.5, 0.0))), 1.5),
        (Cycloidal(rise=1.0, duration=1.0), None),
        (Table(((0, 0), (1, 0.4), (2, 0.1), (3, 0.0)), periodic=True), None),
        (Polynomial((0.0, 1.0, -0.2)), None),
    ],
)
def test_a_drive_whose_speed_jumps_ends_a_simulation_there(law, corner):
    run = driven(law).simulate(until=2.0, steps=20)
    if corner is None:
        assert run.outcome.is_done
        return
    assert run.outcome.name == "LimitReached"
    assert run.outcome.facts["t"] == pytest.approx(corner, abs=1e-12)
    assert run.t[-1] <= corner < run.t[-1] + 0.1 + 1e-9


def test_energy_from_nowhere_is_an_outcome():
    """A pulse of speed too short to be looked for: nothing else tells."""
    width = 1e-6
    law = lambda t: 2.0 * abs(t - 1.0) - abs(t - 1.0 - width) - abs(t - 1.0 + width)  # noqa: E731
    run = driven(lambda t: 0.3 * t + 1e3 * law(t)).simulate(until=2.0, steps=20)
    assert not run.outcome.is_done
    assert np.ptp(run.energy.total) < 1e-3 * run.energy.kinetic.max()


def test_a_balance_is_judged_by_what_was_moved_and_by_the_steps():
    t = np.linspace(0.0, 1.0, 11)
    swing = np.stack([np.sin(t) ** 2, 1e3 + np.cos(t) ** 2, 0 * t, 0 * t], axis=1)
    assert imbalance(swing, 100, 1e-8) is None
    swing[7:, 0] += 1e-3
    found = imbalance(swing, 100, 1e-8)
    assert found is not None
    assert found.sample == 7
    assert found.off == pytest.approx(1e-3, rel=1e-6)
    assert imbalance(swing, 100_000, 1e-6) is None  # so loose a run may err as much
    assert math.isclose(found.scale, np.sin(0.7) ** 2 + 1e-3 + 1 - np.cos(0.7) ** 2, rel_tol=1e-6)


def test_a_swing_that_is_only_seen_where_it_turns_is_no_imbalance():
    """There it has no kinetic energy and has stored what it had: nothing seems to have moved."""
    m = Builder("swing", plane=True, gravity=(0, 0))
    inertia = Inertia(1.0, (0, 0, 0), 0.1 * np.eye(3))
    block = m.body("block", at=(0.2, 0), angle=0.0, inertia=inertia)
    m.force(SpringDamper(block.x, stiffness=40.0), "spring")
    half = math.pi / math.sqrt(40.0)
    motion = m.build().simulate(until=5 * half, steps=5)
    assert motion.outcome.is_done
    found = motion["block.x"].values
    np.testing.assert_allclose(found, 0.2 * (-1.0) ** np.arange(6), atol=1e-6)
