"""Numbers of a model, checked where they come in."""

import math
from typing import Any

from kempe.errors import BadNumber


def finite(value: Any, what: str) -> float:
    """The value as a float; a BadNumber where it is none or not finite."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise BadNumber(f"{what} must be a finite number, it is {value!r}.", value=repr(value))
    return float(value)


def positive(value: Any, what: str) -> float:
    """The value as a float above zero."""
    number = finite(value, what)
    if number <= 0.0:
        raise BadNumber(f"{what} is {number:g}: it must be positive.", value=number)
    return number


def not_zero(value: Any, what: str) -> float:
    """The value as a float other than zero."""
    number = finite(value, what)
    if number == 0.0:
        raise BadNumber(f"{what} must not be zero.", value=number)
    return number
