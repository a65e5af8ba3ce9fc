"""Exponentials and logarithms of rotations and displacements."""

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber
from kempe.geometry.rotations.abstract import Floats, rows_of
from kempe.geometry.rotations.matrix import Matrix
from kempe.geometry.rotations.rotation_vector import RotationVector
from kempe.geometry.rotations.skew import skew

# Below this angle (rad) four terms of a series are exact to rounding.
SMALL = 1e-2


def exp_so3(vectors: ArrayLike) -> Floats:
    """R = exp(skew(v)), (..., 3, 3), of rotation vectors (..., 3) in rad."""
    return Matrix().of_quaternions(RotationVector().quaternions(vectors))


def log_so3(matrices: ArrayLike) -> Floats:
    """v with exp(skew(v)) = R and |v| <= pi."""
    return RotationVector().of_quaternions(Matrix().quaternions(matrices))


def exp_se3(twists: ArrayLike) -> Floats:
    """The displacement X (..., 4, 4) of a constant twist (v, w) (..., 6) acting for a unit of time.

    X = [[R, V v], [0, 1]],  R = exp(skew(w)),
    V = 1 + (1 - cos t)/t^2 skew(w) + (t - sin t)/t^3 skew(w)^2,  t = |w|

    Source: [LynchPark] prop. 3.25; v stands before w.
    """
    rows, lead = rows_of(twists, (6,), "a twist")
    if not np.isfinite(rows).all():
        raise BadNumber("a twist has a component that is not finite.")
    v, w = rows[:, :3], rows[:, 3:]
    t = np.linalg.norm(w, axis=1)
    x = t * t
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.where(t < SMALL, 0.5 - x / 24 + x * x / 720, 2.0 * np.sin(t / 2) ** 2 / x)
        series = 1 / 6 - x / 120 + x * x / 5040
        second = np.where(t < SMALL, series, (t - np.sin(t)) / (x * t))
    once = np.cross(w, v)
    X = np.zeros((len(rows), 4, 4))
    X[:, :3, :3] = exp_so3(w)
    X[:, :3, 3] = v + first[:, None] * once + second[:, None] * np.cross(w, once)
    X[:, 3, 3] = 1.0
    return X.reshape(*lead, 4, 4)


def log_se3(displacements: ArrayLike) -> Floats:
    """The twist (v, w) (..., 6) whose exponential is the displacement, |w| <= pi.

    w = log R,  v = r - w x r / 2 + (1 - t/2 cot(t/2))/t^2 w x (w x r)

    Source: [LynchPark] eq. 3.92; v stands before w.
    """
    X, lead = displacement_rows(displacements)
    w, r = log_so3(X[:, :3, :3]), X[:, :3, 3]
    t = np.linalg.norm(w, axis=1)
    x, half = t * t, 0.5 * t
    with np.errstate(divide="ignore", invalid="ignore"):
        closed = (1.0 - half * np.cos(half) / np.sin(half)) / x
    factor = np.where(t < SMALL, 1 / 12 + x / 720 + x * x / 30240, closed)
    once = np.cross(w, r)
    v = r - 0.5 * once + factor[:, None] * np.cross(w, once)
    return np.hstack([v, w]).reshape(*lead, 6)


def displacement_rows(displacements: ArrayLike) -> tuple[Floats, tuple[int, ...]]:
    """Homogeneous matrices (n, 4, 4), and the shape of what they are many of."""
    rows, lead = rows_of(displacements, (4, 4), "a displacement")
    X = rows.reshape(-1, 4, 4)
    if not (np.isfinite(X).all() and (X[:, 3] == [0.0, 0.0, 0.0, 1.0]).all()):
        raise BadNumber("a displacement is finite, and its last row is 0 0 0 1.")
    return X, lead


def adjoint(displacements: ArrayLike) -> Floats:
    """The matrix (..., 6, 6) that takes a twist (v, w) at B in B's axes to A's.

    Ad = [[R, skew(r) R], [0, R]]

    Source: [Featherstone] eq. 2.24; v stands before w.
    """
    X, lead = displacement_rows(displacements)
    R = X[:, :3, :3]
    Ad = np.zeros((len(X), 6, 6))
    Ad[:, :3, :3] = Ad[:, 3:, 3:] = R
    Ad[:, :3, 3:] = skew(X[:, :3, 3]) @ R
    return Ad.reshape(*lead, 6, 6)
