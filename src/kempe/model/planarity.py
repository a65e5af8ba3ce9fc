"""What a planar mechanism refuses: what leaves its plane, and what could do nothing in it."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any
from weakref import WeakValueDictionary

from kempe.errors import BadConnection
from kempe.events import AbstractEvent
from kempe.forces import AbstractContact, AbstractForce, AbstractLoad, Instant, Observed
from kempe.geometry import GROUND, Marker, Pose, Rotation, Twist, Vector
from kempe.joints import AbstractJoint
from kempe.measures import Gauge
from kempe.model.body import Body

ADVICE = "Turn its markers or choose another direction, or build with plane=False."
# x and y (m) and angle (rad) of up to two bodies, far from any symmetry; times (s) of loads.
PLACES = ((0.31, -0.72, 0.83), (-0.94, 0.47, -1.71), (0.58, 0.69, 2.53))
MOVES = ((0.05, 0.0, 0.0), (0.0, 0.05, 0.0), (0.0, 0.0, 0.05))
TIMES = (0.0, 0.37, 1.93, 11.7)
SAME = 1e-14  # of a reading beside 1: rounding
ROUNDED = 1e-12  # of what acts across the plane, where a marker was turned into it

_at_work: WeakValueDictionary[int, AbstractForce] = WeakValueDictionary()  # that were looked at


def stay_in_the_plane(bodies: Iterable[Body], joints: Iterable[AbstractJoint]) -> None:
    """A BadConnection where a point, a joint or a curve lies off the plane."""
    for body in bodies:
        for name, point in body.points.items():
            if point[2] != 0.0:
                raise BadConnection(
                    f"point {name!r} of body {body.name!r} lies {point[2]:g} m off the plane of a"
                    " planar mechanism: make its third coordinate 0, or build with plane=False."
                )
    for joint in joints:
        for marker in joint.markers:
            if marker.position[2] != 0.0:
                raise BadConnection(
                    f"joint {joint.name!r} lies {marker.position[2]:g} m off the plane of a planar"
                    " mechanism: make its third coordinate 0, or build with plane=False."
                )
        for constraint in joint.constraints:
            curve = getattr(constraint, "curve", None)
            if curve is not None and not curve.is_planar:
                raise BadConnection(
                    f"the curve of joint {joint.name!r} leaves the plane of a planar mechanism:"
                    " make its third coordinate 0, or build with plane=False."
                )


def work_in_the_plane(forces: Iterable[AbstractForce], events: Iterable[AbstractEvent]) -> None:
    """A BadConnection where a force or an event could do nothing, as its direction is across."""
    for force in forces:
        if _at_work.get(id(force)) is force:
            continue
        _refuse_idle(f"force {force.name!r}", force.acts_along)
        if isinstance(force, AbstractContact) and _is_across(force):
            raise BadConnection(
                f"force {force.name!r} can do nothing in the plane: its surfaces are as near"
                f" whatever the bodies do, as their normal lies across the plane. {ADVICE}",
                force=force.name,
            )
        if isinstance(force, AbstractLoad) and _loads_across(force):
            raise BadConnection(
                f"force {force.name!r} can do nothing in the plane: all its forces act across it,"
                f" and its torques about axes that lie in it. {ADVICE}",
                force=force.name,
            )
        _at_work[id(force)] = force
    for event in events:
        _refuse_idle(f"event {event.name!r}", event.gauges)


def _refuse_idle(who: str, gauges: Iterable[Gauge]) -> None:
    for gauge in gauges:
        if is_idle(gauge):
            raise BadConnection(
                f"{who} can do nothing in the plane: its measure {gauge.name!r} is the same"
                f" whatever the bodies do. {ADVICE}",
                measure=gauge.name,
            )


@lru_cache(maxsize=4096)
def is_idle(gauge: Gauge) -> bool:
    """Whether a measure between two bodies reads the same wherever they are in the plane."""
    return gauge.I.body != gauge.J.body and _is_constant(
        lambda X: [gauge.measure.number(*X)], (gauge.I, gauge.J)
    )


def _is_across(contact: AbstractContact) -> bool:
    return _is_constant(lambda X: [float(one.gap) for one in contact.touches(*X)], contact.markers)


def _is_constant(read: Any, markers: tuple[Marker, ...]) -> bool:
    """Whether small moves of the bodies of markers in the plane change nothing that is read."""
    try:
        return not _changes(read, markers)
    except Exception:  # somebody's own formula has no value there: it is traced later, and told
        return False


def _changes(read: Any, markers: tuple[Marker, ...]) -> bool:
    names = list(dict.fromkeys(m.body for m in markers if m.body != GROUND))
    for k in range(len(PLACES)):
        places = {name: PLACES[(k + n) % len(PLACES)] for n, name in enumerate(names)}
        before = read(_poses(places, markers))
        for moved in _moved(places):
            after = read(_poses(moved, markers))
            if any(
                not abs(b - a) <= SAME * (1.0 + abs(a)) for a, b in zip(before, after, strict=True)
            ):
                return True
    return False


def _moved(
    places: dict[str, tuple[float, float, float]],
) -> Iterator[dict[str, tuple[float, float, float]]]:
    for name, (x, y, angle) in places.items():
        for dx, dy, turn in MOVES:
            yield {**places, name: (x + dx, y + dy, angle + turn)}


def _poses(
    places: dict[str, tuple[float, float, float]], markers: tuple[Marker, ...]
) -> tuple[Pose, ...]:
    """X_WM of the markers, their bodies at these places of the plane."""
    frames = {
        name: Pose(Vector(x, y, 0.0), Rotation.planar(angle))
        for name, (x, y, angle) in places.items()
    }
    return tuple(frames[m.body] @ m.pose if m.body in frames else m.pose for m in markers)


def _loads_across(load: AbstractLoad) -> bool:
    """Whether a load pushes, and never in the plane: as far as a few places and times tell."""
    names = list(dict.fromkeys(m.body for m in load.markers if m.body != GROUND))
    places = {name: PLACES[n % len(PLACES)] for n, name in enumerate(names)}
    X = _poses(places, load.markers)
    still = Twist(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0))
    gauges = tuple(Observed(0.37 + 0.1 * k, 0.53) for k in range(len(load.gauges)))
    across = 0.0
    for t in TIMES:
        try:
            on = load.action(Instant(t, X, (still,) * len(X), gauges)).wrenches[0]
            f, m = ([float(c) for c in part] for part in (on.force, on.torque))
        except Exception:  # a formula has no value there: it is traced later, and told
            return False
        across = max(across, abs(f[2]), abs(m[0]), abs(m[1]))
        if not max(abs(f[0]), abs(f[1]), abs(m[2])) <= ROUNDED * across:
            return False
    return across > 0.0
