"""The words of a model file and what may stand beside each, as a pydantic model and JSON Schema.

Words are found in the exports of the rooms, never listed by hand. A family is an abstract class
such as `AbstractJoint`; its members are what its room exports. A new joint is a word of the file as
soon as its room exports it.
"""

import importlib
import re
import typing
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal, final

from pydantic import BaseModel, BeforeValidator, Discriminator, Field, Tag, create_model
from pydantic_core import PydanticCustomError

from kempe.couplers import AbstractCoupler
from kempe.drives import AbstractLaw
from kempe.events import AbstractEvent
from kempe.files.schema import shapes
from kempe.files.schema.kinds import (
    AbstractKind,
    FamilyKind,
    ListKind,
    OptionalKind,
    RecordKind,
    TableKind,
    Unwritable,
    entry_name,
    fields_of,
    record,
)
from kempe.files.schema.shapes import (
    MARKER,
    NAME,
    NUMBER,
    POINT,
    TEXT,
    TRIPLE,
    VELOCITY,
    BeamRecord,
    BodyRecord,
    InertiaRecord,
    ShapeRecord,
    Strict,
    start_entry,
)
from kempe.forces import AbstractForce
from kempe.geometry.solids import AbstractSolid
from kempe.geometry.specific import AbstractOrientator, AbstractTranslator
from kempe.joints import AbstractJoint
from kempe.measures import AbstractMeasure

ROOTS: tuple[type, ...] = (
    AbstractJoint,
    AbstractCoupler,
    AbstractForce,
    AbstractEvent,
    AbstractLaw,
    AbstractMeasure,
    AbstractSolid,
    AbstractOrientator,
    AbstractTranslator,
)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """One class that a file can name: its word, and the kinds of its fields."""

    word: str
    made: type
    fields: dict[str, AbstractKind]
    required: frozenset[str]

    @property
    def summary(self) -> str:
        """The first line of the class's description."""
        return (self.made.__doc__ or "").strip().split("\n", 1)[0]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """The words of one abstract class, and why some of its members have none."""

    base: type
    words: dict[str, Word]
    unwritable: dict[type, str]

    @property
    def name(self) -> str:
        """What a member is called: joint, coupler, law, ..."""
        return snake_case(self.base.__name__.removeprefix("Abstract"))

    def word_of(self, thing: object) -> Word | None:
        """The word of a thing's class, if a file can name it."""
        word = self.words.get(snake_case(type(thing).__name__))
        return word if word is not None and word.made is type(thing) else None


@lru_cache(maxsize=1024)
def snake_case(name: str) -> str:
    """PinInSlot -> pin_in_slot."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def family(base: type) -> Family:
    """The family of an abstract class: what its room exports now, and what packages announce."""
    room = importlib.import_module(base.__module__.rpartition(".")[0])
    own = _members(room, base)
    words = {snake_case(member.__name__) for member in own}
    added = [m for m in _announced(room.__name__, base) if snake_case(m.__name__) not in words]
    return _family(base, (*own, *added))


@lru_cache(maxsize=64)
def _announced(group: str, base: type) -> tuple[type, ...]:
    """Classes that installed packages announce as entry points of the room, such as kempe.joints.

    One that cannot be loaded, or is none of the family, is passed over with a warning.
    """
    from importlib.metadata import entry_points

    found = []
    for point in entry_points(group=group):
        try:
            thing = point.load()
        except Exception as trouble:
            warnings.warn(f"{point.value}, of {group}, cannot be loaded: {trouble}", stacklevel=2)
            continue
        if isinstance(thing, type) and issubclass(thing, base) and is_dataclass(thing):
            found.append(thing)
    return tuple(found)


@lru_cache(maxsize=64)
def _family(base: type, members: tuple[type, ...]) -> Family:
    is_named = is_dataclass(base) and any(f.name == "name" for f in fields(base))
    words: dict[str, Word] = {}
    unwritable: dict[type, str] = {}
    for member in members:
        try:
            kinds, required = fields_of(member)
        except Unwritable as reason:
            unwritable[member] = str(reason)
        else:
            if is_named:  # by the key of its entry
                del kinds["name"]
            word = snake_case(member.__name__)
            words[word] = Word(word, member, kinds, required - {"name"})
    return Family(base, words, unwritable)


def _members(room: Any, base: type) -> list[type]:
    exported = (getattr(room, name) for name in room.__all__)
    return [
        thing
        for thing in exported
        if isinstance(thing, type)
        and issubclass(thing, base)
        and is_dataclass(thing)
        and not thing.__name__.startswith("Abstract")
    ]


VERSION = 1
MEMBER = "member:"  # begins the type of pydantic's complaint about a word that is no member
DEFAULT_LAW = "ramp"  # the type of a drive that names none


class Units(Strict):
    """The units of bare numbers, and the unit in which lengths are shown."""

    length: TEXT = "m"
    angle: TEXT = "rad"
    mass: TEXT = "kg"
    shown: TEXT | None = None


class ParameterRecord(Strict):
    """A named number with its unit and what it means."""

    value: NUMBER
    unit: TEXT | None = None
    doc: TEXT | None = None


PARAMETER = Annotated[
    Annotated[NUMBER, Tag("<short>")] | Annotated[ParameterRecord, Tag("<record>")],
    Discriminator(shapes.is_record),
]


class IdentityRecord(shapes.Posed):
    """A body of the mechanism so far, and where the other body's frame lies in it."""

    body: NAME


