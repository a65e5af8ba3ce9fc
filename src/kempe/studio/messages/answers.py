"""What the server answers, request by request."""

from typing import Any, Literal

from pydantic import Field

from kempe.studio.messages.base import AbstractMessage, Numbers
from kempe.studio.messages.edits import Fix, Problem


class Document(AbstractMessage):
    """The document as it is: data, text, and what can be done with its history."""

    revision: int  # grows with every change, undo and redo too
    name: str
    file: str | None  # below the folder; None where it has not been saved yet
    is_saved: bool  # whether the file says the same
    data: dict[str, Any]
    text: str  # YAML, with the comments that its author wrote
    undo: str | None  # what would be undone, in words
    redo: str | None


class Shown(AbstractMessage):
    """The mechanism of a document as it stands: scene, points to grab, drives to set.

    Where the document has no mechanism that goes together, `scene` is of its bodies where they were
    guessed, or None, and `problems` say why.
    """

    revision: int
    scene: dict[str, Any] | None  # as Scene.document() of kempe.draw says it, one sample
    is_assembled: bool
    points: list["NamedPoint"]
    drives: list["DrivenMeasure"]
    parameters: list["NamedParameter"]
    problems: list[Problem]
    fixes: list[Fix]


class NamedPoint(AbstractMessage):
    """A point that can be named and grabbed."""

    name: str  # "coupler.P"
    body: str  # "ground" or the name of a body of the scene
    at: Numbers  # in the body's frame, (3,) m
    is_draggable: bool


class DrivenMeasure(AbstractMessage):
    """A measure that a drive holds, or that a slider may set."""

    name: str
    unit: str  # "rad" or "m"
    value: float
    low: float | None = None  # where its branch ends, where that is known
    high: float | None = None


class NamedParameter(AbstractMessage):
    """A parameter of the document."""

    name: str
    given: float | str  # as the document has it
    value: float  # in SI, or a bare number
    unit: str


class Welcome(AbstractMessage):
    """What a page starts with."""

    version: str
    folder: str
    document: Document
    shown: Shown
    recovered: str  # in words, where an earlier run ended without saving; else empty
    imports: list[str]  # endings of files that can be dropped
    exports: list["Export"]


class Export(AbstractMessage):
    """An ending that can be written, and what of."""

    ending: str  # ".gif"
    of: Literal["document", "motion"]
    words: str
    missing: str = ""  # the line that would install what it needs


class Changed(AbstractMessage):
    """The answer to what changes the document; also an event to every other page."""

    document: Document
    shown: Shown


class Imported(AbstractMessage):
    """The answer to a dropped file: the change, and in words all that was left out of it."""

    change: Changed
    report: list[str]


class LibraryEntry(AbstractMessage):
    """A mechanism of the gallery, or a model file of the folder."""

    name: str
    source: Literal["gallery", "file"]
    words: str


class LibraryList(AbstractMessage):
    """The answer to `library`."""

    entries: list[LibraryEntry]


class Saved(AbstractMessage):
    """The answer to `save`."""

    file: str
    document: Document


class Script(AbstractMessage):
    """The answer to `python`."""

    text: str


class Stance(AbstractMessage):
    """Where everything is now.

    `poses` are, body after body of the scene, x, y, angle in the plane and x, y, z, w, x, y, z in
    space. At a dead point `others` are the ways to go on; `adopt` takes one.
    """

    poses: Numbers
    outcome: str  # "Done", "LimitReached", "DeadPoint", ...
    text: str = ""
    advice: str = ""
    distance: float = 0.0  # m, of a dragged point from its target
    values: dict[str, float] = Field(default_factory=dict)  # of driven measures
    others: list["OtherBranch"] = Field(default_factory=list)
    skipped: bool = False


class OtherBranch(AbstractMessage):
    """Another position with the same values, of another branch."""

    number: int
    text: str
    poses: Numbers


class Frames(AbstractMessage):
    """Several positions, each as `poses` of a stance."""

    frames: list[Numbers]


class Checked(AbstractMessage):
    """The answer to `check`."""

    words: str
    freedom: int | None  # with the drives; None where it does not go together
    freedoms: list[str]  # with the drives let go, each in words; `wiggle` moves along one
    redundant: list[str]
    problems: list[Problem]
    fixes: list[Fix]


