"""What a result keeps of the mechanism it is about: enough to name, draw and report it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import final

from kempe.compile.layout.charts import PLANAR, SPATIAL
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import changes_in_the_plane
from kempe.forces import AbstractForce
from kempe.geometry import Marker
from kempe.measures import Distance
from kempe.model import Body, Model, Output

Triple = tuple[float, float, float]


@final
@dataclass(frozen=True, slots=True)
class SubjectFrame:
    """A joint's marker: its body, and its place and axes x, y, z in the body's frame (m)."""

    body: str
    position: Triple
    axes: tuple[Triple, Triple, Triple]


@final
@dataclass(frozen=True, slots=True)
class SubjectBody:
    """A moving body: its named points (m), its first guess, its centre of mass (m, in its axes).

    `estimate` is what the user gave to start from, as coordinates (x, y, angle, or r and a unit
    quaternion); None where kempe placed the body.
    """

    name: str
    points: dict[str, Triple]
    estimate: tuple[float, ...] | None
    centre: Triple = (0.0, 0.0, 0.0)


@final
@dataclass(frozen=True, slots=True)
class SubjectJoint:
    """A joint: its name, the word for its class, the word for its symbol, its two frames.

    `ends` are the frames of further markers, such as the far ends of bars.
    """

    name: str
    kind: str
    symbol: str
    I: SubjectFrame
    J: SubjectFrame
    ends: tuple[SubjectFrame, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class SubjectSpan:
    """What is drawn between two parts: its coupler or driven measure, its symbol, its frames.

    `radii` (m) are those of the wheels that a belt goes round.
    """

    name: str
    symbol: str
    I: SubjectFrame
    J: SubjectFrame
    radii: tuple[float, float]


@final
@dataclass(frozen=True, slots=True)
class SubjectForce:
    """A force: its name, the word for its symbol, what it stretches between.

    An arrow is drawn at J, as long as the force there; other symbols join I and J.
    """

    name: str
    symbol: str
    I: SubjectFrame
    J: SubjectFrame


@final
@dataclass(frozen=True, slots=True)
class SubjectWeight:
    """A body's weight (N, world axes) at its centre of mass, in its frame."""

    body: str
    position: Triple
    pull: Triple


@final
@dataclass(frozen=True, slots=True)
class Subject:
    """The mechanism of a result, as plain data that goes into a file and comes back."""

    name: str
    plane: bool
    length_unit: str  # lengths are shown in it; the data is in SI
    size: float  # of the machine, m
    bodies: tuple[SubjectBody, ...]
    joints: tuple[SubjectJoint, ...]
    shown: tuple[str, ...]  # measures one looks at first: angles, sliders' ways, driven ones
    spans: tuple[SubjectSpan, ...] = ()  # of the couplers, and of driven distances
    outputs: tuple[Output, ...] = ()  # what tables show; all where none is chosen
    forces: tuple[SubjectForce, ...] = ()
    weights: tuple[SubjectWeight, ...] = ()

    @property
    def coordinates(self) -> Coordinates:
        """Where the numbers of every body lie in the samples of the result."""
        return Coordinates(PLANAR if self.plane else SPATIAL, len(self.bodies))

    @property
    def points(self) -> dict[str, tuple[str, Triple]]:
        """Bodies' origins and their points, by name: (body, place in its frame)."""
        found: dict[str, tuple[str, Triple]] = {}
        for body in self.bodies:
            found[body.name] = (body.name, (0.0, 0.0, 0.0))
            for point, place in body.points.items():
                found[f"{body.name}.{point}"] = (body.name, place)
        return found

    @property
    def free_points(self) -> tuple[str, ...]:
        """Named points that no joint holds on to: those somebody wants to look at."""
        held = {(end.body, end.position) for j in self.joints for end in (j.I, j.J, *j.ends)}
        named = ((f"{b.name}.{p}", (b.name, at)) for b in self.bodies for p, at in b.points.items())
        return tuple(name for name, place in named if place not in held)


