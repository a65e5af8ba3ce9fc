"""Frames as a robot's URDF file: frames are links, fixed poses are fixed joints."""

import warnings
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from kempe.disk import replace_file
from kempe.errors import FrameError
from kempe.frames.graph.graph import FrameGraph
from kempe.frames.motions.motion import Rigid
from kempe.frames.states.arrays import FloatArray
from kempe.geometry.rotations import Euler, GimbalLock, Matrix, converted


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
