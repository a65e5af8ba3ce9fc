"""Pictures of what rolls on what: centrodes in the plane, screw axes in space."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kempe.draw import DrawnBody, Polyline, PoseSeries, Scene, scene_svg
from kempe.geometry import GROUND
from kempe.kinematics.observe.relative_motion import Centrode
from kempe.pictures.animation import scene_of

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

IN_SIGHT = 1.6  # sizes of the machine from a body's origin up to which its centrode is drawn
MOST_AXES = 25  # screw axes in one picture
AXIS = 0.6  # half the length of a drawn screw axis, in sizes of the machine


def rolling_svg(
    trajectory: "Trajectory",
    body: str,
    base: str = GROUND,
    *,
    index: int | None = None,
    width: int = 880,
    height: int = 520,
) -> str:
    """The mechanism with the centrodes of a body against another, or its screw axes, as SVG."""
    plane = trajectory.subject.plane
    scene = (_with_centrodes if plane else _with_axes)(trajectory, body, base)
    shown = len(trajectory) // 12 if index is None else index
    return scene_svg(scene, index=shown, width=width, height=height)


def _with_centrodes(trajectory: "Trajectory", body: str, base: str) -> Scene:
    """Both curves, each on the body it belongs to, and where they touch if that stays in sight."""
    relative = trajectory.relative(body, base)
    curves, still = relative.centrodes, np.zeros(len(trajectory))
    scene = _with_curve(scene_of(trajectory), body, curves.moving, "moving centrode")
    scene = _with_curve(scene, base, curves.fixed, "fixed centrode")
    point = relative.instant_centre.point
    if bool((np.linalg.norm(point, axis=1) < IN_SIGHT * trajectory.subject.size).all()):
        touching = DrawnBody("centre", PoseSeries(point, still), (), {"centre": (0.0, 0.0)})
        scene = replace(scene, bodies=(*scene.bodies, touching))
    return scene


def _with_curve(scene: Scene, body: str, curve: Centrode, word: str) -> Scene:
    lines = tuple(Polyline(piece.tolist()) for piece in curve.pieces(IN_SIGHT * curve.size))
    n = len(scene.times)
    if body == GROUND:
        still = DrawnBody(word, PoseSeries(np.zeros((n, 2)), np.zeros(n)), lines)
        return replace(scene, bodies=(*scene.bodies, still))
    bodies = [replace(b, shapes=(*b.shapes, *lines)) if b.name == body else b for b in scene.bodies]
    return replace(scene, bodies=tuple(bodies))


def _with_axes(trajectory: "Trajectory", body: str, base: str) -> Scene:
    """Some of the lines about which the body turns, as they lie in the world."""
    axis, n = trajectory.relative(body, base).screw_axis, len(trajectory)
    reach = AXIS * trajectory.subject.size
    some = np.unique(np.linspace(0, n - 1, MOST_AXES).astype(int))
    ends = [(axis.point[k] + s * reach * axis.direction[k]) for k in some for s in (-1.0, 1.0)]
    pairs = zip(ends[::2], ends[1::2], strict=True)
    lines = tuple(Polyline([a.tolist(), b.tolist()]) for a, b in pairs if np.isfinite(a).all())
    upright = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))
    scene = scene_of(trajectory)
    still = DrawnBody("screw axes", PoseSeries(np.zeros((n, 3)), upright), lines)
    return replace(scene, bodies=(*scene.bodies, still))
