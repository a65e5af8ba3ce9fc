"""Kinds of fields: how a field of a class is checked, read from a file and written to one.

The kind follows from the field's annotation alone, so that a new class needs no code here.
"""

import collections.abc
import dataclasses
import enum
import types
import typing
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np
from pydantic import Discriminator, Field, Tag, create_model

from kempe.files.schema import shapes
from kempe.files.syntax.source import Path
from kempe.geometry import Marker, Pose, Rotation, Vector
from kempe.measures import Gauge
from kempe.units import Argument, Unit

if TYPE_CHECKING:
    from kempe.files.documents.writer import Writer
    from kempe.files.reading.reader import Reader

# Units that depend on where a number stands: those of a law's value and of what it is a law of.
_UNITS_IN_WORDS = {
    "u": "the unit of the value",
    "u/s": "the unit of the value per that of the argument",
    "u/s^2": "the unit of the value per that of the argument, squared",
    "u/s^n": "the unit of the value per that of the argument to the power of its place, from 0",
    "u/g": "the unit of the row per that of the measure in the same place",
    "f": "N, or N m on an angle",
    "f/u": "N/m, or N m/rad on an angle",
    "f s/u": "N s/m, or N m s/rad on an angle",
    "f_i/x_j": "N/m, N m/rad or N/rad, by the place",
    "f_i s/x_j": "N s/m, N m s/rad or N s/rad, by the place",
    "s": "the unit of the argument, s for time",
    "1/s": "one over the unit of the argument, 1/s for time",
}


class Unwritable(Exception):
    """A field that no file can hold, such as a Python function."""


class AbstractKind(ABC):
    """What a field of a class is in a file."""

    __slots__ = ()

    @abstractmethod
    def annotation(self) -> Any:
        """What pydantic checks."""

    @abstractmethod
    def read(self, data: Any, reader: "Reader", path: Path) -> Any:
        """The field's value, from data that passed the check."""

    @abstractmethod
    def write(self, value: Any, writer: "Writer") -> Any:
        """The data that `read` makes the value from, exactly."""


@final
@dataclass(frozen=True, slots=True)
class NumberKind(AbstractKind):
    """A float, in a unit ("" where any will do)."""

    unit: str = ""

    def annotation(self) -> Any:
        return shapes.number(_UNITS_IN_WORDS.get(self.unit, self.unit))

    def read(self, data: Any, reader: "Reader", path: Path) -> float:
        return reader.number(data, self.unit, path)

    def write(self, value: Any, writer: "Writer") -> float:
        return float(value)


@final
@dataclass(frozen=True, slots=True)
class PlainKind(AbstractKind):
    """A whole number, a flag or a text: what stands in the file is the value."""

    shape: Any

    def annotation(self) -> Any:
        return self.shape

    def read(self, data: Any, reader: "Reader", path: Path) -> Any:
        return data

    def write(self, value: Any, writer: "Writer") -> Any:
        return value


@final
@dataclass(frozen=True, slots=True)
class ChoiceKind(AbstractKind):
    """A member of an enumeration, by its name in small letters."""

    members: type[enum.Enum]

    def annotation(self) -> Any:
        return typing.Literal[tuple(member.name.lower() for member in self.members)]

    def read(self, data: Any, reader: "Reader", path: Path) -> enum.Enum:
        return next(member for member in self.members if member.name.lower() == data)

    def write(self, value: Any, writer: "Writer") -> str:
        return str(value.name.lower())


@final
@dataclass(frozen=True, slots=True)
class ListKind(AbstractKind):
    """A tuple: of any length, or with one kind for each of its places."""

    items: tuple[AbstractKind, ...]
    any_length: bool

    def annotation(self) -> Any:
        if self.any_length:
            return shapes.list_of(self.items[0].annotation())
        inside: Any = tuple.__class_getitem__(tuple(kind.annotation() for kind in self.items))
        return typing.Annotated[inside, Field(strict=False)]

    def read(self, data: Any, reader: "Reader", path: Path) -> tuple[Any, ...]:
        pairs = zip(self._kinds(data), data, strict=True)
        inside = reader.of_list(len(data))
        return tuple(k.read(x, inside, (*path, i)) for i, (k, x) in enumerate(pairs))

    def write(self, value: Any, writer: "Writer") -> list[Any]:
        return [k.write(x, writer) for k, x in zip(self._kinds(value), value, strict=True)]

    def _kinds(self, values: Any) -> tuple[AbstractKind, ...]:
        return self.items * len(values) if self.any_length else self.items


