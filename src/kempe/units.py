"""Units at the doors: text with a unit becomes an SI number, and a number is shown in a unit.

Inside, lengths are metres, angles radians, times seconds, masses kilograms. A number of a class
says its unit on its annotation (`Metres`, `Radians`, ...), so that a file may give it in another.
"""

import math
import numbers
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, NamedTuple, final

from kempe.errors import BadNumber, UnitError

LONGEST_UNIT = 64  # characters; also keeps exponents few


@final
@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of a number, on its annotation; the word "u" in it is the measure's unit."""

    text: str


@final
@dataclass(frozen=True, slots=True)
class Argument:
    """What stands in the place of time in a law, on its annotation; "u" as in `Unit`."""

    text: str


Metres = Annotated[float, Unit("m")]
Radians = Annotated[float, Unit("rad")]
Seconds = Annotated[float, Unit("s")]
Hertz = Annotated[float, Unit("1/s")]
Ratio = Annotated[float, Unit("1")]
MetresPerSecond = Annotated[float, Unit("m/s")]
SecondsPerMetre = Annotated[float, Unit("s/m")]
RadiansPerSecond = Annotated[float, Unit("rad/s")]
Newtons = Annotated[float, Unit("N")]
NewtonMetres = Annotated[float, Unit("N m")]
SquareMetres = Annotated[float, Unit("m^2")]
Pascals = Annotated[float, Unit("Pa")]
AnyUnit = Annotated[float, Unit("")]  # SI, whatever it measures
LineStiffness = Annotated[float, Unit("N/m")]
LineDamping = Annotated[float, Unit("N s/m")]
SpinStiffness = Annotated[float, Unit("N m/rad")]
SpinDamping = Annotated[float, Unit("N m s/rad")]
Effort = Annotated[float, Unit("f")]  # what acts along a measure: N, or N m on an angle
Stiffness = Annotated[float, Unit("f/u")]  # effort per reading of the measure
Damping = Annotated[float, Unit("f s/u")]
DirectionStiffness = Annotated[float, Unit("f_i/x_j")]  # of six directions: x, y, z, then turns
DirectionDamping = Annotated[float, Unit("f_i s/x_j")]
Reading = Annotated[float, Unit("u")]  # what the driven or coupled measure reads, m or rad
ReadingRate = Annotated[float, Unit("u/s")]
ReadingAcceleration = Annotated[float, Unit("u/s^2")]
Coefficient = Annotated[float, Unit("u/s^n")]  # of the power n, its place in a list
Share = Annotated[float, Unit("u/g")]  # of a coupler's row, per unit of the measure in its place


OF_EFFORTS = ("f", "f/u", "f s/u")
OF_DIRECTIONS = ("f_i/x_j", "f_i s/x_j")
DIRECTIONS = 6  # of a rigid body: three along the axes, three about them


def effort_unit(reading: str) -> str:
    """The unit of what acts along a measure that reads in m or rad."""
    return "N m" if reading == "rad" else "N"


def unit_along(unit: str, reading: str) -> str:
    """A unit of `OF_EFFORTS` for a measure that reads in m or rad: "f/u" is N/m or N m/rad."""
    return unit.replace("f", effort_unit(reading)).replace("u", reading)


def unit_of_direction(unit: str, place: int, count: int) -> str:
    """A unit of `OF_DIRECTIONS` at a place of six numbers, or of six rows of six (count 36)."""
    row, column = divmod(place, DIRECTIONS) if count > DIRECTIONS else (place, place)
    efforts, readings = (("N", "N m")[row >= 3], ("m", "rad")[column >= 3])
    return unit.replace("f_i", efforts).replace("x_j", readings)


@final
class Dimension(NamedTuple):
    """What a number measures: the exponents of length, mass, time and angle."""

    length: float = 0.0
    mass: float = 0.0
    time: float = 0.0
    angle: float = 0.0

    def times(self, other: "Dimension", power: float = 1.0) -> "Dimension":
        """The dimension of a product with `other` to a power."""
        return Dimension(*(a + power * b for a, b in zip(self, other, strict=True)))

    def is_like(self, other: "Dimension") -> bool:
        """Whether both measure the same; beside lengths and masses, angles are plain numbers."""
        if self.length or self.mass:
            return self[:3] == other[:3]
        return self == other

    @property
    def noun(self) -> str:
        """What it is called, without an article."""
        return self.words.partition(" ")[2]

    @property
    def words(self) -> str:
        """What it is called in a message."""
        units = zip(BASE_UNITS, self, strict=True)
        text = " ".join(f"{u}^{e:g}" if e != 1 else u for u, e in units if e)
        return KNOWN_DIMENSIONS.get(self, f"something in {text}")


