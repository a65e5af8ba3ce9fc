"""Wheels, racks and cams as couplers imply them: how large they are, for the picture.

A coupler knows the ratio of its wheels, and the bodies' poses the distance of their axles; both
together give the pitch circles.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.couplers import AbstractCoupler, Belt, CamLaw, GearPair, RackAndPinion
from kempe.draw import Disc, Polygon, Shape
from kempe.draw.scene.shapes import PRESSURE_ANGLE, perpendiculars
from kempe.drives import AbstractLaw
from kempe.errors import KempeError
from kempe.geometry import GROUND, Marker, Pose
from kempe.kinematics.closing.placement import body_pose
from kempe.measures import Back, Bearing, Coordinate, Displacement, Gauge, Turn

FloatArray = NDArray[np.float64]
SQUARE = 1e-6  # cosine of the angle between axes that count as square to each other
MOST_TEETH = 120  # more are drawn as a plain wheel
RING_CORNERS = 60
RING_WIDTH = 0.12  # of a ring's pitch radius
RING_BACK = 2.5  # modules from its pitch circle to its outside, at least
Placed = tuple[Marker, Shape]
TEETH = 20  # of a pinion, which is known by its radius alone; its rack is one turn long
ADDENDUM, DEDENDUM, BACK = 0.9, 1.1, 3.0  # of a rack, from its pitch line, in modules
TOP, FOOT = 0.13, 0.36  # half a tooth's width at its top and foot, in pitches
CAM_CORNERS = 144
CLOSED = 1e-6  # of a cam's size: a law that comes back by this after a turn closes the cam
SLENDEREST = 0.02  # least radius of a cam over its largest


@final
@dataclass(slots=True)
class _Moment:
    """Where the wheels stand, and how far each one's teeth are turned on its body."""

    layout: Layout
    q: FloatArray
    phases: dict[str, float] = field(default_factory=dict)  # rad, by body

    def body(self, marker: Marker) -> Pose:
        return body_pose(self.layout, self.q, marker.body)

    def pose(self, marker: Marker) -> Pose:
        return self.body(marker) @ marker.pose

    def place(self, marker: Marker) -> FloatArray:
        return np.array(self.pose(marker).position, dtype=float)

    def z_axis(self, marker: Marker) -> FloatArray:
        return np.array(self.pose(marker).rotation.z, dtype=float)


def wheels(layout: Layout, q: FloatArray) -> dict[str, tuple[Shape, ...]]:
    """Pitch circles and teeth by the names of the bodies that carry them, as they mesh at q."""
    found: dict[str, list[Shape]] = {}
    moment = _Moment(layout, q)
    for coupler in layout.model.couplers:
        for marker, shape in _wheels(coupler, moment):
            mine = found.setdefault(marker.body, [])
            if not any(_is_same(shape, known) for known in mine):
                mine.append(shape)
    return {body: tuple(shapes) for body, shapes in found.items() if body != GROUND}


def _is_same(a: Shape, b: Shape) -> bool:
    if isinstance(a, Disc) and isinstance(b, Disc):  # whatever teeth they have
        return a.centre == b.centre and math.isclose(a.radius, b.radius)
    alike = type(a) is type(b) and a.corners.shape == b.corners.shape
    return alike and bool(np.allclose(a.corners, b.corners, rtol=1e-9, atol=0.0))


@singledispatch
def _wheels(coupler: AbstractCoupler, moment: _Moment) -> list[Placed]:
    """The wheels a coupler implies; none, unless its kind says so."""
    return []


def _centres(gauges: Sequence[Gauge]) -> tuple[Marker, Marker] | None:
    """The markers on two wheels' axles, from their turns or from the bearings of each other."""
    first, second = gauges[:2]
    if isinstance(first.measure, Turn) and isinstance(second.measure, Turn):
        return first.J, second.J
    if isinstance(first.measure, Back) and isinstance(first.measure.measure, Bearing):
        return first.J, first.I
    return None


