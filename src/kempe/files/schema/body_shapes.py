"""The shapes of a body in a model file: its inertia, and what it starts with."""

import typing
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag, create_model

from kempe.files.schema import shapes
from kempe.files.schema.shapes import LENGTH, NAME, NUMBER, POINT, TRIPLE, Strict

TENSOR = Annotated[
    Annotated[TRIPLE, Tag("<row>")] | Annotated[shapes.MATRIX, Tag("<rows>")],
    Discriminator(shapes.has_rows),
]


class InertiaRecord(shapes.Posed):
    """Mass, centre of mass and inertia tensor about it (or its diagonal), in the body's frame.

    Or a `solid` with its mass or density; `at` and how it is turned say where its frame lies.
    """

    mass: NUMBER | None = None
    density: NUMBER | None = None
    centre: POINT | None = None
    tensor: TENSOR | None = None


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


class BodyRecord(shapes.Posed):
    """A rigid part; `length` makes it a bar from its point `start` to its point `end`."""

    length: LENGTH | None = None
    points: dict[NAME, POINT] | None = None
    outline: list[NAME] | None = None
    inertia: InertiaRecord | None = None
