"""Names of rooms whose files are imported when they are first asked for."""

import subprocess
import sys

import pytest

ROOMS = ("kempe.gallery", "kempe.frames", "kempe.results", "kempe.front", "kempe.geometry.specific")


@pytest.mark.parametrize("room", ROOMS)
def test_a_name_means_the_same_whichever_file_was_imported_first(room):
    """In a new process: every file of the room first, then every name of it."""
    script = (
        f"import importlib, types, {room} as room\n"
        "files = sorted(set(room.__getattr__.where.values()))\n"
        "for file in files: importlib.import_module(file)\n"
        "for name in room.__getattr__.names:\n"
        "    assert not isinstance(getattr(room, name), types.ModuleType), name\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
