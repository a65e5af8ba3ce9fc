"""Wheels as couplers imply them: how large gears and pulleys are, for the picture.

A coupler knows the ratio of its wheels, and the bodies' poses the distance of their axles; both
together give the pitch circles.
"""

import math
from dataclasses import dataclass, field
from functools import singledispatch
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout import Layout
from kempe.couplers import AbstractCoupler, Belt, GearPair, RackAndPinion
from kempe.draw import Disc, Polyline, Shape
from kempe.geometry import GROUND, Marker, Pose
from kempe.kinematics.poses import body_pose
from kempe.measures import Gauge, Turn

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

    def pose(self, marker: Marker) -> Pose:
        return body_pose(self.layout, self.q, marker.body) @ marker.pose


def wheels(layout: Layout, q: FloatArray) -> dict[str, tuple[Shape, ...]]:
    """Pitch circles and teeth by the names of the bodies that carry them, as they mesh at q."""
    found: dict[str, list[Shape]] = {}
    moment = _Moment(layout, q)
    for coupler in layout.model.couplers:
        turning = [g for g in coupler.gauges if isinstance(g.measure, Turn)]
        for marker, shape in _wheels(coupler, turning, moment):
            mine = found.setdefault(marker.body, [])
            if not any(_is_same(shape, known) for known in mine):
                mine.append(shape)
    return {body: tuple(shapes) for body, shapes in found.items() if body != GROUND}


def _is_same(a: Shape, b: Shape) -> bool:
    return type(a) is type(b) and bool(np.allclose(a.corners, b.corners, rtol=1e-9, atol=0.0))


@singledispatch
def _wheels(
    coupler: AbstractCoupler, turning: list[Gauge], moment: _Moment
) -> list[tuple[Marker, Shape]]:
    """The wheels a coupler implies; none, unless its kind says so."""
    return []


@_wheels.register
def _(coupler: GearPair, turning: list[Gauge], moment: _Moment) -> list[tuple[Marker, Shape]]:
    if len(turning) < 2:
        return []
    a, b = (gauge.J for gauge in turning[:2])
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
def _(coupler: Belt, turning: list[Gauge], moment: _Moment) -> list[tuple[Marker, Shape]]:
    pulleys = zip(turning, coupler.radii, strict=False)
    return [(gauge.J, _disc(gauge.J, radius, 0.0, 0.0)) for gauge, radius in pulleys]


@_wheels.register
def _(coupler: RackAndPinion, turning: list[Gauge], moment: _Moment) -> list[tuple[Marker, Shape]]:
    return [(gauge.J, _disc(gauge.J, abs(coupler.radius), 0.0, 0.0)) for gauge in turning]


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
