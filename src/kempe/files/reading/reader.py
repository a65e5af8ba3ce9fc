"""From checked data to the parts of a model: numbers, frames, markers, gauges and members."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, final

import numpy as np

from kempe.algebra.text.grammar import WrittenFormula, parse
from kempe.drives import AbstractLaw, Ramp, TextFormula
from kempe.errors import (
    BadConnection,
    BadNumber,
    ExpressionError,
    KempeError,
    ModelError,
    UnknownName,
    nearest_name,
)
from kempe.files.reading.scope import (
    ANGLE,
    TIME,
    AtPath,
    DimensionedValue,
    Scope,
    dimension_of,
    formula_in,
    refuse_bare_angles,
)
from kempe.files.schema.kinds import AbstractKind, FamilyKind, OptionalKind
from kempe.files.schema.schema import DEFAULT_LAW, family
from kempe.files.syntax.source import Path, shown
from kempe.forces import AbstractForce
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector
from kempe.geometry.rotation import ROTATION_TOLERANCE
from kempe.joints import AbstractJoint
from kempe.measures import AbstractMeasure, Gauge, Sum
from kempe.model import Body
from kempe.model.beam import Beam
from kempe.units import (
    OF_DIRECTIONS,
    OF_EFFORTS,
    PLAIN,
    Dimension,
    effort_unit,
    in_base_units,
    unit_along,
    unit_of_direction,
)

T_IN_TEXT = "t"
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
        if unit == T_IN_TEXT:
            return f"{number} * {T_IN_TEXT}"
        if not _is_unit(unit) or len(given) == len(free):
            return found[0]
        name = free[len(given)]
        given[name] = f"{number} {unit}"
        return name

    try:
        formula = parse(_WITH_UNIT.sub(named, text))
    except KempeError:
        return None
    is_law = T_IN_TEXT in formula.names and set(formula.names) <= {T_IN_TEXT, *given, *known}
    return (formula, given) if is_law else None


def _is_unit(word: str) -> bool:
    try:
        in_base_units(word)
    except KempeError:
        return False
    return True


T = TypeVar("T")
# What a law's numbers are made of: the power of its value's unit and that of its argument's.
OF_LAWS = {"u": (1, 0), "u/s": (1, -1), "u/s^2": (1, -2), "s": (0, 1), "1/s": (0, -1)}
COEFFICIENT, SHARE = "u/s^n", "u/g"  # as `Coefficient` and `Share` of kempe.units have it
TURNINGS = ("angle", "axis", "quaternion", "matrix")


@final
@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the parts of one document; a mistake is raised as AtPath."""

    scope: Scope
    plane: bool
    bodies: Mapping[str, Body]
    gauges: Mapping[str, Gauge]
    measure: str = ""  # the unit of the measure that a law or coupler is about
    reading: str = ""  # the unit of the measure that a force acts along
    argument: str = "s"  # what a law is of: time, a cam's measure, a spring's stretch or its rate
    coupled: tuple[str, ...] = ()  # the units of the measures that a coupler or a row is about
    listed: int = 0  # how many members the list has that is being read
    beams: Mapping[str, Beam] | None = None  # by their names

    # -- numbers and frames ------------------------------------------------------------------

    def number(self, data: Any, unit: str, path: Path) -> float:
        """A number in SI."""
        place = path[-1] if path and isinstance(path[-1], int) else 0
        argument = self.argument
        if unit == COEFFICIENT:
            powers = (1, -place)
        elif unit == SHARE:
            powers = (1, -1)
            argument = self.coupled[place] if place < len(self.coupled) else self.measure
        elif unit in OF_LAWS:
            powers = OF_LAWS[unit]
        else:
            meant = self._of_force(unit, place)
            return self.attempt(path, lambda: self.scope.number(data, meant))
        return self.attempt(path, lambda: self._of_law(data, powers, argument, unit))

    def _of_force(self, unit: str, place: int) -> str:
        """A unit of a force's number, with that of the measure it acts along put in."""
        if unit in OF_EFFORTS:
            return unit_along(unit, self.measure) if self.measure else ""
        return unit_of_direction(unit, place, self.listed) if unit in OF_DIRECTIONS else unit

    def _of_law(self, data: Any, powers: tuple[int, int], argument: str, unit: str) -> float:
        """A number of a law or a coupler, in SI.

        A bare one is as one would read it off a plot whose axes have the file's units: a slope is
        the value's unit per the argument's. In SI only forces and torques, as everywhere.
        """
        of_value, of_argument = powers
        if of_value and not self.measure:
            return self.scope.number(data, "")
        units, wanted, bare = self.scope.units, PLAIN, 1.0
        for word, power in ((self.measure, of_value), (argument, of_argument)):
            if power:
                dimension = in_base_units(word)[1]
                wanted = wanted.times(dimension, power)
                bare *= units.in_si(1.0, dimension) ** power
        found = self.scope.quantity(data)
        if unit == SHARE and bare != 1.0 and found.is_bare and found.value != 0.0:
            raise BadNumber(
                f"{shown(data)} multiplies {in_base_units(argument)[1].words} in a sum of"
                f" {in_base_units(self.measure)[1].noun}s, and the file's units are not SI: say"
                " its unit, such as '5 mm/deg'."
            )
        return self.scope.measured(data, wanted, bare)

    def of_law(self, unit: str, argument: str) -> "Reader":
        """The reader of a law whose values have a unit of their own, or that is not of time."""
        measure = unit or self.measure
        return replace(
            self, measure=measure, argument=argument.replace("u", self.reading) or self.argument
        )

    def of_list(self, count: int) -> "Reader":
        """The reader of the members of a list."""
        return replace(self, listed=count)

    def numbers(self, data: Any, unit: str, path: Path) -> list[float]:
        """A list of numbers in SI."""
        return [self.number(x, unit, (*path, i)) for i, x in enumerate(data)]

    def triple(self, data: Any, unit: str, path: Path) -> tuple[float, float, float]:
        """Three numbers; in the plane the third may be left out."""
        if len(data) == 2 and not self.plane:
            message = f"in space there are 3 coordinates, here are 2: {shown(data)}."
            raise AtPath(path, BadNumber(message))
        x, y, z = (*self.numbers(data, unit, path), 0.0)[:3]
        return x, y, z

    def point(self, data: Any, path: Path) -> tuple[float, float, float]:
        """A position."""
        x, y, z = self.triple(data, "m", path)
        if self.plane and z != 0.0:
            message = f"this lies {z:g} m off the plane: make the third coordinate 0."
            raise AtPath((*path, 2), BadConnection(message))
        return x, y, z

    def vector(self, data: Any, path: Path) -> Vector:
        """Three numbers."""
        return Vector(*self.numbers(data, "", path))

    def rotation(self, data: Mapping[str, Any], path: Path) -> Rotation:
        """From an angle about z, a direction of z, a quaternion or a matrix."""
        given = [word for word in TURNINGS if data.get(word) is not None]
        if given == ["angle", "matrix"]:
            return self._with_angle(data, path)
        if len(given) > 1:
            message = f"{given[0]} and {given[1]} both say how it is turned: give one of them."
            raise AtPath((*path, given[1]), ModelError(message))
        if not given:
            return Rotation.identity()
        word, value, where = given[0], data[given[0]], (*path, given[0])
        if word == "angle":
            return Rotation.planar(self.number(value, "rad", where))
        if word == "matrix":
            return self.attempt(where, lambda: Rotation.from_matrix(self.matrix(value, where)))
        numbers = self.numbers(value, "1", where)
        if word == "quaternion":
            return self.attempt(where, lambda: Rotation.from_quaternion(numbers))
        return self.attempt(where, lambda: Marker(GROUND).facing(numbers).rotation)

    def matrix(self, data: Any, path: Path, unit: str = "1") -> list[list[float]]:
        """Three rows of three numbers."""
        return [self.numbers(row, unit, (*path, i)) for i, row in enumerate(data)]

    def _with_angle(self, data: Mapping[str, Any], path: Path) -> Rotation:
        """A turn in the plane whose matrix is given too, to the last digit."""
        where = (*path, "matrix")
        matrix = self.matrix(data["matrix"], where)
        angle = self.number(data["angle"], "rad", (*path, "angle"))
        found = self.attempt(where, lambda: Rotation.from_matrix(matrix))
        if np.abs(found.matrix() - Rotation.planar(angle).matrix()).max() > ROTATION_TOLERANCE:
            raise AtPath(where, BadNumber(f"this matrix is no turn by {angle:g} rad about z."))
        return replace(found, angle=angle)

    def pose(self, data: Mapping[str, Any], path: Path) -> Pose:
        """A frame: `at`, and how it is turned."""
        at = data.get("at")
        place = (0.0, 0.0, 0.0) if at is None else self.point(at, (*path, "at"))
        return Pose(Vector(*place), self.rotation(data, path))

    # -- places and measures -----------------------------------------------------------------

    def marker(self, data: Any, path: Path) -> Marker:
        """A body's origin ("crank"), one of its points ("crank.end"), or a frame on it."""
        if isinstance(data, str):
            body, _, point = data.partition(".")
            return self._at_point(body, point, path)
        body, point, at = data["body"], data.get("point"), data.get("at")
        if point is not None and at is not None:
            message = "`point` and `at` both say where it is: give one of them."
            raise AtPath((*path, "at"), ModelError(message))
        placed = self._at_point(body, point or "", (*path, "point" if point else "body"))
        if at is not None:
            placed = replace(placed, position=self.point(at, (*path, "at")))
        return replace(placed, rotation=self.rotation(data, path))

    def _at_point(self, body: str, point: str, path: Path) -> Marker:
        if self.beams and body in self.beams:
            return self._on_beam(self.beams[body], point or "start", path)
        if body not in self.bodies:
            message = f"there is no body {shown(body)}.{nearest_name(body, self.bodies)}"
            raise AtPath(path, UnknownName(message, name=body))
        if not point:
            return Marker(body)
        return self.attempt(path, lambda: self.bodies[body].marker(point))

    def _on_beam(self, beam: Beam, point: str, path: Path) -> Marker:
        places, name = beam.places, beam.name
        if point not in places:
            message = (
                f"beam {name!r} has no point {shown(point)}: it has {', '.join(places)}, and its"
                f" pieces are bodies {name}_0, {name}_1, ..."
            )
            raise AtPath(path, UnknownName(message, name=point))
        return places[point]

    def gauge(self, data: Any, path: Path, name: str = "", *, is_key: bool = False) -> Gauge:
        """A measure by its name, or a new one between two markers."""
        if isinstance(data, str):
            if data not in self.gauges:
                near = nearest_name(data, self.gauges)
                mistake = UnknownName(f"there is no measure {shown(data)}.{near}", name=data)
                raise AtPath(path, mistake, of_key=is_key)
            return self.gauges[data]
        measure = self.member(AbstractMeasure, data["measure"], (*path, "measure"))
        I, J = (self.marker(data[end], (*path, end)) for end in ("I", "J"))
        return Gauge(data.get("name") or name or f"{J.body}.{measure.word}", measure, I, J)

    # -- members of families -----------------------------------------------------------------

    def member(self, base: type, data: Any, path: Path, name: str | None = None) -> Any:
        """A joint, coupler, law, measure or constraint, by its word and its fields."""
        if base is AbstractLaw and not isinstance(data, Mapping):
            return self._text_law(data, path)
        entry = {"type": data} if isinstance(data, str) else data
        word = family(base).words[entry.get("type", DEFAULT_LAW)]
        named = {} if name is None else {"name": name}
        if word.made is TextFormula:
            return self._written_law(word.fields, entry, path)
        if word.made is Sum:
            return self._sum(entry["terms"], (*path, "terms"))
        if base is AbstractJoint:
            return self._joint(word.made, word.fields, entry, path, named)
        made = self.made(word.made, word.fields, entry, path, **named)
        if isinstance(made, AbstractForce):
            self._refuse_ambiguous(made, entry, path)
        return made

    def _sum(self, terms: Sequence[Any], path: Path) -> Sum:
        """A sum of measures: its unit is known when all of them are, and then its coefficients."""
        measures = [
            self.member(AbstractMeasure, measure, (*path, k, 1))
            for k, (_, measure) in enumerate(terms)
        ]
        reader = replace(self, measure="m" if any(m.unit == "m" for m in measures) else "rad")

        def coefficient(k: int) -> float:
            share, unit = terms[k][0], measures[k].unit
            return self.attempt((*path, k, 0), lambda: reader._of_law(share, (1, -1), unit, SHARE))

        pairs = tuple((coefficient(k), measure) for k, measure in enumerate(measures))
        return self.attempt(path, lambda: Sum(pairs))

    def _refuse_ambiguous(self, force: AbstractForce, data: Mapping[str, Any], path: Path) -> None:
        """BadNumber where bare numbers of a force's formula stand beside readings that are not SI.

        Such a formula is in SI. In a document of other units that is plain only where all that it
        adds, compares and gives fits together, its bare numbers being plain ones.
        """
        given = zip(data.get("constants") or (), data.get("values") or (), strict=True)
        constants = {name: self.scope.quantity(value).dimension for name, value in given}
        for one in force.written:
            formula, wanted = parse(one.text), in_base_units(one.unit)[1]
            read = {name: in_base_units(unit)[1] for name, unit in one.readings.items()}
            units = self.scope.units
            foreign = [n for n in formula.names if n in read and units.in_si(1.0, read[n]) != 1.0]
            if not foreign or _measures(formula, {**constants, **read}, wanted):
                continue
            message = (
                f"{shown(one.text)} is a formula of SI, and the file's units are {units.length} and"
                f" {units.angle}: so that nobody takes {foreign[0]} for one in"
                f" {units.unit_of(read[foreign[0]])}, give its numbers their units, constants: [k],"
                f" values: [40 {one.unit}/{one.readings[foreign[0]]}], and let it be"
                f" {wanted.words}; or write the file in SI."
            )
            raise AtPath((*path, *one.place), BadNumber(message))

    def made(
        self,
        made: type,
        fields: Mapping[str, AbstractKind],
        data: Mapping[str, Any],
        path: Path,
        **given: Any,
    ) -> Any:
        """An object of a class from a mapping of its fields."""
        reader, of_laws, values = self, self, dict(given)
        for field, kind in fields.items():
            if field not in data or field in given:
                continue
            asked = of_laws if _holds_law(kind) else reader
            values[field] = kind.read(data[field], asked, (*path, field))
            if field in ("gauges", "measures"):
                units = tuple(one.unit for one in values[field])
                of_laws = reader = replace(
                    reader,
                    measure=_row_unit(made, field, values[field]),
                    reading=units[0] if units else "",  # what a cam's law is of
                    coupled=units,
                )
            elif isinstance(values[field], Gauge):
                reader = replace(reader, measure=values[field].unit)
                unit = values[field].unit
                of_laws = replace(reader, measure=effort_unit(unit), reading=unit)
        return self.attempt(path, lambda: made(**values))

    def _joint(
        self,
        made: type,
        fields: Mapping[str, AbstractKind],
        data: Mapping[str, Any],
        path: Path,
        named: dict[str, str],
    ) -> Any:
        turned: dict[str, Any] = {}
        if "axis" not in fields and data.get("axis") is not None:
            where = (*path, "axis")
            axis = self.numbers(data["axis"], "1", where)
            for end in ("I", "J"):
                marker = self.marker(data[end], (*path, end))
                if marker.rotation.angle != 0.0:
                    message = f"marker {end} is turned already: give the axis there or here."
                    raise AtPath(where, BadConnection(message))
                turned[end] = self.attempt(where, lambda m=marker: m.facing(axis))  # type: ignore[misc]
        joint = self.made(made, fields, data, path, **turned, **named)
        if "flip" not in fields and data.get("flip"):
            return self.attempt((*path, "flip"), lambda: joint.flipped())
        return joint

    def _text_law(self, data: Any, path: Path) -> AbstractLaw:
        """A number is held; a text is a formula of t in the document's units or its own."""
        try:
            formula = self.attempt(path, lambda: formula_in(data))
            if formula is None or "t" not in formula.names:
                return self.attempt(path, lambda: Ramp(self.number(data, "u", path)))
        except AtPath as trouble:
            advice = self._with_parameters(data)
            if not advice:
                raise
            mistake = trouble.mistake
            told = type(mistake)(f"{mistake.message} {advice}", **mistake.facts)
            raise AtPath(trouble.path, told) from None
        known = self.scope.parameters
        self.attempt(path, lambda: formula.refuse_other_names(frozenset({"t", *known})))
        scale, per = self.attempt(path, lambda: self._scales(formula, known))
        values = self.scope.values(formula)
        return self.attempt(
            path, lambda: TextFormula(data, tuple(values), tuple(values.values()), scale, per)
        )

    def _with_parameters(self, data: Any) -> str:
        """How a law with units inside is written, where that makes sense; else nothing."""
        known = self.scope.parameters
        found = with_parameters(data, known) if isinstance(data, str) else None
        if found is None:
            return ""
        formula, given = found
        try:
            own = {name: self.scope.quantity(value) for name, value in given.items()}
            self._scales(formula, {**known, **own})
        except KempeError:
            return ""
        listed = " and ".join(f"{name}: {value}" for name, value in given.items())
        those = f", with {listed} among the parameters" if given else ""
        return f"As a law of t write {formula.text!r}{those}."

    def _written_law(
        self, fields: Mapping[str, AbstractKind], data: Mapping[str, Any], path: Path
    ) -> TextFormula:
        """A formula with names of its own; without `scale` and `per` it means what a text means."""
        law: TextFormula = self.made(TextFormula, fields, data, path)
        given = zip(law.names, data.get("values") or (), strict=True)
        known = {name: self.scope.quantity(value) for name, value in given}
        scale, per = self.attempt(path, lambda: self._scales(law.formula, known))
        if data.get("scale") is not None:
            scale = law.scale
        if data.get("per") is not None:
            per = law.per
        return replace(law, scale=scale, per=per)

    def _scales(
        self, formula: WrittenFormula, known: Mapping[str, DimensionedValue]
    ) -> tuple[float, float | None]:
        """How much 1 of a formula's values is in SI, and 1 of t where that is not 1.

        A formula whose parameters have units is in SI and t with it; any other is in the
        document's units, and t with it.
        """
        wanted, of = (in_base_units(unit or "1")[1] for unit in (self.measure, self.argument))
        dimensions = {n: q.dimension for n, q in known.items() if n in formula.names}
        if all(known[name].is_bare for name in dimensions):
            units = self.scope.units
            per = units.in_si(1.0, of)
            if per != 1.0 and of == ANGLE:
                refuse_bare_angles(formula, units.angle)
            return units.in_si(1.0, wanted), None if per == 1.0 else per
        found = None
        for t in (of, PLAIN) if of == TIME else (of,):
            try:
                found = dimension_of(formula, {**dimensions, "t": t})
            except ExpressionError:
                if t is PLAIN or of != TIME:
                    raise
                continue
            if not self.measure or found.is_like(wanted):
                return 1.0, None
        assert found is not None
        raise BadNumber(
            f"{shown(formula.text)} is {found.words}, where {wanted.words} is needed: its t is"
            f" {'a plain number' if of == TIME else of.words}, and numbers with units are SI."
        )

    def attempt(self, path: Path, make: Callable[[], T]) -> T:
        """What `make` returns; a mistake gets its path."""
        try:
            return make()
        except KempeError as mistake:
            raise AtPath(path, mistake) from None
        except (TypeError, ValueError, ArithmeticError, AttributeError) as mistake:
            # a class found by its export may refuse its fields in its own way
            raise AtPath(path, ModelError(f"this cannot be: {mistake}.")) from None


def _measures(formula: WrittenFormula, known: Mapping[str, Dimension], wanted: Dimension) -> bool:
    """Whether a formula of these and of t, a time or a plain number, measures what is wanted."""
    for t in (TIME, PLAIN):
        try:
            if dimension_of(formula, {**known, "t": t}).is_like(wanted):
                return True
        except ExpressionError:
            continue
    return False


def _holds_law(kind: AbstractKind) -> bool:
    inner = kind.item if isinstance(kind, OptionalKind) else kind
    return isinstance(inner, FamilyKind) and inner.base is AbstractLaw


def _row_unit(made: type, field: str, measured: tuple[Any, ...]) -> str:
    """The unit of a row of measures: its class says so as soon as what it measures is known."""
    unfinished: Any = object.__new__(made)
    object.__setattr__(unfinished, field, measured)
    try:
        return str(unfinished.unit)
    except (AttributeError, IndexError):
        return str(measured[0].unit) if measured else "rad"
