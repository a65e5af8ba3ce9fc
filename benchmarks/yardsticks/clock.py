"""Process CPU time: the least of several repeats."""

import ctypes
import time
from collections.abc import Callable
from typing import Any


def least_seconds(contestants: dict[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """CPU seconds of one call of each, the least of the repeats.

    The contestants take turns, so that a machine that is busy for a while slows them all.
    """
    least = dict.fromkeys(contestants, float("inf"))
    for _ in range(repeats):
        for name, call in contestants.items():
            began = time.process_time()
            call()
            least[name] = min(least[name], time.process_time() - began)
    return least


def keep_memory() -> None:
    """Let the C library keep memory that was freed, where it can be told to.

    Results of some 20 MB otherwise come from the system anew in some calls and not in others; its
    first touch costs as much as the floor's whole arithmetic, and would hide the differences.
    """
    trim_threshold, mmap_threshold, plenty = -1, -3, 1 << 30
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError, TypeError):
        return  # not the GNU C library: contestants still share one allocator
    mallopt(mmap_threshold, plenty)
    mallopt(trim_threshold, plenty)
