"""Arrays of numbers, checked where they come in."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber

SHOWN = 80  # letters of what was given instead


def floats(given: Any, what: str = "what is given here") -> NDArray[np.float64]:
    """What was given as an array; a BadNumber where it holds something else."""
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        words = repr(given)
        shown = words if len(words) < SHOWN else f"{words[: SHOWN - 3]}..."
        raise BadNumber(f"{what} must be numbers in rows of one length, not {shown}.") from None


def one_to_one(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that these have together, one repeated for many; a BadNumber where they do not."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        said = " and ".join(map(str, shapes))
        raise BadNumber(f"arrays of {said} do not pair up one to one.") from None
