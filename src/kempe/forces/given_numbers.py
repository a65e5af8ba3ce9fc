"""Numbers of forces as people give them: text with a unit, and vectors of two in the plane."""

import typing
from dataclasses import fields
from functools import lru_cache
from typing import Any

from kempe.errors import BadNumber, about
from kempe.units import Unit, in_base_units, in_si

Units = tuple[str, ...]  # of one number, or of every number of a vector


def keep_numbers(force: Any, called: str) -> None:
    """Makes SI numbers of the fields of a `force` that say their unit, where text is given.

    A vector of three takes two numbers, its third is 0 then. Fields whose unit depends on a measure
    are left to their class. `called` is the force in messages.
    """
    kind: Any = type(force)
    for word, units in unit_fields(kind).items():
        given = getattr(force, word)
        if isinstance(given, str) and len(units) == 1:
            with about(f"the {word} of {called}"):
                object.__setattr__(force, word, in_si(given, units[0]))
        elif len(units) > 1:
            object.__setattr__(force, word, _vector(given, units, f"the {word} of {called}"))


def _vector(given: Any, units: Units, what: str) -> Any:
    """A vector with its third component; one that is right already is handed back as it is."""
    try:
        numbers = list(given)
    except TypeError:
        raise BadNumber(f"{what} has {len(units)} components, this is {given!r}.") from None
    if len(numbers) == 2 and len(units) == 3:
        numbers.append(0.0)
    if len(numbers) != len(units):
        raise BadNumber(f"{what} has {len(units)} components, these are {len(numbers)}: {given}.")
    with about(what):
        pairs = zip(numbers, units, strict=True)
        return tuple(in_si(x, unit) if isinstance(x, str) else x for x, unit in pairs)


@lru_cache(maxsize=256)
def unit_fields(kind: type) -> dict[str, Units]:
    """The fields of a class that are a number, or a vector of numbers, of a unit they say."""
    try:
        hints = typing.get_type_hints(kind, include_extras=True)
    except NameError:  # of a class that was made inside a function
        return {}
    found = {one.name: _units(hints.get(one.name)) for one in fields(kind)}
    return {word: units for word, units in found.items() if units}


def _units(hint: Any) -> Units:
    """The units of a number or a vector; () for anything else, and where a measure decides."""
    if typing.get_origin(hint) is tuple:
        each = [_units(part) for part in typing.get_args(hint)]
        return tuple(unit for (unit,) in each) if all(len(one) == 1 for one in each) else ()
    if next(iter(typing.get_args(hint)), None) is not float:
        return ()
    said = [one.text for one in getattr(hint, "__metadata__", ()) if isinstance(one, Unit)]
    return (said[0],) if said and said[0] and _is_plain(said[0]) else ()


def _is_plain(unit: str) -> bool:
    """Whether a unit is one of its own, and none of a measure's, such as "f/u"."""
    try:
        in_base_units(unit)
    except Exception:
        return False
    return not {"u", "f", "g"} & set(unit.replace("/", " ").split())
