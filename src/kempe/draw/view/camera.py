"""How a scene is seen: an orthographic view, fitted to the whole motion."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.draw.scene.parts import JointSymbol
from kempe.draw.scene.scene import Scene
from kempe.draw.scene.shapes import Bar, FloatArray, Polygon
from kempe.draw.scene.symbols import SIZES, SYMBOLS


@final
@dataclass(frozen=True, slots=True)
class View:
    """Where the reader stands, in degrees; the default looks from the front right, from above."""

    azimuth: float = -58.0  # of the reader about z, from x
    elevation: float = 24.0  # of the reader above the floor

    @property
    def rows(self) -> FloatArray:
        """Unit vectors to the right, up and towards the reader, as rows (3, 3)."""
        a, e = math.radians(self.azimuth), math.radians(self.elevation)
        near = np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)])
        right = np.array([-math.sin(a), math.cos(a), 0.0])
        return np.array([right, np.cross(near, right), near])


@final
@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """An orthographic projection: screen = origin + scale * rows (p - focus), y down."""

    rows: FloatArray  # (3, 3): right, up, near
    scale: float  # px per m
    focus: FloatArray  # (3,) m
    origin: tuple[float, float]  # px, where the focus appears
    low: FloatArray  # (3,) m, the least coordinates that occur
    high: FloatArray  # (3,) m, the greatest
    size: float  # factor on symbols

    @property
    def floor(self) -> float:
        """The height (m) of the floor of a spatial scene."""
        return float(self.low[2] - SIZES.floor * np.linalg.norm(self.high - self.low))

    def project(self, points: FloatArray) -> FloatArray:
        """Screen x, y and nearness, all in px, of points (..., 3)."""
        seen = self.scale * ((points - self.focus) @ self.rows.T)
        seen[..., 1] *= -1.0
        seen[..., :2] += self.origin
        return np.asarray(seen)


def fitted(
    scene: Scene,
    width: float,
    height: float,
    view: View | None = None,
    also: FloatArray | None = None,
) -> Camera:
    """The camera that shows the whole motion, everything at the same scale.

    ``also`` are points (m, 3) outside the mechanism that must be seen too.
    """
    points = _everything(scene)
    if also is not None and len(also):
        points = np.concatenate([points, also])
    low, high = points.min(axis=0), points.max(axis=0)
    rows = np.eye(3) if scene.plane else (view or View()).rows
    if not scene.plane:
        feet = np.array([*_anchors(scene), low])
        feet[:, 2] = Camera(rows, 1.0, low, (0.0, 0.0), low, high, 1.0).floor
        points = np.concatenate([points, feet[:-1]])
    seen = points @ rows[:2].T
    near, far = seen.min(axis=0), seen.max(axis=0)
    share = min(1.0, min(width, height) / SIZES.margin_side)
    left, top, right, bottom = (share * margin for margin in SIZES.margins)
    room = np.array([width - left - right, height - top - bottom])
    spread = far - near
    scale = float(np.min(room / np.where(spread > 0.0, spread, 1e-30)))
    if not spread.any():
        scale = float(room.min())
    focus = 0.5 * (low + high)
    middle = 0.5 * (near + far) - rows[:2] @ focus
    origin = (
        left + 0.5 * float(room[0]) - scale * float(middle[0]),
        top + 0.5 * float(room[1]) + scale * float(middle[1]),
    )
    size = _symbol_size(scene, scale, min(width, height))
    return Camera(rows, scale, focus, origin, low, high, size)


def _symbol_size(scene: Scene, scale: float, side: float) -> float:
    """The factor on all symbols, so that neither short links nor small pictures clot."""
    factor = side / SIZES.normal_side
    for body in scene.bodies:
        for shape in body.shapes:
            if isinstance(shape, Bar) or (isinstance(shape, Polygon) and shape.rim):
                corners = shape.corners
                edges = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
                shortest = float(edges[edges > 0.0].min(initial=np.inf))
                factor = min(factor, scale * shortest / SIZES.normal_link)
    return min(max(factor, SIZES.smallest), SIZES.largest)


def _anchors(scene: Scene) -> list[FloatArray]:
    """Points of the ground that stand on the floor of a spatial scene."""
    frames = [joint.guiding[0] for joint in scene.joints]
    points = [np.array(frame.point) for frame in frames if frame.body is None]
    return points + [np.array(pivot) for pivot in scene.ground.pivots]


def _everything(scene: Scene) -> FloatArray:
    """Points (m, 3) that together reach as far as anything does at any time."""
    n = len(scene.times)
    chosen = np.unique(np.append(np.arange(0, n, max(1, n // SIZES.fitted_samples)), n - 1))
    rows = [scene.ground.corners, *(anchor[None] for anchor in _anchors(scene))]
    for body in scene.bodies:
        traced = [trace.point for trace in scene.traces if trace.body == body.name]
        held = [
            frame.point
            for joint in scene.joints
            for frame in (joint.i, joint.j)
            if frame.body == body.name
        ]
        own = np.array([*traced, *held], dtype=float).reshape(-1, 3)
        corners = np.concatenate([body.corners, own])
        rows.append(body.motion.carried(corners)[chosen].reshape(-1, 3))
    rows += [load.reached(chosen) for load in scene.loads]
    rows += [_guide_ends(scene, joint, chosen) for joint in scene.joints]
    points = np.concatenate([*rows, np.empty((0, 3))])
    return points if len(points) else np.zeros((1, 3))


def _guide_ends(scene: Scene, joint: JointSymbol, chosen: NDArray[np.intp]) -> FloatArray:
    """The ends of the rail or slot along which a joint slides, (n, 3) m; none without one."""
    if SYMBOLS[joint.symbol].guide == "none":
        return np.empty((0, 3))
    frame = joint.guiding[0]
    ways = joint.reach[:2] if any(joint.reach) else scene.travel(joint)
    ends: FloatArray = np.array(frame.point) + np.outer(ways, frame.axes[:, 2])
    if frame.body is None:
        return ends
    carried: FloatArray = scene.body(frame.body).motion.carried(ends)
    return carried[chosen].reshape(-1, 3)
