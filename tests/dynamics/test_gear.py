"""Gear's backward differences: their orders, their motions, and what can be set."""

import math
import pickle

import numpy as np
import pytest
from scipy.special import ellipj

import kempe as kp
from kempe.dynamics import Gear
from kempe.errors import BadNumber
from kempe.events import Stop
from kempe.forces import SphereOnPlane, SpringDamper
from kempe.gallery import COURSES, MECHANISMS

pytestmark = pytest.mark.core

G = 9.81
#: Steps of two lengths, a factor 2 apart, at which errors are far above rounding.
STEPS = {1: (400, 800), 2: (200, 400), 3: (100, 200), 4: (100, 200), 5: (100, 200), 6: (50, 100)}


@pytest.mark.row("C5")
@pytest.mark.parametrize("name", ["double_pendulum", "koh_park_pendulum"])
@pytest.mark.parametrize("order", range(1, 7))
def test_steps_of_one_length_have_the_order_that_was_asked_for(name, order):
    """A plane mechanism and one in space, each against the explicit method at 1e-13."""
    machine, until, errors = MECHANISMS[name](), 0.5, []
    exact = machine.simulate(until=until, steps=1, tolerance=1e-13, method="dop853").motion.q[-1]
    for steps in STEPS[order]:
        gear = Gear(order=order, step=until / steps, newton_iterations=30)
        run = machine.simulate(until=until, steps=1, tolerance=1e-11, method=gear)
        assert run.outcome.is_done
        assert run.motion.counts["steps"] == steps
        errors.append(np.abs(run.motion.q[-1] - exact).max())
    slope = math.log2(errors[0] / errors[1])
    assert order - 0.4 < slope < order + 0.7


@pytest.mark.parametrize("tolerance", [1e-5, 1e-8])
def test_a_swinging_rod_follows_the_elliptic_functions(planar_pendulum, tolerance):
    w0 = math.sqrt(1.5 * G)
    swing = planar_pendulum(-math.pi / 2, spin=w0)
    run = swing.simulate(until=3.0, steps=60, tolerance=tolerance, method="gear")
    expected = 2 * np.arcsin(0.5 * ellipj(w0 * run.t, 0.25)[0])
    assert run.outcome.is_done
    # errors of a few hundred steps of one sign add up
    assert np.abs(run["rod.angle"].values + math.pi / 2 - expected).max() < 300 * tolerance


@pytest.mark.parametrize(
    "name", [n for n in COURSES if n not in ("stiff_flyball_governor", "n_four_bar")]
)
def test_every_entry_moves_as_by_the_explicit_method(name):
    machine, until = MECHANISMS[name](), 0.1 * COURSES[name].until
    explicit = machine.simulate(until=until, steps=10, tolerance=1e-11)
    # errors of places become forces by the stiffness of the contact between cam and roller
    fine = 1e-11 if name == "cam_follower" else 1e-9
    gear = machine.simulate(until=until, steps=10, tolerance=fine, method="gear")
    assert gear.outcome.is_done
    assert gear.motion.recipe.methods[0] == (0.0, "gear")
    size = np.abs(explicit.motion.q).max()
    assert np.abs(gear.motion.q - explicit.motion.q).max() < 1e-5 * size
    lam = np.abs(explicit.motion.multipliers).max(initial=0.0)
    off = np.abs(gear.motion.multipliers - explicit.motion.multipliers).max(initial=0.0)
    assert off <= 1e-4 * lam


@pytest.mark.parametrize("plan", ["small", "large"])
def test_the_stiff_governor_is_exact_to_1e_5(plan):
    governor = MECHANISMS["stiff_flyball_governor"]()
    run = governor.simulate(until=5.0, steps=10, method="gear", tolerance=1e-7, plan=plan)
    height = run["guide.displacement"].values
    # Pinocchio's accelerations integrated by SciPy's Radau at 1e-10
    assert height[[1, 2, 10]] == pytest.approx([0.743249, 0.501421, 0.535563], abs=1e-5)


def test_joints_hold_for_places_and_velocities():
    from kempe.equations import equations_of

    machine = MECHANISMS["flyball_governor"]()
    run = machine.simulate(until=1.0, steps=20, method=Gear(order=3, step=1e-3))
    program = equations_of(machine.layout).program
    for q, v, t in zip(run.motion.q, run.motion.v, run.motion.t, strict=True):
        last = np.zeros(program.shape.n_turns)
        phi, entries, _ = program.evaluate(machine.layout.parameters, q, float(t), last)
        assert np.abs(phi).max() < 1e-9
        assert np.abs(program.dense_jacobian(entries) @ v).max() < 1e-8