@final
@dataclass(frozen=True, slots=True)
class TableKind(AbstractKind):
    """A mapping from names."""

    item: AbstractKind

    def annotation(self) -> Any:
        return shapes.named(self.item.annotation())

    def read(self, data: Any, reader: "Reader", path: Path) -> dict[str, Any]:
        return {name: self.item.read(x, reader, (*path, name)) for name, x in data.items()}

    def write(self, value: Any, writer: "Writer") -> dict[str, Any]:
        return {str(name): self.item.write(x, writer) for name, x in value.items()}


@final
@dataclass(frozen=True, slots=True)
class ArrayKind(AbstractKind):
    """A NumPy array of one or two dimensions."""

    unit: str = ""

    def annotation(self) -> Any:
        row = shapes.list_of(shapes.number(self.unit))
        tagged: Any = (
            typing.Annotated[row, Tag("<row>")],
            typing.Annotated[shapes.list_of(row), Tag("<rows>")],
        )
        return typing.Annotated[tagged, Discriminator(shapes.has_rows)]

    def read(self, data: Any, reader: "Reader", path: Path) -> Any:
        def entry(x: Any, at: Path) -> Any:
            if isinstance(x, list):
                return [entry(y, (*at, i)) for i, y in enumerate(x)]
            return reader.number(x, self.unit, at)

        return np.array(entry(data, path), dtype=np.float64)

    def write(self, value: Any, writer: "Writer") -> Any:
        return np.asarray(value, dtype=np.float64).tolist()


@final
@dataclass(frozen=True, slots=True)
class OptionalKind(AbstractKind):
    """Something, or nothing."""

    item: AbstractKind

    def annotation(self) -> Any:
        return typing.Optional[self.item.annotation()]  # noqa: UP045

    def read(self, data: Any, reader: "Reader", path: Path) -> Any:
        return None if data is None else self.item.read(data, reader, path)

    def write(self, value: Any, writer: "Writer") -> Any:
        return None if value is None else self.item.write(value, writer)


@final
@dataclass(frozen=True, slots=True)
class GeometryKind(AbstractKind):
    """A marker, a gauge, a pose, a rotation or a vector: the reader and the writer know them."""

    word: str
    shape: Any

    def annotation(self) -> Any:
        return self.shape

    def read(self, data: Any, reader: "Reader", path: Path) -> Any:
        return getattr(reader, self.word)(data, path)

    def write(self, value: Any, writer: "Writer") -> Any:
        return getattr(writer, self.word)(value)


@final
@dataclass(frozen=True, slots=True)
class FamilyKind(AbstractKind):
    """Any member of a family: a law, a measure, a constraint."""

    base: type
    unit: str = ""  # of the values of a law; "" where the part says it
    argument: str = ""  # what stands in the place of time in it; "" for time itself

    def annotation(self) -> Any:
        return typing.ForwardRef(entry_name(self.base))

    def read(self, data: Any, reader: "Reader", path: Path) -> Any:
        return reader.of_law(self.unit, self.argument).member(self.base, data, path)

    def write(self, value: Any, writer: "Writer") -> Any:
        return writer.member(self.base, value)


@final
@dataclass(frozen=True, slots=True, eq=False)
class RecordKind(AbstractKind):
    """A class of its own, written as a mapping of its fields."""

    made: type
    fields: dict[str, AbstractKind]
    required: frozenset[str]

    def annotation(self) -> Any:
        return record(f"{self.made.__name__}Entry", self.made, self.fields, self.required)

    def read(self, data: Any, reader: "Reader", path: Path) -> Any:
        return reader.made(self.made, self.fields, data, path)

    def write(self, value: Any, writer: "Writer") -> Any:
        return writer.fields(self.fields, value)


def _absent() -> None:
    """What a field that is left out is to pydantic; the class knows its own default."""


def entry_name(base: type) -> str:
    """The name of a family's entries in the schema."""
    return f"{base.__name__.removeprefix('Abstract')}Entry"


