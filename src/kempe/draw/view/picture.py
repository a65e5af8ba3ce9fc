"""What is on a picture of one moment, as flat paths from back to front: bodies, joints, the ground.

The browser's ``picture.js`` and ``joining.js`` make the same paths from the same data, live.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from kempe.draw.scene.parts import BodyPose, DrawnBody, Frame, JointSymbol
from kempe.draw.scene.scene import Scene
from kempe.draw.scene.shapes import Bar, Disc, FloatArray, Polygon, Polyline, Solid
from kempe.draw.scene.symbols import (
    SIZES,
    STAND_FOOT,
    STAND_OUTLINE,
    SYMBOLS,
    Ball,
    Brick,
    Drum,
    Stroke,
    Symbol,
)
from kempe.draw.view import pen
from kempe.draw.view.camera import Camera
from kempe.draw.view.facets import shadow_of, sharp_lines, solid_items
from kempe.draw.view.item import Item as Item
from kempe.draw.view.theme import tone_class

EDGE_LAP, FACE_LAP = 0.4, 1.4  # px by which the pieces of a rod overlap, to leave no seam
LAYERS = ("grid", "floor", "faint", "ghosts", "under", "bodies", "traces", "top", "names")
ARC_CORNERS = 25  # of the line on one wheel
LIGHT_ON_SCREEN = np.array([-0.4, -0.62])  # towards the light, right and down
LEVEL = 1e-3  # sine of the slope below which a guide counts as vertical


def body_items(scene: Scene, camera: Camera, body: DrawnBody, at: BodyPose) -> list[Item]:
    """The links, plates, discs and lines of one body."""
    tone = tone_class(body.colour)
    rims: list[str] = []
    items: list[Item] = []
    for shape in body.shapes:
        seen = camera.project(at.carry(shape.corners))
        near = float(seen[:, 2].mean())
        if isinstance(shape, Solid):
            items += solid_items(camera, shape, at, tone)
        elif isinstance(shape, Disc):
            items += _disc(camera, shape, at, tone, near)
        elif isinstance(shape, Polyline):
            d = pen.polyline(seen, closed=shape.closed)
            own = tone if shape.colour is None else tone_class(shape.colour)
            items.append(Item("bodies", f"line {own}", d, near=near))
        elif isinstance(shape, Polygon) and not shape.rim:
            d = pen.polyline(seen, closed=True) + _holes(camera, shape, at)
            items.append(Item("bodies", f"rim {tone}", d, near=near))
        elif isinstance(shape, Bar) and not scene.plane:
            items += _rod(camera, seen, tone)
        elif scene.plane:
            rims.append(pen.polyline(seen, closed=isinstance(shape, Polygon)))
        else:
            items += _link(camera, pen.polyline(seen, closed=True), tone, near)
    if rims:
        items += _link(camera, "".join(rims), tone, 0.0)
    return items


def _holes(camera: Camera, plate: Polygon, at: BodyPose) -> str:
    """The rims of what is cut out of a plate."""
    rings = (camera.project(at.carry(np.array(ring, dtype=float))) for ring in plate.holes)
    return "".join(pen.polyline(ring, closed=True) for ring in rings)


def _link(camera: Camera, d: str, tone: str, near: float, width: float = SIZES.link) -> list[Item]:
    """Bars and rimmed plates of one body, drawn as one outline by three strokes of a brush."""
    width = width * camera.size
    return [
        Item("bodies", "halo", d, width + 2.0 * SIZES.halo, near),
        Item("bodies", f"edge {tone}", d, width, near),
        Item("bodies", f"face {tone}", d, width - 2.0 * SIZES.edge, near),
    ]


def _rod(camera: Camera, seen: FloatArray, tone: str, width: float = SIZES.link) -> list[Item]:
    """A round bar in space, cut into pieces that are sorted by depth one by one, and lit."""
    radius = 0.5 * width * camera.size
    length = float(np.hypot(*(seen[1, :2] - seen[0, :2])))
    depth = float(seen[1, 2] - seen[0, 2])
    count = max(1, math.ceil(math.hypot(length, depth) / SIZES.segment))
    items: list[Item] = []
    lit = radius * SIZES.shine_off * _lit_side(seen)
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
        laps = [0.0 if k == 0 else -FACE_LAP, 0.0 if k == count - 1 else FACE_LAP]
        light = ends[:, :2] + lit + np.outer(laps, (seen[1] - seen[0])[:2] / max(length, 1.0))
        d = pen.capsule(
            light[0], light[1], SIZES.shine * radius, round_start=k == 0, round_end=k == count - 1
        )
        items.append(Item("bodies", f"lit {tone}", d, near=near))
    return items


def _lit_side(seen: FloatArray) -> FloatArray:
    """The direction (2,) across a bar on the screen towards the light: up, or left if upright."""
    d = seen[1, :2] - seen[0, :2]
    across = np.array([d[1], -d[0]]) / max(float(np.hypot(*d)), 1e-9)
    towards = float(across @ LIGHT_ON_SCREEN)
    return across * (1.0 if towards >= 0.0 else -1.0)


def _disc(camera: Camera, disc: Disc, at: BodyPose, tone: str, near: float) -> list[Item]:
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


def ghost_items(scene: Scene, camera: Camera, body: DrawnBody, at: BodyPose) -> list[Item]:
    """A body's faint copy at another moment."""
    tone = tone_class(body.colour)
    strokes, fills = [], []
    for shape in body.shapes:
        if isinstance(shape, Solid):
            lines = (camera.project(at.carry(line)) for line in sharp_lines(shape))
            fills += [pen.polyline(line) for line in lines]
            continue
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


