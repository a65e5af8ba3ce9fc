"""Runs that cannot go on say why, and keep what they have."""

import os
import signal
import threading
from dataclasses import replace

import numpy as np
import pytest

import kempe
from kempe import Builder, Inertia
from kempe.dynamics.ending import Halt, RunEnd, ending
from kempe.errors import BadNumber
from kempe.forces import SpringDamper
from tests.dynamics.efforts import Effort


def sliding(force, speed=0.0):
    """A block of 1 kg on a rail with one force along it, from x = 1."""
    m = Builder("block", plane=True)
    block = m.body("block", at=(1, 0), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    m.prismatic(m.ground.at(0, 0), block.at(0, 0), name="rail")
    m.force(force(block.x), "force")
    m.rate(block.x, speed)
    return m.build()


def attractor(x):
    """Pulls to the origin ever harder: f = -1 / x^3; x = sqrt(1 - t^2) from rest at 1."""
    return Effort(x, lambda m, t: -1.0 / (m.value * m.value * m.value))


def explosive(x):
    """Grows faster than its own motion: f = 6 x^2; x = 1 / (1 - t)^2 without end before t = 1."""
    return Effort(x, lambda m, t: 6.0 * m.value * m.value)


def rooted(x):
    """No number below x = 0: f = -sqrt(x) - 1."""
    return Effort(x, lambda m, t: -kempe.sqrt(m.value) - 1.0)


@pytest.mark.parametrize(("force", "speed", "end"), [(attractor, 0.0, 1.0), (explosive, 2.0, 1.0)])
def test_a_motion_without_bounds_ends_where_it_must_and_keeps_its_samples(force, speed, end):
    motion = sliding(force, speed).simulate(until=2.0, steps=200)
    assert motion.outcome.name in ("StepTooSmall", "Diverged")
    assert motion.outcome.facts["t"] == pytest.approx(end, abs=1e-2)
    assert 90 <= len(motion) <= 101
    x = motion["block.x"].values
    assert np.isfinite(motion.motion.q).all()
    assert np.isfinite(motion.motion.a).all()
    expected = np.sqrt(1 - motion.t**2) if force is attractor else (1 - motion.t) ** -2
    assert np.abs(x - expected)[:90].max() < 1e-5 * expected[:90].max()


def test_a_force_that_is_no_number_ends_the_run_as_diverged():
    motion = sliding(rooted).simulate(until=5.0, steps=50)
    assert motion.outcome.name == "Diverged"
    assert motion.outcome.advice
    assert 5 < len(motion) < 50
    assert motion["block.x"].values[-1] >= 0.0
    assert np.isfinite(motion.motion.a).all()


def test_control_c_keeps_the_samples_so_far(hinged_chain):
    chain = hinged_chain(6)
    chain.simulate(until=0.01, steps=1)  # compiled before the clock starts
    threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt) as stop:
        chain.simulate(until=10_000.0, steps=100_000)
    motion = stop.value.result
    assert motion.outcome.name == "Interrupted"
    assert 1 < len(motion) < 100_000
    assert motion.t[-1] <= motion.outcome.facts["t"]


@pytest.mark.parametrize(
    ("halt", "name"),
    [
        ("interrupted", "Interrupted"),
        ("singular", "Singular"),
        ("locked", "Locked"),
        ("step_too_small", "StepTooSmall"),
        ("too_many_steps", "StepTooSmall"),
        ("diverged", "Diverged"),
    ],
)
def test_every_halt_has_a_word_a_message_and_advice(halt, name):
    end = RunEnd(3, Halt[halt], 0.5, {"steps": 7, "rejected": 1, "damped": 0})
    for stiff in (False, True):
        outcome = ending(replace(end, stiff=stiff), 10, 1e-8)
        assert outcome.name == name
        assert "t = 0.5 s" in outcome.message
        assert outcome.advice
        assert outcome.facts["steps"] == 7
    assert ending(end, 3, 1e-8).is_done


