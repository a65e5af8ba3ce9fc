"""Parts of a model as calls of a builder, each digit as it is: for what no short call says."""

import dataclasses
import importlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, final

import numpy as np

import kempe
from kempe.compile.trace.part_names import gauges_by_name
from kempe.drives import Drive
from kempe.errors import KempeError
from kempe.geometry import GROUND, Marker, Rotation, Vector
from kempe.measures import Gauge
from kempe.model import Body, Model, Output
from kempe.model.shape import BodyShape
from kempe.model.start_rate import StartRate
from kempe.units import in_si

LONGEST = 96  # characters of a line
GAUGES = ("angle", "x", "y", "z")  # of a body
DIGITS = 15
NO_TURN = Rotation.identity()


class BeyondError(Exception):
    """Something that no call of the builder is written for."""


@final
class PythonParts:
    """Writes the parts of one model for a builder `m` whose bodies have the names `variables`."""

    def __init__(self, model: Model, variables: Mapping[str, str]) -> None:
        self.model, self.variables, self.unit = model, variables, model.length_unit
        self.bodies = {body.name: body for body in model.bodies}
        bare = dataclasses.replace(
            model, drives=(), couplers=(), forces=(), rates=(), events=(), gauges=()
        )
        self.gauges = gauges_by_name(bare)

    # -- parts -------------------------------------------------------------------------------

    def body(self, body: Body) -> str:
        """A body with all that is known of it; of the ground the solids alone."""
        if body.name == GROUND:
            if body.points or body.outline:
                raise BeyondError  # a builder gives the ground no named points
            return "\n".join(self._shape(body, shape) for shape in body.shapes)
        given = [_text(body.name)]
        if body.points:
            said = ", ".join(f"{_text(p)}: {self._place(at)}" for p, at in body.points.items())
            given.append(f"points={{{said}}}")
        if body.guess is not None:
            if not body.anywhere:
                given.append(f"at={self._place(body.guess.position)}")
            given += self._turn(body.guess.rotation, always=body.anywhere)
        if body.inertia is not None and not body.has_mass_of_shapes:
            given.append(f"inertia={self.code(body.inertia)}")
        if body.outline:
            given.append(f"outline={list(map(str, body.outline))!r}")
        for word, rate in (("velocity", f"{self.unit}/s"), ("spin", "rad/s")):
            start = getattr(body, word)
            if isinstance(start, Sequence):
                numbers = ", ".join(self._number(x, f"{'m' if word != 'spin' else 'rad'}/s", rate)
                                    for x in start)  # fmt: skip
                given.append(f"{word}=({numbers})")
            elif start is not None:
                given.append(f"{word}={self.code(start)}")
        lines = [call(f"{self.variables[body.name]} = m.body", given)]
        return "\n".join([*lines, *(self._shape(body, shape) for shape in body.shapes)])

    def _shape(self, body: Body, shape: BodyShape) -> str:
        given = [self.variables[body.name], self.code(shape.solid)]
        if any(float(c) for c in shape.at.position):
            given.append(f"at={self._place(shape.at.position)}")
        given += self._turn(shape.at.rotation)
        if shape.density is not None and body.has_mass_of_shapes:
            given.append(f"density={float(shape.density)!r}")
        return call("m.shape", [*given, f"name={_text(shape.name)}"])

    def joint(self, name: str) -> str:
        """The joint of that name."""
        joint = next(one for one in self.model.joints if one.name == name)
        return call("m.add", [self.code(joint), _text(name)])

    def drive(self, drive: Drive) -> str:
        """A drive."""
        named = [f"name={_text(drive.name)}"] if drive.name else []
        return call("m.drive", [self.code(drive.gauge), self.code(drive.law), *named])

    def gauge(self, gauge: Gauge) -> str:
        """A measure that is read under its name."""
        given = [_text(gauge.name), *map(self.code, (gauge.measure, gauge.I, gauge.J))]
        return call("m.gauge", given)

    def rate(self, rate: StartRate) -> str:
        """The rate with which a measure starts."""
        plain = self.unit if rate.gauge.unit == "m" else "rad"
        number = self._number(rate.rate, f"{rate.gauge.unit}/s", f"{plain}/s")
        return call("m.rate", [self.code(rate.gauge), number])

    def output(self, output: Output) -> str:
        """What tables show."""
        given = [_text(output.text)]
        given += [f"{k}={_text(x)}" for k, x in (("name", output.name), ("unit", output.unit)) if x]
        return call("m.output", given)

    def others(self) -> list[str]:
        """Couplers, forces and events."""
        model = self.model
        rooms: list[tuple[str, Sequence[Any]]] = [
            ("couple", model.couplers), ("force", model.forces), ("event", model.events),
        ]  # fmt: skip
        return [
            call(f"m.{word}", [self.code(part), _text(part.name)])
            for word, parts in rooms
            for part in parts
        ]

    # -- values ------------------------------------------------------------------------------

    def code(self, value: Any) -> str:
        """A value as an expression that makes it again, in SI."""
        match value:
            case None | bool() | int():
                return repr(value)
            case Enum():
                return f"{named(type(value))}.{value.name}"
            case str():
                return _text(value)
            case float() | np.floating():
                number = float(value)
                return repr(number) if math.isfinite(number) else f'float("{number!r}")'
            case np.integer():
                return repr(int(value))
            case np.ndarray():
                return self.code(value.tolist())
            case Marker():
                return self._marker(value)
            case Gauge():
                return self._gauge(value)
            case Rotation():
                return self._rotation(value)
            case Mapping():
                said = ", ".join(f"{self.code(k)}: {self.code(x)}" for k, x in value.items())
                return f"{{{said}}}"
            case tuple():
                said = ", ".join(map(self.code, value))
                return f"({said},)" if len(value) == 1 else f"({said})"
            case list():
                return f"[{', '.join(map(self.code, value))}]"
        if not dataclasses.is_dataclass(value) or isinstance(value, type):
            raise BeyondError
        return f"{named(type(value))}({', '.join(self._fields(value))})"

    def _fields(self, value: Any) -> list[str]:
        """What its class is called with: names where a field before them is left as it is."""
        found, is_in_order = [], True
        for field in dataclasses.fields(value):
            if not field.init or field.name == "name":  # the call that takes it says the name
                is_in_order = is_in_order and field.init and field.name != "name"
                continue
            given = getattr(value, field.name)
            if _is_default(field, given):
                is_in_order = False
                continue
            said = self.code(given)
            is_plain = is_in_order and not field.kw_only and field.default is dataclasses.MISSING
            found.append(said if is_plain else f"{field.name}={said}")
        return found

    def _marker(self, marker: Marker) -> str:
        """A place on a body: a point of it where there is one, else in numbers."""
        if marker.body not in self.variables:
            raise BeyondError
        on, body = self.variables[marker.body], self.bodies.get(marker.body)
        for name, place in body.points.items() if body is not None else ():
            if _is_same(Marker(marker.body, place), marker) and marker.body != GROUND:
                is_plain = name.isidentifier() and not name.startswith("_")
                return f"{on}.{name}" if is_plain else f"{on}.point({_text(name)})"
        here = f"{on}.at{self._place(marker.position)}"
        at = Marker(marker.body, marker.position)
        if _is_same(at, marker):
            return here
        z = tuple(float(c) for c in marker.rotation.z)
        with_z = _made(lambda: at.facing(z))
        if with_z is not None and _is_same(with_z, marker):
            return f"{here}.facing({z!r})"
        where = tuple(map(float, marker.position))
        return f"kp.Marker({_text(marker.body)}, {where!r}, {self._rotation(marker.rotation)})"

    def _gauge(self, gauge: Gauge) -> str:
        """A measure: one of a body by its word, else between its places."""
        part, _, word = gauge.name.rpartition(".")
        known = self.gauges.get(gauge.name)
        is_bodys = part in self.bodies and part != GROUND and word in GAUGES
        if is_bodys and known is not None and _is_same_gauge(known, gauge):
            return f"{self.variables[part]}.{word}"
        told = ", ".join(map(self.code, (gauge.measure, gauge.I, gauge.J)))
        return f"{named(Gauge)}({_text(gauge.name)}, {told})"

    def _turn(self, rotation: Rotation, *, always: bool = False) -> list[str]:
        """The argument that turns what is made, none where it is not turned."""
        if _is_same_turn(rotation, NO_TURN):
            return ["angle=0.0"] if always else []
        angle = rotation.angle
        if angle is not None and _is_same_turn(Rotation.planar(float(angle)), rotation):
            return [f"angle={float(angle)!r}"]
        return [f"rotation={self._rotation(rotation)}"]

    def _rotation(self, rotation: Rotation) -> str:
        angle = rotation.angle
        if angle is not None and _is_same_turn(Rotation.planar(float(angle)), rotation):
            return f"kp.Rotation.planar({float(angle)!r})"
        rows = [[float(c) for c in row] for row in zip(*_columns(rotation), strict=True)]
        again = _made(lambda: Rotation.from_matrix(rows))
        if again is not None and _is_same_turn(again, rotation):
            return f"kp.Rotation.from_matrix({rows!r})"
        columns = ", ".join(self.code(c) for c in (rotation.x, rotation.y, rotation.z))
        return f"kp.Rotation({columns}, {angle if angle is None else float(angle)!r})"

    def _place(self, place: Vector | Sequence[float]) -> str:
        """Coordinates in the builder's unit, the third only where it is not 0."""
        numbers = [float(c) for c in place]
        is_flat = numbers[2] == 0.0 and math.copysign(1.0, numbers[2]) > 0.0  # -0.0 is another
        given = numbers[:2] if is_flat else numbers
        return f"({', '.join(self._number(c, 'm', self.unit) for c in given)})"

    @staticmethod
    def _number(x: float, unit: str, own: str) -> str:
        """An amount in SI as a number of its own unit, or as a text where that would round it."""
        x = float(x)
        if unit == own:
            return repr(x)
        number = float(f"{x / in_si(1.0, unit, own):.{DIGITS}g}")
        if in_si(number, unit, own) == x:
            return repr(int(number) if number.is_integer() and abs(number) < 1e15 else number)
        return _text(f"{x!r} {unit}")


