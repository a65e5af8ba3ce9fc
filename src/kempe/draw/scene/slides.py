"""What slides in what: rods that come out of barrels, pistons in their cylinders.

A joint that slides is a block on a guide, until the shapes of its two bodies say more.
"""

from dataclasses import replace

import numpy as np

from kempe.draw.scene.parts import DrawnBody, Frame, JointSymbol
from kempe.draw.scene.scene import Scene
from kempe.draw.scene.shapes import Bar, FloatArray, Polygon, Solid, Triple

SLIDING = ("slider", "sleeve")  # the symbols of joints that slide along z
PUSHED = "cylinder"  # the symbol of what pushes between two frames
STRAIGHT = 1e-6  # of a bar's length: what is nearer to an axis lies on it
ROOM = 0.08  # of its travel: how much longer than that a barrel is, at either end
EVEN = 0.6  # of its wider side: how far a piston must reach on the other side of its axis
ALONG = 0.3  # of its travel: how far a cylinder goes on beyond its piston, but not less than
HALF = 0.5  # of its height
ROUND = 8  # directions about an axis in which a round piston must reach as far


def with_slides(scene: Scene) -> Scene:
    """The scene with rods in barrels and pistons in cylinders instead of blocks on guides.

    Where both bodies are bars along the way they slide, the one is the barrel of the other. Where
    what slides on the ground has straight flanks on both sides of its way, it is a piston. What
    pushes a piston from frame to frame of its own joint is in the cylinder, and not drawn.
    """
    bodies = {body.name: body for body in scene.bodies}
    joints: list[JointSymbol] = []
    pistons: list[JointSymbol] = []
    for joint in scene.joints:
        found = _slide(scene, joint, bodies) if joint.symbol in SLIDING else joint
        joints.append(found)
        if found.symbol == "piston":
            pistons.append(found)
    for joint in joints:
        if joint.symbol == "telescope":
            inside = joint.guiding[1]
            assert inside.body is not None
            bodies[inside.body] = _without_point(bodies[inside.body], inside)
    for joint in pistons:
        name = joint.guiding[1].body
        assert name is not None
        bodies[name] = _without_rim(bodies[name])
    filled = {frozenset((_place(p.i), _place(p.j))) for p in pistons}
    kept = [
        joint
        for joint in joints
        if joint.symbol != PUSHED or frozenset((_place(joint.i), _place(joint.j))) not in filled
    ]
    if all(a is b for a, b in zip(joints, scene.joints, strict=True)):
        return scene
    return replace(scene, bodies=list(bodies.values()), joints=kept)


def _slide(scene: Scene, joint: JointSymbol, bodies: dict[str, DrawnBody]) -> JointSymbol:
    guide, guided = joint.guiding
    rider = None if guided.body is None else bodies[guided.body]
    if rider is None:
        return joint
    low, high = scene.travel(joint)
    if guide.body is not None:
        barrel = _barrel(_span(bodies[guide.body], guide), _span(rider, guided), low, high)
        if barrel is not None:
            return replace(joint, symbol="telescope", reach=(*barrel, 0.0, 0.0))
    around = _around(rider, guided, plane=scene.plane) if guide.body is None else None
    if around is None:
        return joint
    back, front, left, right = around
    more = max(ALONG * (high - low), HALF * (front - back))
    return replace(
        joint, symbol="piston", reach=(low + back - more, high + front + more, left, right)
    )


