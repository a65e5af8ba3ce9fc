"""Laws of t with units inside, and how they are written instead: with parameters."""

import re
from collections.abc import Collection

from kempe.algebra.text.grammar import WrittenFormula, parse
from kempe.errors import KempeError
from kempe.units import in_base_units

TIME = "t"
_NUMBER = r"(?<![\w.])(?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)"
_UNIT = r"(?P<unit>[A-Za-zµ°]+(?:/[A-Za-zµ]+(?:\^\d+)?)*)(?![\w(])"
_WITH_UNIT = re.compile(rf"{_NUMBER}\s*{_UNIT}")
NAMES = "kabcdefgh"


def with_parameters(
    text: str, known: Collection[str]
) -> tuple[WrittenFormula, dict[str, str]] | None:
    """The law with a parameter for every number with a unit, and these; None where it is no law.

    "90 deg/s * t" is k * t with k = "90 deg/s". A t right after a number is time, not tonnes.
    `known` are the names of parameters that there are.
    """
    given: dict[str, str] = {}
    free = [name for name in NAMES if name not in known]

    def named(found: re.Match[str]) -> str:
        number, unit = found["number"], found["unit"]
        if unit == TIME:
            return f"{number} * {TIME}"
        if not _is_unit(unit) or len(given) == len(free):
            return found[0]
        name = free[len(given)]
        given[name] = f"{number} {unit}"
        return name

    try:
        formula = parse(_WITH_UNIT.sub(named, text))
    except KempeError:
        return None
    is_law = TIME in formula.names and set(formula.names) <= {TIME, *given, *known}
    return (formula, given) if is_law else None


def _is_unit(word: str) -> bool:
    try:
        in_base_units(word)
    except KempeError:
        return False
    return True
