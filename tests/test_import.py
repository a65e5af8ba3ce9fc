"""The package and its C++ core belong together."""

import subprocess
import sys

import pytest

import kempe
from kempe import _core


@pytest.mark.core
def test_the_core_was_built_for_this_version_of_the_package() -> None:
    assert _core.version() == kempe.__version__


@pytest.mark.parametrize("work", ["kinematics(until=1.0)", "motions()", "check()"])
def test_a_script_ends_without_a_word(work: str) -> None:
    script = f"import kempe; kempe.gallery.four_bar().{work}"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert ended.stdout + ended.stderr == b""
