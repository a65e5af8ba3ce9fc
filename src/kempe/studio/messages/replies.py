"""Envelopes of what the server says, which answer belongs to which request, and the schema of all.

The page's types are generated from that schema.
"""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from kempe.studio.messages.answers import (
    AssemblyList,
    Cancelled,
    CentrodePair,
    Changed,
    Checked,
    Columns,
    DesignList,
    Frames,
    FreeBodyDiagram,
    Imported,
    LibraryList,
    ModeList,
    MotionComponent,
    MotionCurves,
    Played,
    Refined,
    RestPosition,
    Saved,
    Script,
    Stance,
    VectorList,
    Welcome,
    Written,
)
from kempe.studio.messages.base import AbstractMessage
from kempe.studio.messages.edits import Problem
from kempe.studio.messages.requests import REQUEST

ANSWERS: dict[str, type[AbstractMessage]] = {
    "hello": Welcome,
    "library": LibraryList,
    "open": Changed,
    "new": Changed,
    "edit": Changed,
    "text": Changed,
    "undo": Changed,
    "redo": Changed,
    "save": Saved,
    "python": Script,
    "drag": Stance,
    "drive": Stance,
    "wiggle": Frames,
    "rest": Stance,
    "adopt": Stance,
    "check": Checked,
    "sweep": Played,
    "simulate": Played,
    "read": Columns,
    "free_body": FreeBodyDiagram,
    "centrodes": CentrodePair,
    "vectors": VectorList,
    "assemblies": AssemblyList,
    "motions": MotionCurves,
    "design": DesignList,
    "take": Changed,
    "refine": Refined,
    "statics": RestPosition,
    "modes": ModeList,
    "export": Written,
    "cancel": Cancelled,
}


class Mistake(AbstractMessage):
    """Why there is no answer.

    `mistake`: what was asked means nothing here, and `problems` may say where. `refused`: the
    message itself is none. `limit`: it took longer or more than the server gives. `cancelled`: the
    page asked for that. `fault`: kempe failed.
    """

    kind: Literal["mistake", "refused", "limit", "cancelled", "fault"]
    text: str
    problems: list[Problem] = Field(default_factory=list)


class Done(AbstractMessage):
    """An answer; `result` is of the type that belongs to the request."""

    type: Literal["done"] = "done"
    re: int
    result: Any


class Failed(AbstractMessage):
    """Instead of an answer; `re` is None where the message's id could not be read."""

    type: Literal["error"] = "error"
    re: int | None
    error: Mistake


class Progress(AbstractMessage):
    """A request is under way; `part` (0 ... 1) is done, or None where nobody knows."""

    type: Literal["progress"] = "progress"
    re: int
    part: float | None
    text: str


class Found(AbstractMessage):
    """A component of `motions` that has been certified, before all are; drawn over `axes`."""

    type: Literal["found"] = "found"
    re: int
    axes: list[str]
    units: list[str]
    component: MotionComponent


class DocumentChanged(AbstractMessage):
    """Another page changed the document."""

    type: Literal["changed"] = "changed"
    change: Changed


class Autosaved(AbstractMessage):
    """The document is safe on disk up to that revision."""

    type: Literal["autosaved"] = "autosaved"
    revision: int


Reply: TypeAlias = Annotated[
    Done | Failed | Progress | Found | DocumentChanged | Autosaved, Field(discriminator="type")
]
REPLY: TypeAdapter[Any] = TypeAdapter(Reply)


def schema() -> dict[str, Any]:
    """The JSON Schema of all messages, from which the page's types are generated.

    `$defs` has every type by its name, with `Request` and `Reply`; `answers` says which type
    answers which request.
    """
    adapters: list[tuple[str, TypeAdapter[Any], Literal["validation", "serialization"]]] = [
        ("Request", REQUEST, "validation"),
        ("Reply", REPLY, "serialization"),
    ]
    answers: list[type[AbstractMessage]] = [*dict.fromkeys(ANSWERS.values()), Imported]
    for model in answers:
        adapters.append((model.__name__, TypeAdapter(model), "serialization"))
    known: dict[str, Any] = {}
    for name, adapter, mode in adapters:
        found = adapter.json_schema(ref_template="#/$defs/{model}", mode=mode)
        known |= found.pop("$defs", {})
        known[name] = found
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "what a page and the studio's server say to each other",
        "$defs": dict(sorted(known.items())),
        "answers": {word: answer.__name__ for word, answer in ANSWERS.items()},
    }


if __name__ == "__main__":
    import json

    print(json.dumps(schema(), indent=1))
