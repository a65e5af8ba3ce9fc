"""Changes of a document: operations, what is wrong after them, and what would mend it."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from kempe.studio.messages.base import AbstractMessage, DocumentPath, Point, Word


class Set(AbstractMessage):
    """Put a value at a path of the document, replacing what is there; parents come by themselves.

    Into a list, an index as long as the list appends.
    """

    op: Literal["set"]
    path: DocumentPath
    value: Any


class Delete(AbstractMessage):
    """Take a value out of the document, with all members that refer to it where `cascade` is."""

    op: Literal["delete"]
    path: DocumentPath
    cascade: bool = False


class Rename(AbstractMessage):
    """Give a body, point, joint or other named member another name, wherever it is said."""

    op: Literal["rename"]
    path: DocumentPath
    to: Word


class Copy(AbstractMessage):
    """Put a copy of a named member beside it, moved by `by` where it is a body with a place."""

    op: Literal["copy"]
    path: DocumentPath
    to: Word
    by: Point | None = None


class KeepPlace(AbstractMessage):
    """First guesses of all bodies as they stand now, after a drag or at a sample of a motion."""

    op: Literal["place"]
    frame: int | None = None  # the sample of the last motion; the drag's or start's if omitted


Operation: TypeAlias = Annotated[
    Set | Delete | Rename | Copy | KeepPlace, Field(discriminator="op")
]


class Problem(AbstractMessage):
    """Something wrong with the document, where it is known: line and column count from 1."""

    text: str
    advice: str = ""
    line: int = 0
    column: int = 0
    path: list[str | int] = Field(default_factory=list)


class Fix(AbstractMessage):
    """A proposal that one click carries out."""

    text: str
    operations: list[Operation]
