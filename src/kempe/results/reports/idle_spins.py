"""Spins that move nothing else and need no drive, in words."""

from collections.abc import Sequence

MOST_NAMES = 3

Spinner = str | tuple[str, ...]  # a body that spins idly, or several that do so as one


def spinning(passive: Sequence[Spinner]) -> tuple[str, ...]:
    """All bodies that spin idly, alone or in groups.

    Examples:
        >>> spinning(["rod", ("tube", "piston")])
        ('rod', 'tube', 'piston')
    """
    return tuple(body for one in passive for body in ((one,) if isinstance(one, str) else one))


def idle_spins(passive: Sequence[Spinner], one: str, several: str) -> str:
    """What is said of the spins of bodies about the lines of their ends, of one or of several.

    Examples:
        >>> idle_spins(["rod"], "needs no drive", "need no drive")
        "The spin of 'rod' about the line of its ends needs no drive."
        >>> idle_spins([("tube", "piston")], "needs no drive", "need no drive")
        "The spin of 'tube' with 'piston' about the line of their ends needs no drive."
    """
    shown = [_shown(spinner) for spinner in passive[:MOST_NAMES]]
    if len(passive) == 1:
        whose = "its" if isinstance(passive[0], str) else "their"
        return f"The spin of {shown[0]} about the line of {whose} ends {one}."
    if len(passive) > MOST_NAMES:
        names = f"{', '.join(shown)} and {len(passive) - MOST_NAMES} more"
    else:
        names = f"{', '.join(shown[:-1])} and {shown[-1]}"
    return f"The spins of {names} about the lines of their ends {several}."


def _shown(spinner: Spinner) -> str:
    if isinstance(spinner, str):
        return repr(spinner)
    first, second, *others = spinner
    more = f" and {len(others)} more" if others else ""
    return f"{first!r} with {second!r}{more}"
