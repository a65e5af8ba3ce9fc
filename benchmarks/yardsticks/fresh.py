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


def environment() -> dict[str, str]:
    """This process's, held to one thread, and with bytecode kept as Python keeps it by itself."""
    kept = {k: value for k, value in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return kept | ONE_THREAD


def fresh_seconds(before: str, timed: str, *, cache: Path, bytecode: Path) -> float:
    """CPU seconds of the statement `timed` in a new process that has run `before`.

    `cache` is kempe's, `bytecode` Python's own folder.
    """
    script = (
        f"import time\n{before}\nbegan = time.process_time()\n{timed}\n"
        "print(time.process_time() - began)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment() | {"KEMPE_CACHE": str(cache), "PYTHONPYCACHEPREFIX": str(bytecode)},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def peer(name: str, *arguments: int, given: Any = None) -> tuple[dict[str, Any] | None, str]:
    """What peers/<name>.py measured in the peers' environment, or None and why it did not.

    `given` reaches it as JSON on its standard input.
    """
    beside = FOLDER.parent / ".venv-peers" / "bin" / "python"
    own = str(beside) if beside.is_file() else sys.executable
    python = os.environ.get("KEMPE_PEERS") or own
    try:
        done = subprocess.run(
            [python, "-m", f"peers.{name}", *map(str, arguments)],
            cwd=FOLDER,
            env=environment(),
            input=json.dumps(given),
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return None, f"{name} is not installed; `make bench` installs it"
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1]), ""
    if "ModuleNotFoundError" in done.stderr:
        return None, f"{name} is not installed; `make bench` installs it"
    return None, f"{name} failed"
