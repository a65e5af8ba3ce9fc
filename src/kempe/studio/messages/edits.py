"""Changes of a document: operations, what is wrong after them, and what would mend it."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from kempe.studio.messages.base import AbstractMessage, DocumentPath, Place, Point, Triple, Word


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


class Move(AbstractMessage):
    """Move a body of space by a vector, and turn it about its own origin, in the scene's axes.

    `turn` is along the axis, as long as the angle in rad.
    """

    op: Literal["move"]
    path: DocumentPath
    by: Triple = Field(default_factory=lambda: [0.0, 0.0, 0.0])
    turn: Triple = Field(default_factory=lambda: [0.0, 0.0, 0.0])


class Lay(AbstractMessage):
    """Lay a body of space so that its origin is at a place of the scene, its x axis to another."""

    op: Literal["lay"]
    path: DocumentPath
    at: Place
    to: Place


class Join(AbstractMessage):
    """Join two bodies of space, as they stand, by a joint at a place of the scene.

    `type` is the word of a joint between two frames, such as revolute; its axis is `axis`.
    """

    op: Literal["join"]
    path: DocumentPath  # of the joint that is made
    type: Word
    first: Word  # "ground" or the name of a body
    second: Word
    at: Place
    axis: Triple = Field(default_factory=lambda: [0.0, 0.0, 1.0])


class KeepPlace(AbstractMessage):
    """First guesses of all bodies as they stand now, after a drag or at a sample of a motion."""

    op: Literal["place"]
    frame: int | None = None  # the sample of the last motion; the drag's or start's if omitted


Operation: TypeAlias = Annotated[
    Set | Delete | Rename | Copy | Move | Lay | Join | KeepPlace, Field(discriminator="op")
]


class Problem(AbstractMessage):
    """Something wrong with the document, where it is known: line and column count from 1.

    `path` leads to the part of the document; of a loop that does not close `bodies` are its bodies.
    """

    text: str
    advice: str = ""
    line: int = 0
    column: int = 0
    path: list[str | int] = Field(default_factory=list)
    bodies: list[str] = Field(default_factory=list)


class Fix(AbstractMessage):
    """A proposal that one click carries out."""

    text: str
    operations: list[Operation]
