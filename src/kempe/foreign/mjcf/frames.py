"""Frames of MJCF: elements that move and turn what stands in them, and are no bodies themselves.

X_BE = X_BF X_FE for everything E in a frame F of the body B: bodies, joints, geoms, sites and
masses alike. Frames lie in frames, and may give their members a default class.

Source: [MuJoCo] XML reference, frame.
"""

from collections.abc import Callable
from xml.etree.ElementTree import Element

from kempe.geometry import Pose

FRAME = "frame"


def dissolved_frames(root: Element, pose: Callable[[Element], Pose]) -> dict[Element, Pose]:
    """Put what stands in frames in their place, and tell by which pose each of it is moved.

    `pose` gives that of a frame in what is around it. Members are given the frame's `childclass`
    where they name none.
    """
    moved: dict[Element, Pose] = {}
    waiting = list(root.findall("worldbody"))
    while waiting:
        parent = waiting.pop()
        while any(child.tag == FRAME for child in parent):
            parent[:] = [one for child in parent for one in _members(child, pose, moved)]
        waiting += [child for child in parent if child.tag == "body"]
    return moved


def _members(
    child: Element, pose: Callable[[Element], Pose], moved: dict[Element, Pose]
) -> list[Element]:
    """What stands in a frame, moved by it; whatever is no frame stays as it is."""
    if child.tag != FRAME:
        return [child]
    X_BF = moved.pop(child, Pose.identity()) @ pose(child)
    for member in child:
        moved[member] = X_BF
        word = "childclass" if member.tag in ("body", FRAME) else "class"
        if child.get("childclass") is not None and member.get(word) is None:
            member.set(word, child.get("childclass", ""))
    return list(child)
