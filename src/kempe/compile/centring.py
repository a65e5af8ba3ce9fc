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
    size = 3 if model.plane else 7
    moved = np.array(q)
    for k, body in enumerate(model.moving):
        c = np.array(centre_of(body))
        if c.any():
            mine = moved[:, k * size : (k + 1) * size]
            mine[:, : 2 if model.plane else 3] += sign * _arm(model.plane, mine, c)
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
    for k, body in enumerate(model.moving):
        c = np.array(centre_of(body))
        if not c.any():
            continue
        n, size = (3, 3) if model.plane else (6, 7)
        mine, vel = moved[:, k * n : (k + 1) * n], v[:, k * n : (k + 1) * n]
        if model.plane:
            arm = _arm(True, q[:, k * size : (k + 1) * size], c)
            w, alpha = vel[:, 2:3], mine[:, 2:3]
            mine[:, :2] -= alpha * np.column_stack([-arm[:, 1], arm[:, 0]]) - w * w * arm
        else:
            R = _rotations(q[:, k * size + 3 : (k + 1) * size])
            w, alpha = vel[:, 3:], mine[:, 3:]
            body_axes = np.cross(alpha, c) + np.cross(w, np.cross(w, c))
            mine[:, :3] -= np.einsum("nij,nj->ni", R, body_axes)
    return moved


def _carried(model: Model, q: FloatArray, v: FloatArray, sign: float) -> FloatArray:
    moved = np.array(v)
    n, size = (3, 3) if model.plane else (6, 7)
    for k, body in enumerate(model.moving):
        c = np.array(centre_of(body))
        if not c.any():
            continue
        mine = moved[:, k * n : (k + 1) * n]
        if model.plane:
            arm = _arm(True, q[:, k * size : (k + 1) * size], c)
            mine[:, :2] += sign * mine[:, 2:3] * np.column_stack([-arm[:, 1], arm[:, 0]])
        else:
            R = _rotations(q[:, k * size + 3 : (k + 1) * size])
            mine[:, :3] += sign * np.einsum("nij,nj->ni", R, np.cross(mine[:, 3:], c))
    return moved


def _arm(plane: bool, q: FloatArray, c: FloatArray) -> FloatArray:
    """R c, world axes."""
    if plane:
        cos, sin = np.cos(q[:, 2]), np.sin(q[:, 2])
        return np.column_stack([cos * c[0] - sin * c[1], sin * c[0] + cos * c[1]])
    arm: FloatArray = np.einsum("nij,j->ni", _rotations(q[:, 3:]), c)
    return arm


def _rotations(quaternions: FloatArray) -> FloatArray:
    from kempe.algebra.native import core

    matrices = np.empty((len(quaternions), 9))
    core.matrices_of_quaternions(np.ascontiguousarray(quaternions), matrices)
    return matrices.reshape(-1, 3, 3)