def call(what: str, given: Sequence[str]) -> str:
    """A call on one line, or where that is too long an argument on each."""
    line = f"{what}({', '.join(given)})"
    if len(line) <= LONGEST:
        return line
    return f"{what}(\n" + "".join(f"    {one},\n" for one in given) + ")"


def named(kind: type) -> str:
    """How a script that begins with `import kempe as kp` calls a class of kempe."""
    name = kind.__name__
    if name in kempe.__all__ and getattr(kempe, name) is kind:
        return f"kp.{name}"
    parts = kind.__module__.split(".")
    if parts[0] != "kempe":
        raise BeyondError  # somebody's own: the script would have to import it
    for n in range(2, len(parts) + 1):
        room = importlib.import_module(".".join(parts[:n]))
        if getattr(room, name, None) is kind and name in getattr(room, "__all__", ()):
            return f"kp.{'.'.join([*parts[1:n], name])}"
    raise BeyondError


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _made(make: Callable[[], Any]) -> Any:
    try:
        return make()
    except KempeError:
        return None


def _is_default(field: "dataclasses.Field[Any]", given: Any) -> bool:
    default = field.default
    if default is dataclasses.MISSING and field.default_factory is not dataclasses.MISSING:
        default = field.default_factory()
    if default is dataclasses.MISSING or type(default) is not type(given):
        return False
    if isinstance(given, Rotation):
        return _is_same_turn(given, default)
    try:
        return bool(default == given) and repr(default) == repr(given)  # 0.0 is not -0.0
    except (TypeError, ValueError):  # arrays say of each number whether it is the same
        return False


def _columns(rotation: Rotation) -> list[list[float]]:
    return [[float(c) for c in column] for column in (rotation.x, rotation.y, rotation.z)]


def _is_same_turn(one: Rotation, other: Rotation) -> bool:
    if (one.angle is None) != (other.angle is None):
        return False
    if one.angle is not None and float(one.angle) != float(other.angle):  # type: ignore[arg-type]
        return False
    return _columns(one) == _columns(other)


def _is_same(one: Marker, other: Marker) -> bool:
    is_there = one.body == other.body and list(one.position) == list(other.position)
    return is_there and _is_same_turn(one.rotation, other.rotation)


def _is_same_gauge(one: Gauge, other: Gauge) -> bool:
    is_alike = one.measure == other.measure and type(one.measure) is type(other.measure)
    return is_alike and _is_same(one.I, other.I) and _is_same(one.J, other.J)
