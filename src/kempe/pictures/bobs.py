"""Bobs: bodies whose whole mass is in one point, at the end of an arm, a rod or a thread."""

import math

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.draw import Polygon, Shape, Solid
from kempe.geometry import Marker, Vector
from kempe.geometry.solids.facets import ball
from kempe.kinematics.closing.placement import body_pose
from kempe.model import Body, Model

FloatArray = NDArray[np.float64]
SHARE = 0.07  # of how far apart anything of the mechanism is: the radius of a bob
CORNERS = 32  # of a bob in the plane
FACES = 20  # round a bob in space
RING = 8  # corners of an outline round the mass that stand for a bob
POINT = 1e-9  # of mass times that distance squared: what has no larger moment is a point
#: symbols of joints on which something rides, whose own picture is a block, a bead or a foot
RIDING = frozenset(
    (
        "slider",
        "sleeve",
        "screw",
        "slot",
        "bead",
        "rider",
        "plate",
        "line_on_plate",
        "foot",
        "contact",
    )
)


def bobs(layout: Layout, q: NDArray[np.float64]) -> dict[str, Shape]:
    """A disc, in space a ball, by the name of every body that is a point mass and nothing else.

    Not where a body has a shape, rides on something or touches something: then that is its picture.
    """
    model = layout.model
    heavy = [body for body in model.moving if _may_be(model, body)]
    if not heavy:
        return {}
    extent = _extent(layout, q)
    found: dict[str, Shape] = {}
    for body in heavy:
        inertia = body.inertia
        assert inertia is not None
        if float(np.trace(inertia.tensor)) > POINT * inertia.mass * extent * extent:
            continue
        found[body.name] = _round(inertia.centre, SHARE * extent, plane=model.plane)
    return found


def _may_be(model: Model, body: Body) -> bool:
    if body.shapes or body.inertia is None or not body.inertia.mass > 0.0:
        return False
    corners = np.array([body.points[name] for name in body.outline]).reshape(-1, 3)
    if _has_a_face(corners):  # of its own, unless that is a ring round its mass
        radii = np.linalg.norm(corners - body.inertia.centre, axis=1)
        if len(corners) < RING or np.ptp(radii) > POINT * radii.max():
            return False
    mine = [j for j in model.joints if any(m.body == body.name for m in j.markers)]
    pushed = [f for f in model.forces if body.name in (m.body for m in _ends(f))]
    touches = any(hasattr(force, "restitution") for force in pushed)
    rides = any(joint.symbol in RIDING for joint in mine)
    return bool(mine or pushed) and not (touches or rides)


def _has_a_face(corners: FloatArray) -> bool:
    """Whether points (n, 3) do not lie on one line."""
    if len(corners) < 3:
        return False
    sizes = np.linalg.svd(corners - corners.mean(axis=0), compute_uv=False)
    return bool(sizes[1] > POINT * sizes[0])


def _ends(force: object) -> tuple[Marker, ...]:
    gauges = getattr(force, "gauges", ())
    return (*getattr(force, "markers", ()), *(m for g in gauges for m in (g.I, g.J)))


def _extent(layout: Layout, q: NDArray[np.float64]) -> float:
    """How far apart joints, forces and centres of mass are (m)."""
    model = layout.model
    markers = [m for joint in model.joints for m in joint.markers]
    markers += [m for force in model.forces for m in _ends(force)]
    places = [list((body_pose(layout, q, m.body) @ m.pose).position) for m in markers]
    centres = [(b.name, b.inertia.centre) for b in model.moving if b.inertia is not None]
    places += [list(body_pose(layout, q, name).point(Vector(*at))) for name, at in centres]
    points = np.array(places, dtype=float).reshape(-1, 3)
    return float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0


def _round(centre: FloatArray, radius: float, *, plane: bool) -> Shape:
    if plane:
        turns = math.tau * np.arange(CORNERS) / CORNERS
        rim = np.column_stack([np.cos(turns), np.sin(turns), np.zeros(CORNERS)])
        return Polygon((centre + radius * rim).tolist(), rim=False)
    made = ball(radius, FACES)
    return Solid((made.points + centre).tolist(), made.faces)