IDENTITY = Annotated[
    Annotated[NAME, Tag("<short>")] | Annotated[IdentityRecord, Tag("<record>")],
    Discriminator(shapes.is_record),
]


class MemberRecord(Strict):
    """A mechanism to merge: from a library (`use`) or another file, renamed and identified."""

    use: TEXT | None = None
    dimensions: dict[NAME, shapes.DIMENSION] | None = None
    file: TEXT | None = None
    rename: dict[NAME, NAME] | None = None
    identify: dict[NAME, IDENTITY] | None = None


# A way on from a dead point; every one of a list holds for one dead point.
WAYS = ("momentum", "branch 1", "branch 2")  # and so on
WAY = Annotated[str, Field(pattern=r"^(momentum|branch [1-9][0-9]?)$", max_length=20)]


class OutputRecord(Strict):
    """A formula of columns under a name, such as 0.5 * 40 * spring.length^2; SI units inside."""

    name: NAME
    value: TEXT
    unit: TEXT | None = None


OUTPUT = Annotated[
    Annotated[TEXT, Tag("<short>")] | Annotated[OutputRecord, Tag("<record>")],
    Discriminator(shapes.is_record),
]


class MethodRecord(Strict):
    """A method with settings of its own: Gear's backward differences, or steps of one length."""

    type: Literal["gear", "fixed"]
    order: Annotated[int, Field(ge=1, le=6)] | None = None
    step: NUMBER | None = None
    most_order: Annotated[int, Field(ge=1, le=6)] | None = None
    newton_tolerance: Annotated[float, Field(gt=0.0)] | None = None
    newton_iterations: Annotated[int, Field(ge=2, le=1000)] | None = None
    most_error: Annotated[float, Field(gt=0.0)] | None = None


METHOD = Annotated[
    Annotated[
        Literal["auto", "dop853", "tsit5", "rodas5p", "gear", "fixed"],
        Tag("<short>"),
    ]
    | Annotated[MethodRecord, Tag("<record>")],
    Discriminator(shapes.is_record),
]


class RunRecord(Strict):
    """The analysis that `kempe run FILE` makes."""

    analysis: Literal["kinematics", "dynamics"] = "kinematics"
    until: NUMBER | None = None
    steps: Annotated[int, Field(ge=1, le=50_000_000)] | None = None
    over: Annotated[tuple[TEXT, NUMBER, NUMBER], Field(strict=False)] | None = None
    through: WAY | list[WAY] | None = None
    free: Literal["refuse", "nearest"] | None = None
    tolerance: Annotated[float, Field(ge=1e-13, le=0.1)] | None = None
    newton_tolerance: Annotated[float, Field(ge=1e-15, le=1e-3)] | None = None
    newton_iterations: Annotated[int, Field(ge=1, le=1000)] | None = None
    method: METHOD | None = None
    outputs: list[TEXT] | None = None
    trace: list[TEXT] | None = None


