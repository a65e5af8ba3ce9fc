"""Parts of a mechanism that is being built, as handles, and what else is given to a builder."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, final

import numpy as np

from kempe.couplers import AbstractCoupler
from kempe.drives import AbstractLaw, Formula, Ramp
from kempe.errors import (
    BadConnection,
    BadNumber,
    ModelError,
    UnknownName,
    UnknownPart,
    about,
    nearest_name,
)
from kempe.forces import AbstractForce
from kempe.geometry import GROUND, Inertia, Marker, Vector, X, Y, Z
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.solids import AbstractSolid
from kempe.geometry.specific import SpecificRates
from kempe.geometry.surfaces import AbstractSurface
from kempe.joints import (
    AbstractJoint,
    BarAngle,
    BarOffCurve,
    BarOffSurface,
    BarOnCurve,
    BarOnSurface,
    BarPlaneAngle,
    BarsApart,
    BarsParallel,
    FaceOnSurface,
    LineAngle,
    NoRotation,
    PointFromBar,
    PointOnCurve,
    PointOnSurface,
    Rod,
)
from kempe.measures import Coordinate, Distance, Gauge, Turn
from kempe.model import Body
from kempe.model.shape import BodyShape, inertia_of
from kempe.units import in_si

if TYPE_CHECKING:
    from kempe.front.builder import Builder

J = TypeVar("J", bound=AbstractJoint)
Number = float | str  # in the builder's unit, or text with its own
Across = Number | Sequence[Number]  # the first coordinate, or all of them as one vector


def _vector(x: Across, y: Number | None, z: Number) -> tuple[Number, ...]:
    """The coordinates of a place, given one by one or as one vector."""
    if not isinstance(x, str | float | int | np.number):
        if y is not None:
            raise BadNumber(
                f"a place is two or three numbers or one vector, not both: {x!r}, {y!r}."
            )
        return tuple(x)
    if y is None:
        raise BadNumber(f"a place has two coordinates, x and y, and only {x!r} was given.")
    return (x, y, z)


@final
@dataclass(frozen=True)
class BodyPart:
    """A body of a builder: `part.P` is its point P, `part.at(x, y)` any place on it."""

    _builder: "Builder"
    name: str

    def __repr__(self) -> str:
        body = self._builder.known_body(self.name)
        points = "".join(f", .{name}" for name in body.points) if body is not None else ""
        return f"Body {self.name!r}: .at(x, y){points}, .angle, .x, .y"

    def at(self, x: Across, y: Number | None = None, z: Number = 0.0) -> Marker:
        """The place `x`, `y`, `z` on the body, in its axes and the builder's units.

        A vector of two or three, `at((x, y))`, is as good.
        """
        with about(f"a place on {self.name!r}"):
            return Marker(self.name, self._builder.triple(_vector(x, y, z)))

    def at_world(self, x: Across, y: Number | None = None, z: Number = 0.0) -> Marker:
        """The place on the body that lies at `x`, `y`, `z` of the world while it is where `at` and
        `angle` say.

        p_B = X_WB^-1 p_W

        So a joint is put where one has measured it: in world axes and the builder's units.
        """
        with about(f"a place on {self.name!r}"):
            place = self._builder.triple(_vector(x, y, z))
        if self.name == GROUND:
            return Marker(GROUND, place)
        body = self._builder.known_body(self.name)
        if body is None or body.guess is None or body.anywhere:
            raise UnknownName(
                f"nobody knows where {self.name!r} lies in the world: give it at=(x, y) and angle=,"
                f" or use {self.name}.at(x, y) in its own axes."
            )
        p = body.guess.inverse().point(Vector(*place))
        return Marker(self.name, (float(p.x), float(p.y), float(p.z)))

    def add_point(self, name: str, x: Across, y: Number | None = None, z: Number = 0.0) -> Marker:
        """A new point `name` of the body at `x`, `y`, `z`, in its axes and the builder's units.

        From now on `part.NAME` is this place, and trajectories have "part.NAME".
        """
        with about(f"point {name!r} of {self.name!r}"):
            place = _vector(x, y, z)
        return self._builder.add_point(self.name, name, place)

    def point(self, name: str) -> Marker:
        """The point of the body called `name`, as a place."""
        body = self._builder.known_body(self.name)
        if body is None:
            raise UnknownName("the ground has no named points: use ground.at(x, y).")
        return body.marker(name)

    def __getattr__(self, name: str) -> Marker:
        if name.startswith("_"):
            raise AttributeError(name)
        body = self._builder.known_body(self.name)
        if body is None or name not in body.points:
            known = [*(body.points if body else ()), "angle", "x", "y", "z", "at", "at_world"]
            raise UnknownPart(f"{self.name!r} has no {name!r}.{nearest_name(name, known)}")
        return body.marker(name)

    @property
    def angle(self) -> Gauge:
        """Turn of the body about the world's z axis."""
        return Gauge(f"{self.name}.angle", Turn(Z), Marker(GROUND), Marker(self.name))

    @property
    def x(self) -> Gauge:
        """World x of the body's origin."""
        return Gauge(f"{self.name}.x", Coordinate(X), Marker(GROUND), Marker(self.name))

    @property
    def y(self) -> Gauge:
        """World y of the body's origin."""
        return Gauge(f"{self.name}.y", Coordinate(Y), Marker(GROUND), Marker(self.name))

    @property
    def z(self) -> Gauge:
        """World z of the body's origin."""
        return Gauge(f"{self.name}.z", Coordinate(Z), Marker(GROUND), Marker(self.name))


