"""Racks and cams as their couplers imply them: outlines on the bodies that carry them."""

import math

import numpy as np
from numpy.typing import NDArray

from kempe.couplers import CamLaw, RackAndPinion
from kempe.draw import Disc, Polygon, Shape
from kempe.draw.scene.shapes import perpendiculars
from kempe.drives import AbstractLaw
from kempe.errors import KempeError
from kempe.geometry import GROUND, Marker, Pose
from kempe.measures import Coordinate, Displacement, Gauge, Turn

FloatArray = NDArray[np.float64]
Placed = tuple[Marker, Shape]

SQUARE = 1e-6  # cosine of the angle between axes that count as square to each other
TEETH = 20  # of a pinion, which is known by its radius alone; its rack is one turn long
ADDENDUM, DEDENDUM, BACK = 0.9, 1.1, 3.0  # of a rack, from its pitch line, in modules
TOP, FOOT = 0.13, 0.36  # half a tooth's width at its top and foot, in pitches
CAM_CORNERS = 144
CLOSED = 1e-6  # of a cam's size: a law that comes back by this after a turn closes the cam
SLENDEREST = 0.02  # least radius of a cam over its largest


def along(gauge: Gauge, X_WI: Pose) -> FloatArray | None:
    """The direction (3,) in the world of what a gauge reads along a straight line."""
    if isinstance(gauge.measure, Displacement):
        return np.array(X_WI.axis(gauge.measure.axis), dtype=float)
    if isinstance(gauge.measure, Coordinate):
        return np.asarray(np.eye(3)[gauge.measure.axis.value])
    return None


def in_body(X_WB: Pose, points: FloatArray) -> FloatArray:
    """Points (m, 3) of the world in a body's frame."""
    R = np.array(X_WB.rotation.matrix(), dtype=float)
    return np.asarray((points - np.array(X_WB.position, dtype=float)) @ R)


def rack_and_pinion(
    coupler: RackAndPinion, frames: tuple[Pose, Pose, Pose], bodies: tuple[Pose, Pose]
) -> list[Placed]:
    """A pinion with teeth and the rack in its mesh.

    `frames` are those of the rack's base, of the pinion's and of the pinion; `bodies` are those of
    rack and pinion. A rim that turns about z moves along d at c = O + radius d x z.
    """
    slide, spin = coupler.gauges
    X_WI, X_base, X_pinion = frames
    d, z = along(slide, X_WI), np.array(X_base.rotation.z, dtype=float)
    if d is None or abs(float(d @ z)) > SQUARE or not isinstance(spin.measure, Turn):
        return []
    side = np.cross(d, z) * math.copysign(1.0, coupler.radius)
    wheel, phase = _pinion(spin.J, abs(coupler.radius), bodies[1], side)
    if slide.J.body == GROUND:
        return [(spin.J, wheel)]
    contact = np.array(X_pinion.position, dtype=float) + abs(coupler.radius) * side
    corners = _rack(coupler.radius, phase)
    outline = contact + np.outer(corners[:, 0], d) - np.outer(corners[:, 1], side)
    return [
        (slide.J, Polygon(in_body(bodies[0], outline).tolist(), rim=False)),
        (spin.J, wheel),
    ]


def _pinion(marker: Marker, radius: float, X_WB: Pose, side: FloatArray) -> tuple[Disc, float]:
    """The wheel, and by how much its nearest tooth stands before the contact (rad)."""
    axis = np.array(marker.rotation.z, dtype=float)
    x, y = perpendiculars(axis)
    seen = np.array(X_WB.rotation.matrix(), dtype=float).T @ side
    contact = math.atan2(float(seen @ y), float(seen @ x))
    x_axis, y_axis, z_axis = axis.tolist()
    wheel = Disc(marker.position, radius, (x_axis, y_axis, z_axis), TEETH)
    return wheel, math.remainder(-contact, math.tau / TEETH)


def _rack(radius: float, phase: float) -> FloatArray:
    """Corners (m, 2) of a rack: along its pitch line from the contact, and towards the pinion."""
    module = 2.0 * abs(radius) / TEETH
    pitch = math.pi * module
    corners = []
    for k in range(-(TEETH // 2), TEETH // 2):
        middle = radius * phase + (k + 0.5) * pitch
        for share, height in ((-FOOT, -DEDENDUM), (-TOP, ADDENDUM), (TOP, ADDENDUM)):
            corners.append((middle + share * pitch, height * module))
        corners.append((middle + FOOT * pitch, -DEDENDUM * module))
    ends = corners[0][0], corners[-1][0]
    return np.array([*corners, (ends[1], -BACK * module), (ends[0], -BACK * module)])


def _values(law: AbstractLaw, angles: FloatArray) -> FloatArray:
    """What a law gives at angles; nan where it has no value."""
    try:
        with np.errstate(all="ignore"):
            return np.array([float(law.value(float(a))) for a in angles])
    except (KempeError, ArithmeticError):
        return np.full(len(angles), math.nan)


def cam(coupler: CamLaw, frames: tuple[Pose, Pose, Pose, Pose], X_WB: Pose) -> list[Placed]:
    """The outline of a turning cam under a knife edge that moves on a straight line.

    `frames` are those of the cam's base, the cam, the follower's base and the follower, X_WB is
    the cam's body. Seen from the cam, the edge F goes to R(-(a - a_0)) (F_0 + (f(a) - f(a_0)) d).
    A law that does not come back after a turn, or a follower that swings, has no such outline.
    """
    turn, slide = coupler.gauges
    X_base, X_cam, X_WI, X_follower = frames
    d, z = along(slide, X_WI), np.array(X_base.rotation.z, dtype=float)
    law = coupler.law
    if d is None or not isinstance(turn.measure, Turn) or not isinstance(law, AbstractLaw):
        return []
    if abs(float(d @ z)) > SQUARE or turn.J.body == GROUND:
        return []
    start = turn.measure.number(X_base, X_cam)
    angles = start + np.linspace(0.0, math.tau, CAM_CORNERS + 1)
    lift = _values(law, angles)
    centre = np.array(X_cam.position, dtype=float)
    edge = np.array(X_follower.position, dtype=float) - centre
    way = edge - z * (z @ edge) + np.outer(lift - lift[0], d)
    size = np.linalg.norm(way, axis=1)
    if not np.isfinite(size).all() or abs(lift[-1] - lift[0]) > CLOSED * size.max():
        return []
    if size.min() < SLENDEREST * size.max():
        return []
    back = start - angles
    turned = np.cos(back)[:, None] * way + np.sin(back)[:, None] * np.cross(z, way)
    return [(turn.J, Polygon(in_body(X_WB, centre + turned[:-1]).tolist(), rim=False))]
