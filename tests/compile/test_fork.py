"""A process that is forked while another thread compiles goes on in the child."""

import os
import signal
import threading
import time

import pytest

import kempe
from kempe.compile.llvm.machine_code import COMPILING, llvm_available
from kempe.compile.program.program import PROGRAMS

PATIENCE = 60.0  # s, for what takes a tenth of a second

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning"),
]


def ended_in(child):
    """How a child ended; it is ended by force where it hangs."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "hangs"


@pytest.mark.parametrize(
    "lock", [COMPILING, PROGRAMS._lock], ids=["a program is compiled", "a program is looked up"]
)
def test_a_child_that_is_forked_meanwhile_computes(lock, monkeypatch):
    if not llvm_available():
        pytest.skip("nothing is compiled here")
    monkeypatch.setenv("KEMPE_CACHE", "off")
    holds = threading.Event()

    def busy():
        with lock:
            holds.set()
            time.sleep(0.3)

    thread = threading.Thread(target=busy)
    thread.start()
    holds.wait()
    child = os.fork()
    if child == 0:
        try:
            PROGRAMS.clear()
            done = kempe.gallery.four_bar().kinematics(until=1.0, steps=3, executor="llvm")
            os._exit(0 if done.outcome.is_done else 3)
        except BaseException:
            os._exit(4)
    thread.join()
    assert ended_in(child) == 0
