"""The builder: a mechanism in a few lines."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, final

from kempe.couplers import AbstractCoupler
from kempe.drives import AbstractLaw, Drive
from kempe.errors import (
    BadNumber,
    DuplicateName,
    ModelError,
    UnitError,
    UnknownName,
    about,
    nearest_name,
)
from kempe.events import AbstractEvent
from kempe.forces import AbstractForce
from kempe.front.mechanism import Mechanism
from kempe.front.parts import (
    BodyPart,
    FacePart,
    JointPart,
    Number,
    StickPart,
    added_face,
    added_inertia,
    added_point,
    added_stick,
    given_inertia,
    gravity_of,
    law_of,
    marker_of,
    point_of,
    refuse_massless,
    refuse_no_coupler,
    refuse_no_force,
    refuse_no_joint,
    refuse_other_bodies,
    refuse_outline,
    refuse_unmeasured,
    spin_of,
    velocity_of,
)
from kempe.geometry import GROUND, Inertia, Marker, Pose, Rotation, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.solids import AbstractSolid, SlenderBar
from kempe.geometry.specific import SpecificRates
from kempe.geometry.surfaces import AbstractSurface
from kempe.joints import Absolute, AbstractJoint, Fixed, Prismatic, Revolute
from kempe.measures import AbstractMeasure, Gauge
from kempe.model import Body, Model, Output
from kempe.model.editing import Part, reattached, removed, renamed, replaced
from kempe.model.shape import BodyShape
from kempe.model.start_rate import StartRate
from kempe.names import refuse_no_texts, refuse_unreadable
from kempe.units import in_si

if TYPE_CHECKING:
    from kempe.front.beams import BeamPart
    from kempe.geometry.section import Section

Points = Mapping[str, Sequence[Number]] | None
J = TypeVar("J", bound=AbstractJoint)
C = TypeVar("C", bound=AbstractCoupler)
E = TypeVar("E", bound=AbstractEvent)
F = TypeVar("F", bound=AbstractForce)
P = TypeVar("P", bound=AbstractJoint | AbstractCoupler | AbstractEvent | AbstractForce)


@final
class Builder:
    """Collects bodies, joints and drives, and makes a frozen `Mechanism` of them.

    Bare numbers are in `units` (lengths) and radians; text carries its own unit ("30 mm").
    `gravity` is in m/s^2, whatever the unit of lengths: a vector, or how strongly it pulls down,
    against y in the plane and against z in space.

    Examples:
        >>> import kempe
        >>> m = kempe.Builder("crank", plane=True, units="mm")
        >>> crank = m.bar("crank", 30)
        >>> hinge = m.revolute(m.ground.at(0, 0), crank.start)
        >>> m.drive(crank.angle, rpm=60)
        >>> m.build().kinematics(until=0.25, steps=1)["crank.end"].to("mm").round(6)[-1].tolist()
        [0.0, 30.0]
    """

    def __init__(
        self,
        name: str = "mechanism",
        *,
        plane: bool = False,
        units: str = "m",
        gravity: Number | Sequence[Number] = (0.0, 0.0, 0.0),
    ) -> None:
        if not isinstance(name, str):
            raise BadNumber(f"a mechanism is called by a text, not {repr(name)[:60]}.")
        if not isinstance(units, str):
            raise UnitError(f"units are a unit of length, such as 'mm', not {units!r}.")
        in_si(1.0, "m", units)  # refuses what is no unit of length
        self.gravity = gravity_of(gravity, plane=bool(plane))
        self.name = name
        self.plane = bool(plane)
        self.units = units
        self._bodies: dict[str, Body] = {}
        self._joints: dict[str, AbstractJoint] = {}
        self._couplers: dict[str, AbstractCoupler] = {}
        self._forces: dict[str, AbstractForce] = {}
        self._events: dict[str, AbstractEvent] = {}
        self._drives: list[Drive] = []
        self._gauges: list[Gauge] = []
        self._rates: dict[str, StartRate] = {}
        self._outputs: list[Output] = []
        self._numbers: dict[str, int] = {}  # the last one given to a kind of joint

    @classmethod
    def of(cls, model: Model) -> "Builder":
        """A builder that holds the parts of `model`."""
        builder = cls(model.name, plane=model.plane, units=model.length_unit, gravity=model.gravity)
        builder._take(model)
        return builder

    def _take(self, model: Model) -> None:
        self._bodies = {b.name: b for b in model.bodies}
        self._joints = {j.name: j for j in model.joints}
        self._couplers = {c.name: c for c in model.couplers}
        self._forces = {f.name: f for f in model.forces}
        self._events = {e.name: e for e in model.events}
        self._drives = list(model.drives)
        self._gauges = list(model.gauges)
        self._rates = {rate.gauge.name: rate for rate in model.rates}
        self._outputs = list(model.outputs)

    def part(self, name: str) -> BodyPart | JointPart[AbstractJoint]:
        """The body or joint called `name`, as it was when it was made: `part("crank").end`."""
        refuse_no_texts([name])
        if name in self._joints:
            return JointPart(self, self._joints[name])
        if name == GROUND or name in self._bodies:
            return BodyPart(self, name)
        near = nearest_name(name, [*self._bodies, *self._joints])
        raise UnknownName(f"there is no body or joint {name!r}.{near}")

    def __repr__(self) -> str:
        counts = {
            "body": len(self._bodies),
            "joint": len(self._joints),
            "drive": len(self._drives),
            "force": len(self._forces),
        }
        plural = {"body": "bodies"}
        parts = [f"{n} {w if n == 1 else plural.get(w, w + 's')}" for w, n in counts.items() if n]
        return f"Builder {self.name!r}: {', '.join(parts) or 'nothing yet'}; .build() makes it"

    # -- bodies ------------------------------------------------------------------------------

    @property
    def ground(self) -> BodyPart:
        """The body that does not move."""
        return BodyPart(self, GROUND)

    def body(
        self,
        name: str,
        *,
        points: Points = None,
        at: Sequence[Number] | None = None,
        angle: Number | None = None,
        rotation: Rotation | None = None,
        mass: Number | None = None,
        centre: Sequence[Number] | None = None,
        inertia: Inertia | Number | None = None,
        shape: AbstractSolid | None = None,
        density: Number | None = None,
        outline: Sequence[str] = (),
        velocity: Sequence[Number] | SpecificRates | None = None,
        spin: Number | Sequence[Number] | SpecificRates | None = None,
    ) -> BodyPart:
        """A rigid body called `name`; `at` and `angle` (or `rotation`) are a first guess.

        `points` (of 2 or 3 coordinates, in the body's axes), `at` (of its origin, in the world's)
        and other lengths are in the builder's units, `angle` in rad, unless text says otherwise.
        Pictures draw through the points in `outline`.

        A body has a `mass` (kg) in a `centre` of mass (its origin if omitted), and in the plane one
        number as `inertia`, its moment about that centre (kg m^2; 0, a point mass, if omitted); or
        an `Inertia` says all of it, in SI and in the body's axes. Without any it has no mass.

        `shape` is the solid it is made of, its frame at the body's origin: it is drawn, and
        `interference` looks at it. With a `density` (kg/m^3, or text such as "7.85 g/cm^3") the
        body's inertia follows. `m.shape` adds more solids, anywhere on the body.

        The assembly nearest to all guesses is the start. `angle` or `rotation` alone say nothing of
        the place; `at` alone means that the body is not turned.

        A simulation starts with `velocity` (of the body's origin) and `spin` (about z, or three
        components), in world axes, or with `SpecificRates` of any coordinates of a place or an
        orientation, as far as the joints allow.
        """
        self._refuse_taken(name)
        places = self._places(name, points)
        guess = None
        if at is not None or angle is not None or rotation is not None:
            with about(f"the first guess of body {name!r}"):
                turn = rotation or Rotation.planar(0.0 if angle is None else in_si(angle, "rad"))
                guess = Pose(Vector(*self.triple((0.0, 0.0) if at is None else at)), turn)
        refuse_outline(name, outline, places)
        with about(f"the start of body {name!r}"):
            motion = velocity_of(velocity, self.units), spin_of(spin)
        anywhere = guess is not None and at is None
        with about(f"the mass of body {name!r}"):
            weight = given_inertia(mass, centre, inertia, self.units, plane=self.plane)
        refuse_massless(name, shape, density)
        self._bodies[name] = Body(
            name, places, guess, weight, tuple(outline), *motion, anywhere=anywhere
        )
        part = BodyPart(self, name)
        if shape is not None:
            self._own_shape(part, shape, density, Pose.identity())
        return part

    def bar(
        self,
        name: str,
        length: Number,
        *,
        points: Points = None,
        at: Sequence[Number] | None = None,
        angle: Number | None = None,
        mass: Number | None = None,
        inertia: Inertia | None = None,
        shape: AbstractSolid | None = None,
        density: Number | None = None,
        velocity: Sequence[Number] | SpecificRates | None = None,
        spin: Number | Sequence[Number] | SpecificRates | None = None,
    ) -> BodyPart:
        """A straight bar `name` of a `length`: its origin at `start`, its x axis towards `end`.

        `points`, `at`, `angle`, `inertia`, `velocity` and `spin` are those of `body`, and so are
        `shape` and `density`; cylinders, tubes and cones lie along the bar, half way, blocks and
        balls half way, plates and meshes as they are drawn in the bar's axes. A `mass` (kg) alone
        is that of a slender bar: m l^2 / 12 about its middle.

        Example: a round steel bar of 100 mm.
            >>> import kempe
            >>> from kempe.geometry.solids import Cylinder
            >>> m = kempe.Builder(units="mm")
            >>> arm = m.bar("arm", 100, shape=Cylinder("4 mm", "100 mm"), density=7850)
            >>> print(round(m.known_body("arm").inertia.mass, 6))
            0.039458
        """
        with about(f"the length of bar {name!r}"):
            metres = self.length(length)
        if not metres > 0.0:
            raise BadNumber(
                f"bar {name!r} has length {length}: a bar needs a positive length.", length=metres
            )
        ends = {"start": (0.0, 0.0, 0.0), "end": (metres, 0.0, 0.0)}
        extra = self._places(name, points)
        if mass is not None:
            if inertia is not None:
                raise BadNumber(f"bar {name!r} has a mass and an inertia: give one of them.")
            with about(f"the mass of bar {name!r}"):
                inertia = SlenderBar(metres).inertia(mass=mass)
        for word in ends.keys() & extra.keys():
            raise DuplicateName(f"bar {name!r} has a point {word!r} already.", name=word)
        refuse_massless(name, shape, density)
        part = self.body(name, at=at, angle=angle, inertia=inertia, velocity=velocity, spin=spin)
        outline = ("start", "end", *extra)
        self._bodies[name] = replace(self._bodies[name], points=ends | extra, outline=outline)
        if shape is not None:
            self._own_shape(part, shape, density, shape.on_bar(metres))
        return part

    def _own_shape(
        self, part: BodyPart, solid: AbstractSolid, density: Number | None, at: Pose
    ) -> None:
        """The solid that a body was made with; a mistake leaves no body behind."""
        place = [f"{float(c)!r} m" for c in at.position]
        try:
            self.shape(part, solid, at=place, rotation=at.rotation, density=density)
        except Exception:
            del self._bodies[part.name]
            raise

    def shape(
        self,
        body: BodyPart,
        solid: AbstractSolid,
        *,
        at: Sequence[Number] = (0.0, 0.0),
        angle: Number = 0.0,
        rotation: Rotation | None = None,
        density: Number | None = None,
        name: str = "",
    ) -> None:
        """A `solid` that `body`, or the ground, occupies, under a `name`: it is drawn, and
        `interference` looks at it.

        Its frame lies `at` a place of the body, turned by `angle` (rad, about z) or `rotation`. In
        the plane the third coordinate of `at` says in which layer it lies: what lies in others does
        not touch. With a `density` (kg/m^3) its mass adds to the body's inertia; without, it has
        none.
        """
        known = self._bodies.get(body.name, Body(body.name))
        name = name or f"shape{len(known.shapes) + 1}"
        with about(f"shape {name!r} of body {body.name!r}"):
            turn = rotation or Rotation.planar(in_si(angle, "rad"))
            weight = None if density is None else in_si(density, "kg/m^3")
            shape = BodyShape(name, solid, Pose(Vector(*self.triple(at)), turn), weight)
            inertia = added_inertia(known, shape)
        self._bodies[body.name] = replace(known, shapes=(*known.shapes, shape), inertia=inertia)

    def beam(
        self,
        name: str,
        length: Number,
        section: "Section",
        *,
        segments: int = 8,
        at: Sequence[Number] = (0.0, 0.0),
        angle: Number = 0.0,
        rotation: Rotation | None = None,
        damping: Number = 0.0,
    ) -> "BeamPart":
        """A flexible beam `name` of a `length` and a `section`: rigid pieces, springs between them.

        k = E I / h in the middle of each of n `segments` of h = L / n, in space about both axes and
        G J / h along it. Deflections and natural frequencies are those of Euler and Bernoulli to
        within about 1 / n^2. It starts straight from `at`, turned by `angle` (rad) or `rotation`.
        `damping` (s) makes dampers c = damping k.

        Own: the pieces. Source: [Wittbrodt2006] ch. 3 for rigid finite elements.

        Example: a steel strip of 0.5 m bends by P L^3 / (3 E I) = 0.0298 m under 10 N at its end.
            >>> import kempe
            >>> from kempe.forces import Weight
            >>> from kempe.geometry.section import Section
            >>> from kempe.measures import Coordinate
            >>> m = kempe.Builder("cantilever", plane=True)
            >>> strip = Section.rectangle("4 mm", "12.5 mm", young="210 GPa", density=7850)
            >>> beam = m.beam("beam", 0.5, strip, segments=20)
            >>> wall = m.fixed(m.ground.at(0, 0), beam.start)
            >>> load = m.force(Weight(beam.end, (0.0, -10.0, 0.0)))
            >>> tip = m.gauge("tip", Coordinate(kempe.Y), m.ground.at(0, 0), beam.end)
            >>> print(round(m.build().statics()["tip"], 4))
            -0.0296
        """
        from kempe.front.beams import added_beam

        how = (segments, at, angle, rotation, damping)
        return added_beam(self, name, length, section, *how)

    def point(
        self,
        name: str,
        *,
        at: Sequence[Number] | None = None,
        on: AbstractCurve | AbstractSurface | None = None,
        of: BodyPart | None = None,
    ) -> BodyPart:
        """A kinematic point: free, or `on` a curve or surface fixed in the ground, or in body `of`.

        `at` is a first guess, `name` what it is called. A point that stays where it is needs none:
        `ground.at(x, y)`.
        """
        return added_point(self, name, at, on, of)

    def stick(self, name: str, start: Any, end: Any, length: Number | None = None) -> StickPart:
        """A bar `name` from `start` to `end`, without mass: of a `length`, or flexible without."""
        return added_stick(self, name, marker_of(start), marker_of(end), length)

    def face(
        self,
        name: str,
        corners: Sequence[Any],
        sides: Sequence[Number | None] | None = None,
    ) -> FacePart:
        """A face `name`: the plane through three `corners`, without mass.

        `sides` are the lengths from each corner to the next; one that is None stretches, and
        without any all do.
        """
        if len(corners) != 3:
            raise BadNumber(f"face {name!r} has three corners, {len(corners)} are given.")
        first, second, third = (marker_of(corner) for corner in corners)
        return added_face(self, name, (first, second, third), sides)

    # -- joints ------------------------------------------------------------------------------

    def add(self, joint: J, name: str = "", *, flip: bool = False) -> JointPart[J]:
        """Any `joint`; without a `name` it gets one from its class.

        `flip` turns marker J round, for axes that oppose each other on purpose.
        """
        refuse_no_joint(joint)
        named = self._named(joint.flipped() if flip else joint, name)
        refuse_other_bodies(f"joint {named.name!r}", named.markers, [GROUND, *self._bodies])
        self._joints[named.name] = named
        return JointPart(self, named)

    def revolute(self, a: Marker, b: Marker, *, name: str = "") -> JointPart[Revolute]:
        """A hinge `name` between places `a` and `b`, about their z axes."""
        return self.add(Revolute(marker_of(a), marker_of(b)), name)

    def prismatic(
        self,
        a: Marker,
        b: Marker,
        *,
        along: Sequence[float] | None = None,
        along_b: Sequence[float] | None = None,
        name: str = "",
    ) -> JointPart[Prismatic]:
        """A slider `name`: place `b` moves `along` a direction in the axes of `a`, x if omitted.

        `along_b` is that direction in the axes of `b`, where it differs: a bar that slides through
        a sleeve turned against it.
        """
        first = (1.0, 0.0, 0.0) if along is None else along
        second = first if along_b is None else along_b
        return self.add(Prismatic(marker_of(a).facing(first), marker_of(b).facing(second)), name)

    def fixed(self, a: Marker, b: Marker, *, name: str = "") -> JointPart[Fixed]:
        """A weld `name` of places `a` and `b`: their frames stay one."""
        return self.add(Fixed(marker_of(a), marker_of(b)), name)

    def hold(
        self,
        part: BodyPart,
        *,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        angle: Number | None = None,
        name: str = "",
    ) -> JointPart[Absolute]:
        """World coordinates of `part` held at values: `x`, `y`, `z` (lengths) and `angle` (rad).

        The joint is called `name`.
        """
        turn = None if angle is None else in_si(angle, "rad")
        X, Y, Z = (None if c is None else self.length(c) for c in (x, y, z))
        held = Absolute(Marker(GROUND), Marker(part.name), x=X, y=Y, z=Z, angle=turn)
        return self.add(held, name)

    def couple(self, coupler: C, name: str = "") -> C:
        """Any `coupler`, called `name`: measures that depend on each other."""
        refuse_no_coupler(coupler)
        named = self._named(coupler, name)
        self._couplers[named.name] = named
        return named

    def force(self, force: F, name: str = "") -> F:
        """Any `force`, called `name`: a spring, an actuator, a class of your own."""
        refuse_no_force(force)
        named = self._named(force, name)
        self._forces[named.name] = named
        return named

    def event(self, event: E, name: str = "") -> E:
        """Any `event`: a stop, a moment that is listed, a latch that catches or lets go.

        It is listed under its `name`, that of the event itself or a fresh one if omitted.
        """
        if not isinstance(event, AbstractEvent):
            raise ModelError(f"an event is one of kempe.events, not {event!r}.")
        named = self._named(event, name)
        self._events[named.name] = named
        return named

    def gauge(self, name: str, measure: AbstractMeasure, a: Marker, b: Marker) -> Gauge:
        """A `measure` of place `b` seen from `a`, under a `name`: to read, drive or couple."""
        if any(gauge.name == name for gauge in self._gauges):
            raise DuplicateName(f"there is a measure {name!r} already.", name=name)
        self.watch(Gauge(name, measure, marker_of(a), marker_of(b)))
        return self._gauges[-1]

    # -- drives ------------------------------------------------------------------------------

    def drive(
        self,
        measure: Gauge,
        law: AbstractLaw | Callable[[Any], Any] | None = None,
        *,
        start: Number = 0.0,
        speed: Number = 0.0,
        rpm: float | None = None,
        acceleration: Number = 0.0,
        name: str = "",
    ) -> None:
        """A `measure` follows a `law`, any function of t (s), or a ramp by numbers.

        The ramp is at `start` at t = 0 and goes on at `speed` (per second) or `rpm` (turns a
        minute), with an `acceleration` (per second squared); angles in rad, lengths in the
        builder's units. With a `name`, "name.torque" (or force) and "name.power" are read off a
        trajectory.
        """
        refuse_unmeasured("a drive", measure)
        if any(d.gauge.name == measure.name for d in self._drives):
            raise DuplicateName(
                f"{measure.name!r} is driven already: one drive per measure.", name=measure.name
            )
        with about(f"the drive on {measure.name!r}"):
            ramp = (start, speed, rpm, acceleration)
            self._drives.append(Drive(measure, law_of(measure, self.units, law, *ramp), name))

    def rate(self, measure: Gauge, value: Number) -> None:
        """A simulation starts with the rate `value` (1/s) of `measure`, as far as joints allow."""
        refuse_unmeasured("a rate", measure)
        plain = self.units if measure.unit == "m" else "rad"
        with about(f"the rate of {measure.name!r}"):
            number = in_si(value, f"{measure.unit}/s", f"{plain}/s")
        self._rates[measure.name] = StartRate(measure, number)

    def output(self, what: Any, *words: str, name: str = "", unit: str = "") -> None:
        """Have tables show `what`, and nothing that was not asked for.

        A part with all that is read off it (`rod`), some of it in `words` (`hinge, "force"`), any
        name, or a formula of names under a `name` of its own, its result in an SI `unit`.
        """
        from kempe.readings.registry import output_of

        self._outputs += output_of(what, words, name, unit)

    # -- changes -----------------------------------------------------------------------------

    def remove(self, *names: str) -> None:
        """Take away the parts of these `names`; a drive goes by its measure's name."""
        model = self.build().model
        for name in names:
            model = removed(model, name)
        self._take(model)

    def replace(self, name: str, part: Part) -> None:
        """Put `part`, a body, joint, coupler or drive, in the place of the one called `name`.

        It is called so, too, unless it has a name of its own.
        """
        self._take(replaced(self.build().model, name, part))

    def rename(self, names: Mapping[str, str]) -> None:
        """Call parts otherwise, everywhere they are mentioned: `names` are {"old": "new"}."""
        self._take(renamed(self.build().model, dict(names)))

    def reattach(self, joint: str, *, I: Marker | None = None, J: Marker | None = None) -> None:
        """Move the end `I` or `J` of a `joint` to another place, on its body or another."""
        ends = {end: marker_of(m) for end, m in (("I", I), ("J", J)) if m is not None}
        self._take(reattached(self.build().model, joint, ends))

    def build(self) -> Mechanism:
        """The frozen mechanism; nothing is solved yet."""
        return Mechanism(
            Model(
                name=self.name,
                plane=self.plane,
                bodies=tuple(self._bodies.values()),
                joints=tuple(self._joints.values()),
                drives=tuple(self._drives),
                couplers=tuple(self._couplers.values()),
                forces=tuple(self._forces.values()),
                events=tuple(self._events.values()),
                gauges=tuple(self._gauges),
                rates=tuple(self._rates.values()),
                outputs=tuple(self._outputs),
                gravity=self.gravity,
                length_unit=self.units,
            )
        )

    def add_point(self, body: str, name: str, place: Sequence[Number]) -> Marker:
        """A point called `name` at a `place` in the axes of a `body` that is there already."""
        known = self._bodies.get(body)
        if known is None:
            raise UnknownName(f"{body!r} takes no named points: use {body}.at(x, y).")
        if name in known.points:
            raise DuplicateName(f"body {body!r} has a point {name!r} already.", name=name)
        points = {**known.points, **self._places(body, {name: place})}
        self._bodies[body] = replace(known, points=points)
        return self._bodies[body].marker(name)

    def known_body(self, name: str) -> Body | None:
        """The body called `name`; None for the ground."""
        return self._bodies.get(name)

    def length(self, value: Number) -> float:
        """The length `value`, a number in the builder's units or text with one, in m."""
        return in_si(value, "m", self.units)

    def triple(self, point: Sequence[Number]) -> tuple[float, float, float]:
        """The 2 or 3 coordinates of `point`, numbers in the builder's units or texts, in m."""
        return point_of(point, self.units)

    def _places(self, body: str, points: Points) -> dict[str, tuple[float, float, float]]:
        return {name: point_of(p, self.units, name, body) for name, p in (points or {}).items()}

    def watch(self, gauge: Gauge) -> None:
        """Have the measure `gauge` read under its name."""
        self._refuse_taken(gauge.name)
        self._gauges.append(gauge)

    def _named(self, part: P, name: str) -> P:
        """The part under `name`, else its own, else a fresh one from its class."""
        name = name or part.name or self._fresh(type(part).__name__.lower())
        self._refuse_taken(name)
        return replace(part, name=name)

    def _fresh(self, word: str) -> str:
        k = self._numbers.get(word, 0) + 1
        while self._is_taken(f"{word}{k}"):
            k += 1
        self._numbers[word] = k
        return f"{word}{k}"

    def _is_taken(self, name: str) -> bool:
        return name == GROUND or any(
            name in parts
            for parts in (
                self._bodies,
                self._joints,
                self._couplers,
                self._forces,
                self._events,
            )
        )

    def _refuse_taken(self, name: str) -> None:
        refuse_unreadable(name)
        if self._is_taken(name):
            raise DuplicateName(f"there is a part called {name!r} already.", name=name)
