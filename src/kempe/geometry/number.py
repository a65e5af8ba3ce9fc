"""Numbers and arrays of numbers, checked where they come in."""

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber, about
from kempe.units import as_double, in_si, quantity

Floats = NDArray[np.float64]
SHOWN = 80  # letters of what was given instead


def finite(value: Any, what: str, unit: str = "") -> float:
    """The value as a float; a BadNumber where it is none or not finite.

    Where a unit is named, a text such as "30 mm" is a number too, in SI.
    """
    if unit and isinstance(value, str) and quantity(value) is not None:
        with about(what if what.startswith(("a ", "an ", "the ")) else f"the {what}"):
            return in_si(value, unit)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadNumber(f"{what} must be a finite number, it is {value!r}.", value=repr(value))
    with about(what):
        number = as_double(value)
    if not math.isfinite(number):
        raise BadNumber(f"{what} must be a finite number, it is {value!r}.", value=repr(value))
    return number


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


def keep(
    owner: object, check: Callable[[Any, str, str], float], of: str, units: Mapping[str, str]
) -> None:
    """Makes floats of the fields of a frozen `owner` that `units` names, each in its unit.

    `check` is `finite`, `positive` or `not_zero`; a BadNumber speaks of "length of joint 'rod'",
    where the field is `length` and `of` is "joint 'rod'".
    """
    for word, unit in units.items():
        object.__setattr__(owner, word, check(getattr(owner, word), f"{word} of {of}", unit))


def keep_tuples(owner: Any) -> None:
    """Makes tuples of what a frozen `owner` was given as lists in its fields, and of lists in them.

    A frozen part is compared and looked up by what it holds, which a list does not allow.
    """
    for one in fields(owner):
        if isinstance(value := getattr(owner, one.name), list):
            object.__setattr__(owner, one.name, _as_tuple(value))


def _as_tuple(given: Any) -> Any:
    return tuple(map(_as_tuple, given)) if isinstance(given, list) else given


def floats(given: Any, what: str = "what is given here") -> Floats:
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
