"""Fresh processes: what a user waits for who has just started Python."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1]
# One thread, whatever linear algebra is installed.
ONE_THREAD = {
    name: "1"
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
}


def environment(**more: str) -> dict[str, str]:
    """This process's, held to one thread."""
    return {**os.environ, **ONE_THREAD, **more}


def fresh_seconds(before: str, timed: str, cache: Path) -> float:
    """CPU seconds of the statement `timed` in a new process that has run `before`."""
    script = (
        f"import time\n{before}\nbegan = time.process_time()\n{timed}\n"
        "print(time.process_time() - began)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(KEMPE_CACHE=str(cache)),
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def peer(name: str, *arguments: int) -> dict[str, Any] | None:
    """What peers/<name>.py measured in the peers' environment; None where it is not installed."""
    beside = FOLDER.parent / ".venv-peers" / "bin" / "python"
    python = os.environ.get("KEMPE_PEERS") or str(beside)
    if not Path(python).is_file():
        return None
    done = subprocess.run(
        [python, "-m", f"peers.{name}", *map(str, arguments)],
        cwd=FOLDER,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        return None
    measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return measured
