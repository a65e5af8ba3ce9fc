"""What a mechanism's parts are called: the names that trajectories and drives know."""

from functools import lru_cache

from kempe.compile.trace.planar_reading import changes_in_the_plane
from kempe.geometry import GROUND, Marker, X, Y, Z
from kempe.measures import Coordinate, Gauge, Turn
from kempe.model import Model


@lru_cache(maxsize=64)
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
    coupled = [gauge for coupler in model.couplers for gauge in coupler.gauges]
    coupled += [gauge for force in model.forces for gauge in force.gauges]
    coupled += [rate.gauge for rate in model.rates]
    for gauge in (*model.gauges, *(d.gauge for d in model.drives), *coupled):
        gauges.setdefault(gauge.name, gauge)
    return points, gauges


def points_by_name(model: Model) -> dict[str, Marker]:
    """Bodies' origins and their points of interest."""
    return _named(model)[0]


def gauges_by_name(model: Model) -> dict[str, Gauge]:
    """Coordinates and angles of bodies, freedoms of joints, driven measures."""
    return _named(model)[1]
