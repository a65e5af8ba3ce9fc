"""A tape as native code: one function for each of its sections."""

from collections.abc import Iterable
from typing import final

from kempe.algebra.tape import Tape
from kempe.compile.llvm.emit import CHUNK, live_registers, write_section
from kempe.compile.llvm.ir import EIGHT, SCALAR, Lanes, Module
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
            self._section_names(lanes),
            effort,
            f"tape {lanes.count} {self._tape.key} {self._kept}",
            self._cache,
        )


def tape_text(tape: Tape, lanes: Lanes, kept: Iterable[int] | None, chunk: int | None) -> str:
    """The module of a tape: one function per section."""
    module = Module()
    live = live_registers(tape, range(tape.n_registers) if kept is None else kept)
    for k in range(len(tape.sections)):
        write_section(module, lanes, tape, k, live, chunk)
    return module.text()
