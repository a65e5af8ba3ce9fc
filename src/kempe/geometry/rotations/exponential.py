"""Skew matrices, exponentials and logarithms of rotations and displacements, right Jacobians."""

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber
from kempe.geometry.number import Floats, floats
from kempe.geometry.rotations.abstract import rows_of
from kempe.geometry.rotations.matrix import Matrix
from kempe.geometry.rotations.rotation_vector import RotationVector

# Below this angle (rad) four terms of a series are exact to rounding.
SMALL = 1e-2
# Below this angle (rad) the series is used: its first term left out is below 1e-16, and the closed
# forms, which divide by up to x^5, have lost five digits there.
SMALL_IN_RATES = 0.05


def skew(vectors: ArrayLike) -> Floats:
    """The matrix (..., 3, 3) of the vector product: skew(a) b = a x b.

    Source: [Pissanetzky] p. 8, the tilde.
    """
    rows, lead = rows_of(vectors, (3,), "a vector")
    m = np.zeros((len(rows), 3, 3))
    m[:, 2, 1], m[:, 0, 2], m[:, 1, 0] = rows.T
    m[:, 1, 2], m[:, 2, 0], m[:, 0, 1] = -rows.T
    return m.reshape(*lead, 3, 3)


def axial(matrices: ArrayLike) -> Floats:
    """The vector (..., 3) of the skew part of each matrix: axial(skew(a)) = a."""
    rows, lead = rows_of(matrices, (3, 3), "a matrix")
    a = 0.5 * (rows[:, (7, 2, 3)] - rows[:, (5, 6, 1)])
    return np.asarray(a).reshape(*lead, 3)


def rodrigues(axes: ArrayLike, angles: ArrayLike) -> Floats:
    """The matrix (..., 3, 3) of a turn by an angle (rad) about a unit axis.

    R = 1 + sin(t) skew(a) + (1 - cos(t)) skew(a)^2

    Source: [Pissanetzky] eq. 1.47, where it is spelt Rodriguez.
    """
    a, t = floats(axes), floats(angles)
    if a.shape[-1:] != (3,) or not (abs(np.linalg.norm(a, axis=-1) - 1.0) <= 1e-6).all():
        raise BadNumber(
            "Rodrigues' formula needs axes (..., 3) of length one: divide them by their lengths."
        )
    S, t = skew(a), t[..., None, None]
    return np.asarray(np.eye(3) + np.sin(t) * S + 2.0 * np.sin(0.5 * t) ** 2 * (S @ S))


def exp_so3(vectors: ArrayLike) -> Floats:
    """R = exp(skew(v)), (..., 3, 3), of rotation vectors (..., 3) in rad."""
    return Matrix().of_quaternions(RotationVector().quaternions(vectors))


def log_so3(matrices: ArrayLike) -> Floats:
    """v (..., 3) in rad with exp(skew(v)) = R, of matrices R (..., 3, 3); |v| <= pi."""
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


def right_jacobian(vectors: ArrayLike) -> Floats:
    """Jr (..., 3, 3) with w_body = Jr(phi) phi', of rotation vectors phi (..., 3) in rad."""
    phi = floats(vectors)
    b, c, _, _ = _jacobian_coefficients(phi)
    S = skew(phi)
    return np.asarray(np.eye(3) - b * S + c * S @ S)


def right_jacobian_rate(vectors: ArrayLike, rates: ArrayLike) -> Floats:
    """Jr' (..., 3, 3) along phi' (..., 3) in rad/s."""
    phi, rate = floats(vectors), floats(rates)
    b, c, db, dc = _jacobian_coefficients(phi)
    S, D = skew(phi), skew(rate)
    along = (phi * rate).sum(axis=-1)[..., None, None]
    return np.asarray(-db * along * S - b * D + dc * along * S @ S + c * (S @ D + D @ S))


def _jacobian_coefficients(phi: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """b, c and their rates per phi . phi', each (..., 1, 1)."""
    x2 = (phi * phi).sum(axis=-1)[..., None, None]
    x = np.sqrt(x2)
    is_small = x < SMALL_IN_RATES
    y = np.where(is_small, 1.0, x)
    s, k = np.sin(y), 1.0 - np.cos(y)
    b = np.where(is_small, 1 / 2 - x2 / 24 + x2**2 / 720 - x2**3 / 40320, k / y**2)
    c = np.where(is_small, 1 / 6 - x2 / 120 + x2**2 / 5040 - x2**3 / 362880, (y - s) / y**3)
    db = np.where(is_small, -1 / 12 + x2 / 180 - x2**2 / 6720, (y * s - 2 * k) / y**4)
    dc = np.where(is_small, -1 / 60 + x2 / 1260 - x2**2 / 60480, (y * k - 3 * (y - s)) / y**5)
    return b, c, db, dc
