"""Every member of every family, discovered from what the rooms export.

A test that takes `constraint`, `joint`, `measure`, `law`, `coupler` or `force` runs for samples of
every exported class of that family. How to sample a class follows from the types of its fields; a
class that cannot be sampled fails `test_members.py`, so no member escapes.
"""

import dataclasses
import enum
import functools
import inspect
import itertools
import types
import typing
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import kempe.constraints
import kempe.couplers
import kempe.drives
import kempe.forces
import kempe.joints
import kempe.measures
from kempe.algebra import Expression, Tape, record_formula
from kempe.algebra.native import native_tape
from kempe.compile.layout.layout import Layout
from kempe.compile.trace.tracing import trace
from kempe.constraints import AbstractConstraint
from kempe.couplers import AbstractCoupler
from kempe.drives import AbstractLaw, Drive, Ramp
from kempe.errors import KempeError
from kempe.forces import AbstractForce
from kempe.geometry import Axis, Marker, Pose, Rotation, Vector, X, Z
from kempe.geometry.curves import AbstractCurve, BSpline, Circle
from kempe.geometry.surfaces import (
    AbstractSurface,
    BSplineSurface,
    SphereSurface,
    TorusSurface,
)
from kempe.joints import AbstractJoint
from kempe.measures import AbstractMeasure, Displacement, Gauge, Turn, Wrapped
from kempe.model import Body, Model

ROOMS = (
    kempe.constraints,
    kempe.couplers,
    kempe.drives,
    kempe.forces,
    kempe.joints,
    kempe.measures,
)
FAMILIES = {
    "constraint": AbstractConstraint,
    "joint": AbstractJoint,
    "measure": AbstractMeasure,
    "law": AbstractLaw,
    "coupler": AbstractCoupler,
    "force": AbstractForce,
}
#: Numbers that are no literal, tried in turn until the class accepts them.
NUMBERS = (0.7, 1.3, 0.4, 2.5)
COUNTS = (20, 2, 3, 1)
PLACEHOLDERS = {
    "I": Marker("a"),
    "J": Marker("b"),
    "K": Marker("a", (0.9, 0.3, 0.0)),
    "L": Marker("b", (-0.4, 1.1, 0.0)),
}
#: One curve of formulas and one of rational pieces.
CURVES = (
    Circle((0.2, -0.1), 1.3),
    BSpline(((0, 0), (1, 1), (2, 0), (3, 1), (4, -1)), weights=(1.0, 2.0, 1.0, 0.7, 1.0)),
)
#: What rolls on a curve is no such curve itself: it would lie in it, and touch it all along.
SMALL_CIRCLE = Circle((0.1, 0.05), 0.4)
#: Two with an equation, one with symmetries and one without, and one of rational patches.
SURFACES = (
    SphereSurface((0.2, -0.1, 0.1), 1.3),
    TorusSurface((0.1, 0.2, -0.1), 1.4, 0.5, (0.3, 0.2, 0.9)),
    BSplineSurface(
        (
            ((-1.5, -1.4, 0.2), (-1.4, 0.1, -0.1), (-1.6, 1.5, 0.3)),
            ((0.1, -1.5, -0.2), (0.0, 0.2, 0.8), (0.2, 1.4, 0.1)),
            ((1.4, -1.6, 0.1), (1.6, 0.0, -0.3), (1.5, 1.6, 0.2)),
        ),
        (2, 2),
        weights=((1.0, 1.2, 1.0), (0.8, 1.5, 1.0), (1.0, 0.9, 1.1)),
    ),
)
SMALL_BALL = SphereSurface((0.1, 0.1, -0.2), 0.3)  # goes into any of them


# -- discovery -------------------------------------------------------------------------------


@functools.cache
def members(kind: type) -> list[type]:
    """The concrete classes of a family that the rooms export."""
    found = {
        thing
        for room in ROOMS
        for name in room.__all__
        if inspect.isclass(thing := getattr(room, name))
        and issubclass(thing, kind)
        and not thing.__name__.startswith("Abstract")
    }
    return sorted(found, key=lambda c: c.__name__)


@functools.cache
def every(kind: type) -> list[Any]:
    """Samples of every member of a family; none of a class that cannot be made."""
    return [sample for member in members(kind) for sample in samples(member)]


