"""What is on a picture of one moment, as flat paths from back to front.

The browser's ``picture.js`` makes the same paths from the same data, live.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.draw.scene.parts import Body
from kempe.draw.scene.scene import Scene
from kempe.draw.scene.shapes import Bar, Disc, FloatArray, Polygon, Polyline
from kempe.draw.scene.symbols import SIZES
from kempe.draw.view import pen
from kempe.draw.view.camera import Camera
from kempe.draw.view.theme import tone_class

EDGE_LAP, FACE_LAP = 0.4, 1.4  # px by which the pieces of a rod overlap, to leave no seam
LAYERS = ("grid", "floor", "faint", "ghosts", "under", "bodies", "traces", "top", "names")


@final
@dataclass(frozen=True, slots=True)
class Item:
    """One path: its layer, CSS classes, data, stroke width in px, and nearness within a layer."""

    layer: str
    kind: str
    d: str
    width: float | None = None
    near: float = 0.0


@final
@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Where a body's frame is: p_WP = r + R p_BP."""

    r: FloatArray  # (3,)
    R: FloatArray  # (3, 3)

    def carry(self, points: FloatArray) -> FloatArray:
        """World positions of points (m, 3) of the body."""
        return np.asarray(self.r + points @ self.R.T)


def pose(body: Body, index: int) -> Pose:
    """The pose of a body at one sample."""
    return Pose(body.motion.position[index], body.motion.matrix(index))


def body_items(scene: Scene, camera: Camera, body: Body, at: Pose) -> list[Item]:
    """The links, plates, discs and lines of one body."""
    tone = tone_class(body.colour)
    rims: list[str] = []
    items: list[Item] = []
    for shape in body.shapes:
        seen = camera.project(at.carry(shape.corners))
        near = float(seen[:, 2].mean())
        if isinstance(shape, Disc):
            items += _disc(camera, shape, at, tone, near)
        elif isinstance(shape, Polyline):
            d = pen.polyline(seen, closed=shape.closed)
            own = tone if shape.colour is None else tone_class(shape.colour)
            items.append(Item("bodies", f"line {own}", d, near=near))
        elif isinstance(shape, Polygon) and not shape.rim:
            items.append(Item("bodies", f"rim {tone}", pen.polyline(seen, closed=True), near=near))
        elif isinstance(shape, Bar) and not scene.plane:
            items += _rod(camera, seen, tone)
        elif scene.plane:
            rims.append(pen.polyline(seen, closed=isinstance(shape, Polygon)))
        else:
            items += _link(camera, pen.polyline(seen, closed=True), tone, near)
    if rims:
        items += _link(camera, "".join(rims), tone, 0.0)
    return items


def _link(camera: Camera, d: str, tone: str, near: float) -> list[Item]:
    """Bars and rimmed plates of one body, drawn as one outline by three strokes of a brush."""
    width = SIZES.link * camera.size
    return [
        Item("bodies", "halo", d, width + 2.0 * SIZES.halo, near),
        Item("bodies", f"edge {tone}", d, width, near),
        Item("bodies", f"face {tone}", d, width - 2.0 * SIZES.edge, near),
    ]


def _rod(camera: Camera, seen: FloatArray, tone: str) -> list[Item]:
    """A bar in space, cut into pieces that are sorted by depth one by one."""
    radius = 0.5 * SIZES.link * camera.size
    length = float(np.hypot(*(seen[1, :2] - seen[0, :2])))
    depth = float(seen[1, 2] - seen[0, 2])
    count = max(1, math.ceil(math.hypot(length, depth) / SIZES.segment))
    items: list[Item] = []
    for k in range(count):
        ends = seen[0] + np.outer([k / count, (k + 1) / count], seen[1] - seen[0])
        near = float(ends[:, 2].mean())
        for kind, r, lap in (
            ("halo-fill", radius + SIZES.halo, 0.0),
            (f"edge-fill {tone}", radius, EDGE_LAP),
            (f"face-fill {tone}", radius - SIZES.edge, FACE_LAP),
        ):
            start, end = (0.0 if k == 0 else lap), (0.0 if k == count - 1 else lap)
            a, b = ends + np.outer([-start, end], (seen[1] - seen[0]) / max(length, 1.0))
            d = pen.capsule(a, b, r, round_start=k == 0, round_end=k == count - 1)
            items.append(Item("bodies", kind, d, near=near))
    return items


