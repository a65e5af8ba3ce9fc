"""A picture of what can still move: arrows at the points of bodies, axes they turn about."""

import math

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.draw import Arrow, AxisLine, scene_svg
from kempe.draw.scene.shapes import perpendiculars
from kempe.equations import equations_of
from kempe.errors import UnknownName
from kempe.front.trajectory import Trajectory
from kempe.geometry import Pose
from kempe.kinematics.check.assembly import still
from kempe.kinematics.closing.placement import body_pose
from kempe.kinematics.closing.winding import initial_turns
from kempe.kinematics.mobility.finite_motion import released_at
from kempe.kinematics.mobility.free_motions import free_motions
from kempe.pictures.animation import scene_of
from kempe.results import BodyMotion, FreeMotion
from kempe.results.state import State

LONGEST = 0.18  # of the picture's extent: the arrow of the fastest point
SHORTEST = 0.02  # of the longest arrow: points that move less have none
RING, SWEEP = 0.06, 1.5 * math.pi  # radius over the extent, and angle, of the arrow round an axis
AXIS = 0.5  # length over the extent
CORNERS = 24  # of that arrow


def freedom_picture(layout: Layout, number: int, *, drives: bool) -> str:
    """Free motion `number` (from 1) where the mechanism stands, as SVG; its drives on or let go."""
    motion = still(layout)
    q, t = motion.q[0], float(motion.t[0])
    here = layout if drives else released_at(layout, q, t).equations.layout
    equations = equations_of(here)
    at = State(t, q, turns=initial_turns(equations, t, q))
    found = free_motions(equations, at)
    if not 1 <= number <= len(found):
        held = " with its drives on" if drives and layout.model.drives else ""
        raise UnknownName(
            f"there is no free motion {number}: {layout.model.name!r} has {len(found)}{held}.",
            free=len(found),
        )
    scene = scene_of(Trajectory(layout, motion))
    return scene_svg(scene, names=True, marks=_marks(layout, q, found[number - 1]))


def _marks(layout: Layout, q: np.ndarray, motion: FreeMotion) -> list[Arrow | AxisLine]:
    poses = {m.body: body_pose(layout, q, m.body) for m in motion.motions}
    places = {body: _places(layout, body, X_WB) for body, X_WB in poses.items()}
    everywhere = np.concatenate([_all(layout, q), *places.values()])
    extent = float(np.linalg.norm(np.ptp(everywhere, axis=0))) or layout.size
    speeds = {m.body: _velocities(m, places[m.body]) for m in motion.motions}
    fastest = max(float(np.linalg.norm(v, axis=1).max()) for v in speeds.values())
    scale = LONGEST * extent / fastest if fastest > 0.0 else 0.0
    marks: list[Arrow | AxisLine] = []
    for m in motion.motions:
        colour = layout.body_index[m.body]
        for p, v in zip(places[m.body], scale * speeds[m.body], strict=True):
            if np.linalg.norm(v) > SHORTEST * LONGEST * extent:
                marks.append(Arrow([p.tolist(), (p + v).tolist()], colour))
        if m.turns:
            marks += _turn(m, colour, extent)
    return marks


def _all(layout: Layout, q: np.ndarray) -> np.ndarray:
    """Where all joints are."""
    ends = [m for joint in layout.model.joints for m in joint.markers]
    places = [list((body_pose(layout, q, m.body) @ m.pose).position) for m in ends]
    return np.array(places, float).reshape(-1, 3)


def _places(layout: Layout, body: str, X_WB: Pose) -> np.ndarray:
    """Points of a body where an arrow says something: its own, and its joints'."""
    own = list(layout.model.body(body).points.values())
    own += [m.position for j in layout.model.joints for m in j.markers if m.body == body]
    distinct = np.unique(np.array(own or [(0.0, 0.0, 0.0)], float).round(9), axis=0)
    R = X_WB.rotation.matrix()
    return np.array(list(X_WB.position), float) + distinct @ R.T


def _velocities(m: BodyMotion, places: np.ndarray) -> np.ndarray:
    arms = places - np.array(m.at)
    return np.array(m.velocity) + np.cross(np.array(m.spin), arms)


def _turn(m: BodyMotion, colour: int, extent: float) -> list[Arrow | AxisLine]:
    """The axis, and an arrow round it that way."""
    z = np.array(m.direction)
    x, y = perpendiculars(z)
    angles = np.linspace(0.0, SWEEP, CORNERS)
    ring = np.outer(np.cos(angles), x) + np.outer(np.sin(angles), y)
    points = np.array(m.centre) + RING * extent * ring
    return [AxisLine(m.centre, m.direction, AXIS * extent), Arrow(points.tolist(), colour)]