@functools.cache
def samples(member: type) -> list[Any]:
    """Instances of a class: all axes, a few numbers, optional numbers one by one and together."""
    fields = [f for f in dataclasses.fields(member) if f.init]
    hints = typing.get_type_hints(member)
    optional = [f.name for f in fields if _is_optional_number(hints[f.name])]
    choices = []
    for field in fields:
        if field.name in optional:
            continue
        values = _values(member, field.name, hints[field.name], len(choices))
        if values is None:
            if field.default is dataclasses.MISSING:
                return []
            continue
        choices.append([(field.name, value) for value in values])
    instances = []
    for combination in itertools.product(*choices):
        for extra in _optional_sets(optional):
            made = _made(member, dict(combination) | extra)
            if made is not None and made not in instances:
                instances.append(made)
    return instances


def _optional_sets(names: list[str]) -> list[dict[str, float]]:
    values = dict(zip(names, itertools.cycle(NUMBERS), strict=False))
    alone = [{name: values[name]} for name in names]
    return [*alone, values] if len(names) > 1 else [{}, *alone] if names else [{}]


def _is_optional_number(hint: Any) -> bool:
    inside = typing.get_args(hint)
    return len(inside) == 2 and float in inside and type(None) in inside


def _values(member: type, name: str, hint: Any, place: int) -> list[Any] | None:
    """Values of a field, or None where its type says nothing (its default is then kept)."""
    if name in PLACEHOLDERS:
        place = PLACEHOLDERS[name]
        held = {"curve", "surface"} & set(typing.get_type_hints(member))
        if name == "K" and (held or member.__name__ == "BarPlaneAngle"):  # the bar is J's, on b
            place = dataclasses.replace(place, body="b")
        return [place]
    if name == "name":
        return ["sample"]
    if name == "stored":  # an energy that belongs to no law but one
        return None
    if name == "rod_length":  # of a chamber that the sampled measures do not close
        return [max(NUMBERS)]
    if hint is float:
        return [NUMBERS[place % len(NUMBERS)]]
    if inspect.isclass(hint) and issubclass(hint, enum.Enum):
        return list(hint)
    if hint == tuple[str, ...] and name in ("force", "torque"):
        return [("p * a", "b_rate", "q * t")]
    if hint == tuple[str, ...]:
        return [("a", "b") if name == "names" else ("p", "q")]
    if hint is Gauge:
        return [gauge for gauges in _gauges(member) for gauge in gauges]
    if hint is Marker or hint == Marker | None:
        return [Marker("b", (0.4, -0.2, 0.3)) if hint is Marker else Marker("a")]
    if hint == tuple[Marker, ...] | Marker:
        return [(Marker("b", (0.4, -0.2, 0.3)),)]
    if hint == tuple[Gauge, ...] | Gauge:
        return _gauges(member)
    if hint is AbstractLaw or hint == AbstractLaw | None:
        return [Ramp(0.4, 0.6, 0.0)]
    if hint == tuple[AbstractLaw, ...]:
        return [(Ramp(0.4, 0.6, 0.0), Ramp(-0.3, 0.0, 0.0), Ramp(0.0, 0.2, 0.0))]
    if hint is str:
        return ["0.6 * a * sin(3 * t) + b * t"]
    if _takes_a_function(hint):
        return [lambda t: 0.3 * np.sin(3.0 * t) + 0.1 * t]
    if hint == tuple[Gauge, ...]:
        return _gauges(member)
    if inspect.isclass(hint) and issubclass(hint, AbstractCurve):
        is_rolled = name == "other" and bool(getattr(member, "velocity_rows", ()))
        return [SMALL_CIRCLE, CURVES[-1]] if is_rolled else list(CURVES)
    if inspect.isclass(hint) and issubclass(hint, AbstractSurface):
        return [SMALL_BALL, SURFACES[-1]] if name == "other" else list(SURFACES)
    if inspect.isclass(hint) and issubclass(hint, AbstractMeasure):
        return _simple_measures()
    if hint == tuple[AbstractConstraint, ...]:
        return [(_held_at_home(),)]
    if name == "text":
        return ["0.6 * a * sin(3 * t) + b * t"]
    known = {
        int: [COUNTS[0]],
        bool: [False, True],
        tuple[float, ...]: [(0.5, -1.5), (0.6, 0.9, 1.1, 0.2, 0.3, 0.5)],
        tuple[float, float, float]: [(0.5, -1.5, 2.0)],
        tuple[str, ...]: [("a", "b")],
        tuple[float, float]: [(2.0, 3.0)],
        tuple[tuple[float, float], ...]: [((0.0, 0.1), (0.5, 0.4), (1.1, -0.2), (2.0, 0.1))],
        tuple[tuple[float, float, float], ...]: [((0.3, -0.2, 0.4), (-0.5, 0.1, 0.2))],
        tuple[tuple[float, AbstractLaw], ...]: [
            ((0.8, Ramp(0.1, 0.5, 0.0)), (0.8, Ramp(0.5, -0.5, 0.0)))
        ],
    }
    if hint in known:
        return known[hint]
    if hint == tuple[tuple[float, AbstractMeasure], ...]:
        pairs = itertools.pairwise(_simple_measures())
        return [((1.0, a), (-2.0, b)) for a, b in pairs if a.unit == b.unit]
    return None


