"""What turns in space and was given no shape: shafts with forks at their crosses, round discs."""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kempe.draw import Bar, Disc, Polyline, Shape
from kempe.geometry import Marker
from kempe.model import Body, Model
from kempe.pictures.thick_wheels import thick

FloatArray = NDArray[np.float64]
CROSS = "universal"  # the symbol of joints that forks hold
BELL = "constant_velocity"  # of couplings whose axes are those of the shafts: no forks hold them
FORK = 0.25  # half the width of a fork, as a share of its shaft's length
DEEP = 1.2  # how deep a fork is, in such halves
NARROW = 1e-6  # of the body's extent, and of directions: what is nearer counts as the same
CORNERS_OF_A_PLATE = 3  # that has no inside worth looking through
INSIDE = 0.1  # of the extent: how near the middle an axis is that something turns about in a frame
ROUND = 8  # points of an outline about one centre that make it a disc


def turned_parts(model: Model, body: Body) -> tuple[Shape, ...]:
    """A body of space as a shaft, a disc or a frame, or nothing where it is none of them.

    A shaft runs along an axis about which something holds it, through the middle of a cross or
    two; a disc has an outline whose corners go round such an axis; in a frame something else
    turns, about an axis across its middle.
    """
    mine = [
        (joint.symbol, marker)
        for joint in model.joints
        for marker in joint.markers
        if marker.body == body.name
    ]
    crosses = [marker for symbol, marker in mine if symbol == CROSS]
    bells = [marker for symbol, marker in mine if symbol == BELL]
    others = [marker for symbol, marker in mine if symbol not in (CROSS, BELL)]
    if crosses:
        return _shaft(body, crosses, others)
    if bells:
        return _rod(bells[0], others)
    return _disc(body, others) or _frame(body, others)


def _shaft(body: Body, crosses: Sequence[Marker], others: Sequence[Marker]) -> tuple[Shape, ...]:
    """The rod between two crosses, or from one to the bearing on its axis, and its forks."""
    if len(crosses) > 1:
        near, far = (np.array(marker.position) for marker in crosses[:2])
        bearings = [far]
    else:
        near = np.array(crosses[0].position)
        axes = [(np.array(o.position), _axis(o)) for o in others]
        bearings = [at for at, axis in axes if _is_along(axis, at - near)]
    if not bearings:
        return ()
    ends = [near, max(bearings, key=lambda at: float(np.linalg.norm(at - near)))]
    length = float(np.linalg.norm(ends[1] - ends[0]))
    if not length > 0.0:
        return ()
    way = (ends[1] - ends[0]) / length
    arms = [_axis(marker) for marker in crosses[:2]]
    if any(abs(float(arm @ way)) > NARROW for arm in arms):
        return ()
    half = min([FORK * length, *_tips(body, ends[0], arms[0])])
    shapes: list[Shape] = []
    for k, (arm, sign) in enumerate(zip(arms, (1.0, -1.0), strict=False)):
        foot = ends[k] + sign * DEEP * half * way
        shapes += _fork(ends[k], foot, half * arm)
        ends[k] = foot
    return (Bar(_triple(ends[0]), _triple(ends[1])), *shapes)


def _rod(bell: Marker, others: Sequence[Marker]) -> tuple[Shape, ...]:
    """The rod from a coupling to the farthest bearing on its axis."""
    near, way = np.array(bell.position), _axis(bell)
    places = [np.array(other.position) for other in others if _is_along(_axis(other), way)]
    ends = [at for at in places if _is_along(way, at - near)]
    if not ends:
        return ()
    far = max(ends, key=lambda at: float(np.linalg.norm(at - near)))
    return (Bar(_triple(near), _triple(far)),)


def _fork(middle: FloatArray, foot: FloatArray, arm: FloatArray) -> Iterator[Shape]:
    """A bridge, two prongs, and the arm of the cross between them."""
    tips, feet = [middle - arm, middle + arm], [foot - arm, foot + arm]
    yield Bar(_triple(feet[0]), _triple(feet[1]))
    yield from (Bar(_triple(a), _triple(b)) for a, b in zip(feet, tips, strict=True))
    yield Polyline([_triple(tip) for tip in tips])


def _tips(body: Body, middle: FloatArray, arm: FloatArray) -> Iterator[float]:
    """How far the ends of a fork are from its middle, where the body names such points."""
    for point in body.points.values():
        out = np.array(point) - middle
        if _is_along(arm, out):
            yield float(np.linalg.norm(out))


def _disc(body: Body, hinges: Sequence[Marker]) -> tuple[Shape, ...]:
    """A wheel, where the outline goes round the axis of a joint."""
    corners = np.array([body.points[p] for p in body.outline]).reshape(-1, 3)
    if len(corners) < ROUND:
        return ()
    centre = corners.mean(axis=0)
    radii = np.linalg.norm(corners - centre, axis=1)
    radius = float(radii.mean())
    normal = np.cross(corners[0] - centre, corners[1] - centre)
    normal /= np.linalg.norm(normal) or 1.0
    flat = np.abs((corners - centre) @ normal).max() <= NARROW * radius
    if not flat or np.ptp(radii) > NARROW * radius:
        return ()
    for hinge in hinges:
        off = np.array(hinge.position) - centre
        if _is_along(_axis(hinge), normal) and (
            np.linalg.norm(off) <= NARROW * radius or _is_along(normal, off)
        ):
            return (thick(Disc(_triple(centre), radius, axis=_triple(normal))),)
    return ()


def _frame(body: Body, hinges: Sequence[Marker]) -> tuple[Shape, ...]:
    """The edges of an outline alone, where an axis in its plane crosses the middle of it."""
    corners = np.array([body.points[p] for p in body.outline]).reshape(-1, 3)
    if len(corners) <= CORNERS_OF_A_PLATE:
        return ()
    middle = corners.mean(axis=0)
    extent = float(np.ptp(corners, axis=0).max())
    _, sizes, axes = np.linalg.svd(corners - middle)
    for hinge in hinges:
        is_inside = float(np.linalg.norm(np.array(hinge.position) - middle)) <= INSIDE * extent
        if is_inside and sizes[2] <= NARROW * extent and abs(_axis(hinge) @ axes[2]) <= NARROW:
            places = [_triple(corner) for corner in corners]
            return tuple(Bar(a, b) for a, b in itertools.pairwise([*places, places[0]]))
    return ()


def _is_along(axis: FloatArray, way: FloatArray) -> bool:
    """Whether a way, of any length but nothing, goes along a unit axis, either way."""
    length = float(np.linalg.norm(way))
    return length > 0.0 and float(np.linalg.norm(np.cross(axis, way))) <= NARROW * length


def _axis(marker: Marker) -> FloatArray:
    return np.array(marker.pose.rotation.matrix(), float)[:, 2]


def _triple(point: FloatArray) -> tuple[float, float, float]:
    x, y, z = point.tolist()
    return (x, y, z)