LEVELS = Annotated[
    Annotated[TEXT, Tag("<text>")]
    | Annotated[float, Tag("<one>")]
    | Annotated[list[float], Tag("<list>")],
    Discriminator(shapes.levels_kind),
]


class SweepRecord(Strict):
    """The variants that `kempe sweep FILE` asks, and what it asks of each."""

    over: Annotated[dict[NAME, LEVELS], Field(min_length=1)]
    sampling: Literal["auto", "grid", "list", "random", "latin", "sobol", "saltelli"] | None = None
    count: Annotated[int, Field(ge=1, le=10**12)] | None = None
    seed: Annotated[int, Field(ge=0)] | None = None
    analysis: Literal["kinematics", "simulation", "statics", "modes", "assemblies"] | None = None
    read: list[TEXT] | None = None


class Frame(Strict):
    """What does not depend on the rooms' exports."""

    version: Literal[1]
    name: TEXT = "mechanism"
    doc: TEXT | None = None
    plane: bool = False
    gravity: POINT | None = None
    units: Units | None = None
    parameters: dict[NAME, PARAMETER] | None = None
    use: TEXT | None = None
    dimensions: dict[NAME, shapes.DIMENSION] | None = None
    merge: Annotated[list[MemberRecord], Field(min_length=2)] | None = None
    remove: list[NAME] | None = None
    bodies: dict[NAME, BodyRecord | None] | None = None
    beams: dict[NAME, BeamRecord] | None = None
    rates: dict[NAME, NUMBER] | None = None
    outputs: list[OUTPUT] | None = None
    run: RunRecord | None = None
    sweep: SweepRecord | None = None


def document_model() -> type[BaseModel]:
    """The pydantic model of a whole document, for the words that are exported now."""
    return _document_model(tuple(families()))


def families() -> list[Family]:
    """Every family that a document can name: the roots, and what their fields hold."""
    found: dict[type, Family] = {}
    waiting: list[type] = list(ROOTS)
    while waiting:
        base = waiting.pop(0)
        if base in found:
            continue
        found[base] = family(base)
        for word in found[base].words.values():
            waiting += [b for kind in word.fields.values() for b in _bases(kind)]
    return list(found.values())


def _bases(kind: Any) -> list[type]:
    if isinstance(kind, FamilyKind):
        return [kind.base]
    if isinstance(kind, (OptionalKind, TableKind)):
        return _bases(kind.item)
    inside = list(kind.items) if isinstance(kind, ListKind) else []
    inside += kind.fields.values() if isinstance(kind, RecordKind) else []
    return [base for item in inside for base in _bases(item)]


@lru_cache(maxsize=8)
def _document_model(known: tuple[Family, ...]) -> type[BaseModel]:
    models: list[Any] = []
    names: dict[str, Any] = {}
    for one in known:
        members = {word: _entry(one, word) for word in one.words}
        models += members.values()
        names[entry_name(one.base)] = _entries(one, members)
    measure = names[entry_name(AbstractMeasure)]
    gauge: Any = create_model(
        "GaugeRecord",
        __base__=Strict,
        __doc__="A measure between two markers.",
        name=(typing.Optional[NAME], None),  # noqa: UP045
        measure=(measure, ...),
        I=(MARKER, ...),
        J=(MARKER, ...),
    )
    names["GaugeEntry"] = Annotated[
        Annotated[TEXT, Tag("<short>")] | Annotated[gauge, Tag("<record>")],
        Discriminator(shapes.is_record),
    ]
    for model in (*models, gauge):
        model.model_rebuild(force=True, _types_namespace=names)
    drive = _drive(names, gauge)
    body: Any = _body_model(names)
    document: type[BaseModel] = create_model(
        "KempeModel",
        __base__=Frame,
        __doc__="A mechanism, planar or spatial: bodies, joints, couplers, drives, forces, events.",
        bodies=(dict[NAME, typing.Optional[body]] | None, None),  # noqa: UP045
        joints=_section(names[entry_name(AbstractJoint)]),
        couplers=_section(names[entry_name(AbstractCoupler)]),
        forces=_section(names[entry_name(AbstractForce)]),
        events=_section(names[entry_name(AbstractEvent)]),
        drives=_section(drive),
        gauges=_section(gauge),
    )
    return document


