"""Model files to read, and models made at random from everything the rooms export."""

import dataclasses
import math
import random
import typing
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kempe.compile.trace.part_names import gauges_by_name
from kempe.couplers import AbstractCoupler
from kempe.drives import AbstractLaw, Drive
from kempe.errors import KempeError
from kempe.events import AbstractEvent, Release, Switch
from kempe.files.documents.document import Document, document_from
from kempe.files.schema import kinds
from kempe.files.schema.schema import family
from kempe.forces import AbstractForce, FormulaLoad
from kempe.geometry import GROUND, Inertia, Marker, Pose, Rotation, Vector, surfaces
from kempe.geometry.curves import (
    AbstractCurve,
    Arc,
    Bezier,
    BSpline,
    Circle,
    Ellipse,
    Line,
    Polyline,
    Segment,
    Through,
)
from kempe.geometry.specific import (
    AbstractOrientator,
    AbstractTranslator,
    EulerAngles,
    SpecificRates,
)
from kempe.joints import AbstractJoint
from kempe.measures import AbstractMeasure, Gauge
from kempe.model import Body, Model

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "models").glob("*.yaml"))
#: Words that try the writers: like numbers, like keywords, with signs, in other alphabets.
WORDS = ("crank", "1", "1e-3", "on", "null", "true", "~", "a b", "été", "κ", "x:y", "#1", "{", "'")
ATTEMPTS = 400  # to make one member from random fields before it counts as impossible
DEEPEST = 2  # members inside members
TEXTS = ("0.3 * sin(2 * pi * t)", "if(t < 1, t, 2 - t)", "a + b * t", "pin", "t^2 / (1 + t)")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "example" in metafunc.fixturenames:
        metafunc.parametrize("example", EXAMPLES, ids=lambda path: path.stem)


@pytest.fixture
def document() -> Callable[[str], Document]:
    """Reads a text as a YAML document (or as JSON, where it begins with a brace)."""

    def read(text: str, name: str = "") -> Document:
        return document_from(text.encode(), name or ("a.json" if text[:1] == "{" else "a.yaml"))

    return read


@pytest.fixture
def four_bar() -> str:
    """The text of the four-bar, to make mistakes in."""
    return (ROOT / "examples" / "models" / "four_bar.yaml").read_text(encoding="utf-8")


# -- equality to the last digit ----------------------------------------------------------------


