"""The shapes of values in a model file, as pydantic sees them: numbers, names, places, bodies."""

import math
import typing
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    WithJsonSchema,
    create_model,
    model_validator,
)
from pydantic_core import PydanticCustomError

from kempe.files.syntax.source import LONGEST_NAME, shown
from kempe.names import flaw_of

UNKNOWN_KEY: Final = "unknown_key"  # the type of pydantic's complaint
LONGEST_TEXT = 10_000  # characters of a text that is no name


@cache
def _known_keys(record: type[BaseModel]) -> frozenset[str]:
    return frozenset(field.alias or name for name, field in record.model_fields.items())


class Strict(BaseModel):
    """A mapping that holds what it declares and nothing else."""

    model_config = ConfigDict(extra="forbid", strict=True, protected_namespaces=())

    @model_validator(mode="before")
    @classmethod
    def _know_every_key(cls, data: Any) -> Any:
        if isinstance(data, Mapping):
            known = _known_keys(cls)
            for key in data:
                if key not in known:
                    free = sorted(known - set(data))
                    raise PydanticCustomError(
                        UNKNOWN_KEY, "no such key", {"key": key, "known": free}
                    )
        return data


def _checked_number(value: Any) -> Any:
    if isinstance(value, str) and 0 < len(value) <= LONGEST_TEXT:
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise PydanticCustomError(
            "number", "{shown} is no number and no text such as '30 mm'.", {"shown": shown(value)}
        )
    if not math.isfinite(value):
        raise PydanticCustomError(
            "number", "{shown} is not finite: every number is.", {"shown": shown(value)}
        )
    return value


def _checked_name(name: str) -> str:
    flaw = f"it has {len(name)}" if len(name) > LONGEST_NAME else flaw_of(name)
    if flaw:
        raise PydanticCustomError(
            "name",
            "{shown} is no name: 1 to {most} characters that can be printed, no blank at the ends;"
            " {flaw}.",
            {"shown": shown(name), "most": LONGEST_NAME, "flaw": flaw},
        )
    return name


def _checked_dimension(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, list):
        return [_checked_number(x) for x in value]
    return _checked_number(value)


def _described(what: str) -> dict[str, Any]:
    text = f"{what}: a number, a text with a unit such as '30 mm', or an expression of parameters"
    return {"type": ["number", "string"], "description": text}


def number(unit: str) -> Any:
    """A number in a unit, a quantity such as "30 mm", or an expression of parameters."""
    schema = WithJsonSchema(_described(unit or "any unit"))
    return Annotated[Any, AfterValidator(_checked_number), schema]


def list_of(item: Any) -> Any:
    """A list of one kind of items."""
    return list.__class_getitem__(item)


def named(item: Any) -> Any:
    """A mapping from names to one kind of items."""
    return dict.__class_getitem__((NAME, item))


def is_record(value: object) -> str:
    """The tag of a value that is either short (a text, a number) or a mapping."""
    return "<record>" if isinstance(value, Mapping) else "<short>"


def levels_kind(value: object) -> str:
    """The tag of what a parameter takes in a sweep: a text, a list of numbers, or one number."""
    return "<list>" if isinstance(value, list) else f"<{'text' * isinstance(value, str) or 'one'}>"


def has_rows(value: object) -> str:
    """The tag of a value that is a list of numbers or a list of rows of them."""
    is_matrix = isinstance(value, list) and bool(value) and isinstance(value[0], list)
    return "<rows>" if is_matrix else "<row>"


NUMBER = Annotated[Any, AfterValidator(_checked_number), WithJsonSchema(_described("number"))]
LENGTH = Annotated[Any, AfterValidator(_checked_number), WithJsonSchema(_described("length"))]
ANGLE = Annotated[Any, AfterValidator(_checked_number), WithJsonSchema(_described("angle"))]
TEXT = Annotated[str, StringConstraints(max_length=LONGEST_TEXT)]
NAME = Annotated[str, AfterValidator(_checked_name)]
POINT = Annotated[list[LENGTH], Field(min_length=2, max_length=3)]
DIRECTION = Annotated[list[NUMBER], Field(min_length=2, max_length=3)]
TRIPLE = Annotated[list[NUMBER], Field(min_length=3, max_length=3)]
MATRIX = Annotated[list[TRIPLE], Field(min_length=3, max_length=3)]
QUATERNION = Annotated[list[NUMBER], Field(min_length=4, max_length=4)]
DIMENSION = Annotated[
    Any,
    AfterValidator(_checked_dimension),
    WithJsonSchema({"type": ["number", "string", "boolean", "array", "null"]}),
]
WHOLE = Annotated[int, Field(ge=-(10**9), le=10**9)]


