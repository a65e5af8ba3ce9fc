"""A tape as native code: the whole tape on rows of inputs, or its sections one by one."""

import ctypes
from collections.abc import Iterable
from typing import Final, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.algebra.tape import FloatArray, Tape
from kempe.compile.llvm.emit import CHUNK, live_registers, write_section
from kempe.compile.llvm.ir import EIGHT, SCALAR, Lanes, Loop, Module, Writer
from kempe.compile.llvm.machine_code import (
    COMPILING,
    CompileEffort,
    MachineCode,
    llvm_available,
    llvm_reason,
    machine_code,
)
from kempe.compile.llvm.object_cache import ObjectCache

__all__ = ["LlvmTape", "llvm_available", "llvm_reason"]

SLICE: Final = 20_000_000  # operations between two chances for Ctrl-C

_EVALUATE: Final = "kempe_evaluate"
_Evaluate = ctypes.CFUNCTYPE(
    None,
    ctypes.c_void_p,  # registers
    ctypes.c_void_p,  # inputs
    ctypes.c_int64,  # rows
    ctypes.c_void_p,  # registers of the outputs
    ctypes.c_int64,  # how many
    ctypes.c_void_p,  # results
)


@final
class LlvmTape:
    """A tape compiled to native code, scalar and in eight lanes, each on first use.

    `kept` names the registers that somebody reads after a section has run (None: any register).
    Results are bit for bit those of the C++ virtual machine.
    """

    def __init__(
        self, tape: Tape, kept: Iterable[int] | None = None, cache: ObjectCache | None = None
    ) -> None:
        self._tape = tape
        self._kept = None if kept is None else sorted(set(kept))
        self._cache = cache
        self._code: dict[Lanes, MachineCode] = {}

    def evaluate(self, inputs: ArrayLike, outputs: ArrayLike) -> FloatArray:
        """The outputs (m registers) for every row of inputs (N, n_inputs), as (N, m)."""
        return self._results(SCALAR, self._rows(inputs), self._registers(outputs))

    def evaluate_lanes(self, inputs: ArrayLike, outputs: ArrayLike) -> FloatArray:
        """The outputs as (N, m), eight rows at a time; the last row fills what is missing."""
        return self._results(EIGHT, self._rows(inputs), self._registers(outputs))

    def section_addresses(self) -> list[int]:
        """The functions of the sections, void(double* registers)."""
        return self._section_addresses(SCALAR)

    def lane_section_addresses(self) -> list[int]:
        """The functions of the sections on registers [n][8], aligned to 64 bytes."""
        return self._section_addresses(EIGHT)

    def _section_addresses(self, lanes: Lanes) -> list[int]:
        code = self._native(lanes)
        return [code.address(name) for name in self._section_names(lanes)]

    def _section_names(self, lanes: Lanes) -> list[str]:
        return [f"section_{k}_x{lanes.count}" for k in range(len(self._tape.sections))]

    def _native(self, lanes: Lanes) -> MachineCode:
        with COMPILING:  # addresses handed out must stay those of one object
            if lanes not in self._code:
                self._code[lanes] = self._compiled(lanes)
            return self._code[lanes]

    def _compiled(self, lanes: Lanes) -> MachineCode:
        effort = CompileEffort.for_length(len(self._tape.code))
        chunk = None if effort is CompileEffort.THOROUGH else CHUNK
        return machine_code(
            lambda: tape_text(self._tape, lanes, self._kept, chunk),
            [_EVALUATE, *self._section_names(lanes)],
            effort,
            f"tape {lanes.count} {self._tape.key} {self._kept}",
            self._cache,
        )

    def _rows(self, inputs: ArrayLike) -> FloatArray:
        rows = np.ascontiguousarray(inputs, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != self._tape.n_inputs:
            raise ValueError(f"inputs must be (N, {self._tape.n_inputs}), not {rows.shape}")
        return rows

    def _registers(self, outputs: ArrayLike) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        registers = np.ascontiguousarray(outputs, dtype=np.int64).reshape(-1)
        known = range(self._tape.n_registers) if self._kept is None else self._readable()
        for register in registers.tolist():
            if register not in known:
                raise ValueError(f"register {register} cannot be read: it is not kept")
        return registers

    def _readable(self) -> frozenset[int]:
        first = self._tape.n_inputs + len(self._tape.constants)
        return frozenset([*range(first), *(self._kept or ())])

    def _results(
        self, lanes: Lanes, rows: FloatArray, outputs: np.ndarray[tuple[int], np.dtype[np.int64]]
    ) -> FloatArray:
        code = self._native(lanes)
        function = _Evaluate(code.address(_EVALUATE))
        file = register_file(self._tape, lanes)
        results = np.empty((len(rows), len(outputs)))
        step = max(1, SLICE // max(len(self._tape.code), 1)) * lanes.count
        for start in range(0, len(rows), step):
            part, into = rows[start : start + step], results[start : start + step]
            function(
                file.ctypes.data,
                part.ctypes.data,
                len(part),
                outputs.ctypes.data,
                len(outputs),
                into.ctypes.data,
            )
        return results


def register_file(tape: Tape, lanes: Lanes) -> FloatArray:
    """Registers with the constants in place, aligned to 64 bytes: (n,) or (n, 8)."""
    size = tape.n_registers * lanes.count
    room = np.zeros(size + 8)
    skip = -room.ctypes.data % 64 // 8
    file = room[skip : skip + size].reshape(tape.n_registers, lanes.count)
    file[tape.n_inputs : tape.n_inputs + len(tape.constants)] = tape.constants[:, np.newaxis]
    return file.reshape(-1) if lanes.is_scalar else file


def tape_text(tape: Tape, lanes: Lanes, kept: Iterable[int] | None, chunk: int | None) -> str:
    """The module of a tape: one function per section, and one that runs them all on rows."""
    module = Module()
    live = live_registers(tape, range(tape.n_registers) if kept is None else kept)
    sections = [
        write_section(module, lanes, tape, k, live, chunk) for k in range(len(tape.sections))
    ]
    module.pieces[_EVALUATE] = _evaluate_text(module, lanes, tape.n_inputs, sections)
    return module.text()


def _evaluate_text(module: Module, lanes: Lanes, n_inputs: int, sections: list[str]) -> str:
    """For each row, or eight: copy the inputs in, run the sections, copy the outputs out.

    Lanes beyond the last row repeat it, and write its results once more.
    """
    w = Writer(module, lanes)
    loop = Loop(w)
    loop.declare(["row", "input", "output"], "i64")
    last = w.value("sub i64 %rows, 1")

    def places(base: str, row: str, width: int | str) -> list[str]:
        """Where the rows of the lanes start."""
        found = []
        for lane in range(lanes.count):
            mine = w.value(f"add i64 {row}, {lane}")
            if lane:
                mine = w.value(
                    f"select i1 {w.value(f'icmp slt i64 {mine}, %rows')}, i64 {mine}, i64 {last}"
                )
            found.append(w.at(base, w.value(f"mul i64 {mine}, {width}"), "double"))
        return found

    def each_row(row: str) -> None:
        sources, targets = places("%inputs", row, n_inputs), places("%results", row, "%width")

        def copy_in(k: str) -> None:
            scalars = [
                w.value(f"load double, ptr {w.at(source, k, 'double')}, align 8")
                for source in sources
            ]
            w.store(w.gathered(scalars), w.at("%registers", k), lanes.size)

        def copy_out(k: str) -> None:
            register = w.value(f"load i64, ptr {w.at('%outputs', k, 'i64')}, align 8")
            value = w.load(w.at("%registers", register), lanes.size)
            for target, scalar in zip(targets, w.scattered(value), strict=True):
                w.line(f"store double {scalar}, ptr {w.at(target, k, 'double')}, align 8")

        loop.each("input", str(n_inputs), 1, copy_in)
        for section in sections:
            w.line(f"call void @{section}(ptr %registers)")
        loop.each("output", "%width", 1, copy_out)

    loop.each("row", "%rows", lanes.count, each_row)
    w.line("ret void")
    return w.function(
        f"define void @{_EVALUATE}(ptr noalias %registers, ptr noalias readonly %inputs,"
        " i64 %rows, ptr noalias readonly %outputs, i64 %width, ptr noalias %results) nounwind"
    )
