"""Chunks on every executor: the same table, whatever raises, dies or is interrupted."""

import signal
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, SweepError
from kempe.front.sweep import Sweep
from kempe.interruption import Interrupted
from kempe.sweeps import Kinematics
from tests.sweeps.asked import FOUR_BAR, DeadlyOnce, deadly, same, sizes

CRANKS = {"crank": "0.6..1.4 in 17"}
WORKERS = 2  # processes: as many for every test, so that they are started once


@pytest.fixture(scope="module")
def plain():
    return kempe.sweep(FOUR_BAR, over=CRANKS, analysis=sizes, executor="serial", chunk=3, seed=4)


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_every_executor_finds_the_same(plain, executor):
    found = kempe.sweep(
        FOUR_BAR, over=CRANKS, analysis=sizes, executor=executor, workers=WORKERS, chunk=3, seed=4
    )
    same(found, plain)


def test_an_executor_of_ones_own_is_used_and_left_open(plain):
    with ThreadPoolExecutor(3) as own:
        same(
            kempe.sweep(FOUR_BAR, over=CRANKS, analysis=sizes, executor=own, chunk=3, seed=4), plain
        )
        assert own.submit(int, "3").result() == 3


@pytest.mark.parametrize("chunk", [1, 5, 17, 100])
def test_the_variants_do_not_depend_on_chunks(plain, chunk):
    found = kempe.sweep(
        FOUR_BAR, over=CRANKS, analysis=sizes, executor="serial", chunk=chunk, seed=4
    )
    same(found, plain)


def test_what_raises_is_a_row_that_says_so(plain):
    assert plain.outcomes == {"Done": 16, "Raised": 1}
    assert plain["message"][-1] == "ZeroDivisionError: the crank is too long for me"
    assert np.isnan(plain["twice"][-1])
    assert np.array_equal(plain["twice"][:-1], 2.0 * plain["crank"][:-1])


def test_a_chunk_that_kills_its_worker_is_lost_and_no_other():
    found = kempe.sweep(
        FOUR_BAR, over={"crank": "0.8..1.2 in 9"}, analysis=deadly, workers=WORKERS, chunk=2
    )
    assert found.lost == {2: "its worker was lost 3 times"}
    assert found["outcome"].tolist() == ["Done"] * 4 + ["Lost"] * 2 + ["Done"] * 3
    done = found.is_done
    assert np.array_equal(found["value"][done], found["crank"][done])
    assert "2 Lost" in repr(found)


def test_a_worker_that_dies_once_is_replaced(tmp_path):
    once = DeadlyOnce(tmp_path / "mark")
    found = kempe.sweep(
        FOUR_BAR, over={"crank": "0.8..1.2 in 9"}, analysis=once, workers=WORKERS, chunk=2
    )
    assert (found.lost, found.outcomes) == ({}, {"Done": 9})


def test_a_pool_of_ones_own_that_breaks_is_said(tmp_path):
    over = {"crank": "0.8..1.2 in 5"}
    broken = pytest.raises(SweepError, match="executor is broken; what was finished is kept")
    with ProcessPoolExecutor(1, get_context("spawn")) as own, broken:
        kempe.sweep(
            FOUR_BAR, over=over, analysis=deadly, executor=own, chunk=1, folder=tmp_path / "s"
        )
    assert Sweep.load(tmp_path / "s")["crank"].tolist()[:2] == pytest.approx([0.8, 0.9])


def test_ctrl_c_keeps_finished_chunks_and_resume_goes_on(tmp_path, plain):
    pressed = []

    def pressing(mechanism, rng):
        if mechanism.parameters["crank"] > 0.9 and not pressed:
            pressed.append(True)
            signal.raise_signal(signal.SIGINT)
        return sizes(mechanism, rng)

    asked = {"over": CRANKS, "executor": "serial", "chunk": 1, "seed": 4, "folder": tmp_path / "s"}
    with pytest.raises(Interrupted) as stop:
        kempe.sweep(FOUR_BAR, analysis=pressing, **asked)
    part = stop.value.result
    assert len(part) == 7  # 0.6, 0.65, ..., 0.9
    assert not part.is_complete
    assert "10 not computed yet" in repr(part)
    same(kempe.sweep(FOUR_BAR, analysis=pressing, resume=True, **asked), plain)


def test_progress_counts_and_estimates():
    seen = []
    kempe.sweep(
        FOUR_BAR, over=CRANKS, analysis=sizes, executor="serial", chunk=5, progress=seen.append
    )
    assert [one.done for one in seen] == [0, 5, 10, 15, 17]
    assert (seen[0].left, seen[-1].left, seen[-1].share) == (None, 0.0, 1.0)


def test_what_cannot_be_sent_is_refused_in_words():
    lock = threading.Lock()

    def bound(mechanism):
        return float(lock.locked())

    with pytest.raises(SweepError, match="cannot be sent to another process"):
        kempe.sweep(FOUR_BAR, over=CRANKS, analysis=bound, workers=WORKERS)

    @kempe.parametric
    def inner(crank=1.0):
        return kempe.gallery.four_bar(crank=crank)

    with pytest.raises(SweepError, match="at the top of a module"):
        kempe.sweep(inner(), over=CRANKS, analysis=sizes, workers=WORKERS)


@pytest.mark.parametrize(
    ("executor", "words"),
    [("proceses", "Did you mean 'processes'"), (3, "not int"), (ThreadPoolExecutor, "not ABCMeta")],
)
def test_an_executor_that_is_none_is_refused(executor, words):
    with pytest.raises(BadNumber) as mistake:
        kempe.sweep(FOUR_BAR, over=CRANKS, analysis=sizes, executor=executor)
    assert words in str(mistake.value) or executor is ThreadPoolExecutor


def test_a_script_without_a_guard_is_told_about_it(tmp_path):
    script = tmp_path / "unguarded.py"
    script.write_text(
        "import kempe\n"
        "from kempe.sweeps import Modes\n"
        "try:\n"
        "    kempe.sweep(kempe.gallery.four_bar(), over={'crank': '1..2 in 3'}, analysis=Modes(),"
        " workers=1)\n"
        "except kempe.errors.SweepError as mistake:\n"
        "    print(mistake)\n"
    )
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert "under `if __name__ == '__main__':`" in ran.stdout
    assert ran.stderr == ""


def test_a_batch_is_cut_without_a_seam():
    """Numbers are fitted chunk by chunk: to rounding, the cut does not matter."""
    over = {"crank": "0.9..1.1 in 7", "coupler": "3..3.1 in 5"}
    asked = Kinematics(["range(rocker.angle)", "rocker.angle.rate", "last(coupler.P.x)"], until=1.0)
    one = kempe.sweep(FOUR_BAR, over=over, analysis=asked, executor="serial", chunk=35)
    other = kempe.sweep(FOUR_BAR, over=over, analysis=asked, executor="serial", chunk=11)
    for name in one.results:
        np.testing.assert_allclose(one[name], other[name], rtol=1e-9, atol=1e-11)