def _body_model(names: dict[str, Any]) -> Any:
    """A body, with the solids and specific coordinates that there are."""
    solid = names[entry_name(AbstractSolid)]
    inertia: Any = create_model(
        "InertiaRecord",
        __base__=InertiaRecord,
        __doc__=InertiaRecord.__doc__,
        solid=(solid | None, None),
    )
    shape: Any = create_model(
        "ShapeRecord",
        __base__=ShapeRecord,
        __doc__=ShapeRecord.__doc__,
        solid=(solid | None, None),
    )
    made: Any = create_model(
        "BodyRecord",
        __base__=BodyRecord,
        __doc__=BodyRecord.__doc__,
        inertia=(typing.Optional[inertia], None),  # noqa: UP045
        shape=(solid | None, None),
        shapes=(shapes.named(shape) | None, None),
        velocity=(
            start_entry(
                "PlaceRates", {"<components>": VELOCITY}, names[entry_name(AbstractTranslator)]
            ),
            None,
        ),
        spin=(
            start_entry(
                "OrientationRates",
                {"<about z>": NUMBER, "<components>": TRIPLE},
                names[entry_name(AbstractOrientator)],
            ),
            None,
        ),
    )
    return made


def _section(entry: Any) -> Any:
    return (shapes.named(entry) | None, None)


def _entry(one: Family, word: str) -> Any:
    known = one.words[word]
    others: dict[str, Any] = {"type": (Literal[word], ...)}
    if one.base is AbstractLaw and word == DEFAULT_LAW:
        others["type"] = (Literal[word], word)
    if one.base is AbstractJoint:
        for extra, shape in (("axis", shapes.DIRECTION), ("flip", bool)):
            if extra not in known.fields:
                others[extra] = (typing.Optional[shape], None)  # noqa: UP045
    title = f"{known.made.__name__}{one.base.__name__.removeprefix('Abstract')}"
    return record(title, known.made, known.fields, known.required, **others)


def _entries(one: Family, members: dict[str, Any]) -> Any:
    """Any member of a family, told apart by `type`; a bare word where nothing else is needed."""
    short: Any = None
    simple = tuple(word for word, known in one.words.items() if not known.required)
    if one.base is AbstractLaw:
        short = NUMBER
    elif simple:
        short = Literal[simple]

    def tag(value: object) -> str | None:
        if isinstance(value, Mapping):
            word = value.get("type", DEFAULT_LAW if one.base is AbstractLaw else None)
            return f"<{word}>" if isinstance(word, str) else None
        return None if short is None else "<short>"

    tagged: list[Any] = [Annotated[model, Tag(f"<{word}>")] for word, model in members.items()]
    if short is not None:
        tagged.append(Annotated[short, Tag("<short>")])
    complaint = f"{MEMBER}{one.name}"
    if len(tagged) == 1:
        only = f"<{next(iter(one.words))}>"

        def check(value: object) -> object:
            if tag(value) != only:
                raise PydanticCustomError(complaint, "no such member")
            return value

        return Annotated[next(iter(members.values())), BeforeValidator(check)]
    told = Discriminator(tag, custom_error_type=complaint, custom_error_message="no such member")
    return Annotated[typing.Union[tuple(tagged)], told]  # noqa: UP007


def _drive(names: dict[str, Any], gauge: Any) -> Any:
    law = names[entry_name(AbstractLaw)]
    drive: Any = create_model(
        "DriveRecord",
        __base__=Strict,
        __doc__="A law for a measure; `gauge` defines the measure where its name does not.",
        law=(law, ...),
        gauge=(typing.Optional[gauge], None),  # noqa: UP045
        name=(typing.Optional[NAME], None),  # noqa: UP045
    )

    def tag(value: object) -> str:
        return "<drive>" if isinstance(value, Mapping) and "law" in value else "<law>"

    return Annotated[
        Annotated[drive, Tag("<drive>")] | Annotated[law, Tag("<law>")], Discriminator(tag)
    ]


def json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a model file."""
    schema = document_model().model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"kempe model file, version {VERSION}",
        **{key: value for key, value in schema.items() if key != "title"},
    }
