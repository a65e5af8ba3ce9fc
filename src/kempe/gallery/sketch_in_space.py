"""A linkage in space: where its bodies stand at the start, and loops of hinges by their links."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kempe.front import Builder
from kempe.front.parts import BodyPart, JointPart
from kempe.geometry import GROUND, Inertia, Marker, Pose, Rotation, Vector
from kempe.joints import Revolute

FloatArray = NDArray[np.float64]
X_AXIS, Y_AXIS, Z_AXIS = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def triple(p: ArrayLike) -> tuple[float, float, float]:
    """Three plain numbers."""
    x, y, z = (float(c) for c in np.asarray(p, dtype=np.float64))
    return x, y, z


def frame(x: ArrayLike, square: ArrayLike) -> Rotation:
    """A rotation whose x axis has this direction and whose z axis is square to the other one too.

    z = x cross square, each made as long as one; not a number where the two are parallel.
    """
    first = np.asarray(x, dtype=np.float64)
    third = np.cross(first, np.asarray(square, dtype=np.float64))
    first, third = (v / (float(np.linalg.norm(v)) or math.nan) for v in (first, third))
    columns = (first, np.cross(third, first), third)
    return Rotation(*(Vector(*triple(column)) for column in columns))


def placed(
    m: Builder,
    name: str,
    at: Pose,
    points: Mapping[str, Sequence[float]],
    inertia: Inertia | None = None,
) -> BodyPart:
    """A body that starts at that pose, drawn through its points."""
    position, rotation, outline = triple(at.position), at.rotation, tuple(points)
    return m.body(
        name, points=points, at=position, rotation=rotation, outline=outline, inertia=inertia
    )


def marker(body: str, at: Pose) -> Marker:
    """The marker at that pose in the body."""
    return Marker(body, triple(at.position), at.rotation)


def link_pose(length: float, twist: float) -> Pose:
    """From hinge to hinge: `length` along x, then the axis turned by `twist` (rad) about x."""
    return Pose(Vector(length, 0.0, 0.0), Rotation.about(X_AXIS, twist))


def hinge_loop(
    m: Builder, links: Sequence[tuple[float, float]], angles: Sequence[float]
) -> list[JointPart[Revolute]]:
    """A closed loop of hinges; each link has its length (m) and the twist (rad) of its two axes.

    Hinge k has its axis along z of link k and lies at its origin; the angle at it is that between
    link k - 1 and link k. The last link is the ground, and its far hinge, the first of the loop,
    is the world's z axis.

    Source: [HartenbergDenavit] the four numbers of a link, without offsets.
    """
    n = len(links)
    here = Pose.identity()
    joints: list[JointPart[Revolute]] = []
    before = Marker(GROUND)
    for k, (length, twist) in enumerate(links[:-1]):
        here = here @ turned(angles[k])
        name = f"link{k + 1}"
        body = placed(m, name, here, {"start": (0.0, 0.0, 0.0), "end": (length, 0.0, 0.0)})
        joints.append(m.revolute(before, body.start, name=f"hinge{k + 1}"))
        before = marker(name, link_pose(length, twist))
        here = here @ link_pose(length, twist)
    ground = marker(GROUND, link_pose(*links[-1]).inverse())
    joints.append(m.revolute(before, ground, name=f"hinge{n}"))
    return joints


def forked_shaft(
    m: Builder,
    name: str,
    at: Pose,
    bearing: float,
    fork: float,
    across: str,
    *,
    tip: str = "right",
    inertia: Inertia | None = None,
) -> BodyPart:
    """A shaft along its own z with a fork at its origin that opens along x or y.

    Its `bearing` lies that far along z; `tip` names the end of the fork that is not its left one.
    """
    right = (fork, 0.0, 0.0) if across == "x" else (0.0, fork, 0.0)
    left = (-right[0], -right[1], 0.0)
    points = {"bearing": (0.0, 0.0, bearing), "left": left, tip: right}
    return placed(m, name, at, points, inertia)


def in_place(rotation: Rotation) -> Pose:
    """A rotation about the origin."""
    return Pose(Vector(0.0, 0.0, 0.0), rotation)


def shifted(x: float, y: float, z: float) -> Pose:
    """A shift without rotation."""
    return Pose(Vector(x, y, z), Rotation.identity())


def turned(angle: float) -> Pose:
    """A turn about z, in place."""
    return in_place(Rotation.planar(angle))
