"""Frames in a robot's URDF file: links are frames, joints are edges; written ones are fixed."""

import math
import warnings
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from kempe.disk import replace_file
from kempe.errors import FileError, FrameError, UnknownName, nearest_name
from kempe.frames.documents.entries import from_rpy, text_of
from kempe.frames.graph.graph import FrameGraph
from kempe.frames.motions.motion import Rigid
from kempe.frames.states.arrays import FloatArray
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.rotations import Euler, GimbalLock, Matrix, converted
from kempe.xml_tree import XmlTree

TURNING, SLIDING = {"revolute", "continuous"}, {"prismatic"}


def read_urdf(path: str | Path, positions: Mapping[str, float] | None = None) -> FrameGraph:
    """The tree of links, with joints at the given positions (rad or m), 0 where none is given.

    A joint that mimics another follows it, unless it has a position of its own.
    """
    path = Path(path)
    text = text_of(path)
    try:
        robot = XmlTree(text.encode(), str(path)).root
    except FileError as mistake:
        raise FrameError(f"{path} cannot be read: {mistake}", path=str(path)) from None
    at = dict(positions or {})
    joints = robot.findall("joint")
    names = {_attribute(path, joint, "name") for joint in joints}
    for name in at:
        if name not in names:
            raise UnknownName(
                f"{path} has no joint {name!r}.{nearest_name(name, names)}", name=name
            )
    at = _followed(path, joints, at)
    hung = {}
    for joint in joints:
        name = _attribute(path, joint, "name")
        ends = [joint.find(word) for word in ("parent", "child")]
        if ends[0] is None or ends[1] is None:
            raise FrameError(f"{path}: joint {name!r} lacks its parent or its child.")
        parent, child = (_attribute(path, end, "link") for end in ends if end is not None)
        pose = _origin(path, name, joint) @ _moved(path, name, joint, at.get(name, 0.0))
        if child in hung:
            raise FrameError(f"{path}: link {child!r} hangs on two joints.")
        hung[child] = (parent, pose)
    links = [_attribute(path, link, "name") for link in robot.findall("link")]
    return _tree(path, links, hung)


def _followed(
    path: Path, joints: list[ElementTree.Element], at: dict[str, float]
) -> dict[str, float]:
    """Positions with those of joints that mimic others: multiplier * position + offset."""
    leaders = {
        _attribute(path, joint, "name"): mimic
        for joint in joints
        if (mimic := joint.find("mimic")) is not None
    }
    known = {_attribute(path, joint, "name") for joint in joints} - leaders.keys()
    found = dict.fromkeys(known, 0.0) | at
    waiting = {name: mimic for name, mimic in leaders.items() if name not in found}
    while waiting:
        ready = [n for n, m in waiting.items() if _attribute(path, m, "joint") in found]
        if not ready:
            name = next(iter(waiting))
            leader = _attribute(path, waiting[name], "joint")
            raise FrameError(f"{path}: joint {name!r} mimics {leader!r}, which follows nothing.")
        for name in ready:
            mimic = waiting.pop(name)
            share, offset = (
                _number(path, name, mimic.get(word, default))
                for word, default in (("multiplier", "1"), ("offset", "0"))
            )
            found[name] = share * found[_attribute(path, mimic, "joint")] + offset
    return found