@final
@dataclass(frozen=True)
class JointPart(Generic[J]):
    """A joint of a builder: its free coordinates are measures that can be driven."""

    _builder: "Builder"
    joint: J

    def __repr__(self) -> str:
        kind = type(self.joint).__name__
        words = ", ".join(f".{measure.word}" for measure in self.joint.measures)
        return f"{kind} {self.name!r}{': ' if words else ''}{words}"

    @property
    def name(self) -> str:
        """What the joint is called."""
        return self.joint.name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        for measure in self.joint.measures:
            if measure.word == name:
                return Gauge(f"{self.joint.name}.{name}", measure, self.joint.I, self.joint.J)
        words = [m.word for m in self.joint.measures]
        raise UnknownPart(
            f"joint {self.joint.name!r} ({type(self.joint).__name__}) has no {name!r}."
            f"{nearest_name(name, words)}"
        )


Triple = tuple[float, float, float]


def point_of(given: Any, units: str, name: str = "", body: str = "") -> Triple:
    """Two or three coordinates in metres, bare numbers in `units`; of a body's point, if named."""
    if name:
        with about(f"point {name!r} of body {body!r}"):
            return point_of(given, units)
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadNumber(f"a point has 2 or 3 coordinates, this one is {given!r}.")
    numbers = [in_si(c, "m", units) for c in given]
    if len(numbers) not in (2, 3):
        raise BadNumber(f"a point has 2 or 3 coordinates, this one has {len(numbers)}: {given}.")
    x, y, z = (*numbers, 0.0)[:3]
    return x, y, z


def gravity_of(given: Number | Sequence[Number], *, plane: bool) -> Triple:
    """Gravity (m/s^2) in world axes: a vector of 2 or 3 components, or a pull downwards.

    A number g is (0, -g, 0) in the plane and (0, 0, -g) in space.
    """
    if isinstance(given, str | int | float):
        with about("gravity"):
            pull = in_si(given, "m/s**2")
        if pull < 0.0:
            raise BadNumber(
                f"gravity={given}: a number says how strongly it pulls down, so write {-pull:g}, or"
                f" give a direction, such as {'(0, -9.81)' if plane else '(0, 0, -9.81)'}."
            )
        return (0.0, -pull, 0.0) if plane else (0.0, 0.0, -pull)
    if not isinstance(given, Sequence | np.ndarray):
        raise BadNumber(f"gravity is a number or has 2 or 3 components, not {given!r}.")
    if len(given) not in (2, 3):
        raise BadNumber(f"gravity has 2 or 3 components, these are {len(given)}: {given}.")
    x, y, z = (*(in_si(g, "m/s**2") for g in given), 0.0)[:3]
    return x, y, z


