"""A worker process as the server sees it: asked, interrupted, ended, begun anew."""

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from kempe.studio.messages.replies import Mistake
from kempe.studio.worker.pipe import LARGEST, SIZES, packed

GRACE = 2.0  # s that an interrupted computation may compute on to end by itself
STARTING = 60.0  # s until a new process has answered for the first time
WAITING = 6.0  # times what it may compute, for one that does not get the processor
SOON = 0.05  # s until it is looked at again
CHANGING = frozenset(("load", "edit", "text", "file", "gallery"))

Tell = Callable[[str, dict[str, Any], bytes], None]


class Refusal(Exception):
    """Why there is no answer, in the words for the page."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.text)
        self.mistake = mistake


@final
class Ended(Refusal):
    """The process has ended before it answered: killed from outside, or out of memory."""


@final
@dataclass(eq=False)
class Asked:
    """A question under way."""

    number: int
    answer: "asyncio.Future[tuple[dict[str, Any], bytes]]"
    tell: Tell | None

    @property
    def has_result(self) -> bool:
        """Whether it was answered, and not refused."""
        answer = self.answer
        return answer.done() and not answer.cancelled() and answer.exception() is None


@final
class WorkerProcess:
    """One process; questions are answered one after the other."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.revision = -1  # of the document that it has
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._asked: Asked | None = None
        self._count = 0
        self._has_spoken = False
        self._reading: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether it is answering."""
        return self._asked is not None

    @property
    def is_alive(self) -> bool:
        """Whether there is a process."""
        return self._process is not None and self._process.returncode is None

    @property
    def queue(self) -> asyncio.Lock:
        """Who holds it may ask several things in a row, by `asked`."""
        return self._lock

    async def ask(
        self,
        word: str,
        head: dict[str, Any] | None = None,
        body: bytes = b"",
        *,
        seconds: float,
        tell: Tell | None = None,
    ) -> tuple[dict[str, Any], bytes]:
        """Facts and answer; a Refusal where there is none, or none in so many seconds.

        Seconds of a processor where the system tells them: on a busy machine a drag waits, and is
        not refused for it.
        """
        async with self._lock:
            return await self.asked(word, head, body, seconds=seconds, tell=tell)

    async def asked(
        self,
        word: str,
        head: dict[str, Any] | None = None,
        body: bytes = b"",
        *,
        seconds: float,
        tell: Tell | None = None,
        keeps: bool = False,
    ) -> tuple[dict[str, Any], bytes]:
        """As `ask`, of who holds the queue.

        What is cancelled and `keeps` what it has found answers with that, if it does so soon.
        """
        process = await self._running()
        self._count += 1
        loop = asyncio.get_running_loop()
        asked = Asked(self._count, loop.create_future(), tell)
        self._asked = asked
        assert process.stdin is not None
        try:
            process.stdin.write(packed({"id": asked.number, "do": word, **(head or {})}, body))
            with contextlib.suppress(ConnectionError):
                await process.stdin.drain()
            return await self._in_time(asked, seconds)
        except asyncio.CancelledError:
            await asyncio.shield(self._stopped(asked))
            if keeps and asked.has_result:
                task = asyncio.current_task()
                assert task is not None
                task.uncancel()
                return asked.answer.result()
            self._forget(word)
            raise
        except Refusal:
            self._forget(word)
            raise
        finally:
            self._asked = None

    def _forget(self, word: str) -> None:
        """Who knows which document it has after a change that came to nothing?"""
        if word in CHANGING:
            self.revision = -1

    async def _in_time(self, asked: Asked, seconds: float) -> tuple[dict[str, Any], bytes]:
        if await self._waited(asked, seconds):
            return asked.answer.result()
        await self._stopped(asked)
        words = f"that took longer than the {seconds:g} s it may take, and was stopped."
        raise Refusal(Mistake(kind="limit", text=words))

    async def _waited(self, asked: Asked, seconds: float) -> bool:
        """Whether there is an answer before the process has computed for so long."""
        loop, process = asyncio.get_running_loop(), self._process
        assert process is not None
        begun, computed = loop.time(), _computed(process)
        left = seconds
        while left > 0.0:
            done, _ = await asyncio.wait([asked.answer], timeout=max(left, SOON))
            if done:
                return True
            passed = loop.time() - begun
            taken = min(passed, _computed(process) - computed)
            left = min(seconds - taken, WAITING * seconds - passed)
        return False

    async def _stopped(self, asked: Asked) -> None:
        """Interrupt what is computed; end the process where that does not help."""
        if asked.answer.done():
            return
        self.interrupt()
        if self.is_alive and await self._waited(asked, GRACE):
            asked.answer.exception()  # nobody asks for it any more
        else:
            asked.answer.cancel()
            await self.close()

    def interrupt(self) -> None:
        """Stop what is being computed; the process stays, where the system can do that."""
        if self._process is None or self._process.returncode is not None:
            return
        if sys.platform == "win32" or not self._has_spoken:  # it may not listen to interrupts yet
            _end(self._process)
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGINT)

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        self.revision, self._has_spoken = -1, False
        environment = dict(os.environ)
        environment.setdefault("OMP_NUM_THREADS", "1")
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "kempe.studio.worker",
            str(self.folder),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C at the terminal is the server's to handle
            env=environment,
        )
        self._reading = asyncio.create_task(self._read(self._process))
        return self._process

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            while True:
                sizes = await process.stdout.readexactly(SIZES.size)
                told, size = SIZES.unpack(sizes)
                if max(told, size) > LARGEST:
                    break
                head = json.loads(await process.stdout.readexactly(told))
                body = await process.stdout.readexactly(size)
                self._has_spoken = True
                self._came(head, body)
        except (asyncio.IncompleteReadError, ConnectionError, ValueError):
            pass
        finally:
            _end(process)
            await process.wait()
            if self._asked is not None and not self._asked.answer.done():
                words = "the process that computed this has ended; try it smaller, or once more."
                self._asked.answer.set_exception(Ended(Mistake(kind="fault", text=words)))

    def _came(self, head: dict[str, Any], body: bytes) -> None:
        asked = self._asked
        if asked is None or head.pop("id") != asked.number or asked.answer.done():
            return
        kind = head.pop("kind")
        if kind == "done":
            asked.answer.set_result((head, body))
        elif kind == "error":
            asked.answer.set_exception(Refusal(Mistake.model_validate_json(body)))
        elif asked.tell is not None:
            asked.tell(kind, head, body)

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        self.revision = -1
        if process is not None:
            _end(process)
        if self._reading is not None:
            await asyncio.wait([self._reading], timeout=GRACE)


def _computed(process: asyncio.subprocess.Process) -> float:
    """What a process has had of the processors, or else the time that passes, s."""
    try:
        line = Path(f"/proc/{process.pid}/stat").read_bytes()
        user, system = line[line.rindex(b")") :].split()[12:14]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, AttributeError):
        return time.monotonic()


def _end(process: asyncio.subprocess.Process) -> None:
    """Kill a process; `Process.kill` would take away what the loop waits for, were it dead."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.kill(process.pid, signal.SIGKILL)