def _held_at_home() -> AbstractConstraint:
    """A constraint that two frames in one place satisfy."""
    one = Pose.identity()
    pairs = (c for c in every(AbstractConstraint) if c.frames == 2 and not c.unknowns)
    return next(c for c in pairs if not any(c.phi(one, one)))


def _takes_a_function(hint: Any) -> bool:
    parts = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    return any(typing.get_origin(part) is Callable or part is Callable for part in parts)


def _simple_measures() -> list[AbstractMeasure]:
    """One sample of every measure that is made of no other."""
    simple = []
    for member in members(AbstractMeasure):
        hints = typing.get_type_hints(member)
        if not any("AbstractMeasure" in str(hints[f.name]) for f in dataclasses.fields(member)):
            simple.append(samples(member)[-1])
    return simple


def _gauges(member: type) -> list[tuple[Gauge, ...]]:
    """What a coupler couples: as many as its roles say, in their units; two where it says none."""
    roles = getattr(member, "roles", ()) or (("", "rad"), ("", "m"))
    pool = {
        "rad": itertools.cycle(
            [
                Gauge("a.angle", Turn(Z), Marker("ground"), Marker("a")),
                Gauge("b.angle", Turn(Z), Marker("ground"), Marker("b")),
                Gauge("pair.angle", Turn(Z), Marker("a"), Marker("b")),
            ]
        ),
        "m": itertools.cycle([Gauge("pair.shift", Displacement(X), Marker("a"), Marker("b"))]),
    }
    gauges = tuple(next(pool[unit or "rad"]) for _, unit in roles)
    fewest = len(gauges) - getattr(member, "optional", 0)
    return [gauges[:n] for n in range(fewest, len(gauges) + 1)]


def _made(member: type, values: dict[str, Any]) -> Any:
    numbers = [name for name, value in values.items() if type(value) in (float, int)]
    for k in range(len(NUMBERS)):
        tried = dict(values)
        for place, name in enumerate(numbers):
            pool: tuple[Any, ...] = NUMBERS if type(values[name]) is float else COUNTS
            tried[name] = values[name] if k == 0 else pool[(k + place) % len(pool)]
        try:
            return member(**tried)
        except KempeError:
            continue
    return None


def _word(sample: Any) -> str:
    """A short name of a sample: its class and what tells it from the others."""
    shown = [
        f"{f.name}={value.name if isinstance(value, Axis) else value}"
        for f in dataclasses.fields(sample)
        if isinstance(value := getattr(sample, f.name), (Axis, float, int, bool))
    ]
    return f"{type(sample).__name__}({','.join(shown)})"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name, kind in FAMILIES.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, every(kind), ids=_word)
        if f"{name}_class" in metafunc.fixturenames:
            metafunc.parametrize(f"{name}_class", members(kind), ids=lambda c: c.__name__)
    if "member_class" in metafunc.fixturenames:
        everyone = [c for kind in FAMILIES.values() for c in members(kind)]
        metafunc.parametrize("member_class", everyone, ids=lambda c: c.__name__)