def subject_of(layout: Layout) -> Subject:
    """The mechanism of a layout as a result keeps it."""
    model = layout.model
    return Subject(
        name=model.name,
        plane=model.plane,
        length_unit=model.length_unit,
        size=layout.size,
        bodies=tuple(_body(layout, body) for body in model.moving),
        joints=tuple(
            SubjectJoint(
                j.name,
                type(j).__name__.lower(),
                j.symbol,
                _frame(j.I),
                _frame(j.J),
                tuple(_frame(m) for m in j.markers if m is not j.I and m is not j.J),
            )
            for j in model.joints
        ),
        shown=_shown(model),
        spans=(
            *(
                SubjectSpan(c.name, s.symbol, _frame(s.I), _frame(s.J), s.radii)
                for c in model.couplers
                for s in c.spans
                if s.I.body != s.J.body
            ),
            *_legs(model),
        ),
        outputs=model.outputs,
        forces=tuple(_force(force) for force in model.forces),
        weights=tuple(_weights(model)),
    )


# What a symbol between two places becomes on a turn.
TURNING = {
    "spring": "spiral",
    "spring_damper": "spiral",
    "damper": "rotary_damper",
    "cylinder": "motor",
    "arrow": "motor",
}


def _force(force: AbstractForce) -> SubjectForce:
    word = force.drawn_as
    if force.acts_on:
        felt = force.acts_on[force.felt_at]
        ends = (felt, felt) if word in ("arrow", "motor") else (force.acts_on[0], felt)
    elif force.gauges[0].unit == "rad":
        word, ends = TURNING.get(word, word), (force.gauges[0].J, force.gauges[0].J)
    else:
        word = "cylinder" if word == "arrow" else word
        ends = force.gauges[0].I, force.gauges[0].J
    return SubjectForce(force.name, word, _frame(ends[0]), _frame(ends[1]))


def _legs(model: Model) -> Iterator[SubjectSpan]:
    """What drives push points of two bodies apart by: legs that nobody modelled as bodies."""
    for drive in model.drives:
        I, J = drive.gauge.I, drive.gauge.J
        if isinstance(drive.gauge.measure, Distance) and I.body != J.body:
            yield SubjectSpan(drive.gauge.name, "cylinder", _frame(I), _frame(J), (0.0, 0.0))


def _weights(model: Model) -> Iterator[SubjectWeight]:
    for body in model.moving if any(model.gravity) else ():
        if body.inertia is not None and body.inertia.mass > 0.0:
            pull = (body.inertia.mass * g for g in model.gravity)
            yield SubjectWeight(body.name, _triple(body.inertia.centre), _triple(pull))


def _shown(model: Model) -> tuple[str, ...]:
    names = []
    if model.plane:
        names += [f"{body.name}.angle" for body in model.moving]
    for joint in model.joints:
        for m in joint.freedom:
            still = model.plane and not changes_in_the_plane(m, joint.I, joint.J)
            is_hinge = not model.plane and len(joint.freedom) == 1
            if (m.unit == "m" or is_hinge) and not still:
                names.append(f"{joint.name}.{m.word}")
    driven = [drive.gauge.name for drive in model.drives]
    return tuple(dict.fromkeys([*(name for name in names if name not in driven), *driven]))


def _body(layout: Layout, body: Body) -> SubjectBody:
    points = {name: _triple(place) for name, place in body.points.items()}
    centre = (0.0, 0.0, 0.0) if body.inertia is None else _triple(body.inertia.centre)
    if body.guess is None:
        return SubjectBody(body.name, points, None, centre)
    estimate = layout.chart.coordinates(body.guess)
    return SubjectBody(body.name, points, tuple(float(c) for c in estimate), centre)


def _frame(marker: Marker) -> SubjectFrame:
    R = marker.rotation
    return SubjectFrame(
        marker.body, _triple(marker.position), (_triple(R.x), _triple(R.y), _triple(R.z))
    )


def _triple(numbers: Iterable[float]) -> Triple:
    x, y, z = (float(c) for c in numbers)
    return x, y, z
