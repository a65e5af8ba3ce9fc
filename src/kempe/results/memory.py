"""How much memory there is for samples."""

import os
from pathlib import Path

# What a share of the machine is limited to, by either version of control groups.
SHARES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def memory() -> int | None:
    """Bytes that this process may fill: the machine's, or its share of them; None if unknown."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # no POSIX
        return None
    shares = [_text(path).strip() for path in SHARES]
    return min([whole, *(int(share) for share in shares if share.isdecimal())])


def memory_left() -> int | None:
    """Bytes of them that nothing fills now, as far as the system tells; None if unknown."""
    whole = memory()
    lines = (line.split() for line in _text("/proc/meminfo").splitlines())
    free = next((1024 * int(words[1]) for words in lines if words[0] == "MemAvailable:"), None)
    known = [size for size in (whole, free) if size is not None]
    return min(known) if known else None


def _text(path: str) -> str:
    """A small file of the system; nothing where it is not there."""
    try:
        return Path(path).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return ""
