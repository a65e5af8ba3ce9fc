"""A worker process as the server sees it: how long it may take, and what is said then."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from kempe.studio.server import workers
from kempe.studio.server.workers import STARTING, Refusal, WorkerProcess

TIMES = Path("/proc/self/stat")
ALLOWED, HELD = 0.4, 0.8  # s it may compute, and s for which it does not get the processor


def child() -> int:
    """The process that this one has begun."""
    found = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return int(found[-1])


@pytest.mark.skipif(not TIMES.exists(), reason="needs what a process has had of the processors")
def test_a_worker_that_does_not_get_the_processor_is_waited_for(tmp_path: Path) -> None:
    async def asked() -> int:
        worker = WorkerProcess(tmp_path, "hand")
        try:
            await worker.ask("library", seconds=STARTING)
            pid = child()
            os.kill(pid, signal.SIGSTOP)
            asyncio.get_running_loop().call_later(HELD, os.kill, pid, signal.SIGCONT)
            _, body = await worker.ask("library", seconds=ALLOWED)
            return len(body)
        finally:
            await worker.close()

    assert asyncio.run(asked()) > 0


@pytest.mark.skipif(not TIMES.exists(), reason="needs what a process has had of the processors")
def test_a_worker_that_never_gets_it_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "GRACE", 0.1)

    async def asked() -> None:
        worker = WorkerProcess(tmp_path, "hand")
        try:
            await worker.ask("library", seconds=STARTING)
            os.kill(child(), signal.SIGSTOP)
            await worker.ask("library", seconds=0.05)
        finally:
            await worker.close()

    with pytest.raises(Refusal, match=r"longer than the 0\.05 s"):
        asyncio.run(asked())
