"""Loads as arrows that grow and turn with the motion: forces straight, torques round their axis.

The browser's ``loads.js`` draws the same.
"""

import numpy as np

from kempe.draw.scene.coordinates import FloatArray
from kempe.draw.scene.parts import Load
from kempe.draw.scene.scene import Scene
from kempe.draw.scene.sizes import SIZES
from kempe.draw.view import pen
from kempe.draw.view.camera import Camera
from kempe.draw.view.picture import Item

HEAD, WING = 10.0, 4.2  # px, length and half width of an arrow's head
LEAST = 1.5  # px: a shorter arrow is none
SMALLEST = 0.75  # of its size: a head in a small picture, where symbols shrink further
ROUND = np.linspace(0.0, 1.5 * np.pi, 25)  # rad: three quarters of a turn


def load_items(scene: Scene, camera: Camera, index: int) -> list[Item]:
    """The arrows of all loads at one sample."""
    return [item for load in scene.loads for item in _arrow(camera, load, index)]


def _arrow(camera: Camera, load: Load, index: int) -> list[Item]:
    """A shaft and a head that never outgrows it."""
    at, way = load.at[index], load.way[index]
    line = camera.project(_around(at, way) if load.is_torque else np.array([at, at + way]))
    length = float(np.hypot(*(line[1:] - line[:-1])[:, :2].T).sum())
    if length < LEAST:
        return []
    head = min(HEAD * max(camera.size, SMALLEST), (0.3 if load.is_torque else 0.7) * length)
    shaft, foot = _cut(line[:, :2], head)
    tip = line[-1, :2]
    along = (tip - foot) / (float(np.hypot(*(tip - foot))) or 1.0)
    across = head * WING / HEAD * np.array([-along[1], along[0]])
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