@pytest.fixture(scope="session")
def sampled() -> Callable[[type], list[Any]]:
    return samples


# -- one constraint or measure as a joint, so that everything is compiled alike ----------------


@dataclasses.dataclass(frozen=True)
class Holding(AbstractJoint):
    """A joint of one constraint."""

    constraint: Any = None
    more: tuple[Marker, ...] = ()  # where the constraint sees more frames than two

    @property
    def markers(self) -> tuple[Marker, ...]:
        return (self.I, self.J, *self.more)

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        return (self.constraint,)


# -- two bodies and what holds them ------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Motion:
    """A motion of two bodies: poses at s, with these velocities and accelerations at s = 0.

    r(s) = r + v s + a s^2 / 2,  R(s) = R exp(w s + b s^2 / 2), w and b in body axes. Unknowns that
    a joint has itself move likewise, from `own`.
    """

    poses: list[Pose]
    v: np.ndarray
    a: np.ndarray
    plane: bool
    own: np.ndarray

    def own_at(self, s: float) -> list[float]:
        n = len(self.own)
        return (self.own + (s * self.v + 0.5 * s * s * self.a)[len(self.v) - n :]).tolist()

    def at(self, s: float) -> list[Pose]:
        moved = []
        n = 3 if self.plane else 6
        for k, start in enumerate(self.poses):
            d = s * self.v[n * k : n * k + n] + 0.5 * s * s * self.a[n * k : n * k + n]
            if self.plane:
                p = start.position
                turn = Rotation.planar(start.rotation.angle + float(d[2]))
                moved.append(Pose(Vector(p.x + float(d[0]), p.y + float(d[1]), 0.0), turn))
            else:
                angle = float(np.linalg.norm(d[3:]))
                turn = Rotation.about(d[3:], angle) if angle > 0 else Rotation.identity()
                shifted = start.position + Vector(*d[:3].tolist())
                moved.append(Pose(shifted, start.rotation @ turn))
        return moved


class System:
    """The traced equations of a small model, as numbers."""

    def __init__(self, model: Model) -> None:
        self.layout = Layout(model)
        self.element = self.layout.elements[0]
        self.traced = trace(self.layout)
        s, zero = self.traced, Expression(self.traced.inputs.graph, 0) * 0
        self.n, self.m = len(s.phi), self.layout.n_v
        entries = [row.get(k, zero) for row in s.jacobian for k in range(self.m)]
        self.outputs = [*s.phi, *entries, *s.velocity_rhs, *s.gamma, *s.turns]
        self.tape: Tape = record_formula(s.inputs.in_order(), self.outputs)

    def point(
        self, poses: list[Pose], v: Any = None, t: float = 0.0, last: Any = None, own: Any = ()
    ) -> Any:
        """The tape's inputs at a configuration."""
        unknowns = own if len(own) else self.first_own()
        q = np.concatenate([*(self.layout.chart.coordinates(X) for X in poses), unknowns])
        still = np.zeros(self.m)
        turns = np.zeros(len(self.traced.turns)) if last is None else last
        return np.concatenate(
            [q, still if v is None else v, still, [t], turns, self.layout.parameters]
        )

    def first_own(self) -> np.ndarray:
        """Values of the own unknowns, somewhere inside their domains."""
        domains = [u.domain for _, u in self.layout.own_unknowns]
        return np.array([d.low + 0.37 * d.width for d in domains])

    def numbers(
        self, poses: list[Pose], v: Any = None, t: float = 0.0, last: Any = None, own: Any = ()
    ) -> Any:
        """phi, J, velocity right-hand side and gamma."""
        point = self.point(poses, v, t, last, own)
        values = native_tape(self.tape).evaluate(point[None, :], self.tape.outputs)[0]
        ends = np.cumsum([self.n, self.n * self.m, self.n, self.n])
        phi, entries, rhs, gamma, _ = np.split(values, ends)
        return phi, entries.reshape(self.n, self.m), rhs, gamma


