"""A scene as a .glb file: solids that move, for any program that shows glTF 2.0."""

from typing import Any

import numpy as np

from kempe.draw.formats.glb_file import GltfFile, body_colour
from kempe.draw.scene.parts import DrawnBody, Frame, JointSymbol
from kempe.draw.scene.scene import Scene
from kempe.draw.scene.shapes import FloatArray
from kempe.draw.scene.symbols import SIZES, SYMBOLS, Drum, Stroke
from kempe.draw.view.camera import fitted
from kempe.draw.view.picture import belt_line
from kempe.draw.view.solids import (
    PAGE,
    Proportions,
    proportions,
    shape_facets,
    solid_facets,
    stroke_points,
)
from kempe.draw.view.theme import LIGHT
from kempe.geometry.rotations import Matrix
from kempe.geometry.solids.facets import Facets, drum, frame_along

Nodes = dict[str | None, int]
THIN_ROD = 0.2  # a rod's radius over a link's width
SHORTEST = 1e-9  # of the scene's size: a span that is shorter has no direction
# glTF has y up: a scene in space is turned from z up, -90 degrees about x, as (x, y, z, w).
UPRIGHT = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]


def scene_glb(scene: Scene) -> bytes:
    """The scene as a binary glTF 2.0 file: a node with its poses for every body, lengths in m.

    Programs that show it play the motion in real time, starting at 0 s. A scene in space stands
    upright: its z is glTF's y.
    """
    file = GltfFile()
    root = _laid_out(scene, file)
    if not scene.plane:
        file.nodes[root]["rotation"] = UPRIGHT
    return file.packed(scene.title, root)


def _laid_out(scene: Scene, file: GltfFile) -> int:
    """Put all of a scene into a file; the number of its root node."""
    sizes = proportions(scene)
    size = fitted(scene, *PAGE).size
    times = file.numbers(scene.times - scene.times[0], "SCALAR")
    nodes: Nodes = {None: file.node(name="ground", children=[])}
    for number, body in enumerate(scene.bodies):
        nodes[body.name] = _body(file, body, sizes, number, times)
    _traces(file, scene, nodes)
    for joint in scene.joints:
        _symbol(file, scene, joint, nodes, sizes, size)
        _guide(file, scene, joint, nodes, sizes, size)
        if SYMBOLS[joint.symbol].span:
            nodes[f"span {joint.name}"] = _span(file, scene, joint, sizes, size, times)
        elif SYMBOLS[joint.symbol].wrap != "none":
            nodes[f"belt {joint.name}"] = _belt(file, scene, joint)
    root = file.node(name=scene.title, children=list(dict.fromkeys(nodes.values())))
    for node in file.nodes:
        if not node.get("children", True):
            del node["children"]
    return root


def _body(file: GltfFile, body: DrawnBody, sizes: Proportions, number: int, times: int) -> int:
    """A node with the body's shapes, and channels with its poses."""
    colour, raised = body_colour(body.colour), np.array([0.0, 0.0, sizes.layer(number)])
    primitives = []
    for shape in body.shapes:
        made = shape_facets(shape, sizes)
        if made is not None:
            primitives.append(file.surface(Facets(made.points + raised, made.faces), colour))
            continue
        points = shape.corners + raised
        if getattr(shape, "closed", False):
            points = np.concatenate([points, points[:1]])
        primitives.append(file.line(points, body_colour(getattr(shape, "colour", body.colour))))
    turn = np.roll(body.motion.quaternions, -1, axis=1)  # (w, x, y, z) -> (x, y, z, w)
    facts: dict[str, Any] = {"name": body.name, "children": []}
    facts["translation"] = body.motion.position[0].tolist()
    facts["rotation"] = turn[0].tolist()
    if primitives:
        facts["mesh"] = file.mesh(body.name, primitives)
    node = file.node(**facts)
    if not body.motion.stays:
        file.animate(node, "translation", times, body.motion.position)
        file.animate(node, "rotation", times, turn)
    return node


def _symbol(
    file: GltfFile,
    scene: Scene,
    joint: JointSymbol,
    nodes: Nodes,
    sizes: Proportions,
    size: float,
) -> None:
    """The solids and strokes of a joint, fixed to the bodies that carry them."""
    guide, guided = joint.guiding
    for k, piece in enumerate(SYMBOLS[joint.symbol].solids):
        frame = guide if piece.side == "i" else guided
        R, p = scene.drawn_axes(frame), np.array(frame.point, dtype=float)
        height, reach = _layers(scene, (guide.body, guided.body), sizes)
        p = p + np.array([0.0, 0.0, height])
        if isinstance(piece, Stroke):
            primitive = file.line(stroke_points(piece, sizes, size) @ R.T + p, LIGHT.ink)
        else:
            made = solid_facets(piece, sizes, size)
            if isinstance(piece, Drum) and scene.plane:  # a pin goes through all it joins
                stretch = np.array([1.0, 1.0, reach / max(float(np.ptp(made.points[:, 2])), 1e-30)])
                made = Facets(made.points * stretch, made.faces)
            fill = {"ink": LIGHT.ink, "paper": LIGHT.steel}.get(piece.fill)
            primitive = file.surface(made.moved(R, p), fill or _tone(scene, frame))
        mesh = file.mesh(joint.name, [primitive])
        child = file.node(name=f"{joint.name} {k + 1}", mesh=mesh)
        file.nodes[nodes[frame.body]]["children"].append(child)