@_wheels.register
def _(coupler: GearPair, moment: _Moment) -> list[Placed]:
    centres = _centres(coupler.gauges)
    if centres is None:
        return []
    a, b = centres
    X_a, X_b = moment.pose(a), moment.pose(b)
    distance = float((X_b.position - X_a.position).norm)
    is_bevel = abs(float(X_a.rotation.z @ X_b.rotation.z)) < SQUARE
    n_a, n_b = coupler.teeth
    spur = abs(n_a - n_b) if coupler.internal else n_a + n_b
    whole = math.hypot(n_a, n_b) if is_bevel else spur
    if not (distance > 0.0 and whole > 0.0):
        return []
    r_a, r_b = (distance * n / whole for n in (n_a, n_b))
    if coupler.internal and not is_bevel:
        (ring, r), (wheel, s, n) = (
            ((a, r_a), (b, r_b, n_b)) if n_a > n_b else ((b, r_b), (a, r_a, n_a))
        )
        phase = moment.phases.setdefault(wheel.body, 0.0)
        around = _ring_phase(moment.pose(ring), moment.pose(wheel), (max(n_a, n_b), n), phase)
        around = moment.phases.setdefault(ring.body, around)
        rim = _ring(ring, r, max(n_a, n_b), around)
        return [(ring, rim), (wheel, _disc(wheel, s, n, phase))]
    first = moment.phases.setdefault(a.body, 0.0)
    if b.body not in moment.phases:
        meshing = 0.0 if is_bevel else _meshing(X_a, X_b, coupler.teeth, first)
        moment.phases[b.body] = meshing
    return [(a, _disc(a, r_a, n_a, first)), (b, _disc(b, r_b, n_b, moment.phases[b.body]))]


@_wheels.register
def _(coupler: Belt, moment: _Moment) -> list[Placed]:
    a, b = (gauge.J for gauge in coupler.gauges[:2])
    distance = float((moment.pose(b).position - moment.pose(a).position).norm)
    if not max(coupler.radii) < distance:  # numbers of teeth, or no belt at all
        return []
    return [(J, _disc(J, r, 0.0, 0.0)) for J, r in zip((a, b), coupler.radii, strict=True)]


@_wheels.register
def _(coupler: RackAndPinion, moment: _Moment) -> list[Placed]:
    """A pinion with teeth and the rack in its mesh.

    A rim that turns about z moves along d at c = O + radius d x z.
    """
    slide, spin = coupler.gauges
    d, z = _along(slide, moment.pose(slide.I)), moment.z_axis(spin.I)
    if d is None or abs(float(d @ z)) > SQUARE or not isinstance(spin.measure, Turn):
        return []
    side = np.cross(d, z) * math.copysign(1.0, coupler.radius)
    wheel, phase = _pinion(spin.J, abs(coupler.radius), moment.body(spin.J), side)
    if slide.J.body == GROUND:
        return [(spin.J, wheel)]
    contact = moment.place(spin.J) + abs(coupler.radius) * side
    corners = _rack(coupler.radius, phase)
    outline = contact + np.outer(corners[:, 0], d) - np.outer(corners[:, 1], side)
    return [(slide.J, _plate(moment.body(slide.J), outline)), (spin.J, wheel)]


@_wheels.register
def _(coupler: CamLaw, moment: _Moment) -> list[Placed]:
    """The outline of a turning cam under a knife edge that moves on a straight line.

    Seen from the cam, the edge F goes to R(-(a - a_0)) (F_0 + (f(a) - f(a_0)) d). A law that does
    not come back after a turn, or a follower that swings, has no such outline.
    """
    turn, slide = coupler.gauges
    d, z = _along(slide, moment.pose(slide.I)), moment.z_axis(turn.I)
    law = coupler.law
    if d is None or not isinstance(turn.measure, Turn) or not isinstance(law, AbstractLaw):
        return []
    if abs(float(d @ z)) > SQUARE or turn.J.body == GROUND:
        return []
    start = turn.measure.number(moment.pose(turn.I), moment.pose(turn.J))
    angles = start + np.linspace(0.0, math.tau, CAM_CORNERS + 1)
    lift = _values(law, angles)
    centre = moment.place(turn.J)
    edge = moment.place(slide.J) - centre
    way = edge - z * (z @ edge) + np.outer(lift - lift[0], d)
    size = np.linalg.norm(way, axis=1)
    if not np.isfinite(size).all() or abs(lift[-1] - lift[0]) > CLOSED * size.max():
        return []
    if size.min() < SLENDEREST * size.max():
        return []
    back = start - angles
    turned = np.cos(back)[:, None] * way + np.sin(back)[:, None] * np.cross(z, way)
    return [(turn.J, _plate(moment.body(turn.J), centre + turned[:-1]))]


