"""What a page asks of the server."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from kempe.studio.messages.base import (
    LONGEST_TEXT,
    MOST_NAMES,
    MOST_OPERATIONS,
    MOST_PLACES,
    MOST_SAMPLES,
    AbstractRequest,
    Amount,
    Point,
    Word,
)
from kempe.studio.messages.edits import Operation


class Hello(AbstractRequest):
    """The first request of a page."""

    type: Literal["hello"]


class Library(AbstractRequest):
    """What can be started from."""

    type: Literal["library"]


class Open(AbstractRequest):
    """Start from an entry of the gallery or a file of the folder; undo leads back."""

    type: Literal["open"]
    source: Literal["gallery", "file"]
    name: Word


class New(AbstractRequest):
    """Start from nothing; undo leads back."""

    type: Literal["new"]
    name: Word = "mechanism"
    plane: bool = True
    units: Word = "mm"


class Edit(AbstractRequest):
    """Change the document: all operations or none. A document that means nothing is refused.

    Edits in a row with the same `merge` that is not empty are one step of the history.
    """

    type: Literal["edit"]
    operations: Annotated[list[Operation], Field(min_length=1, max_length=MOST_OPERATIONS)]
    label: Word = ""
    merge: Word = ""
    revision: int | None = None  # refused where the document has moved on since


class Text(AbstractRequest):
    """Replace the document by a text; where it means nothing, the problems say where and why."""

    type: Literal["text"]
    text: Annotated[str, Field(max_length=LONGEST_TEXT)]
    merge: Word = ""


class Undo(AbstractRequest):
    """Go back in the history of the document."""

    type: Literal["undo"]
    steps: Annotated[int, Field(ge=1, le=1000)] = 1


class Redo(AbstractRequest):
    """Go forth in the history of the document."""

    type: Literal["redo"]
    steps: Annotated[int, Field(ge=1, le=1000)] = 1


class Save(AbstractRequest):
    """Write the document to its file, or to another one below the folder."""

    type: Literal["save"]
    path: Word | None = None


class AsPython(AbstractRequest):
    """The script that builds the same mechanism."""

    type: Literal["python"]


class Drag(AbstractRequest):
    """Pull a point towards a target; drives are let go. It goes on from where it stands.

    Of drags that wait, only the newest is computed; the others are answered with `skipped`.
    """

    type: Literal["drag"]
    point: Word
    target: Point


class Drive(AbstractRequest):
    """Set driven measures, as with a slider; it goes there on its branch."""

    type: Literal["drive"]
    values: Annotated[dict[Word, Amount], Field(max_length=MOST_NAMES)]


class Wiggle(AbstractRequest):
    """Small motions along one of the freedoms, back and forth, as frames."""

    type: Literal["wiggle"]
    freedom: Annotated[int, Field(ge=1, le=1000)]


class Rest(AbstractRequest):
    """Back to where the document says that it starts."""

    type: Literal["rest"]


class Adopt(AbstractRequest):
    """Go on from another position: a branch just offered, an assembly, a place of a motion."""

    type: Literal["adopt"]
    source: Literal["branch", "assembly", "component", "motion"]
    number: Annotated[int, Field(ge=1, le=100_000)] = 1
    sample: Annotated[int, Field(ge=0, le=MOST_SAMPLES)] = 0  # of a component's frames, or a motion


class Check(AbstractRequest):
    """Freedoms, redundant joints, what cannot close; with proposals."""

    type: Literal["check"]


class Sweep(AbstractRequest):
    """The motion as the drives turn, or one measure does."""

    type: Literal["sweep"]
    until: Amount | None = None
    over: Annotated[list[Amount], Field(min_length=3, max_length=3)] | None = None
    steps: Annotated[int, Field(ge=1, le=MOST_SAMPLES - 1)] = 240
    through: Annotated[list[Word], Field(max_length=16)] = Field(default_factory=list)
    trace: Annotated[list[Word], Field(max_length=MOST_NAMES)] = Field(default_factory=list)
    plots: Annotated[list[Word], Field(max_length=MOST_NAMES)] = Field(default_factory=list)


class Simulate(AbstractRequest):
    """The motion under forces."""

    type: Literal["simulate"]
    until: Amount
    steps: Annotated[int, Field(ge=1, le=MOST_SAMPLES - 1)] = 240
    trace: Annotated[list[Word], Field(max_length=MOST_NAMES)] = Field(default_factory=list)
    plots: Annotated[list[Word], Field(max_length=MOST_NAMES)] = Field(default_factory=list)


class Read(AbstractRequest):
    """Quantities of the last motion, by name or formula."""

    type: Literal["read"]
    names: Annotated[list[Word], Field(min_length=1, max_length=MOST_NAMES)]
    against: Word = "t"


class FreeBody(AbstractRequest):
    """The forces that act on one body at a sample of the last motion."""

    type: Literal["free_body"]
    body: Word
    sample: Annotated[int, Field(ge=0, le=MOST_SAMPLES)] = 0


class Centrodes(AbstractRequest):
    """The fixed and the moving centrode of a body in the last motion."""

    type: Literal["centrodes"]
    body: Word


class Vectors(AbstractRequest):
    """Velocities and accelerations of points in the last motion."""

    type: Literal["vectors"]
    points: Annotated[list[Word], Field(min_length=1, max_length=MOST_NAMES)]


class Assemblies(AbstractRequest):
    """Every way to put it together while measures are held."""

    type: Literal["assemblies"]
    held: Annotated[dict[Word, Amount], Field(max_length=MOST_NAMES)] = Field(default_factory=dict)


class Motions(AbstractRequest):
    """Every way it can move, as curves over two quantities."""

    type: Literal["motions"]
    held: Annotated[dict[Word, Amount], Field(max_length=MOST_NAMES)] = Field(default_factory=dict)
    axes: Annotated[list[Word], Field(max_length=2)] = Field(default_factory=list)


class Design(AbstractRequest):
    """Four-bars whose coupler point draws nearly the closed path that was sketched."""

    type: Literal["design"]
    path: Annotated[list[Point], Field(min_length=3, max_length=MOST_PLACES)]
    count: Annotated[int, Field(ge=1, le=24)] = 12


class Take(AbstractRequest):
    """Make a mechanism that `design` found the document; undo leads back."""

    type: Literal["take"]
    number: Annotated[int, Field(ge=1, le=100)]


class Refine(AbstractRequest):
    """Lead parameters of the document until a point comes by the places of a path.

    `vary` names them, all that are numbers if empty; none is led further than `share` of its size.
    The document is not changed: the answer's `fix` would do that.
    """

    type: Literal["refine"]
    point: Word
    path: Annotated[list[Point], Field(min_length=3, max_length=MOST_PLACES)]
    vary: Annotated[list[Word], Field(max_length=MOST_NAMES)] = Field(default_factory=list)
    share: Annotated[float, Field(gt=0.0, le=1.0)] = 0.3
    until: Amount | None = None
    seconds: Annotated[float, Field(gt=0.0, le=120.0)] = 20.0


class Statics(AbstractRequest):
    """Where it rests under its forces."""

    type: Literal["statics"]


class Modes(AbstractRequest):
    """Small motions about where it rests."""

    type: Literal["modes"]


class Write(AbstractRequest):
    """Write an export; the answer says from where it is fetched."""

    type: Literal["export"]
    ending: Word


class Cancel(AbstractRequest):
    """End a request that is under way; that one is answered with an error of kind `cancelled`."""

    type: Literal["cancel"]
    of: int


AnyRequest: TypeAlias = (
    Hello | Library | Open | New | Edit | Text | Undo | Redo | Save | AsPython | Drag | Drive
    | Wiggle | Rest | Adopt | Check | Sweep | Simulate | Read | FreeBody | Centrodes | Vectors
    | Assemblies | Motions | Design | Take | Refine | Statics | Modes | Write | Cancel
)  # fmt: skip
Request: TypeAlias = Annotated[AnyRequest, Field(discriminator="type")]
REQUEST: TypeAdapter[AnyRequest] = TypeAdapter(Request)