def _disc(camera: Camera, disc: Disc, at: Pose, tone: str, near: float) -> list[Item]:
    """A wheel or a gear, with a mark on its radius so that its turning is seen."""
    points = np.array([disc.centre, disc.rim(np.array([disc.radius]), np.array([disc.phase]))[0]])
    seen = camera.project(at.carry(points))
    axis = camera.rows @ at.R @ np.array(disc.axis)
    rim = pen.ring(seen[0], axis, disc.radius * camera.scale)
    if disc.teeth:
        rim = pen.polyline(camera.project(at.carry(disc.outline)), closed=True)
    return [
        Item("bodies", f"rim {tone}", rim, near=near),
        Item("bodies", f"mark {tone}", pen.polyline(seen), near=near),
    ]


def ghost_items(scene: Scene, camera: Camera, body: Body, at: Pose) -> list[Item]:
    """A body's faint copy at another moment."""
    tone = tone_class(body.colour)
    strokes, fills = [], []
    for shape in body.shapes:
        seen = camera.project(at.carry(shape.corners))
        if isinstance(shape, Disc):
            axis = camera.rows @ at.R @ np.array(shape.axis)
            centre = camera.project(at.carry(np.array([shape.centre])))[0]
            fills.append(pen.ring(centre, axis, shape.radius * camera.scale))
        else:
            closed = isinstance(shape, Polygon) or (isinstance(shape, Polyline) and shape.closed)
            strokes.append(pen.polyline(seen, closed=closed))
    width = SIZES.ghost * camera.size
    items = [Item("ghosts", f"ghost {tone}", "".join(strokes), width)] if strokes else []
    return items + ([Item("ghosts", f"ghost {tone}", "".join(fills), 1.5)] if fills else [])


def point_items(camera: Camera, body: Body, at: Pose) -> list[Item]:
    """Dots at a body's points of interest."""
    tone = tone_class(body.colour)
    items = []
    for point in body.points.values():
        x, y, near = camera.project(at.carry(np.array([point])))[0].tolist()
        d = pen.circle(x, y, SIZES.dot * camera.size)
        items.append(Item("top", f"dot {tone}", d, near=near + SIZES.lift * camera.size))
    return items


def shadow_item(scene: Scene, camera: Camera, poses: Sequence[Pose]) -> Item:
    """The shadow of every link on the floor of a spatial scene; thin coloured lines cast none."""
    words = []
    for body, at in zip(scene.bodies, poses, strict=True):
        for shape in body.shapes:
            if isinstance(shape, Polyline) and shape.colour is not None:
                continue
            flat = at.carry(shape.corners)
            flat[:, 2] = camera.floor
            closed = isinstance(shape, Polygon | Disc)
            words.append(pen.polyline(camera.project(flat), closed=closed))
    return Item("floor", "shadow", "".join(words), 0.8 * SIZES.link * camera.size)


def trace_items(scene: Scene, camera: Camera, index: int) -> list[Item]:
    """Each traced curve: all of it faintly, and what is drawn so far, with the point now."""
    items = []
    for trace in scene.traces:
        body = scene.body(trace.body)
        tone = tone_class(body.colour)
        curve = camera.project(body.motion.carried(np.array([trace.point]))[:, 0])
        so_far = curve[: index + 1]
        items += [
            Item("faint", f"trace-all {tone}", pen.polyline(curve)),
            Item("traces", f"trace {tone}", pen.polyline(so_far)),
        ]
        x, y, near = curve[index].tolist()
        d = pen.circle(x, y, SIZES.pen * camera.size)
        items.append(Item("top", f"dot {tone}", d, near=near + SIZES.lift * camera.size))
    return items
