"""A model seen from the centres of mass: every body's origin moved there, nothing else changed.

Equations of motion are simplest there: M is diagonal in blocks and constant. Positions and
velocities of the bodies' own origins follow from those of the centres.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kempe.geometry import Inertia, Marker, Pose, Vector
from kempe.model import Body, Model
from kempe.model.editing import moved_parts

FloatArray = NDArray[np.float64]
ZERO = (0.0, 0.0, 0.0)


def centre_of(body: Body) -> tuple[float, float, float]:
    """The centre of mass in the body's frame; its origin where it has no mass."""
    if body.inertia is None or body.inertia.mass == 0.0:
        return ZERO
    x, y, z = (float(c) for c in body.inertia.centre)
    return x, y, z


def centred(model: Model) -> Model:
    """The model with the origin of every moving body at its centre of mass."""
    shifts = {body.name: centre_of(body) for body in model.moving}

    def moved(marker: Marker) -> Marker:
        c = shifts.get(marker.body, ZERO)
        x, y, z = (p - s for p, s in zip(marker.position, c, strict=True))
        return replace(marker, position=(x, y, z))

    inertias: dict[int, Inertia] = {}  # bodies that share one go on to do so
    bodies = tuple(_centred_body(b, shifts.get(b.name, ZERO), inertias) for b in model.bodies)
    return replace(model, bodies=bodies, **moved_parts(model, moved, lambda name: name))


def _centred_body(body: Body, c: tuple[float, float, float], inertias: dict[int, Inertia]) -> Body:
    if body.name == "ground" or c == ZERO:
        return body
    points = {name: (p[0] - c[0], p[1] - c[1], p[2] - c[2]) for name, p in body.points.items()}
    put = body.guess or Pose.identity()
    guess = Pose(put.position + put.rotation.apply(Vector(*c)), put.rotation)
    inertia = body.inertia
    if inertia is not None:
        if id(inertia) not in inertias:
            inertias[id(inertia)] = Inertia(inertia.mass, np.zeros(3), inertia.tensor)
        inertia = inertias[id(inertia)]
    return replace(body, points=points, guess=guess, inertia=inertia)


def to_centres(model: Model, q: FloatArray) -> FloatArray:
    """Coordinates (n, n_q) of the centres, from those of the bodies' origins."""
    return _shifted(model, q, 1.0)


def to_origins(model: Model, q: FloatArray) -> FloatArray:
    """Coordinates (n, n_q) of the bodies' origins, from those of the centres."""
    return _shifted(model, q, -1.0)


def _shifted(model: Model, q: FloatArray, sign: float) -> FloatArray:
    moved = np.array(q)
    if model.plane:
        x, y = _plane_arms(model, q)
        moved[:, 0::3] += sign * x
        moved[:, 1::3] += sign * y
        return moved
    for k, body in enumerate(model.moving):
        c = np.array(centre_of(body))
        if c.any():
            mine = moved[:, k * 7 : (k + 1) * 7]
            mine[:, :3] += sign * np.einsum("nij,j->ni", _rotations(mine[:, 3:]), c)
    return moved


def velocities_at_centres(model: Model, q: FloatArray, v: FloatArray) -> FloatArray:
    """Velocities (n, n_v) of the centres, from those of the origins: v + w x R c."""
    return _carried(model, q, v, 1.0)


def velocities_at_origins(model: Model, q: FloatArray, v: FloatArray) -> FloatArray:
    """Velocities (n, n_v) of the origins, from those of the centres: v - w x R c."""
    return _carried(model, q, v, -1.0)


def accelerations_at_origins(
    model: Model, q: FloatArray, v: FloatArray, a: FloatArray
) -> FloatArray:
    """Accelerations of the origins: a - alpha x R c - w x (w x R c)."""
    moved = np.array(a)
    if model.plane:
        x, y = _plane_arms(model, q)
        w, alpha = v[:, 2::3], a[:, 2::3]
        moved[:, 0::3] -= -alpha * y - w * w * x
        moved[:, 1::3] -= alpha * x - w * w * y
        return moved
    for k, body in enumerate(model.moving):
        c = np.array(centre_of(body))
        if not c.any():
            continue
        mine, vel = moved[:, k * 6 : (k + 1) * 6], v[:, k * 6 : (k + 1) * 6]
        R = _rotations(q[:, k * 7 + 3 : (k + 1) * 7])
        w, alpha = vel[:, 3:], mine[:, 3:]
        body_axes = np.cross(alpha, c) + np.cross(w, np.cross(w, c))
        mine[:, :3] -= np.einsum("nij,nj->ni", R, body_axes)
    return moved


def _carried(model: Model, q: FloatArray, v: FloatArray, sign: float) -> FloatArray:
    moved = np.array(v)
    if model.plane:
        x, y = _plane_arms(model, q)
        turning = sign * v[:, 2::3]
        moved[:, 0::3] -= turning * y
        moved[:, 1::3] += turning * x
        return moved
    for k, body in enumerate(model.moving):
        c = np.array(centre_of(body))
        if c.any():
            mine = moved[:, k * 6 : (k + 1) * 6]
            R = _rotations(q[:, k * 7 + 3 : (k + 1) * 7])
            mine[:, :3] += sign * np.einsum("nij,nj->ni", R, np.cross(mine[:, 3:], c))
    return moved


def _plane_arms(model: Model, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """x and y of R c of every moving body, (n, bodies) each, world axes."""
    centres = np.array([centre_of(body) for body in model.moving]).reshape(-1, 3)
    cos, sin = np.cos(q[:, 2::3]), np.sin(q[:, 2::3])
    x, y = centres[:, 0], centres[:, 1]
    return cos * x - sin * y, sin * x + cos * y


def _rotations(quaternions: FloatArray) -> FloatArray:
    from kempe.algebra.native import core

    matrices = np.empty((len(quaternions), 9))
    core.matrices_of_quaternions(np.ascontiguousarray(quaternions), matrices)
    return matrices.reshape(-1, 3, 3)