def _disc(marker: Marker, radius: float, teeth: float, phase: float) -> Disc:
    """A wheel on the marker's axis; with teeth where their number is one."""
    count = int(teeth) if teeth == int(teeth) and 4 <= teeth <= MOST_TEETH else 0
    x, y, z = (float(c) for c in marker.rotation.z)
    return Disc(marker.position, radius, (x, y, z), count, phase)


def _ring(marker: Marker, radius: float, teeth: float, phase: float) -> Polygon:
    """A ring with internal teeth: round outside, and a hole with the teeth's gaps in it.

    `phase` (rad) turns the middle of a gap away from the marker's x axis.
    """
    count = int(teeth) if teeth == int(teeth) and 4 <= teeth <= MOST_TEETH else 0
    module = 2.0 * radius / count if count else 0.0
    outer = radius + max(RING_WIDTH * radius, RING_BACK * module)
    rims = [_polar(np.full(RING_CORNERS, outer), math.tau * np.arange(RING_CORNERS) / RING_CORNERS)]
    if count:
        high, low = radius - module, radius + 1.25 * module
        half = 0.25 * math.tau / count
        flank = half * np.array([-1.0, -1.0, 1.0, 1.0])
        lean = module * math.tan(PRESSURE_ANGLE) / radius
        flank = flank + lean * np.array([-1.0, 1.25, -1.25, 1.0])
        middles = phase + math.tau * np.arange(count) / count
        radii = np.tile([high, low, low, high], count)
        rims.append(_polar(radii, (middles[:, None] + flank).ravel()))
    else:
        rims.append(rims[0] * radius / outer)
    R, centre = marker.rotation.matrix(), np.array(marker.position, dtype=float)
    whole, hole = (centre + rim @ R.T for rim in rims)
    return Polygon(whole.tolist(), rim=False, holes=[hole[::-1].tolist()])


def _polar(radii: FloatArray, angles: FloatArray) -> FloatArray:
    flat = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(len(angles))])
    return np.asarray(radii[:, None] * flat)


def _ring_phase(X_r: Pose, X_w: Pose, teeth: tuple[float, float], phase: float) -> float:
    """The phase (rad) of a ring at which a tooth of the wheel inside it lies in a gap.

    A tooth of the wheel stands d off the line of axles; on the ring, which turns the same way, a
    gap must stand d n_w / n_r off it.
    """
    n_r, n_w = teeth
    way = X_w.position - X_r.position
    seen = [X.rotation.inverse().apply(way) for X in (X_r, X_w)]
    at_ring, at_wheel = (math.atan2(float(p.y), float(p.x)) for p in seen)
    d = math.remainder(phase - at_wheel, math.tau / n_w)
    return at_ring + d * n_w / n_r


def _meshing(X_a: Pose, X_b: Pose, teeth: tuple[float, float], phase: float) -> float:
    """The phase (rad) at which a tooth of b lies in a gap of a, on the line of their axles.

    In the directions as seen from a: u towards b. A tooth of a stands d off u; one of b must stand
    half a pitch further along the circle of a, which is backwards on its own.
    """
    n_a, n_b = teeth
    towards = X_a.rotation.inverse().apply(X_b.position - X_a.position)
    u = math.atan2(float(towards.y), float(towards.x))
    pitch = math.tau / n_a
    d = math.remainder(phase - u, pitch)
    x = X_b.rotation.inverse().apply(X_a.rotation.apply(-towards))
    back = math.atan2(float(x.y), float(x.x))
    return back - (d + 0.5 * pitch) * n_a / n_b


def _along(gauge: Gauge, X_WI: Pose) -> FloatArray | None:
    """The direction (3,) in the world of what a gauge reads along a straight line."""
    if isinstance(gauge.measure, Displacement):
        return np.array(X_WI.axis(gauge.measure.axis), dtype=float)
    if isinstance(gauge.measure, Coordinate):
        return np.asarray(np.eye(3)[gauge.measure.axis.value])
    return None


def _plate(X_WB: Pose, points: FloatArray) -> Polygon:
    """The plate of a body with these corners (m, 3) in the world."""
    R = np.array(X_WB.rotation.matrix(), dtype=float)
    corners = (points - np.array(X_WB.position, dtype=float)) @ R
    return Polygon(corners.tolist(), rim=False)


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