def same(a: Any, b: Any) -> bool:
    """Whether two models, or parts of them, are equal in every field, rotations included."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return bool(a.shape == b.shape and (a == b).all())
    if isinstance(a, typing.Mapping):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if dataclasses.is_dataclass(a):
        names = [f.name for f in dataclasses.fields(a)]
        return all(same(getattr(a, name), getattr(b, name)) for name in names)
    return bool(a == b)


@pytest.fixture(name="same")
def _same() -> Callable[[Any, Any], bool]:
    return same


# -- models at random --------------------------------------------------------------------------


CURVES = (
    Line((0.1, 0.2), (1.0, 0.3), limits=(-1.0, 2.0)),
    Segment((0.1, 0.2), (1.0, 0.3)),
    Circle((0.1, 0.2), 1.5),
    Arc((0.1, 0.2), 1.5, -0.5, 2.0),
    Ellipse((0.1, 0.2), (2.0, 0.1), (-0.1, 1.0)),
    Polyline(((0.0, 0.0), (1.0, 0.5), (0.3, 2.0)), closed=True),
    Bezier(((0.0, 0.0), (1.0, 0.5), (0.3, 2.0)), weights=(1.0, 0.5, 2.0)),
    BSpline(((0.0, 0.0), (1.0, 0.5), (0.3, 2.0), (0.7, 0.1)), closed=True),
    Through(((0.0, 0.0), (1.0, 0.5), (0.3, 2.0))),
)
SURFACES = (
    surfaces.PlaneSurface((0.1, 0.2, 0.0), (0.3, 1.0, 0.2)),
    surfaces.SphereSurface((0.1, 0.2, 0.0), 1.5),
    surfaces.CylinderSurface((0.1, 0.2, 0.0), 1.5, limits=(-1.0, 2.0)),
    surfaces.ConeSurface((0.1, 0.2, 0.0), 0.6),
    surfaces.TorusSurface((0.1, 0.2, 0.0), 1.5, 0.4, (0.3, 0.1, 1.0)),
    surfaces.RevolutionSurface(Segment((1.0, 0.0, 0.2), (1.5, 0.0, 1.0))),
    surfaces.ExtrusionSurface(Circle((0.1, 0.2), 1.5), (0.0, 0.3, 2.0)),
    surfaces.RuledSurface(
        Segment((0.1, 0.2), (1.0, 0.3)), Segment((0.1, 0.2, 1.0), (1.0, 0.3, 2.0))
    ),
    surfaces.BSplineSurface((((0, 0, 0), (0, 1, 1)), ((1, 0, 1), (1, 1, 0))), (1, 1)),
)


class Impossible(Exception):
    """A class that random fields never satisfied."""


class Generator:
    """Makes models of random parts; `seen` counts the classes it used."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.seen: set[type] = set()
        self.plane = False
        self.depth = 0  # of members in members
        self.bodies: dict[str, Body] = {}
        self.gauges: list[Gauge] = []
        self.pool: list[Gauge] = []  # the gauges that the next member may take

    def model(self) -> Model:
        """A model; parts that refuse each other are drawn anew."""
        for _ in range(ATTEMPTS):
            try:
                return self.drawn()
            except (KempeError, RuntimeWarning):  # a curve whose numbers overflow
                continue
        raise Impossible("a model")

    def drawn(self) -> Model:
        draw = self.random
        self.plane = draw.random() < 0.5
        names = draw.sample(WORDS, draw.randint(2, 5))
        self.bodies = {name: self.body(name) for name in names}
        if draw.random() < 0.3:
            self.bodies[GROUND] = self.body(GROUND)
        joints = [self.joint(f"joint {k}") for k in range(draw.randint(0, 4))]
        frame = Model("m", self.plane, tuple(self.bodies.values()), tuple(joints))
        self.gauges = [*gauges_by_name(frame).values(), *(self.gauge(f"g{k}") for k in range(3))]
        couplers = [self.coupler(f"coupler {k}") for k in range(draw.randint(0, 2))]
        forces = [self.member(AbstractForce, f"force {k}") for k in range(draw.randint(0, 2))]
        events = [self.member(AbstractEvent, f"event {k}") for k in range(draw.randint(0, 2))]
        free = [gauge for gauge in self.gauges if gauge.I.body != gauge.J.body]
        driven = {gauge.name: gauge for gauge in draw.choices(free, k=draw.randint(0, 2))}
        return Model(
            name=draw.choice(("mechanism", "Sung's", "a: b", " ", "été")),
            plane=self.plane,
            bodies=frame.bodies,
            joints=frame.joints,
            drives=tuple(self.drive(gauge) for gauge in driven.values()),
            couplers=tuple(couplers),
            forces=tuple(forces),
            events=tuple(events),
            gauges=tuple(self.gauge(f"gauge {k}") for k in range(draw.randint(0, 2))),
            gravity=draw.choice(((0.0, 0.0, 0.0), (0.0, -9.81, 0.0), (0.1, 0.2, 0.3))),
            length_unit=draw.choice(("m", "mm", "in")),
        )

    # -- parts ---------------------------------------------------------------------------------

    def body(self, name: str) -> Body:
        points = {word: self.place() for word in self.random.sample(WORDS, 2)}
        guess = Pose(Vector(*self.place()), self.rotation()) if self.random.random() < 0.5 else None
        inertia = self.inertia() if self.random.random() < 0.5 else None
        outline = tuple(points)[: self.random.randint(0, 2)]
        start = self.start(AbstractTranslator), self.start(AbstractOrientator)
        return Body(name, points, guess, inertia, outline, *start)

    def start(self, base: type) -> Any:
        """Nothing, three components, or rates of specific coordinates, some left open."""
        draw = self.random
        if draw.random() < 0.5:
            return None if draw.random() < 0.5 else (0.3, -1.0, self.number())
        coordinates = self.member(base)
        rates = (self.number() if draw.random() < 0.7 else None for _ in coordinates.names)
        return SpecificRates(coordinates, tuple(rates))

    def joint(self, name: str) -> AbstractJoint:
        joint: AbstractJoint = self.member(AbstractJoint, name=name)
        return joint

    def coupler(self, name: str) -> AbstractCoupler:
        coupler: AbstractCoupler = self.member(AbstractCoupler, name=name)
        return coupler

    def gauge(self, name: str) -> Gauge:
        return Gauge(name, self.member(AbstractMeasure), self.marker(), self.marker())

    def drive(self, gauge: Gauge) -> Drive:
        return Drive(gauge, self.member(AbstractLaw), self.random.choice(("", "d")))

    def member(self, base: type, name: str | None = None) -> Any:
        words = list(family(base).words.values())
        simple = [w for w in words if not any(self.nests(kind) for kind in w.fields.values())]
        word = self.random.choice(words if self.depth < DEEPEST else simple)
        given = {} if name is None else {"name": name}
        self.seen.add(word.made)
        self.depth += 1
        try:
            return self.made(word.made, word.fields, word.required, given)
        finally:
            self.depth -= 1

    def nests(self, kind: kinds.AbstractKind) -> bool:
        """Whether a field holds other members."""
        match kind:
            case kinds.ListKind():
                return any(self.nests(item) for item in kind.items)
            case kinds.OptionalKind() | kinds.TableKind():
                return self.nests(kind.item)
            case kinds.RecordKind():
                return any(self.nests(item) for item in kind.fields.values())
        return isinstance(kind, kinds.FamilyKind)

    def made(self, made: type, fields: Any, required: Any, given: dict[str, Any]) -> Any:
        for _ in range(ATTEMPTS):
            self.pool = [g for g in self.gauges if g.unit == "rad"] or self.gauges
            self.pool = self.pool if self.random.random() < 0.5 else self.gauges
            often = self.random.choice((0.7, 0.7, 0.2, 0.0))  # how often a field is given
            values = {
                field: self.value(kind)
                for field, kind in fields.items()
                if field in required or self.random.random() < often
            }
            if made is FormulaLoad:  # chance finds no three formulas with the same names
                values |= {"force": ("k * x", "x_rate", "2 * t"), "seen": (self.pool[0],)}
                values |= {"torque": (), "names": ("x",), "constants": ("k",), "values": (0.3,)}
            if made in (Release, Switch):  # they name parts that there must be
                values |= {"parts" if made is Release else "off": (given["name"],)}
                values.pop("on", None)
            if made is EulerAngles:
                values = {"sequence": self.random.choice(("ZXZ", "XYZ", "zyx"))}
            try:
                with warnings.catch_warnings(action="error"):
                    return made(**values, **given)
            except (KempeError, ValueError, RuntimeWarning):
                continue
        raise Impossible(made.__name__)

    # -- values --------------------------------------------------------------------------------

    def value(self, kind: kinds.AbstractKind) -> Any:
        draw = self.random
        match kind:
            case kinds.NumberKind():
                return self.number()
            case kinds.ChoiceKind():
                return draw.choice(list(kind.members))
            case kinds.OptionalKind():
                return None if draw.random() < 0.3 else self.value(kind.item)
            case kinds.ListKind():
                if kind.any_length and any(self.is_list(item) for item in kind.items):
                    return self.table(kind)
                items = (
                    kind.items * draw.choice((0, 1, 2, 2, 3, 6)) if kind.any_length else kind.items
                )
                return tuple(self.value(item) for item in items)
            case kinds.ArrayKind():
                return np.array([self.number() for _ in range(3)])
            case kinds.TableKind():
                return {word: self.value(kind.item) for word in draw.sample(WORDS, 2)}
            case kinds.FamilyKind() if kind.base is AbstractCurve:
                return draw.choice(CURVES)  # their numbers depend on each other too much for chance
            case kinds.FamilyKind() if kind.base is surfaces.AbstractSurface:
                return draw.choice(SURFACES)
            case kinds.FamilyKind():
                return self.member(kind.base)
            case kinds.RecordKind():
                return self.made(kind.made, kind.fields, kind.required, {})
            case kinds.GeometryKind():
                return self.geometry(kind.word)
            case kinds.PlainKind():
                return self.plain(kind.shape)
        raise AssertionError(f"the generator knows no {kind}")

    def is_list(self, kind: kinds.AbstractKind) -> bool:
        return isinstance(kind, kinds.ListKind) and kind.any_length

    def table(self, kind: kinds.ListKind) -> Any:
        """Rows of one length: points of a curve, all in the plane or all in space."""
        (row,) = kind.items
        assert isinstance(row, kinds.ListKind)
        wide, long = self.random.choice((2, 3)), self.random.choice((2, 3, 4, 5, 6))
        return tuple(tuple(self.value(row.items[0]) for _ in range(wide)) for _ in range(long))

    def geometry(self, word: str) -> Any:
        made: dict[str, Callable[[], Any]] = {
            "marker": self.marker,
            "gauge": lambda: self.random.choice(self.pool),
            "pose": lambda: Pose(Vector(*self.place()), self.rotation()),
            "rotation": self.rotation,
            "vector": lambda: Vector(*self.place()),
        }
        return made[word]()

    def plain(self, shape: Any) -> Any:
        if shape is bool:
            return self.random.random() < 0.5
        if typing.get_origin(shape) is typing.Literal:
            return self.random.choice(typing.get_args(shape))
        if int in typing.get_args(shape):
            return self.random.randint(1, 60)
        return self.random.choice((*TEXTS, "a", "b"))

    def number(self) -> float:
        draw = self.random
        exponent = draw.randint(-12, 12) if draw.random() < 0.2 else 0
        common = (0.0, 1.0, -1.0, 0.5, math.pi, 1e-300, 1e300)
        return draw.choice((*common, *(draw.uniform(-1, 3) * 10.0**exponent for _ in range(12))))

    def place(self) -> tuple[float, float, float]:
        x, y, z = (self.number() for _ in range(3))
        return x, y, 0.0 if self.plane else z

    def marker(self) -> Marker:
        name = self.random.choice([GROUND, *self.bodies])
        points = list(self.bodies[name].points.values()) if name in self.bodies else []
        place = self.random.choice([*points, self.place(), (0.0, 0.0, 0.0)])
        marker = Marker(name, place)
        return (
            marker
            if self.random.random() < 0.4
            else dataclasses.replace(marker, rotation=self.rotation())
        )

    def rotation(self) -> Rotation:
        draw = self.random
        turns: list[Callable[[], Rotation]] = [
            lambda: Rotation.planar(draw.uniform(-7, 7)),
            lambda: Rotation.planar(0.3) @ Rotation.planar(draw.uniform(-3, 3)),
            lambda: Rotation.with_z([draw.uniform(-1, 1) for _ in range(3)]),
            lambda: Rotation.with_z([draw.uniform(-1, 1), 1.0, 0.0]),
            lambda: Rotation.about([draw.uniform(-1, 1) for _ in range(3)], draw.uniform(-4, 4)),
            lambda: Marker(GROUND).facing((1.0, 0.0)).mirrored().rotation,
            Rotation.identity,
        ]
        return draw.choice(turns)()

    def inertia(self) -> Inertia:
        draw = self.random
        a, b = draw.uniform(0.1, 2.0), draw.uniform(0.1, 2.0)
        turn = Rotation.about([1.0, draw.random(), 0.3], draw.uniform(0, 3)).matrix()
        tensor = turn @ np.diag([a, b, draw.uniform(abs(a - b), a + b)]) @ turn.T
        return Inertia(draw.uniform(0, 9), np.array(self.place()), 0.5 * (tensor + tensor.T))


@pytest.fixture(scope="session")
def generator() -> Callable[[int], Generator]:
    return Generator