def record(
    name: str,
    made: type,
    fields: dict[str, AbstractKind],
    required: frozenset[str],
    **others: Any,
) -> Any:
    """The pydantic model of a mapping with these fields and others."""
    members: dict[str, Any] = {
        f"field_{field}": (
            (kind.annotation(), Field(alias=field))
            if field in required
            else (kind.annotation(), Field(default_factory=_absent, alias=field))
        )
        for field, kind in fields.items()
    }
    summary = (made.__doc__ or "").strip().split("\n", 1)[0]
    return create_model(name, __base__=shapes.Strict, __doc__=summary, **members, **others)


def fields_of(made: type) -> tuple[dict[str, AbstractKind], frozenset[str]]:
    """The kinds of a dataclass's fields, and the names of those without a default."""
    hints = typing.get_type_hints(made, include_extras=True)
    kinds: dict[str, AbstractKind] = {}
    required = set()
    for field in dataclasses.fields(made):
        if not field.init:
            continue
        try:
            kinds[field.name] = kind_of(hints[field.name])
        except Unwritable as reason:
            raise Unwritable(f"its {field.name} is {reason}") from None
        missing = dataclasses.MISSING
        if field.default is missing and field.default_factory is missing:
            required.add(field.name)
    return kinds, frozenset(required)


def kind_of(hint: Any) -> AbstractKind:
    """The kind of an annotation; Unwritable where a file cannot hold it."""
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        units = [extra.text for extra in inside[1:] if isinstance(extra, Unit)]
        arguments = [extra.text for extra in inside[1:] if isinstance(extra, Argument)]
        return _of_unit(kind_of(inside[0]), "".join(units), "".join(arguments))
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if origin in (typing.Union, types.UnionType):
        return _union(inside)
    if origin is tuple and inside:
        any_length = inside[-1] is Ellipsis
        return ListKind(tuple(kind_of(x) for x in inside if x is not Ellipsis), any_length)
    if origin in (dict, collections.abc.Mapping) and inside[0] is str:
        return TableKind(kind_of(inside[1]))
    if origin is np.ndarray:
        return ArrayKind()
    if origin is typing.Literal:
        return PlainKind(hint)
    return _class_kind(hint)


def _of_unit(kind: AbstractKind, unit: str, argument: str) -> AbstractKind:
    """A kind like this one, of numbers or of laws, in a unit."""
    match kind:
        case FamilyKind():
            return FamilyKind(kind.base, unit, argument)
        case OptionalKind():
            return OptionalKind(_of_unit(kind.item, unit, argument))
        case ListKind():
            return ListKind(tuple(_of_unit(k, unit, argument) for k in kind.items), kind.any_length)
        case NumberKind() | ArrayKind() if unit:
            return type(kind)(unit)
    return kind


def _union(inside: tuple[Any, ...]) -> AbstractKind:
    """The one alternative that a file can hold, or nothing."""
    something = [x for x in inside if x is not type(None)]
    if set(something) == {int, float}:
        something = [float]
    kinds = []
    for hint in something:
        try:
            kinds.append(kind_of(hint))
        except Unwritable as reason:
            refusal = reason
    if len(kinds) != 1:
        raise Unwritable("one of several things") if kinds else refusal
    return OptionalKind(kinds[0]) if type(None) in inside else kinds[0]


def _class_kind(hint: Any) -> AbstractKind:
    if not isinstance(hint, type):
        raise Unwritable("a Python function" if "Callable" in str(hint) else f"a {hint}")
    if issubclass(hint, enum.Enum):
        return ChoiceKind(hint)
    if hint.__name__.startswith("Abstract"):
        return FamilyKind(hint)
    if dataclasses.is_dataclass(hint):
        return RecordKind(hint, *fields_of(hint))
    raise Unwritable(f"a {hint.__name__}")


GAUGE = typing.ForwardRef("GaugeEntry")
_SIMPLE: dict[Any, AbstractKind] = {
    float: NumberKind(),
    int: PlainKind(shapes.WHOLE),
    bool: PlainKind(bool),
    str: PlainKind(shapes.TEXT),
    Marker: GeometryKind("marker", shapes.MARKER),
    Gauge: GeometryKind("gauge", GAUGE),
    Pose: GeometryKind("pose", shapes.Posed),
    Rotation: GeometryKind("rotation", shapes.Turned),
    Vector: GeometryKind("vector", shapes.TRIPLE),
}
