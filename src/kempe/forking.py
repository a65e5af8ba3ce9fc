"""A process that is forked while other threads compute: the child goes on alone.

In the child only the thread that forked is left. What another one held it holds for ever: locks,
and modules that it was loading, for which Python has locks of its own. So a fork waits for both.
"""

import importlib
import os
import sys
import threading
from contextlib import suppress
from typing import Final

#: kempe, and what it loads on first use.
LATE: Final = ("kempe", "numpy", "scipy", "llvmlite", "mpmath", "pint", "pydantic", "ruamel")


def free_in_children(lock: "threading.RLock | threading.Lock") -> None:
    """A fork takes a lock first, so that no other thread has it, and gives it back on both sides.

    Examples:
        >>> import threading
        >>> from kempe.forking import free_in_children
        >>> free_in_children(threading.RLock())
    """
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )


def finish_loading() -> None:
    """Wait until no other thread is in the middle of loading kempe or what kempe needs.

    To import a module that another thread is loading is to wait for it; one that this thread is
    loading itself is there at once.
    """
    looked_at: frozenset[str] = frozenset()
    while late := {name for name in tuple(sys.modules) if is_late(name)} - looked_at:
        for name in late:
            with suppress(Exception):  # whoever loads it is told what is wrong with it
                importlib.import_module(name)
        looked_at |= late


def is_late(name: str) -> bool:
    """Whether a module is one of kempe, or of what kempe loads on first use."""
    return name.partition(".")[0] in LATE


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=finish_loading)
