"""Memory that was needed for an answer goes back to the system, and does not stay with a worker."""

import ctypes
import ctypes.util
import os
from collections.abc import Callable
from pathlib import Path
from typing import final

SLACK = 24_000_000  # bytes that a process may keep beyond what it had when it last gave some back
USED = Path("/proc/self/statm")


def resident() -> int:
    """Bytes of memory that this process has; 0 where the system does not say."""
    try:
        return int(USED.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0


def _trim() -> Callable[[int], int] | None:
    """What makes the C library give back memory that nobody uses; None where it cannot."""
    name = ctypes.util.find_library("c") if os.name == "posix" else None
    try:
        found: Callable[[int], int] = ctypes.CDLL(name).malloc_trim
    except (OSError, AttributeError, TypeError):
        return None
    return found


@final
class Memory:
    """The memory of this process, as far as it is kept in bounds.

    Own: the C library keeps what was freed for later, and a search for all assemblies may free half
    a gigabyte; it is given back where there is more of it than `SLACK`.
    """

    def __init__(self) -> None:
        self._trim = _trim()
        self._least = 0

    def tidy(self) -> None:
        """Give back what is not used, where that may be much."""
        if self._trim is None:
            return
        now = resident()
        if now > self._least + SLACK:
            self._trim(0)
            now = resident()
            self._least = now
        self._least = min(self._least, now)