def given_inertia(
    mass: Number | None,
    centre: Sequence[Number] | None,
    inertia: Inertia | Number | None,
    units: str,
    *,
    plane: bool,
) -> Inertia | None:
    """The mass properties of a body: as they are given whole, or of a mass and a moment about z.

    The centre (m) has bare numbers in `units`.
    """
    if inertia is None and mass is None and centre is None:
        return None
    if isinstance(inertia, Inertia):
        if mass is not None or centre is not None:
            raise BadNumber("an Inertia says mass and centre: leave mass= and centre= out.")
        return inertia
    if mass is None:
        word = "inertia" if inertia is not None else "centre"
        raise BadNumber(f"{word}= goes with a mass: give mass= too.")
    if inertia is not None and not plane:
        raise BadNumber(
            "in space a body's inertia is a tensor: give inertia=kempe.Inertia(mass, centre, ...)."
        )
    at = point_of((0.0, 0.0) if centre is None else centre, units)
    moment = 0.0 if inertia is None else in_si(inertia, "kg*m^2")
    return Inertia(in_si(mass, "kg"), at, moment)  # type: ignore[arg-type]


def refuse_unmeasured(what: str, measure: object) -> None:
    """A BadConnection where a drive or a rate is given what is no measure."""
    if not isinstance(measure, Gauge):
        raise BadConnection(
            f"{what} needs something to measure, such as crank.angle, not {in_words(measure)}."
        )


def refuse_no_force(force: object) -> None:
    """A BadConnection where something else is given as a force."""
    if not isinstance(force, AbstractForce):
        raise BadConnection(
            f"a force is a thing such as SpringDamper(hinge.angle, 10), not {in_words(force)}."
        )


def refuse_no_joint(joint: object) -> None:
    """A BadConnection where something else is given as a joint."""
    if not isinstance(joint, AbstractJoint):
        raise BadConnection(
            f"a joint is a thing such as Revolute(a.end, b.start), not {in_words(joint)}: couplers"
            " are added by couple(), forces by force(), events by event()."
        )


def refuse_no_coupler(coupler: object) -> None:
    """A BadConnection where something else is given as a coupler."""
    if not isinstance(coupler, AbstractCoupler):
        raise BadConnection(
            "a coupler is a thing such as GearPair((a.angle, b.angle), teeth=(20, 40)), not"
            f" {in_words(coupler)}."
        )


def refuse_other_bodies(what: str, markers: Iterable[Marker], known: Collection[str]) -> None:
    """UnknownName where a part holds on to a body that there is not."""
    for marker in markers:
        if marker.body not in known:
            raise UnknownName(
                f"{what} holds on to body {marker.body!r}, which there is not."
                f"{nearest_name(marker.body, known)}"
            )


def refuse_massless(body: str, shape: object, density: Number | None) -> None:
    """A ModelError where a body's shape is no solid, or a density is given and no shape."""
    if shape is not None and not isinstance(shape, AbstractSolid):
        raise ModelError(
            f"the shape of body {body!r} is {in_words(shape)}: give a solid, such as"
            " Cuboid((1, 1, 1))."
        )
    if density is not None and shape is None:
        raise BadNumber(
            f"body {body!r} has a density and no shape: give its `shape`, such as"
            " Cylinder(0.01, 0.1), or its `inertia`."
        )


