"""The floor: the four-bar written by hand in C, compiled here and now."""

import ctypes
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import final

import numpy as np
from numpy.typing import NDArray

from yardsticks.closed_form import COUPLER, CRANK, GROUND, RATE, ROCKER, hinges

FloatArray = NDArray[np.float64]

SOURCE = Path(__file__).resolve().parents[1] / "floor.c"
COMMON = ("-march=native", "-ffp-contract=fast", "-fno-math-errno", "-shared", "-fPIC")
# The floor is the fastest of these on the machine at hand.
LEVELS = ("-O2", "-O2 -fno-tree-vectorize", "-O3", "-O3 -fno-tree-vectorize")


def compiler() -> str | None:
    """A C compiler, if the machine has one."""
    return next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)


@final
class Floor:
    """One compiled floor.c; calling it sweeps one turn."""

    def __init__(self, folder: Path, level: str, limit: float) -> None:
        """`limit` is the residual of a solved row, lengths in units of the ground's length."""
        library = folder / f"floor{level.replace(' ', '')}.so"
        command = [str(compiler()), *level.split(), *COMMON, str(SOURCE), "-lm", "-o", str(library)]
        subprocess.run(command, check=True, capture_output=True)
        self.level = level
        self._function = ctypes.CDLL(str(library)).four_bar
        self._function.restype = ctypes.c_int64
        numbers = (CRANK, COUPLER, ROCKER, GROUND, 0.0, RATE, limit * GROUND, limit)
        self._four_bar = (ctypes.c_double * len(numbers))(*numbers)
        B, C = (hinge.p[0] for hinge in hinges(np.zeros(1)))
        D = np.array([GROUND, 0.0])
        angles = [float(np.arctan2(*(r[::-1]))) for r in (B, C - B, C - D)]
        self._start = np.array([0, 0, angles[0], *B, angles[1], *D, angles[2]])

    def __call__(self, steps: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Samples at t = 0 ... 1 s in new arrays, as kempe returns them."""
        q, v, a = (np.empty((steps + 1, 9)) for _ in range(3))
        q[0] = self._start
        places = [array.ctypes.data_as(ctypes.c_void_p) for array in (q, v, a)]
        h = ctypes.c_double(1.0 / steps)
        if self._function(self._four_bar, ctypes.c_int64(steps + 1), h, *places) < 0:
            raise ArithmeticError("the floor's Newton iteration failed: floor.c is broken")
        return q, v, a


def floors(folder: Path, limit: float) -> list[Floor]:
    """One floor per level of optimisation that the compiler knows; none without a compiler."""
    made = []
    for level in LEVELS if compiler() else ():
        with suppress(subprocess.CalledProcessError):
            made.append(Floor(folder, level, limit))
    return made