class Workshop:
    """Makes bodies, markers, models and motions at random, in the plane or in space."""

    Holding, System = Holding, System

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def rotation(self, *, plane: bool) -> Rotation:
        if plane:
            return Rotation.planar(float(self.rng.uniform(-3.0, 3.0)))
        q = self.rng.normal(size=4)
        return Rotation.from_quaternion((q / np.linalg.norm(q)).tolist())

    def pose(self, *, plane: bool) -> Pose:
        x, y, z = self.rng.uniform(-1.0, 1.0, 3).tolist()
        return Pose(Vector(x, y, 0.0 if plane else z), self.rotation(plane=plane))

    def marker(self, body: str, *, plane: bool, lying: bool = False) -> Marker:
        x, y, z = self.rng.uniform(-0.5, 0.5, 3).tolist()
        marker = Marker(body, (x, y, 0.0 if plane else z), self.rotation(plane=plane))
        return marker.facing(self.rng.normal(size=2)) if lying else marker

    def markers(self, *, plane: bool, lying: bool = False) -> tuple[Marker, Marker]:
        return (
            self.marker("a", plane=plane, lying=lying),
            self.marker("b", plane=plane, lying=lying),
        )

    def model(self, *, plane: bool, joints: Any = (), drives: Any = (), couplers: Any = ()) -> Any:
        bodies = (Body("a"), Body("b"))
        return Model("pair", plane, bodies, tuple(joints), tuple(drives), tuple(couplers))

    def placed(self, joint: AbstractJoint, *, plane: bool, lying: bool = False) -> AbstractJoint:
        """The same joint on markers anywhere."""
        I, J = self.markers(plane=plane, lying=lying)
        return dataclasses.replace(joint, I=I, J=J)

    def driven(self, measure: AbstractMeasure, *, plane: bool, lying: bool = False) -> Drive:
        """The measure, held at zero by a drive."""
        return Drive(
            Gauge("gauge", measure, *self.markers(plane=plane, lying=lying)), Ramp(0.0, 0.0, 0.0)
        )

    def holding(self, constraint: Any, *, plane: bool, lying: bool = False) -> Holding:
        """A joint of one constraint, on as many markers as it sees."""
        markers = self.markers(plane=plane, lying=lying)
        bodies = ("a", "b")[: constraint.frames - 2]
        more = tuple(self.marker(body, plane=plane) for body in bodies)
        return Holding(*markers, "held", constraint, more)

    def motion(self, *, plane: bool, poses: list[Pose] | None = None, own: Any = ()) -> Motion:
        n = (6 if plane else 12) + len(own)
        start = poses or [self.pose(plane=plane), self.pose(plane=plane)]
        v, a = self.rng.normal(size=n), self.rng.normal(size=n)
        return Motion(start, v, a, plane, np.array(own, dtype=float))


@pytest.fixture
def workshop(rng: np.random.Generator) -> Workshop:
    return Workshop(rng)


@pytest.fixture(scope="session")
def new_workshop() -> Callable[[int], Workshop]:
    """A workshop of its own, by a seed."""
    return lambda seed: Workshop(np.random.default_rng(seed))


@pytest.fixture(scope="session")
def whole_family() -> Callable[[str], list[Any]]:
    """All samples of a family."""
    return lambda name: every(FAMILIES[name])


#: Sixth-order central differences; the coefficients of f(-3h) ... f(3h).
FIRST = np.array([-1, 9, -45, 0, 45, -9, 1]) / 60.0
SECOND = np.array([2, -27, 270, -490, 270, -27, 2]) / 180.0


@pytest.fixture(scope="session")
def differences() -> Callable[..., tuple[np.ndarray, np.ndarray, float]]:
    """First and second derivative of a function at 0, and how far two step sizes disagree."""

    def both(function: Callable[[float], Any]) -> Any:
        found = []
        for step in (0.008, 0.004):
            values = np.array([function(step * k) for k in range(-3, 4)], dtype=float)
            found.append((FIRST @ values / step, SECOND @ values / step**2))
        (first, second), (finer, finest) = found
        off = (np.abs(first - finer), np.abs(second - finest))
        return finer, finest, float(max(part.max(initial=0.0) for part in off))

    return both


@pytest.fixture(scope="session")
def number() -> Callable[[Any], float]:
    """A measure's value as a number, whole turns left as they are."""

    def of(value: Any) -> float:
        return float(value.angle if isinstance(value, Wrapped) else value)

    return of
