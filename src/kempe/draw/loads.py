"""Loads as arrows that grow and turn with the motion. The browser's ``loads.js`` draws the same."""

import numpy as np

from kempe.draw import pen
from kempe.draw.camera import Camera
from kempe.draw.parts import Load
from kempe.draw.picture import Item
from kempe.draw.scene import Scene
from kempe.draw.sizes import SIZES

HEAD, WING = 10.0, 4.2  # px, length and half width of an arrow's head
LEAST = 1.5  # px: a shorter arrow is none
SMALLEST = 0.75  # of its size: a head in a small picture, where symbols shrink further


def load_items(scene: Scene, camera: Camera, index: int) -> list[Item]:
    """The arrows of all loads at one sample."""
    return [item for load in scene.loads for item in _arrow(camera, load, index)]


def _arrow(camera: Camera, load: Load, index: int) -> list[Item]:
    """A shaft and a head that never outgrows it."""
    tail = load.at[index]
    a, b = camera.project(np.array([tail, tail + load.way[index]]))
    way = (b - a)[:2]
    length = float(np.hypot(*way))
    if length < LEAST:
        return []
    head = min(HEAD * max(camera.size, SMALLEST), 0.7 * length)
    along = way / length
    across = head * WING / HEAD * np.array([-along[1], along[0]])
    foot = b[:2] - head * along
    near = max(float(a[2]), float(b[2])) + SIZES.lift * camera.size
    tip = pen.polyline([b[:2], foot + across, foot - across], closed=True)
    return [
        Item("top", "load", pen.polyline([a[:2], foot]), near=near),
        Item("top", "load-head", tip, near=near),
    ]
