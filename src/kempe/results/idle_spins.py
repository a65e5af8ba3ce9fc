"""Spins that move nothing else and need no drive, in words."""

from collections.abc import Sequence

MOST_NAMES = 3


def idle_spins(bodies: Sequence[str], one: str, several: str) -> str:
    """What is said of the spins of bodies about the lines of their ends, of one or of several.

    Examples:
        >>> idle_spins(["rod"], "needs no drive", "need no drive")
        "The spin of 'rod' about the line of its ends needs no drive."
    """
    shown = [repr(name) for name in bodies[:MOST_NAMES]]
    if len(bodies) == 1:
        return f"The spin of {shown[0]} about the line of its ends {one}."
    if len(bodies) > MOST_NAMES:
        names = f"{', '.join(shown)} and {len(bodies) - MOST_NAMES} more"
    else:
        names = f"{', '.join(shown[:-1])} and {shown[-1]}"
    return f"The spins of {names} about the lines of their ends {several}."
