"""Numbers of a model, checked where they come in."""

import math
from typing import Any

from kempe.errors import BadNumber, about
from kempe.units import in_si


def finite(value: Any, what: str, unit: str = "") -> float:
    """The value as a float; a BadNumber where it is none or not finite.

    Where a unit is named, a text such as "30 mm" is a number too, in SI.
    """
    if unit and isinstance(value, str):
        with about(f"the {what.removeprefix('the ')}"):
            return in_si(value, unit)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise BadNumber(f"{what} must be a finite number, it is {value!r}.", value=repr(value))
    return float(value)


def positive(value: Any, what: str, unit: str = "") -> float:
    """The value as a float above zero."""
    number = finite(value, what, unit)
    if number <= 0.0:
        raise BadNumber(f"{what} is {number:g}: it must be positive.", value=number)
    return number


def not_zero(value: Any, what: str, unit: str = "") -> float:
    """The value as a float other than zero."""
    number = finite(value, what, unit)
    if number == 0.0:
        raise BadNumber(f"{what} must not be zero.", value=number)
    return number
