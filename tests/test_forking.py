"""A process that is forked while another thread still loads kempe goes on in the child."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

PATIENCE = 60.0  # s, for what takes one or two
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")

#: Another thread is in the middle of loading a module, what is told by what that one imports.
FORKED = """
    import os, sys, threading, time
    import kempe

    loading = threading.Event()

    class Slow:
        def find_spec(self, name, path=None, target=None):
            if "{late}" in sys.modules and not loading.is_set():
                loading.set()
                time.sleep(0.3)  # time enough to fork

    def first_use():
        {first_use}

    sys.meta_path.insert(0, Slow())
    thread = threading.Thread(target=first_use)
    thread.start()
    loading.wait()
    child = os.fork()
    if child == 0:
        done = kempe.gallery.four_bar().kinematics(until=1.0, steps=3, executor="llvm")
        os._exit(0 if done.outcome.is_done else 3)
    assert os.waitpid(child, 0)[1] == 0
    thread.join()
    print("both went on")
"""


@pytest.mark.parametrize(
    ("first_use", "late"),
    [
        ("kempe.gallery", "kempe.gallery"),
        ("kempe.Builder", "kempe.front"),
        ("kempe.gallery.four_bar().kinematics(until=1.0, steps=3, executor='llvm')", "llvmlite"),
    ],
)
def test_a_child_that_is_forked_while_a_module_is_loaded_computes(first_use, late):
    text = textwrap.dedent(FORKED).format(first_use=first_use, late=late)
    with subprocess.Popen(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", text],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"KEMPE_CACHE": "off"},
        text=True,
        start_new_session=True,
    ) as run:
        try:
            said, wrong = run.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)  # the child, and the parent that waits for it
            pytest.fail("the child hangs")
    assert (said, run.returncode) == ("both went on\n", 0), wrong
