"""Ctrl-C ends the user's loop, and what was computed until then is kept."""

import os
import pickle
import signal
import threading
import time

import pytest

import kempe
from kempe.cli.main import main
from kempe.interruption import Interrupted, keeps_what_is_done, put_off

SOON = 1.5  # s: long after a run that was prepared before has begun, long before it ends


def pressed(*, after=SOON, what=signal.SIGINT):
    threading.Timer(after, os.kill, (os.getpid(), what)).start()


def test_a_sweep_is_interrupted_and_its_samples_are_kept():
    mechanism = kempe.gallery.four_bar()
    mechanism.kinematics(until=0.01, steps=1)  # compiled before the clock starts
    pressed()
    with pytest.raises(Interrupted) as stop:
        mechanism.kinematics(until=1e7, steps=4)
    kept = stop.value.result
    assert kept.outcome.name == "Interrupted"
    assert kept.outcome.message.startswith("stopped by request at t = ")
    assert kept.outcome.advice == "The samples so far are kept."
    assert 1 <= len(kept) < 5


def test_a_loop_over_sweeps_ends_at_the_first_press():
    mechanism = kempe.gallery.four_bar()
    mechanism.kinematics(until=1.0, steps=20_000)
    end = time.monotonic() + 60.0

    def again_and_again():
        while time.monotonic() < end:
            mechanism.kinematics(until=1.0, steps=20_000)

    pressed()
    with pytest.raises(KeyboardInterrupt):
        again_and_again()
    assert time.monotonic() < end


def test_what_another_signal_raises_is_raised_as_it_is():
    """An alarm that ends what takes too long, say."""

    class TooSlow(Exception):
        pass

    def ring(_signal, _frame):
        raise TooSlow

    before = signal.signal(signal.SIGUSR1, ring)
    try:
        turning, falling = kempe.gallery.four_bar(), kempe.gallery.double_pendulum()
        turning.kinematics(until=0.01, steps=1)
        falling.simulate(until=0.01, steps=1)
        for run in (turning.kinematics, falling.simulate):
            pressed(what=signal.SIGUSR1)
            with pytest.raises(TooSlow) as stop:
                run(until=1e7, steps=4)
            assert stop.value.result.outcome.name == "Interrupted"
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_whoever_hears_of_the_progress_may_stop_a_simulation_and_keeps_its_samples():
    def enough(t):
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stop:
        kempe.gallery.double_pendulum().simulate(until=1e6, steps=1_000_000, progress=enough)
    assert len(stop.value.result) > 1


def test_a_free_sweep_is_interrupted_too():
    m = kempe.Builder("loose", plane=True)
    bars = [m.bar("a", 1.0, at=(0, 0), angle=0.1), m.bar("b", 1.0, at=(1, 0), angle=0.2)]
    m.revolute(m.ground.at(0, 0), bars[0].start)
    m.revolute(bars[0].end, bars[1].start)
    m.drive(bars[0].angle, start=0.1, rpm=60)
    mechanism = m.build()
    mechanism.kinematics(until=0.01, steps=1, free="nearest")
    pressed()
    with pytest.raises(Interrupted) as stop:
        mechanism.kinematics(until=1e5, steps=1_000_000, free="nearest")
    outcome = stop.value.result.outcome
    assert outcome.name == "Interrupted"
    assert outcome.message.startswith("stopped by request at t = ")
    assert outcome.advice == "The samples so far are kept."


def test_an_interrupt_that_nobody_waits_for_is_raised_at_once():
    with pytest.raises(KeyboardInterrupt):
        put_off(KeyboardInterrupt())


def test_an_interrupt_pickles_with_what_it_keeps():
    @keeps_what_is_done
    def partly():
        put_off(KeyboardInterrupt())
        return [1, 2]

    with pytest.raises(Interrupted) as stop:
        partly()
    assert pickle.loads(pickle.dumps(stop.value)).result == [1, 2]


def test_the_command_line_writes_what_was_done(tmp_path, capsys):
    def simulated(until, file):
        words = ["simulate", "double_pendulum", "--until", until, "--steps", "1000000"]
        return main([*words, "-o", str(tmp_path / file)])

    assert main(["simulate", "double_pendulum", "--until", "0.1", "--steps", "2"]) == 0
    pressed()
    assert simulated("1e6", "motion.npz") == 1
    assert "Interrupted" in capsys.readouterr().out
    assert len(kempe.Trajectory.load(tmp_path / "motion.npz")) > 2
