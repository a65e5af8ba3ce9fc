"""How much memory there is for samples."""

import os
from pathlib import Path


def memory() -> int | None:
    """Bytes that this process may fill: the machine's, or its share of them; None if unknown."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # no POSIX
        return None
    try:
        share = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
    except OSError:
        return whole
    return min(whole, int(share)) if share.isdecimal() else whole