def _guide(
    file: GltfFile, scene: Scene, joint: JointSymbol, nodes: Nodes, sizes: Proportions, size: float
) -> None:
    """The barrel of a rod. Cylinders are left out: they would hide their pistons."""
    if SYMBOLS[joint.symbol].guide != "barrel":
        return
    guide, guided = joint.guiding
    height, _ = _layers(scene, (guide.body, guided.body), sizes)
    back, mouth = sorted(joint.reach[:2])
    made = drum(0.4 * SIZES.barrel * sizes.px * size, back, mouth)
    placed = np.array(guide.point, dtype=float) + np.array([0.0, 0.0, height])
    surface = file.surface(made.moved(guide.axes, placed), _tone(scene, guide))
    child = file.node(name=f"{joint.name} barrel", mesh=file.mesh(joint.name, [surface]))
    file.nodes[nodes[guide.body]]["children"].append(child)


def _layers(
    scene: Scene, bodies: tuple[str | None, str | None], sizes: Proportions
) -> tuple[float, float]:
    """The middle height of what a joint holds together, and how far a pin must reach (m)."""
    order = {body.name: k for k, body in enumerate(scene.bodies)}
    heights = [sizes.layer(order[name]) if name is not None else 0.0 for name in bodies]
    if not scene.plane:
        return 0.0, 0.0
    reach = max(heights) - min(heights) + 2.0 * sizes.thickness
    return 0.5 * (max(heights) + min(heights)), reach


def _tone(scene: Scene, frame: Frame) -> str:
    return body_colour(None if frame.body is None else scene.body(frame.body).colour)


def _span(
    file: GltfFile,
    scene: Scene,
    joint: JointSymbol,
    sizes: Proportions,
    size: float,
    times: int,
) -> int:
    """What joins two frames, 1 m long along z, moved, turned and stretched to reach them."""
    ends = [_places(scene, frame) for frame in joint.guiding]
    way = ends[1] - ends[0]
    length = np.linalg.norm(way, axis=1)
    primitives = []
    for path in SYMBOLS[joint.symbol].span:
        u, v = np.array(path, dtype=float).T
        if len(path) == 2 and not v.any() and not SYMBOLS[joint.symbol].dashed:  # a rod
            made = drum(THIN_ROD * sizes.width, float(u[0]), float(u[1]))
            primitives.append(file.surface(made, LIGHT.steel))
            continue
        line = np.column_stack([sizes.px * size * v, np.zeros_like(v), u])
        primitives.append(file.line(line, LIGHT.ink))
    node = file.node(name=joint.name, mesh=file.mesh(joint.name, primitives))
    small = SHORTEST * max(scene.size, 1e-30)
    safe = np.where(length[:, None] > small, way, np.array([0.0, 0.0, 1.0]))
    turns = Matrix().quaternions(np.array([frame_along(w) for w in safe]))
    turned = np.sum(turns[1:] * turns[:-1], axis=1) < 0.0
    turns = turns * np.where(np.concatenate([[0], np.cumsum(turned)]) % 2 == 1, -1.0, 1.0)[:, None]
    stretch = np.column_stack([np.ones((len(length), 2)), np.maximum(length, small)])
    file.animate(node, "translation", times, ends[0])
    file.animate(node, "rotation", times, np.roll(turns, -1, axis=1))
    file.animate(node, "scale", times, stretch)
    return node


def _places(scene: Scene, frame: Frame) -> FloatArray:
    """Where a frame is at every sample (n, 3), m."""
    point = np.array([frame.point], dtype=float)
    if frame.body is None:
        return np.repeat(point, len(scene.times), axis=0)
    return scene.body(frame.body).motion.carried(point)[:, 0]


def _belt(file: GltfFile, scene: Scene, joint: JointSymbol) -> int:
    """A belt round two wheels, where it lies at the start."""
    poses = [scene.pose(frame, 0) for frame in joint.guiding]
    ends, axis = np.array([point for point, _ in poses]), poses[0][1][:, 2]
    crossed = SYMBOLS[joint.symbol].wrap == "crossed"
    line = belt_line(ends, axis, joint.guiding_radii, crossed=crossed)
    closed = np.concatenate([line, line[:1]])
    return file.node(name=joint.name, mesh=file.mesh(joint.name, [file.line(closed, LIGHT.ink)]))


def _traces(file: GltfFile, scene: Scene, nodes: Nodes) -> None:
    """Curves that points draw, whole."""
    for trace in scene.traces:
        body = scene.body(trace.body)
        curve = body.motion.carried(np.array([trace.point], dtype=float))[:, 0]
        line = file.line(curve, body_colour(body.colour))
        child = file.node(name=f"path of {trace.name}", mesh=file.mesh(trace.name, [line]))
        file.nodes[nodes[None]]["children"].append(child)
