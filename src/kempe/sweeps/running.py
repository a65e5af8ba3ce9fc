"""Chunks handed out to workers and taken in, each finished once, whatever happens to workers.

A worker that dies may take others with it: a pool of processes is broken by one. So the chunks that
were out are tried again one by one, and only a chunk that loses its worker when it is alone is
blamed. It is tried twice more, then it is noted as lost, and the others go on.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from typing import Final, final

from kempe.errors import KempeError
from kempe.interruption import put_off
from kempe.sweeps.chunk import Question, answered
from kempe.sweeps.plan import Plan
from kempe.sweeps.store import AbstractStore
from kempe.sweeps.table import SweepTable
from kempe.sweeps.workers import AHEAD, AbstractWorkers

RETRIES: Final = 2
LONGEST: Final = 300  # characters of a reason


@final
@dataclass(frozen=True, slots=True)
class SweepProgress:
    """How far a sweep has come: variants `done` of `total`, `lost` among them, seconds `left`.

    `before` of them were done by an earlier run; `left` is None until something was finished.
    """

    done: int
    total: int
    lost: int
    before: int
    left: float | None

    @property
    def share(self) -> float:
        """Of what this run has to do, 0 to 1."""
        mine = self.total - self.before
        return (self.done - self.before) / mine if mine else 1.0


@final
@dataclass(frozen=True, slots=True)
class Cut:
    """The variants of a plan cut into chunks of equal length, the last one shorter."""

    size: int
    chunk: int

    @property
    def count(self) -> int:
        """How many chunks there are."""
        return -(-self.size // self.chunk)

    def span(self, k: int) -> tuple[int, int]:
        """The first variant of chunk `k`, and the one behind its last."""
        return k * self.chunk, min(self.size, (k + 1) * self.chunk)

    def length(self, chunks: Sequence[int] | frozenset[int]) -> int:
        """How many variants these chunks hold together."""
        return sum(stop - first for first, stop in map(self.span, chunks))


@final
class Run:
    """A sweep while it runs: what is still to be done, what is out, what was lost."""

    def __init__(
        self,
        plan: Plan,
        cut: Cut,
        question: Question,
        store: AbstractStore,
        tell: Callable[[SweepProgress], None] | None,
    ) -> None:
        self.plan, self.cut, self.store, self.tell = plan, cut, store, tell
        self.question: Question | bytes = question
        self.todo = deque(k for k in range(cut.count) if k not in store.done)
        self.suspects: deque[int] = deque()
        self.out: dict[Future[SweepTable], int] = {}
        self.alone: Counter[int] = Counter()  # how often a chunk lost its worker by itself
        self.before = cut.length(store.done)
        self.done, self.lost = self.before, 0
        self.began = time.monotonic()

    def run(self, workers: AbstractWorkers) -> None:
        """All chunks that are not done; on Ctrl-C those that are finished stay."""
        if workers.is_elsewhere and isinstance(self.question, Question):
            self.question = self.question.packed()
        self._say()
        try:
            while self.todo or self.suspects or self.out:
                self._hand_out(workers)
                ready, _ = wait(self.out, return_when=FIRST_COMPLETED)
                self._take_in(ready, workers)
        except KeyboardInterrupt as stop:
            self._keep_finished()
            workers.stop()
            put_off(stop)
        except BaseException:
            workers.stop()
            raise
        finally:
            for future in self.out:
                future.cancel()

    def _hand_out(self, workers: AbstractWorkers) -> None:
        """As much as keeps all workers busy; a suspect only when nothing else is out."""
        while self.suspects or self.todo:
            most = 1 if self.suspects else AHEAD * workers.width if workers.width > 1 else 1
            if len(self.out) >= most:
                return
            k = self.suspects.popleft() if self.suspects else self.todo.popleft()
            first, stop = self.cut.span(k)
            columns = self.plan.columns(first, stop)
            try:
                future = workers.submit(answered, self.question, first, columns)
            except Exception as trouble:
                if not workers.is_loss(trouble):
                    raise
                self.todo.appendleft(k)
                self._lose_workers(workers, frozenset())
                continue
            self.out[future] = k

    def _take_in(self, ready: set[Future[SweepTable]], workers: AbstractWorkers) -> None:
        struck: set[int] = set()
        for future in sorted(ready, key=lambda one: self.out[one]):
            k = self.out.pop(future)
            try:
                table = future.result()
            except (Exception, CancelledError) as trouble:
                if workers.is_loss(trouble) or isinstance(trouble, CancelledError):
                    struck.add(k)
                elif isinstance(trouble, KempeError):
                    raise  # a mistake in what is asked: every other chunk would say the same
                else:
                    self._lose(k, f"{type(trouble).__name__}: {trouble}")
            else:
                self._keep(k, table)
        if struck:
            self._lose_workers(workers, frozenset(struck))

    def _lose_workers(self, workers: AbstractWorkers, struck: frozenset[int]) -> None:
        """A worker died: what was out with it is tried again, one by one."""
        was_alone = len(struck) == 1 and not self.out
        if was_alone:
            (k,) = struck
            self.alone[k] += 1
            if self.alone[k] > RETRIES:
                self._lose(k, f"its worker was lost {self.alone[k]} times")
            else:
                self.suspects.appendleft(k)
        else:
            wait(self.out)  # a pool that is broken gives all of them back at once
            for future, k in self.out.items():
                if future.cancelled() or future.exception() is not None:
                    struck |= {k}
                else:
                    self._keep(k, future.result())
            self.out.clear()
            self.suspects.extend(sorted(struck))
        workers.renew()

    def _keep_finished(self) -> None:
        for future, k in list(self.out.items()):
            if future.done() and not future.cancelled() and future.exception() is None:
                del self.out[future]
                self._keep(k, future.result())

    def _keep(self, k: int, table: SweepTable) -> None:
        self.store.keep(k, table)
        self.done += len(table)
        self._say()

    def _lose(self, k: int, why: str) -> None:
        said = " ".join(why.split())
        said = said if len(said) <= LONGEST else f"{said[: LONGEST - 3]}..."
        first, stop = self.cut.span(k)
        self.store.lose(k, SweepTable.lost(first, self.plan.columns(first, stop), said))
        self.lost += stop - first
        self.done += stop - first
        self._say()

    def _say(self) -> None:
        if self.tell is None:
            return
        mine, passed = self.done - self.before, time.monotonic() - self.began
        left = passed * (self.cut.size - self.done) / mine if mine else None
        self.tell(SweepProgress(self.done, self.cut.size, self.lost, self.before, left))