class Turned(Strict):
    """A rotation, given in one of four ways; a matrix may have its angle beside it."""

    angle: ANGLE | None = None
    axis: DIRECTION | None = None
    quaternion: QUATERNION | None = None
    matrix: MATRIX | None = None


class Posed(Turned):
    """A frame: where it is and how it is turned."""

    at: POINT | None = None


class Place(Posed):
    """A frame on a body: at a named point or a position, turned or not."""

    body: NAME
    point: NAME | None = None


MARKER = Annotated[
    Annotated[TEXT, Tag("<short>")] | Annotated[Place, Tag("<record>")], Discriminator(is_record)
]


TENSOR = Annotated[
    Annotated[TRIPLE, Tag("<row>")] | Annotated[MATRIX, Tag("<rows>")],
    Discriminator(has_rows),
]


class InertiaRecord(Posed):
    """Mass, centre of mass and inertia tensor about it (or its diagonal), in the body's frame.

    Or a `solid` with its mass or density; `at` and how it is turned say where its frame lies.
    """

    mass: NUMBER | None = None
    density: NUMBER | None = None
    centre: POINT | None = None
    tensor: TENSOR | None = None


class ShapeRecord(Posed):
    """A solid that a body occupies: a `solid`, or a `mesh` in a file below this one's folder, whose
    numbers are in `unit` (m). `at` and how it is turned say where its frame lies. With a `density`
    (kg/m^3) its mass is the body's.
    """

    density: NUMBER | None = None
    mesh: TEXT | None = None
    unit: TEXT | None = None


VELOCITY = Annotated[list[NUMBER], Field(min_length=2, max_length=3)]


def _start_tag(value: object) -> str:
    if isinstance(value, Mapping):
        return "<rates>"
    return "<components>" if isinstance(value, list) else "<about z>"


def start_entry(title: str, plain: dict[str, Any], coordinates: Any) -> Any:
    """What a body starts with: components, or the rates of specific coordinates."""
    rates: Any = create_model(
        title,
        __base__=Strict,
        __doc__="Rates of specific coordinates; null leaves one open.",
        coordinates=(coordinates, ...),
        rates=(list[typing.Optional[NUMBER]], ...),  # noqa: UP045
    )
    known = [Annotated[shape, Tag(tag)] for tag, shape in {**plain, "<rates>": rates}.items()]
    return typing.Optional[  # noqa: UP045
        Annotated[typing.Union[tuple(known)], Discriminator(_start_tag)]  # noqa: UP007
    ]


class RectangleRecord(Strict):
    """The section of a bar `height` high (along y) and `width` wide (along z)."""

    type: Literal["rectangle"]
    height: LENGTH
    width: LENGTH
    young: NUMBER
    density: NUMBER
    poisson: NUMBER | None = None


class CircleRecord(Strict):
    """The section of a round bar."""

    type: Literal["circle"]
    radius: LENGTH
    young: NUMBER
    density: NUMBER
    poisson: NUMBER | None = None


class StiffnessRecord(Strict):
    """A section by what a metre of it does: E I about z and y, G J, mass, and moment about x."""

    type: Literal["stiffness"]
    bending_z: NUMBER
    bending_y: NUMBER
    twisting: NUMBER
    mass: NUMBER
    polar: NUMBER


class BeamRecord(Posed):
    """A flexible beam along x: rigid pieces `name_0`, `name_1`, ... with springs between them."""

    length: LENGTH
    section: Annotated[
        RectangleRecord | CircleRecord | StiffnessRecord, Field(discriminator="type")
    ]
    segments: int = 8
    damping: NUMBER | None = None


class BodyRecord(Posed):
    """A rigid part; `length` makes it a bar from its point `start` to its point `end`."""

    length: LENGTH | None = None
    points: dict[NAME, POINT] | None = None
    outline: list[NAME] | None = None
    inertia: InertiaRecord | None = None
    density: NUMBER | None = None  # kg/m^3, of its `shape`
    shapes: dict[NAME, ShapeRecord] | None = None
