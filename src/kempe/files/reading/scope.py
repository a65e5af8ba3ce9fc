"""What a number in a document means: its units, its parameters, and its expressions.

What a formula measures is found from its terms, so that lengths and angles are not mixed up.
"""

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import Any, final

from kempe.algebra.text.grammar import RESERVED, WrittenFormula, expression_error, parse
from kempe.algebra.text.terms import (
    AbstractTerm,
    Call,
    Chain,
    Choice,
    Name,
    Negation,
    Number,
    Power,
    Trouble,
)
from kempe.errors import BadNumber, KempeError, ModelError, UnitError
from kempe.files.syntax.source import MOST_FORMULAS, MOST_PARAMETERS, Path, shown
from kempe.units import PLAIN, Dimension, cancels, in_base_units, quantity, scaled

ANGLE = Dimension(angle=1)
TIME = Dimension(time=1)
TURNING = ("sin", "cos", "tan")
Known = Mapping[str, Dimension]


def dimension_of(formula: WrittenFormula, known: Known) -> Dimension:
    """What the value of a formula measures; ExpressionError where it adds a length to an angle.

    The number 0 may be added to anything and compared with anything.
    """
    try:
        return _of(formula.term, known) or PLAIN
    except Trouble as trouble:
        raise expression_error(formula.text, trouble) from None


def refuse_bare_angles(formula: WrittenFormula, unit: str) -> None:
    """ExpressionError where a sine is taken of t itself, which counts degrees or the like.

    Functions take radians; a factor beside t may turn it into them, and is left alone.
    """
    try:
        _refuse_sines(formula.term, unit)
    except Trouble as trouble:
        raise expression_error(formula.text, trouble) from None


def _refuse_sines(term: AbstractTerm, unit: str) -> None:
    if isinstance(term, Call) and term.function in TURNING and _is_bare(term.parts[0]):
        raise Trouble(
            term.at,
            f"{term.function} takes radians, and t is in {unit} here: write"
            f" {term.function}(pi / 180 * t) or the like",
        )
    for part in term.parts:
        _refuse_sines(part, unit)


def _is_bare(term: AbstractTerm) -> bool:
    """Whether t itself is a summand of a term."""
    match term:
        case Name():
            return term.name == "t"
        case Negation():
            return _is_bare(term.term)
        case Chain():
            if all(step.sign in "+-" for step in term.rest):
                return any(_is_bare(part) for part in (term.first, *(s.term for s in term.rest)))
    return False


def _of(term: AbstractTerm, known: Known) -> Dimension | None:
    """None where the term is 0, which may measure anything."""
    match term:
        case Number():
            return None if term.number == 0.0 else PLAIN
        case Name():
            return known[term.name]
        case Negation():
            return _of(term.term, known)
        case Chain():
            return _chain(term, known)
        case Power():
            return _power(term, known)
        case Call():
            return _call(term, known)
        case Choice():
            _alike(term.at, [_of(term.left, known), _of(term.right, known)])
            return _alike(term.at, [_of(term.yes, known), _of(term.no, known)])
    raise AssertionError(term)


def _chain(term: Chain, known: Known) -> Dimension | None:
    total = _of(term.first, known)
    for step in term.rest:
        one = _of(step.term, known)
        if step.sign in "+-":
            total = _alike(step.at, [total, one])
        elif total is not None:  # 0 times anything is 0
            total = total.times(one or PLAIN, 1.0 if step.sign == "*" else -1.0)
    return total


def _power(term: Power, known: Known) -> Dimension:
    base, exponent = _of(term.base, known) or PLAIN, _of(term.exponent, known) or PLAIN
    if exponent != PLAIN:
        raise Trouble(term.at, f"an exponent is a plain number, this one is {exponent.words}")
    if base == PLAIN:
        return PLAIN
    if next(term.exponent.names(), None) is not None:
        raise Trouble(term.at, f"a power of {base.words} needs a number as its exponent")
    return PLAIN.times(base, float(term.exponent.value({})))


def _call(term: Call, known: Known) -> Dimension | None:
    given = [_of(part, known) for part in term.parts]
    first = given[0] or PLAIN
    if term.function in ("min", "max", "abs"):
        return _alike(term.at, given)
    if term.function == "sqrt":
        return PLAIN.times(first, 0.5)
    if term.function == "atan2":
        _alike(term.at, given)
        return ANGLE
    if term.function == "smooth_step":
        _alike(term.at, given)
        return PLAIN
    takes_angles = term.function in TURNING
    if first != PLAIN and not (takes_angles and first == ANGLE):
        raise Trouble(term.at, f"{term.function} of {first.words} has no meaning")
    return ANGLE if term.function in ("asin", "acos") else PLAIN


def _alike(at: int, given: list[Dimension | None]) -> Dimension | None:
    """The one dimension of terms that are added or compared."""
    seen = [d for d in given if d is not None]
    for other in seen[1:]:
        if not other.is_like(seen[0]):
            raise Trouble(
                at,
                f"{seen[0].words} and {other.words} cannot be added or compared: give each number"
                " its unit, as a parameter",
            )
    return seen[0] if seen else None


