"""The sweep of many variants on a graphics card, one thread for each of them."""

from contextlib import suppress
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.cuda.sweep_text import NAME, DeviceTask, sweep_text
from kempe.compile.llvm.lane_sweep import BEFORE, LaneArrays, LaneLimits, LaneTask, is_even
from kempe.errors import MissingPart
from kempe.extras import extra

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

THREADS: Final = 128  # of a block
# Contraction off: a card then gives the very digits that the processor gives.
OPTIONS: Final = ("--std=c++17", "--fmad=false")
SHARE: Final = 0.8  # of the card's free memory
LEAST: Final = 4096  # variants in a part, below which memory is given up


@final
class CardSweep:
    """The sweep of a task, compiled for the graphics card of this machine.

    It has the face of `LaneSweep`: the same arrays go in, the same come out. What does not fit into
    the card's memory goes in parts. `device_seconds` adds up what the kernels took, in seconds, and
    `parts` how many there were in the last run.
    """

    def __init__(self, task: LaneTask, *, is_summary: bool = False) -> None:
        self.task = task
        self.device_task = DeviceTask(task, is_summary)
        self.device_seconds = 0.0
        self.parts = 0
        self._cupy = the_card()
        module = self._cupy.RawModule(code=sweep_text(self.device_task), options=OPTIONS)
        self._kernel = module.get_function(NAME)

    def rows(self, samples: int) -> int:
        """How many numbers of each scalar are written: all samples, or those of a summary."""
        return self.device_task.rows(samples)

    def run(
        self,
        times: FloatArray,
        shared: LaneLimits,
        mine: LaneArrays,
        out: FloatArray,
        part: slice = slice(None),
    ) -> IntArray:
        """Sweep a part of the variants over the times: how many samples each has passed."""
        first, stop, _ = part.indices(mine.q.shape[1])
        reached = np.zeros(stop - first, dtype=np.int64)
        size = self._part_size(len(times), mine)
        begin, self.parts = first, 0
        while begin < stop:
            end = min(stop, begin + size)
            try:
                found = self._sweep(times, shared, mine, out, slice(begin, end))
            except self._cupy.cuda.memory.OutOfMemoryError:
                if size <= LEAST:
                    raise MissingPart(
                        "the memory of the graphics card has no room, however few variants are"
                        " moved at a time: let other programs go, or leave `device` out.",
                        package="cupy",
                        extra="gpu",
                    ) from None
                self._cupy.get_default_memory_pool().free_all_blocks()
                size //= 2
                continue
            reached[begin - first : end - first] = found
            begin, self.parts = end, self.parts + 1
        return reached

    def _part_size(self, samples: int, mine: LaneArrays) -> int:
        """How many variants the card's free memory holds, in whole blocks."""
        of_variants = (mine.parameters, mine.read, mine.q, mine.turns, mine.sizes, mine.aims)
        scalars = max(1, len(self.task.reading.wrapped))
        written = self.task.orders * scalars * self.device_task.rows(samples)
        numbers = sum(len(array) for array in of_variants) + written + 1
        free, _ = self._cupy.cuda.runtime.memGetInfo()
        pool = self._cupy.get_default_memory_pool()
        room = SHARE * (free + pool.free_bytes())
        return max(LEAST, int(room / (8 * numbers)) // THREADS * THREADS)

    def _sweep(
        self, times: FloatArray, shared: LaneLimits, mine: LaneArrays, out: FloatArray, part: slice
    ) -> IntArray:
        cupy, count = self._cupy, part.stop - part.start
        own = [
            cupy.asarray(np.ascontiguousarray(array[:, part]))
            for array in (mine.parameters, mine.read, mine.sizes, mine.aims, mine.q, mine.turns)
        ]
        parameters, read, sizes, aims, q, turns = own
        signs, floors, weights, limits, at = (
            cupy.asarray(array)
            for array in (shared.signs, shared.floors, shared.weights, shared.limits, times)
        )
        scalars = max(1, len(self.task.reading.wrapped))
        rows = self.device_task.rows(len(times))
        written = cupy.empty((self.task.orders, scalars, rows, count))
        reached = cupy.zeros(count, dtype=np.int64)
        known = BEFORE if is_even(times) else len(times)
        arrays = (parameters, read, at, sizes, signs, floors, weights, limits, aims, q, turns)
        numbers = (np.int64(n) for n in (len(times), count, count, known))
        began, ended = cupy.cuda.Event(), cupy.cuda.Event()
        began.record()
        self._kernel((-(-count // THREADS),), (THREADS,), (*arrays, written, reached, *numbers))
        ended.record()
        ended.synchronize()
        self.device_seconds += 1e-3 * float(cupy.cuda.get_elapsed_time(began, ended))
        out[: self.task.orders, :scalars, :rows, part] = written.get()
        mine.q[:, part], mine.turns[:, part] = q.get(), turns.get()
        return np.asarray(reached.get())


def the_card() -> Any:
    """CuPy, where it finds a card that computes; else a MissingPart that says what is missing."""
    cupy = extra("cupy", "gpu", "device='gpu'")
    count = 0
    with suppress(cupy.cuda.runtime.CUDARuntimeError):
        count = cupy.cuda.runtime.getDeviceCount()
    if not count:
        raise MissingPart(
            "device='gpu' needs an NVIDIA graphics card with its driver, and this machine shows"
            " none: leave `device` out, and the processor computes the same.",
            package="cupy",
            extra="gpu",
        )
    return cupy