def added_inertia(body: Body, shape: BodyShape) -> Inertia | None:
    """The inertia of a body that gets one more shape.

    A ModelError where both its inertia and a density are given: what would it weigh?
    """
    if shape.density is None:
        return body.inertia
    if body.inertia is not None and not body.has_mass_of_shapes:
        raise ModelError(
            f"body {body.name!r} has an inertia already: leave that out, or the density of shape"
            f" {shape.name!r}."
        )
    return inertia_of((*body.shapes, shape))


def refuse_outline(body: str, outline: Sequence[str], places: Collection[str]) -> None:
    """UnknownName where an outline goes through a point that the body has not."""
    for corner in outline:
        if corner not in places:
            near = nearest_name(corner, places)
            raise UnknownName(f"the outline of {body!r} names point {corner!r}.{near}")


def law_of(
    measure: Gauge,
    units: str,
    law: AbstractLaw | Callable[[Any], Any] | None,
    start: Number,
    speed: Number,
    rpm: float | None,
    acceleration: Number,
) -> AbstractLaw:
    """The law of a drive: one that is given, a function of time, or a ramp by numbers."""
    if law is None:
        return ramp_of(measure, units, start, speed, rpm, acceleration)
    return law if isinstance(law, AbstractLaw) else Formula(law)


def ramp_of(
    measure: Gauge,
    units: str,
    start: Number,
    speed: Number,
    rpm: float | None,
    acceleration: Number,
) -> Ramp:
    """The law of a drive that is given by numbers, lengths in `units`."""
    unit = measure.unit
    plain = units if unit == "m" else "rad"
    rate = in_si(speed, f"{unit}/s", f"{plain}/s")
    if rpm is not None:
        if unit != "rad":
            raise BadConnection(
                f"{measure.name!r} is a length: give its speed per second, not rpm."
            )
        rate = in_si(rpm, "s") * math.tau / 60.0
    second = in_si(acceleration, f"{unit}/s**2", f"{plain}/s**2")
    return Ramp(in_si(start, unit, plain), rate, second)


def velocity_of(
    given: Sequence[Number] | SpecificRates | None, units: str
) -> Triple | SpecificRates | None:
    """A velocity of two or three components, bare numbers in `units` per second."""
    if given is None or isinstance(given, SpecificRates):
        return given
    if len(given) not in (2, 3):
        raise BadNumber(f"a velocity has 2 or 3 components, these are {len(given)}: {given}.")
    x, y, z = (*(in_si(c, "m/s", f"{units}/s") for c in given), 0.0)[:3]
    return x, y, z


def spin_of(
    given: Number | Sequence[Number] | SpecificRates | None,
) -> Triple | SpecificRates | None:
    """An angular velocity in rad/s: about z, or three components."""
    if given is None or isinstance(given, SpecificRates):
        return given
    components = (0.0, 0.0, given) if isinstance(given, (int, float, str)) else tuple(given)
    if len(components) != 3:
        raise BadNumber(f"a spin has 1 or 3 components, these are {len(components)}: {given}.")
    x, y, z = (in_si(c, "rad/s") for c in components)
    return x, y, z


def marker_of(place: Any) -> Marker:
    """A place as a marker; a BadConnection where it is none."""
    if isinstance(place, Marker):
        return place
    if isinstance(place, BodyPart):
        return Marker(place.name)
    raise BadConnection(
        "a joint holds on to places such as crank.end or ground.at(0, 0), not to"
        f" {in_words(place)}."
    )


def in_words(thing: Any) -> str:
    """A wrong argument in a few words."""
    if isinstance(thing, Gauge):
        return f"the measure {thing.name!r}"
    if isinstance(thing, Marker):
        return f"a place on {thing.body!r}"
    return repr(thing)[:60]


def two_ends(name: str, ends: Any) -> tuple[Any, Any]:
    """The limits of the measure `name`; BadNumber where they are not two."""
    if isinstance(ends, str) or not isinstance(ends, Sequence | np.ndarray) or len(ends) != 2:
        raise BadNumber(f"the limits of {name!r} are two values, not {in_words(ends)}.")
    low, high = ends
    return low, high


