"""Arrows and axes on top of a picture: velocities, forces, what can still turn or slide."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.draw.scene.coordinates import FloatArray, Vector, triple, triples
from kempe.draw.view import pen
from kempe.draw.view.camera import Camera
from kempe.draw.view.picture import Item
from kempe.draw.view.theme import tone_class

HEAD, WING = 9.0, 4.0  # px, length and half width of an arrow's head
FURTHEST = 1.0  # extents of the scene beyond its box where a mark is still drawn
LAYER = "top"


@final
@dataclass(frozen=True, slots=True)
class Arrow:
    """A line through points in the world (m), with a head at its end, in the colour of a body."""

    points: Sequence[Vector]
    colour: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", triples(self.points, "an arrow", at_least=2))


@final
@dataclass(frozen=True, slots=True)
class AxisLine:
    """A dash-dotted line: the axis something turns about, or a mere point in the plane."""

    point: Vector
    direction: Vector
    length: float  # m, to both sides together

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", triple(self.point, "the point of an axis"))
        object.__setattr__(self, "direction", triple(self.direction, "an axis"))


def overlay_points(marks: Sequence[Arrow | AxisLine]) -> FloatArray:
    """The ends of straight arrows (m, 3): a picture must have room for them."""
    ends = [mark.points[-1] for mark in marks if isinstance(mark, Arrow) and len(mark.points) == 2]
    return np.array(ends, dtype=float).reshape(-1, 3)


def overlay_items(camera: Camera, marks: Sequence[Arrow | AxisLine]) -> list[Item]:
    """The paths of arrows and axes; what lies far outside the scene is left out."""
    items: list[Item] = []
    for mark in marks:
        if isinstance(mark, Arrow):
            items += _arrow(camera, mark)
        else:
            items += _axis(camera, mark)
    return items


def _arrow(camera: Camera, arrow: Arrow) -> list[Item]:
    points = np.array(arrow.points, dtype=float)
    if not _is_near(camera, points):
        return []
    seen = camera.project(points)
    tip, before = seen[-1, :2], seen[-2, :2]
    way = tip - before
    length = float(np.hypot(*way))
    near = float(seen[:, 2].max()) + HEAD
    tone = tone_class(arrow.colour)
    if length < 1e-9:
        return []
    along = way / length
    across = np.array([-along[1], along[0]])
    foot = tip - HEAD * along
    head = pen.polyline([tip, foot + WING * across, foot - WING * across], closed=True)
    shaft = pen.polyline([*seen[:-1, :2], foot if length > HEAD else before])
    return [
        Item(LAYER, f"trace {tone}", shaft, near=near),
        Item(LAYER, f"dot {tone}", head, near=near),
    ]


def _axis(camera: Camera, axis: AxisLine) -> list[Item]:
    middle, way = np.array(axis.point), np.array(axis.direction)
    ends = np.array([middle - 0.5 * axis.length * way, middle + 0.5 * axis.length * way])
    if not _is_near(camera, middle[None]):
        return []
    seen = camera.project(ends)
    near = float(seen[:, 2].max()) + HEAD
    if float(np.hypot(*(seen[1, :2] - seen[0, :2]))) < 2.0:  # it points at the reader
        x, y = (float(c) for c in seen[0, :2])
        return [Item(LAYER, "stroke", pen.circle(x, y, WING), near=near)]
    return [Item(LAYER, "stroke dashed", pen.polyline(seen), near=near)]


def _is_near(camera: Camera, points: FloatArray) -> bool:
    room = FURTHEST * float(np.linalg.norm(camera.high - camera.low))
    return bool(((points >= camera.low - room) & (points <= camera.high + room)).all())