def _barrel(
    outer: tuple[float, float] | None, inner: tuple[float, float] | None, low: float, high: float
) -> tuple[float, float] | None:
    """Where along the guide a barrel has its back and its mouth (m), or None where there is none.

    `outer` and `inner` are where the bars begin and end on the axis, each from its own frame, and
    the frame of the second goes from `low` to `high`.
    """
    if outer is None or inner is None:
        return None
    stroke = high - low
    middle = 0.5 * (low + high) + 0.5 * sum(inner)
    if middle < 0.5 * sum(outer):  # it comes out backwards: seen from the other end
        found = _barrel((-outer[1], -outer[0]), (-inner[1], -inner[0]), -high, -low)
        return None if found is None else (-found[0], -found[1])
    begin = max(low + inner[0] - ROOM * stroke, outer[0])
    end = max(high + inner[0] + ROOM * stroke, outer[1])
    out = low + inner[1]  # how far the rod's end is when it is furthest in
    if begin >= end or out <= begin + stroke:
        return None
    return begin, min(end, max(out - ROOM * stroke, outer[1]))


def _span(body: DrawnBody, frame: Frame) -> tuple[float, float] | None:
    """Where the only bar of a body begins and ends along the axis of a frame, if it lies on it."""
    if len(body.shapes) != 1 or not isinstance(body.shapes[0], Bar):
        return None
    ends = body.shapes[0].corners - np.array(frame.point)
    axis = frame.axes[:, 2]
    along = ends @ axis
    off = np.linalg.norm(ends - np.outer(along, axis), axis=1).max()
    length = float(np.ptp(along))
    if not length > 0.0 or off > STRAIGHT * length:
        return None
    return float(along.min()), float(along.max())


def _around(
    body: DrawnBody, frame: Frame, *, plane: bool
) -> tuple[float, float, float, float] | None:
    """How far a piston reaches along its axis and across it, back, front, left and right (m)."""
    kinds = (Polygon,) if plane else (Solid,)
    if len(body.shapes) != 1 or not isinstance(body.shapes[0], kinds):
        return None
    off = body.shapes[0].corners - np.array(frame.point)
    axis = frame.axes[:, 2]
    along = off @ axis
    if plane:
        across = off @ np.array([-axis[1], axis[0], 0.0])
        left, right = float(across.min()), float(across.max())
        if min(-left, right) < EVEN * max(-left, right) or abs(axis[2]) > STRAIGHT:
            return None
        slack = STRAIGHT * (right - left)
        flanks = np.sum(across < left + slack), np.sum(across > right - slack)
        if min(flanks) < 2:  # corners: it has no sides along its way
            return None
        return float(along.min()), float(along.max()), left, right
    radius = _radius(off - np.outer(along, axis), frame)
    if radius is None:
        return None
    return float(along.min()), float(along.max()), -radius, radius


def _radius(off: FloatArray, frame: Frame) -> float | None:
    """The radius (m) of what goes evenly round an axis, of corners' ways from that axis."""
    turns = 2.0 * np.pi * np.arange(ROUND) / ROUND
    x, y = frame.axes[:, 0], frame.axes[:, 1]
    reach = (off @ (np.outer(x, np.cos(turns)) + np.outer(y, np.sin(turns)))).max(axis=0)
    radius = float(reach.max())
    return radius if radius > 0.0 and reach.min() >= 0.9 * radius else None


def _without_rim(body: DrawnBody) -> DrawnBody:
    """A piston is a block: its corners carry no pins."""
    corners: set[Triple] = set()
    shapes = []
    for shape in body.shapes:
        if isinstance(shape, Polygon) and shape.rim:
            corners |= {_triple(corner) for corner in shape.corners}
            shape = replace(shape, rim=False)
        shapes.append(shape)
    points = {name: p for name, p in body.points.items() if _triple(np.array(p)) not in corners}
    return replace(body, shapes=shapes, points=points)


def _without_point(body: DrawnBody, frame: Frame) -> DrawnBody:
    """A rod without a dot where it ends inside its barrel."""
    points = {
        n: p for n, p in body.points.items() if (body.name, _triple(np.array(p))) != _place(frame)
    }
    return replace(body, points=points)


def _place(frame: Frame) -> tuple[str | None, Triple]:
    return frame.body, _triple(np.array(frame.point))


def _triple(point: FloatArray) -> Triple:
    x, y, z = (round(float(c), 12) + 0.0 for c in point)
    return (x, y, z)