@pytest.mark.row("C11")
def test_newtons_tolerance_and_iterations_are_the_users():
    machine = MECHANISMS["double_pendulum"]()
    loose, tight = (
        machine.simulate(
            until=0.2, steps=1, method=Gear(order=2, step=1e-3, newton_tolerance=x)
        ).motion
        for x in (1e3, 1e-3)
    )
    assert loose.counts["evaluations"] < tight.counts["evaluations"]
    few = Gear(order=1, step=0.05, newton_iterations=4)
    cut = machine.simulate(until=0.2, steps=1, method=few, tolerance=1e-5).motion
    assert cut.counts["rejected"] > 0  # no convergence in four: made anew, shorter


def test_what_cannot_be_is_refused():
    for wrong in (
        {"order": 3},
        {"step": 0.1},
        {"order": 7, "step": 0.1},
        {"order": 0, "step": 0.1},
        {"order": 2, "step": -1.0},
        {"order": 2, "step": math.nan},
        {"most_order": 9},
        {"newton_tolerance": 0.0},
        {"newton_iterations": 1},
    ):
        with pytest.raises(BadNumber, match="Gear"):
            Gear(**wrong)
    with pytest.raises(BadNumber, match="no method 'adams'"):
        MECHANISMS["double_pendulum"]().simulate(until=0.1, method="adams")


def test_it_pickles_and_files_can_ask_for_it(tmp_path):
    gear = Gear(order=4, step=1e-3)
    assert pickle.loads(pickle.dumps(gear)) == gear
    path = MECHANISMS["double_pendulum"]().save(tmp_path / "pendulum.yaml")
    run = "run: {analysis: dynamics, until: 0.1, steps: 5, method: gear}\n"
    path.write_text(path.read_text() + run)
    from typer.testing import CliRunner

    from kempe.cli.main import app_of

    answer = CliRunner().invoke(app_of(), ["simulate", str(path), "--json"])
    assert answer.exit_code == 0
    assert '"gear"' in answer.output


def falling_on_a_spring(stiffness, speed=1.0, gap=0.05):
    """A ball above a floor of a stiffness (N/m), without gravity: 1 kg, `gap` (m) away."""
    m = kp.Builder("impact", plane=True)
    unit = kp.Inertia(1.0, (0, 0, 0), np.eye(3))
    ball = m.body("ball", at=(0, 0.5 + gap), inertia=unit, velocity=(0, -speed))
    floor = {"normal": kp.Y, "radius": 0.5, "stiffness": stiffness}
    m.force(SphereOnPlane(m.ground.at(0, 0), ball.at(0, 0), **floor), "floor")
    return m.build()


@pytest.mark.parametrize("stiffness", [1e2, 1e3, 1e5])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-10])
def test_an_elastic_contact_gives_the_speed_back(stiffness, tolerance):
    """x'' = -k x from x = 0 to x = 0: half a period, and the speed is what it was."""
    run = falling_on_a_spring(stiffness).simulate(
        until=0.05 + 1.5 * math.pi / math.sqrt(stiffness),
        steps=100,
        method="gear",
        tolerance=tolerance,
    )
    assert run.outcome.is_done
    w = math.sqrt(stiffness)
    # a place that is off by the tolerance (m) is as a speed that is off by w times that
    allowed = 30 * tolerance * w
    assert run["ball"].velocity[-1][1] == pytest.approx(1.0, abs=allowed)
    lifts = [event.t for event in run.events if event.kind == "lift-off"]
    assert lifts == [pytest.approx(0.05 + math.pi / w, abs=allowed)]


@pytest.mark.parametrize(("method", "most"), [("gear", 2000), ("rodas5p", 10)])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-10])
def test_errors_over_many_elastic_impacts_go_with_the_tolerance(method, most, tolerance):
    """A weight on a spring between its middle and a stop: each time round takes as long.

    x'' = -w^2 x between x = 0.3 and x = -0.5: it comes back after 2 (pi - acos(0.3 / 0.5)) / w.
    """
    m = kp.Builder("bounces", plane=True)
    unit = kp.Inertia(1.0, (0, 0, 0), np.eye(3))
    body = m.body("body", at=(-0.5, 0), inertia=unit)
    slide = m.prismatic(m.ground.at(0, 0), body.at(0, 0), along=(1, 0), name="slide")
    w = 20.0
    m.force(SpringDamper(slide.displacement, stiffness=w * w), "spring")
    m.event(Stop(slide.displacement, high=0.3, restitution=1.0), "stop")
    period = 2 * (math.pi - math.acos(0.6)) / w
    run = m.build().simulate(until=20.25 * period, steps=1, method=method, tolerance=tolerance)
    assert run.outcome.is_done
    impacts = [event for event in run.events if event.kind == "impact"]
    assert len(impacts) == 20
    # errors of one sign add up: backward differences make some hundred steps a time round
    allowed = most * tolerance
    due = [k + 0.5 for k in range(20)]
    assert [e.t / period for e in impacts] == pytest.approx(due, abs=allowed)
    assert [e.speed for e in impacts] == pytest.approx([w * 0.4] * 20, abs=w * allowed)