def point_items(camera: Camera, body: DrawnBody, at: BodyPose) -> list[Item]:
    """Dots at a body's points of interest."""
    tone = tone_class(body.colour)
    items = []
    for point in body.points.values():
        x, y, near = camera.project(at.carry(np.array([point])))[0].tolist()
        d = pen.circle(x, y, SIZES.dot * camera.size)
        items.append(Item("top", f"dot {tone}", d, near=near + SIZES.lift * camera.size))
    return items


def shadow_items(scene: Scene, camera: Camera, poses: Sequence[BodyPose]) -> list[Item]:
    """The shadow of every link on the floor of a spatial scene; thin coloured lines cast none."""
    words, solids = [], []
    for body, at in zip(scene.bodies, poses, strict=True):
        for shape in body.shapes:
            if isinstance(shape, Polyline) and shape.colour is not None:
                continue
            if isinstance(shape, Solid):
                solids.append(shadow_of(camera, shape, at))
                continue
            flat = at.carry(shape.corners)
            flat[:, 2] = camera.floor
            closed = isinstance(shape, Polygon | Disc)
            words.append(pen.polyline(camera.project(flat), closed=closed))
    width = 0.8 * SIZES.link * camera.size
    items = [Item("floor", "shadow", "".join(words), width)]
    return [*items, Item("floor", "shadow-fill", "".join(solids))] if solids else items


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
    if symbol.bar:
        places = np.array([scene.pose(f, index)[0] for f in (guide, guided)])
        items += _stick(scene, camera, camera.project(places))
    elif symbol.span:
        ends = camera.project(np.array([scene.pose(f, index)[0] for f in (guide, guided)]))
        kind = "span dashed" if symbol.dashed else "span"
        paths = (_across(ends, path, camera.size) for path in symbol.span)
        d = "".join(pen.polyline(path) for path in paths)
        items.append(Item("bodies", kind, d, near=float(ends[:, 2].mean())))
    if symbol.wrap != "none":
        items.append(_belt(scene, camera, joint, index, crossed=symbol.wrap == "crossed"))
    return items


def _stick(scene: Scene, camera: Camera, ends: FloatArray) -> list[Item]:
    """A bar that is no body, between two places."""
    tone = tone_class(None)
    if not scene.plane:
        return _rod(camera, ends, tone, SIZES.stick)
    return _link(camera, pen.polyline(ends), tone, 0.0, SIZES.stick)


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
    solid: Drum | Brick | Ball | Stroke,
    frame: Frame,
    index: int,
) -> list[Item]:
    point, axes = scene.pose(frame, index)
    centre = camera.project(point[None])[0]
    seen = camera.rows @ axes  # columns: the frame's axes as right, up, near
    size = camera.size
    layer = "under" if symbol.under else "top"
    near = float(centre[2]) + (SIZES.under_lift if symbol.under else SIZES.lift) * size
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


def _faces(block: Brick, centre: FloatArray, seen: FloatArray, size: float) -> list[FloatArray]:
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
    if symbol.guide == "barrel":
        return _barrel(scene, camera, joint, index)
    if symbol.guide == "bore":
        return (_walls if scene.plane else _tube)(scene, camera, joint, index)
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


