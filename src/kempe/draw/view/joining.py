"""How joints, belts and the ground appear on a picture: the symbols' data, projected."""

import math
from itertools import pairwise

import numpy as np

from kempe.draw.scene.parts import Frame, JointSymbol
from kempe.draw.scene.scene import Scene
from kempe.draw.scene.shapes import FloatArray
from kempe.draw.scene.symbols import (
    SIZES,
    STAND_FOOT,
    STAND_OUTLINE,
    SYMBOLS,
    Ball,
    Block,
    Drum,
    Stroke,
    Symbol,
)
from kempe.draw.view import pen
from kempe.draw.view.camera import Camera
from kempe.draw.view.picture import Item
from kempe.draw.view.theme import tone_class

ARC_CORNERS = 25  # of the line on one wheel
LEVEL = 1e-3  # sine of the slope below which a guide counts as vertical


def belt_line(
    ends: FloatArray, axis: FloatArray, radii: tuple[float, float], *, crossed: bool
) -> FloatArray:
    """Corners (m, 3) of the closed line round wheels of these radii at `ends` (2, 3).

    On wheel i it lies from phi to 2 pi - phi, counted from the direction of the other wheel, with
    cos phi = (r_i -+ r_j) / D; on wheel j from -phi to phi, or where it crosses from pi - phi back
    to phi - pi. Where one wheel holds the other there is no belt: the line of centres.
    """
    d = ends[1] - ends[0]
    d = d - axis * (axis @ d)
    distance = float(np.linalg.norm(d))
    r_i, r_j = radii
    reach = r_i + r_j if crossed else r_i - r_j
    if not distance > abs(reach) or min(radii) <= 0.0:
        return ends
    u = d / distance
    v = np.cross(axis, u)
    phi = math.acos(reach / distance)
    first = np.linspace(phi, 2.0 * math.pi - phi, ARC_CORNERS)
    second = np.linspace(math.pi - phi, phi - math.pi, ARC_CORNERS)
    if not crossed:
        second = np.linspace(-phi, phi, ARC_CORNERS)
    arcs = ((ends[0], r_i, first), (ends[1], r_j, second))
    return np.concatenate(
        [c + r * (np.outer(np.cos(a), u) + np.outer(np.sin(a), v)) for c, r, a in arcs]
    )


def joint_items(scene: Scene, camera: Camera, joint: JointSymbol, index: int) -> list[Item]:
    """A joint's guide, then its solids and strokes, then what spans its two frames."""
    symbol = SYMBOLS[joint.symbol]
    guide, guided = joint.guiding
    items = _guide(scene, camera, joint, symbol, index)
    for solid in symbol.solids:
        frame = guide if solid.side == "i" else guided
        items += _solid(scene, camera, symbol, solid, frame, index)
    if symbol.span:
        ends = camera.project(np.array([scene.pose(f, index)[0] for f in (guide, guided)]))
        kind = "span dashed" if symbol.dashed else "span"
        paths = (_across(ends, path, camera.size) for path in symbol.span)
        d = "".join(pen.polyline(path) for path in paths)
        items.append(Item("bodies", kind, d, near=float(ends[:, 2].mean())))
    if symbol.wrap != "none":
        items.append(_belt(scene, camera, joint, index, crossed=symbol.wrap == "crossed"))
    return items


def _belt(scene: Scene, camera: Camera, joint: JointSymbol, index: int, *, crossed: bool) -> Item:
    poses = [scene.pose(frame, index) for frame in joint.guiding]
    ends, axis = np.array([point for point, _ in poses]), poses[0][1][:, 2]
    seen = camera.project(belt_line(ends, axis, joint.guiding_radii, crossed=crossed))
    width, near = SIZES.belt * camera.size, float(seen[:, 2].mean())
    return Item("bodies", "span", pen.polyline(seen, closed=True), width, near)


def _across(ends: FloatArray, path: tuple[tuple[float, float], ...], size: float) -> FloatArray:
    """Points (u, v) of a span on the screen, v across the line from one end to the other."""
    d = ends[1, :2] - ends[0, :2]
    n = np.array([d[1], -d[0]]) / max(float(np.hypot(*d)), 1e-9)
    return np.array([ends[0, :2] + u * d + v * size * n for u, v in path])


def _tone(scene: Scene, frame: Frame) -> str:
    return tone_class(None if frame.body is None else scene.body(frame.body).colour)


def _solid(
    scene: Scene,
    camera: Camera,
    symbol: Symbol,
    solid: Drum | Block | Ball | Stroke,
    frame: Frame,
    index: int,
) -> list[Item]:
    point, axes = scene.pose(frame, index)
    centre = camera.project(point[None])[0]
    seen = camera.rows @ axes  # columns: the frame's axes as right, up, near
    size = camera.size
    layer = "under" if symbol.under else "top"
    near = float(centre[2]) + SIZES.lift * size
    if isinstance(solid, Stroke):
        offsets = size * np.array(solid.points) @ seen.T
        return [Item("top", "stroke", pen.polyline(_moved(centre, offsets)), near=near)]
    fill = _tone(scene, frame) if solid.fill == "body" else solid.fill
    if isinstance(solid, Ball):
        paths = [pen.circle(float(centre[0]), float(centre[1]), solid.radius * size)]
    elif isinstance(solid, Drum):
        middle = _moved(centre, size * solid.at * seen[:, 2][None])[0]
        paths = pen.drum(middle, seen[:, 2], solid.radius * size, solid.half_length * size)
    else:
        paths = [pen.polyline(face, closed=True) for face in _faces(solid, centre, seen, size)]
    return [Item(layer, f"solid {fill}", d, near=near) for d in paths]


