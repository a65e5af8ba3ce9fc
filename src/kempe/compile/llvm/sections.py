"""Sections of a tape inside a function that is being written: in place, or as calls.

Small tapes are written in place, every register an SSA value; the sections of large ones are
functions of their own that work on registers in memory.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Final, final

from kempe.algebra.tape import Tape
from kempe.compile.llvm.emit import Registers, operations, write_operations
from kempe.compile.llvm.ir import Writer

SECTIONS: Final = ("retract", "residual", "correct", "velocity", "acceleration")  # of a sweep


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
        """These registers, for a way of the function that only this point leads to."""


@final
class InlineSections(AbstractSections):
    """Sections written in place; every register is an SSA value."""

    def __init__(self, writer: Writer, tape: Tape, values: dict[int, str]) -> None:
        self._writer = writer
        self._tape = tape
        self._registers = Registers(writer.lanes, tape, _refused, values)

    def put(self, registers: Iterable[int], values: Sequence[str]) -> None:
        self._registers.values.update(zip(registers, values, strict=True))

    def run(self, section: str) -> None:
        code = operations(self._tape, section_numbers(self._tape)[section])
        write_operations(self._writer, self._tape, code, self._registers)

    def values(self, registers: Iterable[int]) -> list[str]:
        return [self._registers[int(register)] for register in registers]

    def fork(self) -> "InlineSections":
        return InlineSections(self._writer, self._tape, dict(self._registers.values))


@final
class CalledSections(AbstractSections):
    """Sections called; registers stand in memory at `%registers`, on every way alike."""

    def __init__(self, writer: Writer, tape: Tape, names: dict[str, str]) -> None:
        self._writer = writer
        self._tape = tape
        self._names = names

    def put(self, registers: Iterable[int], values: Sequence[str]) -> None:
        w = self._writer
        for register, value in zip(registers, values, strict=True):
            w.store(value, w.at("%registers", register), w.lanes.size)

    def run(self, section: str) -> None:
        self._writer.line(f"call void @{self._names[section]}(ptr %registers)")

    def values(self, registers: Iterable[int]) -> list[str]:
        w = self._writer
        found = Registers(
            w.lanes, self._tape, lambda r: w.load(w.at("%registers", r), w.lanes.size)
        )
        return [found[int(register)] for register in registers]

    def fork(self) -> "CalledSections":
        return self


def consecutive(counts: dict[str, int]) -> dict[str, range]:
    """Where blocks of so many numbers lie, one after the other."""
    found, stop = {}, 0
    for name, count in counts.items():
        found[name] = range(stop, stop + count)
        stop += count
    return found


def folded(items: Sequence[str], join: Callable[[str, str], str]) -> str:
    """All items joined pair by pair, which keeps chains of dependent operations short."""
    while len(items) > 1:
        pairs = zip(items[::2], items[1::2], strict=False)
        items = [*(join(a, b) for a, b in pairs), *items[len(items) & ~1 :]]
    return items[0]


def section_numbers(tape: Tape) -> dict[str, int]:
    """The position of each section by name."""
    return {section.name: k for k, section in enumerate(tape.sections)}


def _refused(register: int) -> str:
    raise ValueError(f"register {register} is read before anything has set it")
