"""Where chunks run: this thread, threads, processes that stay for the next sweep, any executor.

Processes are spawned, so that nothing of the one that starts them is in them by halves. They end
when it ends, however it does: each watches a pipe of which only the first process has the other
end.
"""

import atexit
import multiprocessing
import os
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from multiprocessing.connection import Connection
from typing import Any, Final, final

from kempe.errors import BadNumber, SweepError, nearest_name

KINDS: Final = ("processes", "threads", "serial")
AHEAD: Final = 2  # chunks that wait for each worker: none of them idles
MANY: Final = 64  # workers that a foreign executor may have


class AbstractWorkers(ABC):
    """Who computes chunks, `width` of them at a time."""

    width: int
    is_elsewhere: bool = True  # what is asked travels to another process

    @abstractmethod
    def submit(self, work: Callable[..., Any], *given: Any) -> "Future[Any]":
        """Have it done; BrokenExecutor where nobody is left to do it."""

    def is_loss(self, trouble: BaseException) -> bool:
        """Whether a worker was lost, rather than that its work raised."""
        return isinstance(trouble, BrokenExecutor)

    def renew(self) -> None:
        """Workers in the place of those that are gone; a SweepError where there are none."""
        return None

    def stop(self) -> None:
        """Nobody waits for what is being computed any more."""
        return None

    def close(self) -> None:
        """The sweep is over."""
        return None


@final
class SerialWorkers(AbstractWorkers):
    """This thread itself: the plainest way, for looking into what goes wrong."""

    width = 1
    is_elsewhere = False

    def submit(self, work: Callable[..., Any], *given: Any) -> "Future[Any]":
        done: Future[Any] = Future()
        try:
            done.set_result(work(*given))
        except Exception as trouble:
            done.set_exception(trouble)
        return done


@final
class ExecutorWorkers(AbstractWorkers):
    """Any `concurrent.futures.Executor`; it is left as it was, and not renewed where it breaks."""

    def __init__(self, executor: Executor, workers: int | None = None) -> None:
        self.executor = executor
        self.is_elsewhere = not isinstance(executor, ThreadPoolExecutor)
        own = getattr(executor, "_max_workers", None)
        self.width = workers or (own if isinstance(own, int) else MANY)

    def submit(self, work: Callable[..., Any], *given: Any) -> "Future[Any]":
        return self.executor.submit(work, *given)

    def renew(self) -> None:
        raise SweepError(
            "a worker of the executor was lost and the executor is broken; what was finished is"
            " kept. Make a new one and go on with resume=True, or leave the processes to kempe."
        )


@final
class ThreadWorkers(AbstractWorkers):
    """Threads of this process, for as long as the sweep takes."""

    is_elsewhere = False

    def __init__(self, workers: int) -> None:
        self.width = workers
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="kempe-sweep")

    def submit(self, work: Callable[..., Any], *given: Any) -> "Future[Any]":
        return self._pool.submit(work, *given)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    stop = close


@final
class PoolWorkers(AbstractWorkers):
    """Processes that are spawned once and used again by the next sweep."""

    def __init__(self, workers: int) -> None:
        self.width = workers
        self._pool = _pool_of(workers)

    def submit(self, work: Callable[..., Any], *given: Any) -> "Future[Any]":
        return self._pool.submit(work, *given)

    def renew(self) -> None:
        self.stop()
        self._pool = _pool_of(self.width)

    def stop(self) -> None:
        _drop(self.width)


class _Pool(ProcessPoolExecutor):
    """Processes that end when `ending` is closed, or with the process that holds it."""

    ending: Connection


_POOLS: dict[int, _Pool] = {}
_LOCK = threading.Lock()


def _pool_of(workers: int) -> _Pool:
    with _LOCK:
        pool = _POOLS.get(workers)
        if pool is None:
            spawn = multiprocessing.get_context("spawn")
            watched, ending = spawn.Pipe(duplex=False)
            pool = _Pool(workers, spawn, _begin, (watched,))
            pool.ending = ending
            try:
                pool.submit(is_starting).result()
            except BrokenExecutor:
                ending.close()
                raise SweepError(
                    "the processes of the sweep end while they start: in a script, put what starts"
                    " the sweep under `if __name__ == '__main__':`, or take executor='threads'."
                ) from None
            _POOLS[workers] = pool
    return pool


def _drop(workers: int) -> None:
    """End the processes of a pool at once, whatever they are doing."""
    with _LOCK:
        pool = _POOLS.pop(workers, None)
    if pool is not None:
        pool.ending.close()
        pool.shutdown(wait=False, cancel_futures=True)


@atexit.register
def _drop_all() -> None:
    for workers in tuple(_POOLS):
        _drop(workers)


def _begin(watched: Connection) -> None:
    """What a process does first: leave Ctrl-C to the one that started it, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(watched,), daemon=True).start()


def _end_with(watched: Connection) -> None:
    try:
        watched.recv()
    except (EOFError, OSError):
        os._exit(0)


def is_starting() -> bool:
    """Whether this process was spawned and still imports the script of the one that did it."""
    return bool(getattr(multiprocessing.current_process(), "_inheriting", False))


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def workers_of(asked: Any, workers: int | None) -> AbstractWorkers:
    """Who computes: a word of KINDS, an address of a cluster, an executor, a client of Dask."""
    from kempe.sweeps.clusters import DaskWorkers, RayWorkers, is_dask_client

    if workers is not None and (isinstance(workers, bool) or workers < 1):
        raise BadNumber(f"`workers` is 1 or more, not {workers!r}.")
    count = workers or usable_cores()
    if isinstance(asked, AbstractWorkers):
        return asked
    if asked is None or asked == "processes":
        return PoolWorkers(count)
    if asked == "threads":
        return ThreadWorkers(count)
    if asked == "serial":
        return SerialWorkers()
    if isinstance(asked, str):
        kind, _, address = asked.partition(":")
        if kind == "dask":
            return DaskWorkers(address)
        if kind == "ray":
            return RayWorkers(address, workers)
        words = (*KINDS, "dask:ADDRESS", "ray")
        raise BadNumber(f"there is no executor {asked!r}.{nearest_name(asked, words)}")
    if is_dask_client(asked):
        return DaskWorkers(asked)
    if isinstance(asked, Executor):
        return ExecutorWorkers(asked, workers)
    raise BadNumber(
        f"an executor is one of {', '.join(KINDS)}, a concurrent.futures.Executor, or a client of"
        f" Dask, not {type(asked).__name__}."
    )