BASE_UNITS = ("m", "kg", "s", "rad")
PLAIN = Dimension()
KNOWN_DIMENSIONS = {
    PLAIN: "a plain number",
    Dimension(length=1): "a length",
    Dimension(mass=1): "a mass",
    Dimension(time=1): "a time",
    Dimension(angle=1): "an angle",
    Dimension(length=1, time=-1): "a speed",
    Dimension(angle=1, time=-1): "a speed of turning",
    Dimension(length=1, time=-2): "an acceleration",
    Dimension(angle=1, time=-2): "an acceleration of turning",
    Dimension(length=2, mass=1): "a moment of inertia",
    Dimension(length=1, mass=1, time=-2): "a force",
    Dimension(length=2, mass=1, time=-2): "a torque",
    Dimension(length=2, mass=1, time=-2, angle=-1): "a stiffness of turning",
    Dimension(mass=1, time=-2): "a stiffness",
    Dimension(mass=1, time=-1): "a damping",
    Dimension(length=2, mass=1, time=-1, angle=-1): "a damping of turning",
    Dimension(length=-1, mass=1, time=-2): "a pressure",
}

_LENGTH, _MASS, _TIME, _ANGLE = (Dimension(*(float(k == i) for i in range(4))) for k in range(4))
# The words of every day, so that the registry of units need not be started for them.
_COMMON: dict[str, tuple[float, Dimension]] = {
    "1": (1.0, PLAIN),
    "um": (1e-6, _LENGTH),
    "mm": (1e-3, _LENGTH),
    "cm": (1e-2, _LENGTH),
    "m": (1.0, _LENGTH),
    "km": (1e3, _LENGTH),
    "in": (0.0254, _LENGTH),
    "inch": (0.0254, _LENGTH),
    "g": (1e-3, _MASS),
    "kg": (1.0, _MASS),
    "ms": (1e-3, _TIME),
    "s": (1.0, _TIME),
    "min": (60.0, _TIME),
    "Hz": (1.0, Dimension(time=-1)),
    "rad": (1.0, _ANGLE),
    "deg": (math.pi / 180.0, _ANGLE),
    "turn": (math.tau, _ANGLE),
    "rev": (math.tau, _ANGLE),
    "rpm": (math.tau / 60.0, Dimension(angle=1, time=-1)),
    "N": (1.0, Dimension(length=1, mass=1, time=-2)),
}

_WORD = r"(?P<word>[^\W\d_]+|°|%|1(?![0-9]))"
_FACTOR = re.compile(rf"\s*(?P<sign>[*/·]?)\s*{_WORD}(?:(?:\^|\*\*)(?P<power>[+-]?[0-9]))?\s*")
_UNIT = r"(?:[^\W\d_]+|°|%|1(?![0-9]))(?:(?:\^|\*\*)[+-]?[0-9])?"
_UNITS = re.compile(rf"{_UNIT}(?:(?:\s*[*/·]\s*|\s+){_UNIT})*")
_QUANTITY = re.compile(
    r"\s*(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*(?P<unit>.*?)\s*\Z",
    re.DOTALL,
)


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint

    return pint.UnitRegistry()


@lru_cache(maxsize=1024)
def _word(word: str) -> tuple[float, Dimension]:
    """One unit word in SI, and what it measures."""
    if word in _COMMON:
        return _COMMON[word]
    try:
        quantity = _registry().Quantity(1.0, word).to_base_units()
    except Exception:  # pint refuses an unknown word in many ways
        raise UnitError(
            f"there is no unit {word!r}: write for example 'mm', 'deg' or 'rpm'.", unit=word
        ) from None
    exponents = dict(zip(("meter", "kilogram", "second", "radian"), range(4), strict=True))
    dimension = [0.0] * 4
    for name, exponent in dict(quantity.units._units).items():
        if name not in exponents:
            raise UnitError(f"{word!r} measures nothing that a mechanism has.", unit=word)
        dimension[exponents[name]] = float(exponent)
    return float(quantity.magnitude), Dimension(*dimension)