_UNIT_BEGINS = re.compile(r"(?!if\b)[^\W\d]|[°%]|1\s*/")


class AtPath(Exception):
    """A mistake below a path; whoever knows the file gives it a line."""

    def __init__(self, path: Path, mistake: KempeError, *, of_key: bool = False) -> None:
        super().__init__(path, mistake)
        self.path = path
        self.mistake = mistake
        self.of_key = of_key  # whether the key is wrong, not the value


@contextmanager
def located(path: Path) -> Iterator[None]:
    """Whatever mistake is made inside is one at this path."""
    try:
        yield
    except KempeError as mistake:
        raise AtPath(path, mistake) from None


@final
@dataclass(frozen=True, slots=True)
class DocumentUnits:
    """The units of bare numbers; `shown` is the unit in which lengths are shown."""

    length: str = "m"
    angle: str = "rad"
    mass: str = "kg"
    shown: str = "m"

    @classmethod
    def of(cls, data: Mapping[str, Any] | None) -> "DocumentUnits":
        """From the entry `units`; every one is checked."""
        given = {k: v for k, v in (data or {}).items() if v is not None}
        units = cls(**({"shown": given.get("length", "m")} | given))
        wanted = {"length": "m", "angle": "rad", "mass": "kg", "shown": "m"}
        for key, base in wanted.items():
            if key not in given:
                continue
            with located(("units", key)):
                dimension = in_base_units(getattr(units, key))[1]
            if dimension != in_base_units(base)[1]:
                message = f"{getattr(units, key)!r} is no unit of {key.replace('shown', 'length')}."
                raise AtPath(("units", key), UnitError(message))
        return units

    def unit_of(self, dimension: Dimension) -> str:
        """What a reading is written in here: the angle, the length, or those per second."""
        word = self.angle if dimension.angle else self.length
        return f"{word}/s" if dimension.time else word

    def in_si(self, number: float, dimension: Dimension) -> float:
        """A bare number that measures this, in SI.

        Forces, torques and what is made of them are newtons and metres in every document.
        """
        if dimension.mass and dimension.time:
            return number
        scale = 1.0
        for unit, exponent in (
            (self.length, dimension.length),
            (self.mass, dimension.mass),
            (self.angle, dimension.angle),
        ):
            scale *= in_base_units(unit)[0] ** exponent
        return scaled(number, scale)


@final
@dataclass(frozen=True, slots=True)
class DimensionedValue:
    """A value in SI and what it measures; a bare number measures nothing yet."""

    value: float
    dimension: Dimension = PLAIN
    is_settled: bool = False  # whether it is plain by units that cancel: 2 turn/deg
    is_share: bool = False  # whether it is a part of something else: 5 %

    @property
    def is_bare(self) -> bool:
        """Whether the document's units decide what it means."""
        return self.dimension == PLAIN and not self.is_settled


@final
@dataclass(frozen=True, slots=True)
class Scope:
    """Units and parameters: turns what stands in a file into SI numbers."""

    units: DocumentUnits = field(default_factory=DocumentUnits)
    parameters: Mapping[str, DimensionedValue] = field(default_factory=dict)

    def quantity(self, data: float | int | str) -> DimensionedValue:
        """A number, a text with a unit, or an expression of parameters."""
        if not isinstance(data, str):
            return DimensionedValue(_finite(float(data), data))
        formula = formula_in(data)
        if formula is None:
            number, unit = quantity(data) or (math.nan, "")
            factor, dimension = in_base_units(unit or "1")
            value = _finite(scaled(number, factor), data)
            return DimensionedValue(value, dimension, cancels(unit), _is_share(unit))
        formula.refuse_other_names(frozenset(self.parameters))
        known = [self.parameters[name] for name in formula.names]
        is_settled = any(one.is_settled for one in known)
        # 30 * p is 30 of the document's units times a share, p and p * q are nothing but shares
        is_share = bool(known) and all(one.is_share for one in known)
        is_share = is_share and not _has_number(formula.term)
        value = formula.value(self.values(formula))
        return DimensionedValue(value, self.dimension(formula), is_settled, is_share)

    def number(self, data: float | int | str, unit: str) -> float:
        """The SI value of what must measure `unit`; "" takes whatever it measures."""
        if type(data) in (int, float):  # the common case, without the long way round
            plain = scaled(float(data), _bare(self.units, unit))
            if math.isfinite(plain):
                return plain
        if not unit:
            return self.quantity(data).value
        wanted = in_base_units(unit)[1]
        return self.measured(data, wanted, self.units.in_si(1.0, wanted))

    def measured(self, data: float | int | str, wanted: Dimension, bare: float) -> float:
        """The SI value of what must measure that; 1 of a bare number is `bare` in SI."""
        found = self.quantity(data)
        _refuse_share(found, data, wanted)
        if found.is_bare:
            return _finite(scaled(found.value, bare), data)
        if not found.dimension.is_like(wanted):
            raise UnitError(
                f"{shown(data)} is {found.dimension.words}, where {wanted.words} is needed."
            )
        return found.value

    def values(self, formula: WrittenFormula) -> dict[str, float]:
        """The SI values of the parameters in a formula."""
        known = self.parameters
        return {name: known[name].value for name in formula.names if name in known}

    def dimension(self, formula: WrittenFormula, **others: Dimension) -> Dimension:
        """What a formula of parameters measures."""
        known = {n: self.parameters[n].dimension for n in formula.names if n in self.parameters}
        return dimension_of(formula, known | others)


