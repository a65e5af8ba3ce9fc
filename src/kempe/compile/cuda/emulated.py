"""The source of a sweep run on the processor: what a graphics card would do, for tests.

A C++ compiler of the machine makes a library of the very text that a card's compiler gets. It is
slow to make and runs one variant after another; nobody needs it to compute.
"""

import ctypes
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.cuda.sweep_text import NAME, DeviceTask, sweep_text
from kempe.compile.llvm.lane_sweep import BEFORE, LaneArrays, LaneLimits, LaneTask, is_even
from kempe.errors import MissingPart

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

POINTERS: Final = 13
FLAGS: Final = ("-std=c++17", "-O1", "-ffp-contract=off", "-fno-math-errno", "-shared", "-fPIC")


@final
class EmulatedSweep:
    """The sweep of a task, by the text that is written for graphics cards, on this processor.

    It has the face of `LaneSweep`: the same arrays go in, the same come out.
    """

    def __init__(self, task: LaneTask, *, is_summary: bool = False) -> None:
        self.task = task
        self.device_task = DeviceTask(task, is_summary)
        self.device_seconds, self.parts = 0.0, 1
        self._function = compiled(sweep_text(self.device_task), NAME)

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
        stride = mine.q.shape[1]
        first, stop, _ = part.indices(stride)
        reached = np.zeros(stop - first, dtype=np.int64)
        here = 8 * first
        arrays = (
            (mine.parameters, here),
            (mine.read, here),
            (times, 0),
            (mine.sizes, here),
            *((array, 0) for array in (shared.signs, shared.floors, shared.weights)),
            (shared.limits, 0),
            *((array, here) for array in (mine.aims, mine.q, mine.turns, out)),
            (reached, 0),
        )
        known = BEFORE if is_even(times) else len(times)
        places = [array.ctypes.data + offset for array, offset in arrays]
        self._function(*places, len(times), stride, stop - first, known)
        return reached


@cache
def compiled(text: str, name: str, pointers: int = POINTERS) -> "ctypes._FuncPointer":
    """A function of a source by this machine's C++ compiler: pointers go in, then four sizes."""
    compiler = os.environ.get("CXX") or next(
        (found for name in ("c++", "g++", "clang++") if (found := shutil.which(name))), None
    )
    if compiler is None:
        raise MissingPart("device='emulated' needs a C++ compiler on the path, and there is none.")
    with tempfile.TemporaryDirectory(prefix="kempe-emulated-") as folder:
        source, library = Path(folder) / "sweep.cpp", Path(folder) / "sweep.so"
        source.write_text(text, encoding="utf-8")
        told = subprocess.run(
            [compiler, *FLAGS, "-o", library, source], capture_output=True, text=True, check=False
        )
        if told.returncode:
            raise MissingPart(f"{compiler} cannot compile the sweep: {told.stderr[:2000]}")
        function = getattr(ctypes.CDLL(str(library)), name)
    function.argtypes = [ctypes.c_void_p] * pointers + [ctypes.c_int64] * 4
    function.restype = None
    return function  # type: ignore[no-any-return]
