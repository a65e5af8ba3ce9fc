"""Python run beside the tests, as a reader of the manual runs it."""

import subprocess
import sys
from pathlib import Path

PATIENCE = 120.0  # s: a page takes a few seconds, this only ends one that hangs


def ran_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python with these words, run in a folder."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