def _moved(centre: FloatArray, offsets: FloatArray) -> FloatArray:
    """Screen points at offsets (m, 3), given as right, up, near in px."""
    return np.asarray(centre[:2] + offsets[:, :2] * np.array([1.0, -1.0]))


def _faces(block: Block, centre: FloatArray, seen: FloatArray, size: float) -> list[FloatArray]:
    """The faces (4, 2) of a box that look at the reader."""
    half = size * seen * np.array(block.half)  # columns: half edges
    faces = []
    for k in range(3):
        sign = 1.0 if seen[2, k] >= 0.0 else -1.0
        if abs(seen[2, k]) < pen.ALONG_SIGHT:
            continue
        a, b = half[:, (k + 1) % 3], half[:, (k + 2) % 3]
        top = sign * half[:, k]
        corners = [top + a + b, top - a + b, top - a - b, top + a - b]
        faces.append(_moved(centre, np.array(corners)))
    return faces


def _guide(
    scene: Scene, camera: Camera, joint: JointSymbol, symbol: Symbol, index: int
) -> list[Item]:
    """The rail or slot along a joint's axis, as long as its travel."""
    if symbol.guide == "none":
        return []
    frame = joint.guiding[0]
    point, axes = scene.pose(frame, index)
    ends = camera.project(point + np.outer(scene.travel(joint), axes[:, 2]))
    along = camera.rows[:2] @ axes[:, 2] * np.array([1.0, -1.0])
    near = float(ends[:, 2].mean())
    tone = _tone(scene, frame)
    if symbol.guide == "slot":
        radius = 0.5 * SIZES.slot * camera.size
        d = pen.capsule(ends[0], ends[1], radius, round_start=True, round_end=True)
        return [Item("top", f"slot {tone}", d, 1.6, near)]
    ends[:, :2] += np.outer([-1.0, 1.0], SIZES.overhang * camera.size * along)
    if frame.body is not None or not scene.plane:
        d = pen.polyline(ends)
        return [Item("under", f"rail {tone}", d, SIZES.rod * camera.size, near)]
    side = _below(along)
    ends[:, :2] += SIZES.rail * camera.size * side
    return [
        Item("under", "floor", pen.polyline(ends)),
        Item("under", "hatch", pen.hatching(ends[0], ends[1], side, camera.size)),
    ]


def _below(along: FloatArray) -> FloatArray:
    """The side of a guide that is hatched: below it, or right of it where it is vertical."""
    n = np.array([-along[1], along[0]])
    if abs(n[1]) < LEVEL:
        return n if n[0] > 0.0 else -n
    return n if n[1] > 0.0 else -n


def ground_items(scene: Scene, camera: Camera) -> list[Item]:
    """Hatched lines, and a stand for every pivot and for every joint that asks for one."""
    items: list[Item] = []
    for line in scene.ground.lines:
        seen = camera.project(np.array(line))
        items.append(Item("under", "floor", pen.polyline(seen), near=float(seen[:, 2].mean())))
        if scene.plane:
            for a, b in pairwise(seen):
                side = _below((b - a)[:2] / max(float(np.hypot(*(b - a)[:2])), 1e-9))
                items.append(Item("under", "hatch", pen.hatching(a, b, side, camera.size)))
    for point in _stands(scene):
        items += (_bracket if scene.plane else _post)(camera, np.array(point))
    for pivot in scene.ground.pivots:
        x, y, near = camera.project(np.array([pivot]))[0].tolist()
        d = pen.circle(x, y, SIZES.pin * camera.size)
        items.append(Item("top", "solid paper", d, near=near + SIZES.lift * camera.size))
    return items


def _stands(scene: Scene) -> list[tuple[float, ...]]:
    """Points of the ground that carry something, each once."""
    points = [tuple(float(x) for x in pivot) for pivot in scene.ground.pivots]
    for joint in scene.joints:
        frame = joint.guiding[0]
        if SYMBOLS[joint.symbol].stand and frame.body is None:
            points.append(tuple(float(x) for x in frame.point))
    return list(dict.fromkeys(points))


def _bracket(camera: Camera, point: FloatArray) -> list[Item]:
    """The textbook's ground pivot: a bracket on a hatched foot."""
    centre = camera.project(point[None])[0, :2]
    outline, foot = (
        centre + camera.size * np.array(path) * np.array([1.0, -1.0])
        for path in (STAND_OUTLINE, STAND_FOOT)
    )
    below = np.array([0.0, 1.0])
    return [
        Item("under", "stand", pen.polyline(outline, closed=True)),
        Item("under", "floor", pen.polyline(foot)),
        Item("under", "hatch", pen.hatching(foot[0], foot[1], below, camera.size)),
    ]


def _post(camera: Camera, point: FloatArray) -> list[Item]:
    """In space: a post down to a round foot on the floor."""
    base = np.array([point[0], point[1], camera.floor])
    top, foot = camera.project(np.array([point, base]))
    up = camera.rows[:, 2]
    d = pen.capsule(foot, top, SIZES.post * camera.size, round_start=True, round_end=True)
    near = float(0.5 * (top[2] + foot[2]))
    return [
        Item("floor", "foot", pen.ring(foot, up, SIZES.foot * camera.size)),
        Item("under", "post", d, near=near),
    ]