def by_name(given: Any, what: str, value: str = "number") -> Mapping[str, Any]:
    """What is given by name, as a mapping; BadNumber where it is none.

    Examples:
        >>> from kempe.errors import BadNumber
        >>> try:
        ...     by_name("crank.angle", "what is held")
        ... except BadNumber as refused:
        ...     print(refused)
        what is held is said by names, {name: number, ...}, not by 'crank.angle'.
    """
    if not isinstance(given, Mapping):
        form = f"{{name: {value}, ...}}"
        raise BadNumber(f"{what} is said by names, {form}, not by {in_words(given)}.")
    return given


def added_point(
    builder: "Builder",
    name: str,
    at: Sequence[Number] | None,
    on: AbstractCurve | AbstractSurface | None,
    of: BodyPart | None,
) -> BodyPart:
    """A point of a builder: a body that does not turn, on a curve or surface if one is given."""
    part = builder.body(name, at=at)
    builder.add(NoRotation(Marker(GROUND), Marker(name)), f"{name}_upright")
    if on is not None:
        frame = Marker(GROUND if of is None else of.name)
        path: AbstractJoint = (
            PointOnSurface(frame, Marker(name), surface=on)
            if isinstance(on, AbstractSurface)
            else PointOnCurve(frame, Marker(name), curve=on)
        )
        builder.add(path, f"{name}_path")
    return part


def added_stick(
    builder: "Builder", name: str, start: Marker, end: Marker, length: Number | None
) -> "StickPart":
    """A bar of a builder: a rod, or, where it is flexible, a measure of its length."""
    if length is None:
        builder.watch(Gauge(f"{name}.length", Distance(), start, end))
        return StickPart(builder, name, start, end)
    with about(f"the length of bar {name!r}"):
        metres = builder.length(length)
    builder.add(Rod(start, end, length=metres, name=name), name)
    return StickPart(builder, name, start, end, metres)


