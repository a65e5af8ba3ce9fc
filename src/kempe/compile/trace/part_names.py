"""What a mechanism's parts are called: the names that trajectories and drives know.

In the plane only those measures have names that some motion changes.
"""

from collections.abc import Hashable, Iterator
from functools import lru_cache

from kempe.algebra import Expression, sparse_jacobian
from kempe.compile.layout.charts import PLANAR
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.numbers import LETTERS, LIFTED, in_plane, marker_numbers, pattern
from kempe.compile.trace.inputs import Inputs
from kempe.errors import DuplicateName, UnknownName, nearest_name
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector, X, Y, Z
from kempe.measures import AbstractMeasure, Coordinate, Gauge, Turn, Wrapped
from kempe.model import Model
from kempe.names import refuse_no_texts

MODELS = 8  # whose names are remembered: each keeps its whole model, of hundreds of bodies maybe


@lru_cache(maxsize=MODELS)
def _named(model: Model) -> tuple[dict[str, Marker], dict[str, Gauge]]:
    points: dict[str, Marker] = {}
    gauges: dict[str, Gauge] = {}
    ground = Marker(GROUND)
    for body in model.bodies:
        origin = Marker(body.name)
        points[body.name] = origin
        for point in body.points:
            points[f"{body.name}.{point}"] = body.marker(point)
        for word, axis in (("x", X), ("y", Y), ("z", Z)):
            if not (model.plane and axis is Z):
                name = f"{body.name}.{word}"
                gauges.setdefault(name, Gauge(name, Coordinate(axis), ground, origin))
        name = f"{body.name}.angle"
        gauges[name] = Gauge(name, Turn(Z), ground, origin)
    for joint in model.joints:
        for measure in joint.measures:
            if model.plane and not changes_in_the_plane(measure, joint.I, joint.J):
                continue
            name = f"{joint.name}.{measure.word}"
            gauges[name] = Gauge(name, measure, joint.I, joint.J)
    for gauge in _mentioned(model):
        gauges.setdefault(gauge.name, gauge)
    return points, gauges


def _mentioned(model: Model) -> Iterator[Gauge]:
    """Measures that somebody made: to be read, driven, coupled or pulled along."""
    yield from model.gauges
    yield from (drive.gauge for drive in model.drives)
    yield from (gauge for coupler in model.couplers for gauge in coupler.gauges)
    yield from (gauge for force in model.forces for gauge in force.gauges)
    yield from (gauge for event in model.events for gauge in event.gauges)
    yield from (rate.gauge for rate in model.rates)


def refuse_two_measures(model: Model) -> None:
    """A DuplicateName where what is read or driven is called as another measure, or as a point.

    A drive may measure between other places of the same bodies, as where a whole scene was moved.
    """
    points, gauges = _named(model)
    driven = {drive.gauge for drive in model.drives}
    for gauge in (*model.gauges, *driven):
        other = gauges[gauge.name]
        is_moved = gauge in driven and (
            (gauge.I.body, gauge.J.body, gauge.measure)
            == (other.I.body, other.J.body, other.measure)
        )
        if gauge.name in points or (other != gauge and not is_moved):
            raise DuplicateName(
                f"two measures or points are called {gauge.name!r}: call the measure that is not"
                " read off a body or a joint otherwise.",
                name=gauge.name,
            )


def points_by_name(model: Model) -> dict[str, Marker]:
    """Bodies' origins and their points of interest."""
    return _named(model)[0]


def gauges_by_name(model: Model) -> dict[str, Gauge]:
    """Coordinates and angles of bodies, freedoms of joints, driven measures."""
    return _named(model)[1]


def measure_named(model: Model, name: str, purpose: str = "") -> Gauge:
    """The measure that a name means; UnknownName, with the `purpose` it was named for, if none."""
    refuse_no_texts([name])
    gauges = gauges_by_name(model)
    if name not in gauges:
        near = nearest_name(name, [n for n in gauges if not n.startswith(f"{GROUND}.")])
        what = f"{name!r} to {purpose}" if purpose else f"measure {name!r}"
        raise UnknownName(f"there is no {what}.{near}", name=name)
    return gauges[name]


ENDS = Coordinates(PLANAR, 2)
VALUES = {letter: value for value, letter in LETTERS.items()}


def changes_in_the_plane(measure: AbstractMeasure, I: Marker, J: Marker) -> bool:
    """Whether any motion in the plane changes the measure, by structure and not by chance.

    A ball's turn about an axis in the plane, for example, does not.
    """
    if not isinstance(measure, Hashable):
        return True
    ends = tuple((m.body != GROUND, pattern(marker_numbers(in_plane(m)))) for m in (I, J))
    return _changes(measure, *ends)


@lru_cache(maxsize=4096)
def _changes(measure: AbstractMeasure, first: tuple[bool, str], second: tuple[bool, str]) -> bool:
    inputs, seeds, poses = Inputs.fresh(0, 0), dict[int, dict[int, Expression]](), []
    for k, (rides, letters) in enumerate((first, second)):
        X_WM = _marker_pose(inputs, letters)
        if rides:
            frame = PLANAR.frame_inputs(inputs.graph, f"frame{k}_")
            seeds |= PLANAR.seeds(frame, ENDS.v_of(k).start)
            X_WM = PLANAR.pose(frame) @ X_WM
        poses.append(X_WM)
    value = measure.value(*poses)
    angle = value.angle if isinstance(value, Wrapped) else value
    return bool(sparse_jacobian([0.0 * inputs.t + angle], seeds)[0])


def _marker_pose(inputs: Inputs, letters: str) -> Pose:
    numbers = [
        inputs.parameter() if letter == LIFTED else inputs.number(VALUES[letter])
        for letter in letters
    ]
    place, turn = Vector(*numbers[:3]), numbers[3:]
    if len(turn) == 3:
        return Pose(place, Rotation.from_cosine_sine(*turn))
    x, y, z = (Vector(*turn[k : k + 3]) for k in (0, 3, 6))
    return Pose(place, Rotation(x, y, z))