@lru_cache(maxsize=1024)
def in_base_units(unit: str) -> tuple[float, Dimension]:
    """How much one `unit` is in SI, and what it measures: "deg/s" is 0.01745... of an angle/time.

    Units are words with small whole powers, multiplied or divided: "N*m", "kg mm^2", "rad/s**2".
    """
    value, dimension, at = 1.0, PLAIN, 0
    while at < len(unit) or at == 0:
        found = _FACTOR.match(unit, at) if len(unit) <= LONGEST_UNIT else None
        if found is None or (at == 0 and found["sign"]):
            raise UnitError(
                f"{unit[:LONGEST_UNIT]!r} is no unit: write for example 'mm', 'deg/s' or 'kg*m^2'.",
                unit=unit[:LONGEST_UNIT],
            )
        one, measured = _word(found["word"])
        power = int(found["power"] or 1) * (-1 if found["sign"] == "/" else 1)
        value *= one**power
        dimension = dimension.times(measured, power)
        at = found.end()
    return value, dimension


@lru_cache(maxsize=1024)
def cancels(unit: str) -> bool:
    """Whether a unit measures nothing only because its words cancel: turn/deg, mm/m; not %."""
    if in_base_units(unit or "1")[1] != PLAIN:
        return False
    return any(_word(found["word"])[1] != PLAIN for found in _FACTOR.finditer(unit))


@lru_cache(maxsize=1024)
def factor(unit: str, into: str) -> float:
    """How many `into` one `unit` is: factor("mm", "m") = 0.001."""
    if unit == into:
        return 1.0
    value, dimension = in_base_units(unit)
    wanted, target = in_base_units(into)
    if not dimension.is_like(target):
        raise UnitError(
            f"{unit!r} is no unit of {target.noun}: use {into} or a unit like it.", unit=unit
        )
    return value / wanted


def converted(number: float, unit: str, into: str) -> float:
    """A number of `unit` in `into`; 70 mm is 0.07 m to the last digit."""
    return scaled(number, factor(unit, into))


def scaled(number: float, scale: float) -> float:
    """number * scale, rounded once where the scale is one over a whole number."""
    if 0.0 < scale < 1.0:
        whole = round(1.0 / scale)
        if 1.0 / whole == scale:
            return number / whole
    return number * scale


def quantity(text: str) -> tuple[float, str] | None:
    """The number and the unit ("" for none) of text such as "30 mm"; None where it is no number."""
    found = _QUANTITY.match(text)
    return None if found is None else (float(found["number"]), found["unit"])


def as_double(value: int | float | numbers.Real) -> float:
    """The nearest double; BadNumber where a whole number or a fraction lies beyond all of them.

    Examples:
        >>> as_double(3)
        3.0
        >>> as_double(10**400)
        Traceback (most recent call last):
        kempe.errors.BadNumber: a number of more than 308 digits cannot be computed with.
    """
    try:
        return float(value)
    except OverflowError:  # its digits are not told: Python writes at most 4300 of them
        raise BadNumber("a number of more than 308 digits cannot be computed with.") from None


def in_si(value: float | int | str, into: str, plain: str | None = None) -> float:
    """A number, or text such as "30 mm", in SI; a bare number is in `plain` (default: SI)."""
    bare = into if plain is None else plain
    if isinstance(value, str):
        parts = quantity(value)
        if parts is None or (parts[1] and not _UNITS.fullmatch(parts[1])):
            raise UnitError(f"{value[:80]!r} is not a number with a unit, such as '30 mm'.")
        number = converted(parts[0], parts[1] or bare, into)
    elif isinstance(value, numbers.Real) and not isinstance(value, bool):
        number = converted(as_double(value), bare, into)
    else:
        raise BadNumber(f"{value!r} is not a number.", value=repr(value))
    if not math.isfinite(number):
        raise BadNumber(f"{value!r} is not a finite number.", value=str(value))
    return number
