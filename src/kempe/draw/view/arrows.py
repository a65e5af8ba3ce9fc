"""Arrows on a picture: marks laid on top of it, and loads that grow and turn with the motion.

Forces are straight, torques go round their axis; the browser's ``loads.js`` draws them alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.draw.scene.parts import Load
from kempe.draw.scene.scene import Scene
from kempe.draw.scene.shapes import FloatArray, Vector, triple, triples
from kempe.draw.scene.symbols import SIZES
from kempe.draw.view import pen
from kempe.draw.view.camera import Camera
from kempe.draw.view.picture import Item
from kempe.draw.view.theme import tone_class

HEAD, WING = 9.0, 4.0  # px, length and half width of an arrow's head
FURTHEST = 1.0  # extents of the scene beyond its box where a mark is still drawn
LAYER = "top"
LOAD_HEAD, LOAD_WING = 10.0, 4.2  # px, length and half width of an arrow's head
LEAST = 1.5  # px: a shorter arrow is none
SMALLEST = 0.75  # of its size: a head in a small picture, where symbols shrink further
ROUND = np.linspace(0.0, 1.5 * np.pi, 25)  # rad: three quarters of a turn


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


def load_items(scene: Scene, camera: Camera, index: int) -> list[Item]:
    """The arrows of all loads at one sample."""
    return [item for load in scene.loads for item in _load(camera, load, index)]


def _load(camera: Camera, load: Load, index: int) -> list[Item]:
    """A shaft and a head that never outgrows it."""
    at, way = load.at[index], load.way[index]
    line = camera.project(_around(at, way) if load.is_torque else np.array([at, at + way]))
    length = float(np.hypot(*(line[1:] - line[:-1])[:, :2].T).sum())
    if length < LEAST:
        return []
    head = min(LOAD_HEAD * max(camera.size, SMALLEST), (0.3 if load.is_torque else 0.7) * length)
    shaft, foot = _cut(line[:, :2], head)
    tip = line[-1, :2]
    along = (tip - foot) / (float(np.hypot(*(tip - foot))) or 1.0)
    across = head * LOAD_WING / LOAD_HEAD * np.array([-along[1], along[0]])
    near = float(line[:, 2].max()) + SIZES.lift * camera.size
    corners = pen.polyline([tip, foot + across, foot - across], closed=True)
    return [
        Item("top", "load", pen.polyline([*shaft, foot]), near=near),
        Item("top", "load-head", corners, near=near),
    ]


def _around(at: FloatArray, way: FloatArray) -> FloatArray:
    """An arc about a vector, by the right hand, at half its length."""
    length = float(np.linalg.norm(way))
    if not length > 0.0:
        return np.array([at, at])
    axis = way / length
    first = np.cross(np.eye(3)[int(np.argmin(np.abs(axis)))], axis)
    first = first / np.linalg.norm(first)
    turned = np.outer(np.cos(ROUND), first) + np.outer(np.sin(ROUND), np.cross(axis, first))
    arc: FloatArray = at + 0.5 * length * turned
    return arc


def _cut(line: FloatArray, head: float) -> tuple[list[FloatArray], FloatArray]:
    """The points of a line up to where its head begins, and that place."""
    tip = line[-1]
    for k in range(len(line) - 2, -1, -1):
        reach = float(np.hypot(*(tip - line[k])))
        if reach >= head:
            near = float(np.hypot(*(tip - line[k + 1])))
            share = (reach - head) / ((reach - near) or 1.0)
            return list(line[: k + 1]), line[k] + share * (line[k + 1] - line[k])
    return [line[0]], line[0]
