"""From the annotations of a class's fields to their kinds in a file."""

import collections.abc
import dataclasses
import enum
import types
import typing
from typing import Any

import numpy as np

from kempe.files.schema import shapes
from kempe.files.schema.kinds import (
    AbstractKind,
    ArrayKind,
    ChoiceKind,
    FamilyKind,
    GeometryKind,
    ListKind,
    NumberKind,
    OptionalKind,
    PlainKind,
    RecordKind,
    TableKind,
    Unwritable,
)
from kempe.geometry import Marker, Pose, Rotation, Vector
from kempe.measures import Gauge
from kempe.units import Argument, Unit


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
    """The same kind of number, or of laws, in a unit."""
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
