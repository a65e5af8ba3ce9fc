"""Runs the native sections of a tape on rows of inputs, one by one or eight in step."""

import ctypes
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kempe.algebra import Tape
from kempe.compile.llvm.ir import EIGHT, SCALAR, Lanes
from kempe.compile.llvm.native_tape import LlvmTape

Array = NDArray[np.float64]
SECTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def register_file(tape: Tape, lanes: Lanes) -> Array:
    """Registers with the constants in place, aligned to 64 bytes: (n,) or (n, 8)."""
    size = tape.n_registers * lanes.count
    room = np.zeros(size + 8)
    skip = -room.ctypes.data % 64 // 8
    file = room[skip : skip + size].reshape(tape.n_registers, lanes.count)
    file[tape.n_inputs : tape.n_inputs + len(tape.constants)] = tape.constants[:, np.newaxis]
    return file.reshape(-1) if lanes.is_scalar else file


@final
class CompiledTape:
    """A tape as native code that is evaluated as the virtual machine is."""

    def __init__(self, tape: Tape, **how: object) -> None:
        self.tape = tape
        self.code = LlvmTape(tape, **how)

    def evaluate(self, inputs: ArrayLike, outputs: ArrayLike) -> Array:
        """The outputs (m registers) for every row of inputs (N, n_inputs), as (N, m)."""
        return self._results(np.asarray(inputs, dtype=float), outputs, SCALAR)

    def evaluate_lanes(self, inputs: ArrayLike, outputs: ArrayLike) -> Array:
        """The outputs as (N, m), eight rows at a time; the last row fills what is missing."""
        return self._results(np.asarray(inputs, dtype=float), outputs, EIGHT)

    def _results(self, rows: Array, outputs: ArrayLike, lanes: Lanes) -> Array:
        code, wanted = self.code, np.asarray(outputs, dtype=int)
        found = code.section_addresses() if lanes.is_scalar else code.lane_section_addresses()
        sections = [SECTION(address) for address in found]
        file, results = register_file(self.tape, lanes), np.empty((len(rows), len(wanted)))
        for first in range(0, len(rows), lanes.count):
            mine = np.minimum(np.arange(first, first + lanes.count), len(rows) - 1)
            file[: self.tape.n_inputs] = rows[mine[0]] if lanes.is_scalar else rows[mine].T
            for section in sections:
                section(file.ctypes.data)
            results[mine] = file[wanted].T
        return results
