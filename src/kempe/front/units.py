"""Units at the doors: text with a unit becomes an SI number, and a number is shown in a unit."""

import math
import numbers
import re
from functools import lru_cache
from typing import Any

from kempe.errors import BadNumber, UnitError

DIMENSIONS = {"m": "length", "rad": "angle", "s": "time", "rad/s": "speed of turning"}
# Text from a door is read, never calculated: a number, then units with exponents of one digit.
_UNIT = r"[^\W\d_]\w*(?:(?:\*\*|\^)-?\d)?|°"
UNITS = re.compile(rf"(?:{_UNIT})(?:(?:\s*[*/]\s*|\s+)(?:{_UNIT}))*")
NUMBER = re.compile(r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|inf)")


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint

    return pint.UnitRegistry()


@lru_cache(maxsize=256)
def factor(unit: str, into: str) -> float:
    """How many `into` one `unit` is: factor("mm", "m") = 0.001."""
    if unit == into:
        return 1.0
    import pint

    try:
        if not UNITS.fullmatch(unit):
            raise pint.UndefinedUnitError(unit)
        return float(_registry()(unit).to(into).magnitude)
    except pint.UndefinedUnitError:
        raise UnitError(
            f"there is no unit {unit!r}: write for example 'mm', 'deg' or 'rpm'."
        ) from None
    except (pint.PintError, AttributeError, TypeError):
        raise UnitError(
            f"{unit!r} is no unit of {DIMENSIONS.get(into, into)}: use {into} or a unit like it."
        ) from None


def in_si(value: float | int | str, into: str, plain: str | None = None) -> float:
    """A number, or text such as "30 mm", in SI; a bare number is in `plain` (default: SI)."""
    bare = into if plain is None else plain
    if isinstance(value, str):
        text = value.strip()
        found = NUMBER.match(text)
        unit = text[found.end() :].strip() if found else ""
        if found is None or (unit and not UNITS.fullmatch(unit)):
            raise UnitError(f"{value!r} is not a number with a unit, such as '30 mm'.")
        number = float(found.group()) * factor(unit or bare, into)
    elif isinstance(value, numbers.Real) and not isinstance(value, bool):
        number = float(value) * factor(bare, into)
    else:
        raise BadNumber(f"{value!r} is not a number.", value=repr(value))
    if not math.isfinite(number):
        raise BadNumber(f"{value!r} is not a finite number.", value=str(value))
    return number
