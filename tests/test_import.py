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


def test_a_room_is_there_as_soon_as_it_is_named() -> None:
    script = (
        "import kempe;"
        " print(kempe.forces.Weight.__name__, kempe.interruption.Interrupted.__name__);"
        " print(hasattr(kempe, 'nothing_like_it'), hasattr(kempe, '_nothing'))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    )
    assert ended.stdout == "Weight Interrupted\nFalse False\n"


def test_help_opens_with_lines_that_run(tmp_path, monkeypatch):
    import inspect

    import kempe

    monkeypatch.chdir(tmp_path)
    text = inspect.getdoc(kempe) or ""
    lines = [line for line in text.splitlines() if line.startswith("    ")]
    assert len(lines) == 10
    exec(inspect.cleandoc("\n".join(["", *lines])), {})
    assert (tmp_path / "arm.html").stat().st_size > 10_000