def test_advice_speaks_of_springs_only_where_there_are_forces():
    counts = {"steps": 7, "rejected": 1, "damped": 0}
    for halt in (Halt.step_too_small, Halt.too_many_steps):
        end = RunEnd(3, halt, 0.5, counts, steps_left=2e12)
        for stiff in (False, True):
            told = ending(replace(end, stiff=stiff, forces=False), 10, 1e-8)
            assert "spring" not in told.advice
            assert "force" not in told.advice
            assert "lighter" in told.advice
            assert "spins" in told.advice
        assert "spring" in ending(replace(end, stiff=True), 10, 1e-8).advice


@pytest.mark.parametrize(
    "law",
    [lambda t: kempe.sqrt(1.0 - t), lambda t: kempe.tan(1.5 * t), lambda t: 1.0 / (1.0 - t)],
    ids=["a root that ends", "a tangent", "a pole"],
)
def test_a_drive_that_runs_away_is_told_as_one(law):
    m = Builder("driven", plane=True)
    bar = m.bar("bar", 1.0, inertia=Inertia(1.0, (0.5, 0, 0), np.eye(3)))
    m.revolute(m.ground.at(0, 0), bar.start)
    m.drive(bar.angle, law)
    run = m.build().simulate(until=2.0, steps=10)
    assert not run.outcome.is_done
    assert "drive" in run.outcome.advice


def test_a_wheel_that_turns_too_often_is_told_to_run_for_less():
    m = Builder("wheel", plane=True)
    wheel = m.bar("wheel", 1.0, inertia=Inertia(1.0, (0.5, 0, 0), np.eye(3)))
    m.revolute(m.ground.at(0, 0), wheel.start)
    m.rate(wheel.angle, 1e6)
    run = m.build().simulate(until=10_000.0, steps=10)
    assert run.outcome.name == "StepTooSmall"
    assert "shorter run" in run.outcome.advice
    assert "spring" not in run.outcome.advice


