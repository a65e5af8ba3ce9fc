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
from kempe.draw import Disc, Polyline, Shape
from kempe.geometry import GROUND, Marker, Pose
from kempe.kinematics.closing.placement import body_pose
from kempe.measures import Back, Bearing, Gauge, Turn
from kempe.pictures.racks_and_cams import Placed, cam, rack_and_pinion

FloatArray = NDArray[np.float64]

SQUARE = 1e-6  # cosine of the angle between axes that count as square to each other
MOST_TEETH = 120  # more are drawn as a plain wheel
RING_CORNERS = 60
RING_WIDTH = 0.12  # of a ring's pitch radius


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
        return [*((ring, circle) for circle in _ring(ring, r)), (wheel, _disc(wheel, s, n, phase))]
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
    slide, spin = coupler.gauges
    frames = moment.pose(slide.I), moment.pose(spin.I), moment.pose(spin.J)
    return rack_and_pinion(coupler, frames, (moment.body(slide.J), moment.body(spin.J)))


@_wheels.register
def _(coupler: CamLaw, moment: _Moment) -> list[Placed]:
    turn, slide = coupler.gauges
    ends = (moment.pose(turn.I), moment.pose(turn.J), moment.pose(slide.I), moment.pose(slide.J))
    return cam(coupler, ends, moment.body(turn.J))


def _disc(marker: Marker, radius: float, teeth: float, phase: float) -> Disc:
    """A wheel on the marker's axis; with teeth where their number is one."""
    count = int(teeth) if teeth == int(teeth) and 4 <= teeth <= MOST_TEETH else 0
    x, y, z = (float(c) for c in marker.rotation.z)
    return Disc(marker.position, radius, (x, y, z), count, phase)


def _ring(marker: Marker, radius: float) -> list[Polyline]:
    """A ring with internal teeth: its pitch circle and its outside."""
    angles = np.linspace(0.0, math.tau, RING_CORNERS, endpoint=False)
    across = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(RING_CORNERS)])
    flat = across @ marker.rotation.matrix().T
    centre = np.array(marker.position)
    sizes = (radius, radius * (1.0 + RING_WIDTH))
    return [Polyline((centre + size * flat).tolist(), closed=True) for size in sizes]


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