@lru_cache(maxsize=256)
def _bare(units: DocumentUnits, unit: str) -> float:
    """How much 1 of a bare number is in SI where it measures `unit`."""
    return units.in_si(1.0, in_base_units(unit)[1]) if unit else 1.0


def _is_share(unit: str) -> bool:
    """Whether a unit says what part of something else a number is: %, ppm; not m, nor mm/m."""
    return bool(unit) and in_base_units(unit)[1] == PLAIN and not cancels(unit)


def _refuse_share(found: DimensionedValue, data: object, wanted: Dimension) -> None:
    if found.is_share and wanted != PLAIN:
        raise UnitError(
            f"{shown(data)} is a share of something, where {wanted.words} is needed: say of what,"
            " such as 0.05 * L with a parameter L, or give it a unit."
        )


def _has_number(term: AbstractTerm) -> bool:
    return isinstance(term, Number) or any(_has_number(part) for part in term.parts)


def formula_in(data: Any) -> WrittenFormula | None:
    """The formula in a text; None for a number and for a number with a unit."""
    if not isinstance(data, str):
        return None
    parts = quantity(data)
    if parts is not None and (not parts[1] or _UNIT_BEGINS.match(parts[1])):
        return None
    return parse(data)


def _finite(number: float, data: object) -> float:
    if not math.isfinite(number):
        raise BadNumber(f"{shown(data)} is not a finite number.", value=shown(data))
    return number


def evaluated(units: DocumentUnits, entries: Mapping[str, Any]) -> Scope:
    """The scope of a document's parameters, each worked out after those it is made of."""
    if len(entries) > MOST_PARAMETERS:
        message = f"a document has at most {MOST_PARAMETERS} parameters, this one {len(entries)}."
        raise AtPath(("parameters",), ModelError(message))
    length = sum(len(text) for text in map(_text_of, entries.values()))
    if length > MOST_FORMULAS:
        message = (
            f"the texts of all parameters may have {MOST_FORMULAS} characters, these have {length}."
        )
        raise AtPath(("parameters",), ModelError(message))
    for name in entries:
        if not name.isidentifier() or name in RESERVED or name == "t":
            message = f"{name!r} cannot be the name of a parameter: take letters, digits and _."
            raise AtPath(("parameters", name), ModelError(message), of_key=True)
    parameters: dict[str, DimensionedValue] = {}
    scope = Scope(units, parameters)
    for name in _in_order(entries):
        with located(("parameters", name)):
            parameters[name] = parameter(scope, entries[name])
    return scope


def _text_of(entry: Any) -> str:
    value = entry["value"] if isinstance(entry, Mapping) else entry
    return value if isinstance(value, str) else ""


def parameter(scope: Scope, entry: Any) -> DimensionedValue:
    """The value of one parameter."""
    if not isinstance(entry, Mapping):
        return scope.quantity(entry)
    found, unit = scope.quantity(entry["value"]), entry.get("unit")
    if unit is None:
        return found
    factor, dimension = in_base_units(unit)
    _refuse_share(found, entry["value"], dimension)
    if found.is_bare:
        value = _finite(scaled(found.value, factor), entry["value"])
        return DimensionedValue(value, dimension, cancels(unit), _is_share(unit))
    if not found.dimension.is_like(dimension):
        raise UnitError(f"{shown(entry['value'])} is {found.dimension.words}, not in {unit!r}.")
    return found


def _in_order(entries: Mapping[str, Any]) -> list[str]:
    graph: dict[str, tuple[str, ...]] = {}
    for name, entry in entries.items():
        data = entry["value"] if isinstance(entry, Mapping) else entry
        with located(("parameters", name)):
            graph[name] = _mentioned(data, entries)
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError as cycle:
        names = " -> ".join(reversed(cycle.args[1]))
        message = f"the parameters {names} are made of each other: give one of them a number."
        raise AtPath(("parameters", cycle.args[1][0]), ModelError(message)) from None


def _mentioned(data: Any, entries: Mapping[str, Any]) -> tuple[str, ...]:
    formula = formula_in(data)
    if formula is None:
        return ()
    formula.refuse_other_names(frozenset(entries))
    return formula.names
