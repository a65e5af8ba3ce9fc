"""The units a table, a plot or a report is in: one for each dimension, SI for the rest."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import final

from kempe.errors import UnitError
from kempe.units import factor

# SI units of everything that can be read; a rate follows the unit of what changes, per second.
BASES = ("m", "rad", "s", "N", "N m", "J", "W")
RATES = ("m/s", "rad/s", "m/s**2", "rad/s**2")
LENGTH_AND_ANGLE = ("m", "rad")  # below a slash they follow the choice: 1/m, m/rad; s stays

ANGLES = {"rad", "radian", "mrad", "deg", "degree", "°", "turn", "rev", "revolution", "rpm"}


@final
@dataclass(frozen=True, slots=True)
class UnitChoice:
    """SI unit -> the unit it is shown in.

    Example:
        >>> choice = unit_choice(("mm", "deg"))
        >>> choice.shown("m/s**2"), choice.factor("m/s**2"), choice.shown("N")
        ('mm/s**2', 1000.0, 'N')
    """

    chosen: Mapping[str, str] = field(default_factory=dict)

    def shown(self, unit: str) -> str:
        """The unit in which something in the SI unit `unit` is shown."""
        if unit in self.chosen:
            return self.chosen[unit]
        base, slash, per = unit.partition("/")
        below = self.chosen.get(per, per) if per in LENGTH_AND_ANGLE else per
        return f"{self.chosen.get(base, base)}{slash}{below}"

    def factor(self, unit: str) -> float:
        """By how much numbers in the SI unit `unit` are multiplied."""
        return factor(unit, self.shown(unit))


def unit_choice(units: Iterable[str], defaults: Iterable[str] = ()) -> UnitChoice:
    """A choice from units in any order; `defaults` hold where nothing else is said."""
    given = (units,) if isinstance(units, str) else tuple(units)
    chosen = {_dimension(unit): unit for unit in defaults}
    asked: dict[str, str] = {}
    for unit in given:
        if not isinstance(unit, str):
            raise UnitError(f"a unit is text, such as 'mm' or 'deg', not {unit!r}.")
        dimension = _dimension(unit)
        if dimension in asked:
            raise UnitError(
                f"{asked[dimension]!r} and {unit!r} are units of the same thing: give one of them."
            )
        asked[dimension] = unit
    return UnitChoice(chosen | asked)


def _dimension(unit: str) -> str:
    """The SI unit of what a unit measures."""
    word = unit.partition("/")[0].strip()
    for si in (*BASES, *RATES) if word[:1].isalpha() or word in ANGLES else ():
        if si.startswith("rad") and word not in ANGLES:
            continue  # "Hz" is no angle per second, though both are 1/s
        with suppress(UnitError):
            factor(unit, si)
            return si if si != "N m" or _has_force(unit) else "J"
    raise UnitError(
        f"{unit!r} is no unit of anything that a motion has: give units of length, angle, time,"
        " force, torque, energy or power, such as 'mm', 'deg', 'ms', 'N', 'N mm', 'kJ' or 'kW'.",
        unit=unit,
    )


def _has_force(unit: str) -> bool:
    """Whether a force stands in a unit: "N mm" is a torque, "kJ" and "W h" are energies."""
    for word in re.findall(r"[^\W\d]+", unit):
        with suppress(UnitError):
            factor(word, "N")
            return True
    return False