class Played(AbstractMessage):
    """A motion as a scene that plays, and what can be read off it."""

    scene: dict[str, Any]
    outcome: str
    text: str
    advice: str
    notes: list[str]
    names: list[str]
    summary: str
    is_simulated: bool


class Columns(AbstractMessage):
    """The answer to `read`: columns over the samples, with units; None where there is no value."""

    times: Numbers  # s, of the samples
    against: "Column"
    columns: list["Column"]


class Column(AbstractMessage):
    """One quantity, in SI; `shown` times a value is it in `shown_unit`, as people read it."""

    name: str
    unit: str
    values: list[float | None]
    shown_unit: str = ""
    shown: float = 1.0


class FreeBodyDiagram(AbstractMessage):
    """The answer to `free_body`: places and loads in the scene's axes, N and N m.

    `is_all` says that they add up to what moves the body. Where joints are redundant, what some of
    them do is not determined, and those are not among the loads.
    """

    body: str
    loads: list["ActingLoad"]
    is_all: bool


class ActingLoad(AbstractMessage):
    """A force or a torque on a body."""

    name: str
    at: Numbers
    force: Numbers
    torque: Numbers


class CentrodePair(AbstractMessage):
    """The answer to `centrodes`: pieces, each of points (x, y) one after the other, m.

    `fixed` is in the world, `moving` in the frame of the body.
    """

    fixed: list[list[Numbers]]
    moving: list[list[Numbers]]


class VectorList(AbstractMessage):
    """The answer to `vectors`."""

    points: list["PointVectors"]


class PointVectors(AbstractMessage):
    """Velocity and acceleration of a point at every frame, in the scene's axes, m and s."""

    name: str
    velocity: list[Numbers]
    acceleration: list[Numbers]


class AssemblyList(AbstractMessage):
    """The answer to `assemblies`."""

    words: str
    promise: str
    members: list["AssemblyMember"]


class AssemblyMember(AbstractMessage):
    """One assembly: where everything is."""

    number: int
    poses: Numbers
    text: str
    values: dict[str, float] = Field(default_factory=dict)


class MotionCurves(AbstractMessage):
    """The answer to `motions`; components come as events before it, as they are certified."""

    words: str
    promise: str
    axes: list[str]
    units: list[str]  # of the axes, "rad" or "m"
    components: list["MotionComponent"]


class MotionComponent(AbstractMessage):
    """One curve of the motions: where it runs over the axes, and positions along it."""

    number: int
    kind: str
    text: str
    across: Numbers
    up: Numbers
    frames: list[Numbers]
    singular: list[int]  # samples that are singular
    turning: list[int]  # samples where an axis turns back


class DesignList(AbstractMessage):
    """The answer to `design`, nearest first; `take` makes one of them the document."""

    words: str
    candidates: list["DesignCandidate"]


class DesignCandidate(AbstractMessage):
    """A mechanism that draws nearly the path, laid over it; places in the scene's axes, m.

    `curve` is closed; `bars` are lines through places, in the first position.
    """

    number: int
    text: str
    distance: float  # of the shapes of the curves, 0 for the same
    point: str  # that draws
    curve: list[Numbers]
    bars: list[list[Numbers]]


class Refined(AbstractMessage):
    """The answer to `refine`: how near it comes, m, and the change that would do it."""

    words: str
    rms: float | None  # None where nothing moves through its whole run
    worst: float | None
    fix: Fix | None


class RestPosition(AbstractMessage):
    """The answer to `statics`."""

    stance: Stance
    words: str
    is_stable: bool | None


class ModeList(AbstractMessage):
    """The answer to `modes`."""

    words: str
    modes: list["Mode"]


class Mode(AbstractMessage):
    """One mode: its frequency and a cycle of it, drawn large."""

    number: int
    frequency: float | None  # Hz
    damping: float | None
    text: str
    frames: list[Numbers]


class Written(AbstractMessage):
    """The answer to `export`: fetch `url` with GET."""

    url: str
    name: str
    size: int
    report: list[str]  # what the format could not hold


class Cancelled(AbstractMessage):
    """The answer to `cancel`: whether there was something to end."""

    was_running: bool
