"""Programs of this process, by structure: the last few stay."""

import threading
from collections import OrderedDict
from typing import Generic, TypeVar, final

from kempe.compile.program.dynamic_program import DynamicProgram
from kempe.compile.program.program import Program
from kempe.forking import free_in_children

MOST_PROGRAMS = 128

P = TypeVar("P")


@final
class ProgramCache(Generic[P]):
    """A bounded, thread-safe memory of programs; the least recently used goes first."""

    def __init__(self, most: int = MOST_PROGRAMS) -> None:
        self._programs: OrderedDict[str, P] = OrderedDict()
        self._lock = threading.RLock()
        free_in_children(self._lock)
        self._most = most

    def find(self, key: str | None) -> P | None:
        """The program of that key, if it is remembered."""
        with self._lock:
            program = self._programs.get(key) if key is not None else None
            if program is not None and key is not None:
                self._programs.move_to_end(key)
            return program

    def keep(self, key: str | None, program: P) -> None:
        """Remember a program; without a key nothing is remembered."""
        if key is None:
            return
        with self._lock:
            self._programs[key] = program
            self._programs.move_to_end(key)
            while len(self._programs) > self._most:
                self._programs.popitem(last=False)

    def __len__(self) -> int:
        return len(self._programs)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._programs.clear()


PROGRAMS: ProgramCache[Program] = ProgramCache()
DYNAMIC_PROGRAMS: ProgramCache[DynamicProgram] = ProgramCache()
