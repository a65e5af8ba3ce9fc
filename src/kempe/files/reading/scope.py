"""What a number in a document means: its units, its parameters, and its expressions."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import Any, final

from kempe.algebra.text.grammar import RESERVED, WrittenFormula, parse
from kempe.algebra.text.terms import AbstractTerm, Number
from kempe.errors import BadNumber, ExpressionError, KempeError, ModelError, UnitError
from kempe.files.reading.dimensions import dimension_of
from kempe.files.syntax.limits import MOST_FORMULAS, MOST_PARAMETERS
from kempe.files.syntax.source import Path, shown
from kempe.units import PLAIN, Dimension, cancels, in_base_units, quantity, scaled

_UNIT_BEGINS = re.compile(r"(?!if\b)[^\W\d]|[°%]|1\s*/")


class AtPath(Exception):
    """A mistake below a path; whoever knows the file gives it a line."""

    def __init__(self, path: Path, mistake: KempeError, *, of_key: bool = False) -> None:
        super().__init__(path, mistake)
        self.path = path
        self.mistake = mistake
        self.of_key = of_key  # whether the key is wrong, not the value


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
            try:
                dimension = in_base_units(getattr(units, key))[1]
            except UnitError as mistake:
                raise AtPath(("units", key), mistake) from None
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
class Quantity:
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
    parameters: Mapping[str, Quantity] = field(default_factory=dict)

    def quantity(self, data: float | int | str) -> Quantity:
        """A number, a text with a unit, or an expression of parameters."""
        if not isinstance(data, str):
            return Quantity(_finite(float(data), data))
        formula = formula_in(data)
        if formula is None:
            number, unit = quantity(data) or (math.nan, "")
            factor, dimension = in_base_units(unit or "1")
            value = _finite(scaled(number, factor), data)
            return Quantity(value, dimension, cancels(unit), _is_share(unit))
        formula.refuse_other_names(frozenset(self.parameters))
        known = [self.parameters[name] for name in formula.names]
        is_settled = any(one.is_settled for one in known)
        # 30 * p is 30 of the document's units times a share, p and p * q are nothing but shares
        is_share = bool(known) and all(one.is_share for one in known)
        is_share = is_share and not _has_number(formula.term)
        value = formula.value(self.values(formula))
        return Quantity(value, self.dimension(formula), is_settled, is_share)

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


def _refuse_share(found: Quantity, data: object, wanted: Dimension) -> None:
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
    parameters: dict[str, Quantity] = {}
    scope = Scope(units, parameters)
    for name in _in_order(entries):
        try:
            parameters[name] = parameter(scope, entries[name])
        except KempeError as mistake:
            raise AtPath(("parameters", name), mistake) from None
    return scope


def _text_of(entry: Any) -> str:
    value = entry["value"] if isinstance(entry, Mapping) else entry
    return value if isinstance(value, str) else ""


def parameter(scope: Scope, entry: Any) -> Quantity:
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
        return Quantity(value, dimension, cancels(unit), _is_share(unit))
    if not found.dimension.is_like(dimension):
        raise UnitError(f"{shown(entry['value'])} is {found.dimension.words}, not in {unit!r}.")
    return found


def _in_order(entries: Mapping[str, Any]) -> list[str]:
    graph: dict[str, tuple[str, ...]] = {}
    for name, entry in entries.items():
        data = entry["value"] if isinstance(entry, Mapping) else entry
        try:
            graph[name] = _mentioned(data, entries)
        except ExpressionError as mistake:
            raise AtPath(("parameters", name), mistake) from None
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
