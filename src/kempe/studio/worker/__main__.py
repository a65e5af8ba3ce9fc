"""The process of a worker: reads what is asked, answers, and ends with the server."""

import contextlib
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, final

from kempe.errors import KempeError
from kempe.studio.messages.replies import Mistake
from kempe.studio.worker.answering import Reply, Worker
from kempe.studio.worker.memory import Memory
from kempe.studio.worker.pipe import packed, read
from kempe.studio.worker.problems import problem_of

LARGEST_MEMORY = 12 << 30  # bytes of addresses
LONGEST_FAULT = 300


@final
class Process:
    """One worker at its pipes; an interrupt ends what it computes, and not the worker."""

    def __init__(self, folder: Path, source: BinaryIO, sink: BinaryIO) -> None:
        self.worker = Worker(folder)
        self.source, self.sink = source, sink
        self.inbox: queue.SimpleQueue[tuple[dict[str, Any], bytes]] = queue.SimpleQueue()
        self.is_busy = False

    def run(self) -> None:
        """Answer until the server is gone."""
        signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._listen, daemon=True).start()
        memory = Memory()
        while True:
            head, body = self._next()
            self.send(int(head["id"]), *self._answered(head, body))
            memory.tidy()

    def _next(self) -> tuple[dict[str, Any], bytes]:
        while True:
            with contextlib.suppress(queue.Empty):
                return self.inbox.get(timeout=3600.0)

    def _listen(self) -> None:
        while (message := read(self.source)) is not None:
            self.inbox.put(message)
        os._exit(0)  # the server is gone, whatever is being computed

    def _interrupt(self, *_: object) -> None:
        if self.is_busy:
            self.is_busy = False
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def _interruptible(self) -> Iterator[None]:
        self.is_busy = True
        try:
            yield
        finally:
            self.is_busy = False

    def _answered(self, head: dict[str, Any], body: bytes) -> tuple[str, dict[str, Any], bytes]:
        def tell(kind: str, facts: dict[str, Any], content: bytes) -> None:
            self.send(int(head["id"]), kind, facts, content)

        try:
            with self._interruptible():
                reply: Reply = self.worker.answer(str(head["do"]), head, body, tell)
            return "done", reply.facts, reply.body
        except KeyboardInterrupt:
            return _failed(Mistake(kind="cancelled", text="Stopped as asked."))
        except KempeError as mistake:
            data = None if head["do"] in ("text", "file") else self.worker.desk.data
            problem = problem_of(mistake, data)
            return _failed(Mistake(kind="mistake", text=problem.text, problems=[problem]))
        except MemoryError:
            words = "there is not enough memory for this: ask for fewer steps, or a smaller model."
            return _failed(Mistake(kind="limit", text=words))
        except Exception as fault:
            what = " ".join(f"{type(fault).__name__}: {fault}".split())[:LONGEST_FAULT]
            return _failed(Mistake(kind="fault", text=f"kempe failed ({what})."))

    def send(self, number: int, kind: str, facts: dict[str, Any], body: bytes) -> None:
        """Send a message to the server."""
        self.sink.write(packed({"id": number, "kind": kind, **facts}, body))
        self.sink.flush()


def _failed(mistake: Mistake) -> tuple[str, dict[str, Any], bytes]:
    return "error", {}, mistake.model_dump_json().encode()


def _bounded() -> None:
    """No more memory than a worker should need, where the system can say so."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (LARGEST_MEMORY, hard))


def main() -> None:
    """Begin; standard output is the pipe, and what others print there goes to standard error."""
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _bounded()
    Process(Path(sys.argv[1]), sys.stdin.buffer, sink).run()


if __name__ == "__main__":
    main()