@pytest.mark.parametrize("massless", [False, True])
def test_drives_alone_can_hold_what_moves(massless):
    """A body without joints, its angle driven at 2 rad/s, and a second body: nothing else acts."""
    m = Builder("turntable", plane=True)
    table = m.body("table", inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    m.drive(table.angle, speed=2.0)
    if massless:
        m.body("paper")
        with pytest.raises(BadNumber, match="'paper'"):
            m.build().simulate(until=1.0)
        return
    m.drive(table.x, speed=0.5)
    run = m.build().simulate(until=1.0, steps=10)
    assert run.outcome.is_done
    assert run["table.angle"].values[-1] == pytest.approx(2.0)


@pytest.mark.parametrize("tolerance", [1e-3, 3e-4])
@pytest.mark.parametrize("method", ["tsit5", "dop853", "gear"])
def test_a_long_chain_that_long_steps_leave_open_is_followed_by_shorter_ones(method, tolerance):
    """Errors are beside the machine, of which a link is a hundredth: joints open by much of it."""
    m = kempe.Builder("hanging chain", plane=True, gravity=(0, -9.81))
    thin = np.diag([0.0, 1e-4, 1e-4]) / 1.2
    last = m.ground.at(0, 0)
    for k in range(100):
        inertia = kempe.Inertia(0.1, (0.05, 0, 0), thin)
        link = m.bar(f"link{k}", 0.1, at=(0.1 * k, 0), angle=0.0, inertia=inertia)
        m.revolute(last, link.start)
        last = link.end
    run = m.build().simulate(until=0.5, steps=5, tolerance=tolerance, method=method)
    assert run.outcome.is_done
    total = run.energy.total
    assert np.abs(total - total[0]).max() < 10 * tolerance * run.energy.kinetic.max()
    # the tip falls freely until the wave that starts at the hinge has come to it
    np.testing.assert_allclose(run["link99.y"].values, -0.5 * 9.81 * run.t**2, atol=0.1)


def test_a_machine_with_weights_alone_is_not_told_to_soften_its_springs():
    run = kempe.gallery.double_pendulum().simulate(until=1e12, steps=1)
    assert run.outcome.name == "StepTooSmall"
    assert "far lighter" in str(run.outcome)
    assert "spring" not in str(run.outcome)


@pytest.mark.parametrize("method", ["dop853", "tsit5"])
def test_forces_that_are_too_stiff_for_a_method_name_one_that_bears_them(method):
    """v' = -1e12 v: gone after 1e-12 s, of 10 s."""
    block = sliding(lambda x: SpringDamper(x, stiffness=0.0, damping=1e12), speed=1.0)
    outcome = block.simulate(until=10.0, steps=4, method=method).outcome
    assert outcome.name == "StepTooSmall"
    assert f"{method!r} is for others: take 'rodas5p'" in outcome.advice
    followed = block.simulate(until=10.0, steps=4, method="rodas5p")
    assert followed.outcome.is_done
    assert followed["block.x"].values[-1] == pytest.approx(1.0, abs=1e-9)


WHEN = "at t = 0.5 s "
ENDS = {  # what a run ended with, what is said of it, and what is advised
    "used up": (
        RunEnd(3, Halt.step_too_small, 0.5, {}, spent=("tank",)),
        "nothing is left of the mass of 'tank', and nothing says how it moves on.",
        "Let the flow end before, as by rate='-1 if gained > -9 else 0', or switch it off by an"
        " event. The samples so far are kept.",
    ),
    "spare drive": (
        RunEnd(3, Halt.locked, 0.5, {}, redundant=True, spare_drives=("a.angle",)),
        "drives, or joints that are redundant, no longer fit together: what the drive on 'a.angle'"
        " holds is held by others too.",
        "Remove that drive, or let its law follow the others. The samples so far are kept.",
    ),
    "spare joint": (
        RunEnd(3, Halt.locked, 0.5, {}, redundant=True),
        "the redundant joints no longer fit together.",
        "The mechanism moves only where its dimensions are exact: check angles and lengths.",
    ),
    "open": (
        RunEnd(3, Halt.locked, 0.5, {}, redundant=False),
        "the joints no longer close: the mechanism has come into a singular position, from which it"
        " could not be followed.",
        "Start elsewhere, or change a length a little.",
    ),
    "dead point": (
        RunEnd(3, Halt.locked, 0.5, {}, redundant=False, drives=("a.angle",)),
        "the drive on 'a.angle' has come to a dead point: the joints reach no further that way.",
        "Let it turn back before, or drive another joint. The samples so far are kept.",
    ),
    "singular": (
        RunEnd(3, Halt.singular, 0.5, {}),
        "the constraints have been singular for hundreds of steps.",
        "Look for joints that lock each other, or for a motion that rests in a dead point.",
    ),
    "gear": (
        RunEnd(3, Halt.step_not_held, 0.5, {}, methods=((0.0, "gear"),)),
        "Newton's method does not converge in the steps of one length that were asked for, nor in"
        " shorter ones.",
        "Allow it more newton_iterations, a larger newton_tolerance or tolerance, or ask for"
        " shorter steps. The samples so far are kept.",
    ),
    "too short": (
        RunEnd(3, Halt.step_too_small, 0.5, {}, forces=False),
        "the steps for a tolerance of 1e-08 have become too small to go on.",
        "Look for a body that is far lighter than those it is joined to, that spins very fast, or"
        " that touches where nothing holds it any more, as a bar along a cylinder; or ask for a"
        " larger tolerance.",
    ),
    "stiff": (
        RunEnd(3, Halt.step_too_small, 0.5, {}, stiff=True, methods=((0.0, "rodas5p"),)),
        "the steps for a tolerance of 1e-08 have become too small to go on.",
        "The forces are stiff: soften the fastest spring, damper or friction.",
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_what_is_said_of_an_end_and_advised(name):
    end, message, advice = ENDS[name]
    counts = {"steps": 7, "rejected": 1, "damped": 0}
    outcome = ending(replace(end, counts=counts), 10, 1e-8)
    assert outcome.message == WHEN + message
    assert outcome.advice == advice


def test_a_frame_that_its_joints_lock_is_told_what_to_take_away():
    m = Builder("truss", plane=True, gravity=(0, -9.81))
    plate = m.body("plate", at=(0, 0), inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    for name, x in (("left", 0.0), ("right", 1.0)):
        m.revolute(m.ground.at(x, 0), plate.at(x, 0), name=name)
    outcome = m.build().simulate(until=1.0, steps=2).outcome
    assert outcome.message == "'truss' cannot move: its joints leave it no freedom."
    assert outcome.advice == (
        "Take a joint away, or one that holds less; `check` counts row by row."
    )
