"""Simulations of many variants by one kernel: on a graphics card, or its text on the processor."""

from dataclasses import dataclass
from typing import Any, Final, Protocol, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.cuda.card import OPTIONS, SHARE, the_card
from kempe.compile.cuda.emulated import compiled
from kempe.compile.cuda.run_text import NAME, RunTask, run_text

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

THREADS: Final = 64  # of a block
LEAST: Final = 1024  # variants in a part, below which memory is given up
POINTERS: Final = 10


@final
@dataclass(frozen=True, slots=True, eq=False)
class RunArrays:
    """What runs begin with, variants (k,) as the last index: all of the centres of mass."""

    parameters: FloatArray  # (numbers, k) of the dynamic tape
    read: FloatArray  # (numbers, k) of what is read
    centres: FloatArray  # (2 bodies, k) m, in the axes of each body
    scales: FloatArray  # (2, k): length (m) and mass (kg)
    q: FloatArray  # (n_v, k)
    v: FloatArray  # (n_v, k)

    def part(self, some: slice) -> "list[FloatArray]":
        """Some of the variants, array after array."""
        arrays = (self.parameters, self.read, self.centres, self.scales, self.q, self.v)
        return [np.ascontiguousarray(array[:, some]) for array in arrays]


class AbstractRuns(Protocol):
    """What simulates many variants of a task.

    `parts` says in how many parts the last call went, `left` for how many variants there was no
    memory.
    """

    device_seconds: float
    parts: int
    left: int

    def run(
        self, times: FloatArray, tolerance: float, mine: RunArrays, out: FloatArray
    ) -> IntArray:
        """Fills out (orders, scalars, rows, k): all samples of how many came to their end, or 0."""


@final
class EmulatedRuns:
    """The simulations of a task, by the text that is written for cards, on this processor."""

    def __init__(self, task: RunTask) -> None:
        self.task = task
        self.device_seconds, self.parts, self.left = 0.0, 1, 0
        self._function = compiled(run_text(task), NAME, POINTERS)

    def run(
        self, times: FloatArray, tolerance: float, mine: RunArrays, out: FloatArray
    ) -> IntArray:
        """Fills out (orders, scalars, rows, k): all samples of how many came to their end, or 0."""
        count = mine.q.shape[1]
        reached = np.zeros(count, dtype=np.int64)
        parameters, read, centres, scales, q, v = mine.part(slice(None))
        kept = np.array([tolerance])
        arrays = (parameters, read, centres, times, scales, q, v, kept, out, reached)
        self._function(*(array.ctypes.data for array in arrays), len(times), count, count, 0)
        return reached


@final
class CardRuns:
    """The simulations of a task, compiled for the graphics card of this machine.

    What does not fit into the card's memory goes in parts, `parts` of the last call; where not even
    small ones do, variants are left undone, `left` of them. `device_seconds` adds up what the
    kernels took, in seconds.
    """

    def __init__(self, task: RunTask) -> None:
        self.task = task
        self.device_seconds, self.parts, self.left = 0.0, 0, 0
        self._cupy = the_card()
        module = self._cupy.RawModule(code=run_text(task), options=OPTIONS)
        self._kernel = module.get_function(NAME)

    def run(
        self, times: FloatArray, tolerance: float, mine: RunArrays, out: FloatArray
    ) -> IntArray:
        """Fills out (orders, scalars, rows, k): all samples of how many came to their end, or 0."""
        count = mine.q.shape[1]
        reached = np.zeros(count, dtype=np.int64)
        numbers = sum(len(array) for array in mine.part(slice(0, 1))) + int(np.prod(out.shape[:3]))
        free, _ = self._cupy.cuda.runtime.memGetInfo()
        free += self._cupy.get_default_memory_pool().free_bytes()
        size = max(LEAST, int(SHARE * free / (8 * (numbers + 1))) // THREADS * THREADS)
        begin, self.parts, self.left = 0, 0, 0
        while begin < count:
            some = slice(begin, min(count, begin + size))
            try:
                reached[some] = self._part(times, tolerance, mine, out, some)
            except self._cupy.cuda.memory.OutOfMemoryError:
                self._cupy.get_default_memory_pool().free_all_blocks()
                if size <= LEAST:  # another program has the card's memory
                    self.left = count - begin
                    break
                size //= 2
                continue
            begin, self.parts = some.stop, self.parts + 1
        return reached

    def _part(
        self, times: FloatArray, tolerance: float, mine: RunArrays, out: FloatArray, some: slice
    ) -> Any:
        cupy, count = self._cupy, some.stop - some.start
        parameters, read, centres, scales, q, v = (cupy.asarray(x) for x in mine.part(some))
        given = (parameters, read, centres, cupy.asarray(times), scales, q, v)
        written = cupy.empty((*out.shape[:3], count))
        reached = cupy.zeros(count, dtype=np.int64)
        arrays = (*given, cupy.asarray([tolerance]), written, reached)
        sizes = (np.int64(n) for n in (len(times), count, count, 0))
        began, ended = cupy.cuda.Event(), cupy.cuda.Event()
        began.record()
        self._kernel((-(-count // THREADS),), (THREADS,), (*arrays, *sizes))
        ended.record()
        ended.synchronize()
        self.device_seconds += 1e-3 * float(cupy.cuda.get_elapsed_time(began, ended))
        out[..., some] = written.get()
        return reached.get()