def _number(path: Path, joint: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FrameError(f"{path}: joint {joint!r} mimics by {text!r}, which is no finite number.")
    return value


def _tree(path: Path, links: list[str], hung: dict[str, tuple[str, Pose]]) -> FrameGraph:
    graph, children = FrameGraph(), dict[str, list[str]]()
    for child, (parent, _) in hung.items():
        for link in (child, parent):
            if link not in links:
                hint = nearest_name(link, links)
                raise UnknownName(f"{path}: there is no link {link!r}.{hint}", name=link)
        children.setdefault(parent, []).append(child)
    waiting = [link for link in reversed(links) if link not in hung]
    while waiting:
        link = waiting.pop()
        graph.add(link, *hung.get(link, (None, None)))
        waiting += reversed(children.get(link, []))
    if len(graph) < len(set(links)):
        left = next(link for link in links if link not in graph)
        raise FrameError(f"{path}: link {left!r} hangs on itself, by way of its joints.")
    return graph


def _origin(path: Path, name: str, joint: ElementTree.Element) -> Pose:
    origin = joint.find("origin")
    xyz = _three(path, name, "xyz", origin, "0 0 0")
    return Pose(Vector(*xyz), from_rpy(_three(path, name, "rpy", origin, "0 0 0")))


def _moved(path: Path, name: str, joint: ElementTree.Element, position: float) -> Pose:
    kind = joint.get("type")
    axis = _three(path, name, "xyz", joint.find("axis"), "1 0 0")
    if kind in TURNING:
        return Pose(Vector(0.0, 0.0, 0.0), Rotation.about(axis, position))
    if kind in SLIDING:
        way = position * np.array(axis) / np.linalg.norm(axis)
        return Pose(Vector(*way.tolist()), Rotation.identity())
    if position:
        raise FrameError(f"{path}: joint {name!r} is {kind} and has no one position to set.")
    return Pose.identity()


def _three(
    path: Path, joint: str, word: str, element: ElementTree.Element | None, default: str
) -> list[float]:
    text = default if element is None else element.get(word, default)
    try:
        numbers = [float(x) for x in text.split()]
    except ValueError:
        numbers = []
    if len(numbers) != 3 or not np.isfinite(numbers).all():
        raise FrameError(f"{path}: {word} of joint {joint!r} is {text!r}, not three numbers.")
    return numbers


def _attribute(path: Path, element: ElementTree.Element, word: str) -> str:
    text = element.get(word)
    if not text:
        raise FrameError(f"{path}: a <{element.tag}> has no {word}.")
    return text


def write_urdf(
    graph: FrameGraph, path: str | Path, *, name: str = "robot", t: float | None = None
) -> Path:
    """Write one tree of frames as links with fixed joints; no link has a mass or a shape.

    An edge that moves is refused, unless `t` (s) says at what time to hold it. URDF has no loops
    and one root.
    """
    roots = [frame for frame in graph if graph.parent(frame) is None]
    if len(roots) != 1:
        named = ", ".join(map(repr, roots[:4])) or "none"
        raise FrameError(f"a URDF file has one root, and there are {len(roots)}: {named}.")
    if graph.closing:
        edge = graph.closing[0]
        raise FrameError(
            f"a URDF file has no loops, and {edge.frame!r} is seen from {edge.reference!r} by a"
            " second edge: write .yaml, or reconcile the graph and leave the edge out."
        )
    robot = ElementTree.Element("robot", name=name)
    for frame in graph:
        ElementTree.SubElement(robot, "link", name=frame)
    for frame in graph:
        parent = graph.parent(frame)
        if parent is None:
            continue
        joint = ElementTree.SubElement(robot, "joint", name=f"{frame}_joint", type="fixed")
        p, rpy = _pose(graph, frame, parent, t)
        ElementTree.SubElement(joint, "parent", link=parent)
        ElementTree.SubElement(joint, "child", link=frame)
        ElementTree.SubElement(joint, "origin", xyz=_words(p), rpy=_words(rpy))
    ElementTree.indent(robot)
    path = Path(path)
    text = ElementTree.tostring(robot, encoding="unicode")
    return replace_file(path, f'<?xml version="1.0"?>\n{text}\n'.encode())


def _pose(
    graph: FrameGraph, frame: str, parent: str, t: float | None
) -> tuple[FloatArray, FloatArray]:
    if t is None and not isinstance(graph.edge(frame), Rigid):
        raise FrameError(
            f"the edge from {parent!r} to {frame!r} moves, and the joints of this file are fixed:"
            " say at what time to hold it, t=...",
            frame=frame,
        )
    state = graph.along([parent, frame], t or 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GimbalLock)  # the rotation is right all the same
        rpy = converted(state.rotation, Matrix(), Euler("xyz"))
    return state.position, np.asarray(rpy)


def _words(numbers: FloatArray) -> str:
    return " ".join(repr(float(x) + 0.0) for x in numbers)