@final
@dataclass(frozen=True)
class StickPart:
    """A bar of a builder, from `start` to `end`; without a length it is flexible.

    What is asked of it is asked of the whole line through its two points, unless `segment` says
    that it is the bar itself.
    """

    _builder: "Builder"
    name: str
    start: Marker
    end: Marker
    length: float | None = None  # m

    def angle_to(
        self, other: "StickPart", angle: Number, *, oriented: bool = True, name: str = ""
    ) -> JointPart[Any]:
        """Keep the `angle` (rad) to bar `other`: of arrows, or of lines if not `oriented`.

        The joint is called `name`.
        """
        kind = BarAngle if oriented else LineAngle
        with about(f"the angle of bar {self.name!r} to {other.name!r}"):
            radians = in_si(angle, "rad")
            joint = kind(
                self.start,
                other.start,
                K=self.end,
                L=other.end,
                angle=radians,
                first=self.length,
                second=other.length,
            )
        return self._add(joint, name)

    def parallel_to(
        self, other: "StickPart", *, apart: Number | None = None, name: str = ""
    ) -> JointPart[Any]:
        """Stay parallel to bar `other`, `apart` by a length if one is given; a joint `name`."""
        places = {"K": self.end, "L": other.end, "first": self.length, "second": other.length}
        if apart is None:
            return self._add(BarsParallel(self.start, other.start, **places), name)  # type: ignore[arg-type]
        gap = self._builder.length(apart)
        return self._add(BarsApart(self.start, other.start, length=gap, **places), name)  # type: ignore[arg-type]

    def tangent_to(
        self,
        curve: AbstractCurve | AbstractSurface,
        *,
        of: Any = None,
        segment: bool = False,
        name: str = "",
    ) -> JointPart[Any]:
        """Touch a `curve` or surface fixed in the ground or in body `of`, inside it if `segment`.

        The joint is called `name`.
        """
        ends = {"K": self.end, "bar": self.length, "segment": segment}
        if isinstance(curve, AbstractSurface):
            return self._add(BarOnSurface(_frame(of), self.start, surface=curve, **ends), name)  # type: ignore[arg-type]
        return self._add(BarOnCurve(_frame(of), self.start, curve=curve, **ends), name)  # type: ignore[arg-type]

    def off(
        self,
        curve: AbstractCurve | AbstractSurface,
        distance: Number,
        *,
        of: Any = None,
        segment: bool = False,
        name: str = "",
    ) -> JointPart[Any]:
        """Keep a `distance` from a `curve` or surface fixed in the ground or in body `of`.

        With `segment` the bar itself does, not its line; the joint is called `name`. From a surface
        the distance counts along its normal, and a negative one is on the other side.
        """
        ends = {"K": self.end, "bar": self.length, "segment": segment}
        gap = self._builder.length(distance)
        if isinstance(curve, AbstractSurface):
            held = BarOffSurface(_frame(of), self.start, surface=curve, length=gap, **ends)  # type: ignore[arg-type]
            return self._add(held, name)
        joint = BarOffCurve(_frame(of), self.start, curve=curve, length=gap, **ends)  # type: ignore[arg-type]
        return self._add(joint, name)

    def rise(self, angle: Number, plane: Any = None, *, name: str = "") -> JointPart[Any]:
        """Rise at an `angle` (rad) from the x-y plane of the ground, or of a place `plane`.

        The joint is called `name`.
        """
        with about(f"the angle of bar {self.name!r} to a plane"):
            frame = Marker(GROUND) if plane is None else marker_of(plane)
            radians = in_si(angle, "rad")
            joint = BarPlaneAngle(frame, self.start, K=self.end, angle=radians, bar=self.length)
        return self._add(joint, name)

    def clear_of(
        self, point: Any, distance: Number, *, segment: bool = False, name: str = ""
    ) -> JointPart[Any]:
        """Keep a `distance` from `point`: the bar itself if `segment`, else its line.

        The joint is called `name`.
        """
        ends = {"K": self.end, "bar": self.length, "segment": segment}
        gap = self._builder.length(distance)
        return self._add(PointFromBar(self.start, marker_of(point), length=gap, **ends), name)  # type: ignore[arg-type]

    def _add(self, joint: AbstractJoint, name: str) -> JointPart[Any]:
        return self._builder.add(joint, name)


def _frame(of: Any) -> Marker:
    """Where a curve is fixed: in the ground, or in a body."""
    return Marker(GROUND if of is None else of.name)


def added_face(
    builder: "Builder",
    name: str,
    corners: tuple[Marker, Marker, Marker],
    sides: Sequence[Number | None] | None,
) -> "FacePart":
    """A face of a builder: three corners, and a bar for every side; without a length it stretches.

    The bars are called after the face and the number of their first corner.
    """
    given = (None,) * 3 if sides is None else tuple(sides)
    if len(given) != 3:
        raise BadNumber(f"face {name!r} has three sides, {len(given)} lengths are given.")
    for k, length in enumerate(given):
        ends = corners[k], corners[(k + 1) % 3]
        added_stick(builder, f"{name}_{k + 1}", *ends, length)
    return FacePart(builder, name, corners)


@final
@dataclass(frozen=True)
class FacePart:
    """A face of a builder: the plane through its three `corners`."""

    _builder: "Builder"
    name: str
    corners: tuple[Marker, Marker, Marker]

    def tangent_to(
        self, surface: AbstractSurface, *, of: Any = None, distance: Number = 0.0, name: str = ""
    ) -> JointPart[Any]:
        """Touch a `surface` fixed in the ground or in body `of`, or keep a `distance` from it.

        The distance counts along the surface's normal; the joint is called `name`.
        """
        first, second, third = self.corners
        gap = self._builder.length(distance)
        joint = FaceOnSurface(_frame(of), first, K=second, L=third, surface=surface, length=gap)
        return self._builder.add(joint, name)
