"""The sections of a tape inside a larger function: written in place, or called.

A loop that is compiled around a tape sets registers, runs sections and reads registers. For a small
tape the sections are written in place and registers are SSA values; for a large one they are
functions on a register file in memory.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import final

from kempe.algebra.tape import Tape
from kempe.compile.llvm.emit import (
    Registers,
    live_registers,
    operations,
    write_operations,
    write_section,
)
from kempe.compile.llvm.ir import Lanes, Module, Writer


class AbstractSections(ABC):
    """Registers at some point of a function, and the sections that can run there."""

    @abstractmethod
    def put(self, registers: Iterable[int], values: Sequence[str]) -> None:
        """Set registers."""

    @abstractmethod
    def run(self, section: str) -> None:
        """Run a section."""

    @abstractmethod
    def values(self, registers: Iterable[int]) -> list[str]:
        """What stands in registers now."""

    @abstractmethod
    def fork(self) -> "AbstractSections":
        """The same registers, for a way of the function that only this point leads to."""


@final
class InlineSections(AbstractSections):
    """Sections written in place; every register is an SSA value."""

    def __init__(self, writer: Writer, tape: Tape, values: dict[int, str] | None = None) -> None:
        self._writer = writer
        self._tape = tape
        self._sections = section_numbers(tape)
        known = {} if values is None else values
        self._registers = Registers(writer.lanes, tape, _refused, known)

    def put(self, registers: Iterable[int], values: Sequence[str]) -> None:
        """Set registers."""
        self._registers.values.update(zip(registers, values, strict=True))

    def run(self, section: str) -> None:
        """Write a section in place."""
        code = operations(self._tape, self._sections[section])
        write_operations(self._writer, self._tape, code, self._registers)

    def values(self, registers: Iterable[int]) -> list[str]:
        """What stands in registers now."""
        return [self._registers[int(register)] for register in registers]

    def fork(self) -> "InlineSections":
        """A copy of where everything stands."""
        return InlineSections(self._writer, self._tape, dict(self._registers.values))


@final
class CalledSections(AbstractSections):
    """Sections called; registers stand in memory at `%registers`."""

    def __init__(self, writer: Writer, tape: Tape, names: dict[str, str]) -> None:
        self._writer = writer
        self._tape = tape
        self._names = names

    def put(self, registers: Iterable[int], values: Sequence[str]) -> None:
        """Store registers."""
        w = self._writer
        for register, value in zip(registers, values, strict=True):
            w.store(value, w.at("%registers", register), w.lanes.size)

    def run(self, section: str) -> None:
        """Call a section."""
        self._writer.line(f"call void @{self._names[section]}(ptr %registers)")

    def values(self, registers: Iterable[int]) -> list[str]:
        """Load registers."""
        w = self._writer
        found = Registers(
            w.lanes, self._tape, lambda r: w.load(w.at("%registers", r), w.lanes.size)
        )
        return [found[int(register)] for register in registers]

    def fork(self) -> "CalledSections":
        """Itself: the memory is the same on every way."""
        return self


def section_functions(
    module: Module,
    lanes: Lanes,
    tape: Tape,
    sections: Iterable[str],
    kept: Iterable[int],
    chunk: int,
) -> dict[str, str]:
    """Add the functions of sections in chunks; returns their names by section."""
    live, numbers = live_registers(tape, kept), section_numbers(tape)
    return {
        section: write_section(module, lanes, tape, numbers[section], live, chunk)
        for section in sections
    }


def section_numbers(tape: Tape) -> dict[str, int]:
    """The position of each section by name."""
    return {section.name: k for k, section in enumerate(tape.sections)}


def _refused(register: int) -> str:
    raise ValueError(f"register {register} is read before anything has set it")