def _barrel(scene: Scene, camera: Camera, joint: JointSymbol, index: int) -> list[Item]:
    """The barrel of a rod, and the collar at the mouth that the rod comes out of."""
    point, axes = scene.pose(joint.guiding[0], index)
    back, mouth = camera.project(point + np.outer(joint.reach[:2], axes[:, 2]))
    tone, size = _tone(scene, joint.guiding[0]), camera.size
    if not scene.plane:
        made = _rod(camera, np.array([back, mouth]), tone, SIZES.barrel)
        return [replace(item, near=item.near + SIZES.barrel * size) for item in made]
    way = (mouth - back)[:2]
    inner = mouth[:2] - SIZES.gland * size * way / max(float(np.hypot(*way)), 1e-9)
    radius = 0.5 * SIZES.barrel * size
    strips = (
        ("halo-fill", back, radius + SIZES.halo),
        (f"rim {tone}", back, radius),
        (f"rim {tone}", inner, radius),
    )
    return [
        Item("bodies", kind, pen.capsule(a, mouth, r, round_start=False, round_end=False))
        for kind, a, r in strips
    ]


def _walls(scene: Scene, camera: Camera, joint: JointSymbol, index: int) -> list[Item]:
    """The walls of a cylinder on both sides of its piston, in the plane."""
    frame = joint.guiding[0]
    point, axes = scene.pose(frame, index)
    z, size, tone = axes[:, 2], camera.size, _tone(scene, frame)
    beside = np.array([-z[1], z[0], 0.0])
    out = camera.rows[:2] @ beside * np.array([1.0, -1.0])
    items = []
    for across, sign in zip(joint.reach[2:], (-1.0, 1.0), strict=True):
        ends = camera.project(point + np.outer(joint.reach[:2], z) + across * beside)
        ends[:, :2] += sign * SIZES.wall * size * out
        if frame.body is not None:
            items.append(Item("under", f"rail {tone}", pen.polyline(ends), SIZES.rod * size))
            continue
        items += [
            Item("under", "floor", pen.polyline(ends)),
            Item("under", "hatch", pen.hatching(ends[0], ends[1], sign * out, size)),
        ]
    return items


def _tube(scene: Scene, camera: Camera, joint: JointSymbol, index: int) -> list[Item]:
    """A cylinder about its piston in space: its outline alone, so that the piston is seen."""
    frame = joint.guiding[0]
    point, axes = scene.pose(frame, index)
    ends = camera.project(point + np.outer(joint.reach[:2], axes[:, 2]))
    middle, z = 0.5 * (ends[0] + ends[1]), camera.rows @ axes[:, 2]
    radius = joint.reach[3] * camera.scale + SIZES.wall * camera.size
    half = 0.5 * abs(joint.reach[1] - joint.reach[0]) * camera.scale
    near, kind = float(middle[2]) + radius, f"tube {_tone(scene, frame)}"
    return [Item("bodies", kind, d, near=near) for d in pen.drum(middle, z, radius, half)]


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
    covered = _covered(scene)
    for point in _stands(scene):
        items += (_bracket if scene.plane else _post)(camera, np.array(point))
        if point in covered:
            items += _bracket_seen_through(camera, np.array(point))
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


def _covered(scene: Scene) -> set[tuple[float, ...]]:
    """Points of the ground in the plane whose stand a wheel or a plate would hide."""
    hidden = set()
    for joint in scene.joints:
        frame, other = joint.guiding
        if not scene.plane or frame.body is not None or other.body is None:
            continue
        if any(_is_wide(shape) for shape in scene.body(other.body).shapes):
            hidden.add(tuple(float(x) for x in frame.point))
    return hidden


def _is_wide(shape: Bar | Polyline | Polygon | Disc | Solid) -> bool:
    """Whether a stand can lie behind it: links are too narrow for that."""
    return isinstance(shape, Disc) or (isinstance(shape, Polygon) and not shape.rim)


def _bracket(camera: Camera, point: FloatArray) -> list[Item]:
    """The textbook's ground pivot: a bracket on a hatched foot."""
    outline, foot, hatch = _bracket_lines(camera, point)
    return [
        Item("under", "stand", outline),
        Item("under", "floor", foot),
        Item("under", "hatch", hatch),
    ]


def _bracket_seen_through(camera: Camera, point: FloatArray) -> list[Item]:
    """A ground pivot's bracket as faint lines upon what hides it."""
    return [Item("top", "behind", d) for d in _bracket_lines(camera, point)]


def _bracket_lines(camera: Camera, point: FloatArray) -> tuple[str, str, str]:
    centre = camera.project(point[None])[0, :2]
    outline, foot = (
        centre + camera.size * np.array(path) * np.array([1.0, -1.0])
        for path in (STAND_OUTLINE, STAND_FOOT)
    )
    hatch = pen.hatching(foot[0], foot[1], np.array([0.0, 1.0]), camera.size)
    return pen.polyline(outline, closed=True), pen.polyline(foot), hatch


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
