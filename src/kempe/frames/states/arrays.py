"""Vectors (..., 3) and matrices (..., 3, 3): products, states added and inverted, drift."""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from kempe.errors import NotOrthogonal
from kempe.geometry.rotations import orthonormal

FloatArray = NDArray[np.float64]
# Distances (m), speeds and accelerations up to which every combination of them is finite:
# w x (w x d) of three such numbers is 1e300.
FARTHEST = 1e100
TOO_FAR = (
    f"a number beyond {FARTHEST:g}: sums and products of such numbers have no finite value. Choose"
    " a larger unit."
)
# position, rotation, velocity, angular velocity, acceleration, angular acceleration
Parts = tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]
# How far R^T R may be from the identity before the matrix is a mistake rather than worn: files lose
# a dozen digits, integrators half of them.
WORN = 1e-6
# Below this the matrix is left alone: it is what rounding makes of a product of rotations.
ROUNDING = 1e-14


def is_in_reach(x: FloatArray) -> bool:
    """Whether all numbers of an array are below FARTHEST; false of what is no number."""
    if x.ndim == 1:
        return float(sum(map(abs, x.tolist()))) < FARTHEST
    return bool((np.abs(x) < FARTHEST).all())


def turned(R: FloatArray, v: FloatArray) -> FloatArray:
    """R v, one vector for every matrix."""
    if R.ndim == 2:
        return v @ R.T
    product: FloatArray = (R @ v[..., None])[..., 0]
    return product


def turned_back(R: FloatArray, v: FloatArray) -> FloatArray:
    """R^T v, one vector for every matrix."""
    if R.ndim == 2:
        return v @ R
    product: FloatArray = (v[..., None, :] @ R)[..., 0, :]
    return product


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """a x b, without the bookkeeping that makes `numpy.cross` slow on single vectors."""
    if a.ndim == 1 and b.ndim == 1:
        (ax, ay, az), (bx, by, bz) = a.tolist(), b.tolist()
        return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
    product = np.empty(np.broadcast_shapes(a.shape, b.shape))
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    np.subtract(ay * bz, az * by, out=product[..., 0])
    np.subtract(az * bx, ax * bz, out=product[..., 1])
    np.subtract(ax * by, ay * bx, out=product[..., 2])
    return product


def transposed(R: FloatArray) -> FloatArray:
    """R^T of every matrix."""
    return R.swapaxes(-1, -2)


def six(parts: Iterable[FloatArray]) -> Parts:
    """Six arrays as the parts of a state."""
    p, R, v, w, a, alpha = parts
    return p, R, v, w, a, alpha


def composed(b: Parts, c: Parts) -> Parts:
    """The parts of C seen from A; `KinematicState.__add__` has the formula."""
    p, R, v, w, a, alpha = b
    p_, R_, v_, w_, a_, alpha_ = c
    if R.ndim == 2 and p_.ndim == 1:
        d, u, s, f, g = np.array((p_, v_, w_, a_, alpha_)) @ R.T
    else:
        d, u, s, f, g = (turned(R, x) for x in (p_, v_, w_, a_, alpha_))
    wd = cross(w, d)
    return (
        p + d,
        R @ R_,
        v + wd + u,
        w + s,
        a + cross(alpha, d) + cross(w, wd + 2.0 * u) + f,
        alpha + cross(w, s) + g,
    )


def inverted(s: Parts) -> Parts:
    """The parts of A seen from B.

    w_BA = -R^T w,  p_BA = -R^T p,  and with w, v, a, alpha turned into B:
    v_BA = -(v - w x p),  a_BA = -(a - alpha x p - 2 w x v + w x (w x p)),  alpha_BA = -alpha
    """
    p, R, v, w, a, alpha = s
    if R.ndim == 2 and p.ndim == 1:
        p, v, w, a, alpha = np.array((p, v, w, a, alpha)) @ R
    else:
        p, v, w, a, alpha = (turned_back(R, x) for x in (p, v, w, a, alpha))
    wp = cross(w, p)
    a_BA = cross(alpha, p) + cross(w, 2.0 * v - wp) - a
    return -p, transposed(R), wp - v, -w, a_BA, -alpha


def drift(R: FloatArray) -> float:
    """How far the worst of the matrices is from orthonormal: the largest entry of R^T R - 1."""
    if R.size == 0:
        return 0.0
    if R.shape == (3, 3):
        return _drift_of_one(R.tolist())
    if not np.isfinite(R).all():
        return float("inf")
    return float(np.abs(transposed(R) @ R - np.eye(3)).max())


def _drift_of_one(rows: list[list[float]]) -> float:
    """`drift` of one matrix; plain numbers are ten times faster here than arrays."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    products = (
        a * a + d * d + g * g - 1.0,
        b * b + e * e + h * h - 1.0,
        c * c + f * f + i * i - 1.0,
        a * b + d * e + g * h,
        a * c + d * f + g * i,
        b * c + e * f + h * i,
    )
    worst = max(map(abs, products))
    return worst if math.isfinite(sum(products)) else math.inf


def _smallest_determinant(R: FloatArray) -> float:
    if R.shape == (3, 3):
        (a, b, c), (d, e, f), (g, h, i) = R.tolist()
        return float(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))
    return float(np.linalg.det(R).min())


def orthonormalised(R: FloatArray, *, limit: float = WORN) -> tuple[FloatArray, float]:
    """The rotations nearest to the matrices (..., 3, 3), and how far the worst had drifted.

    A matrix beyond `limit`, or one that mirrors, is refused.
    """
    if R.shape[-2:] != (3, 3):
        raise NotOrthogonal(f"a rotation matrix is 3 x 3, this one is {R.shape}.", shape=R.shape)
    error = drift(R)
    if not error <= limit:
        raise NotOrthogonal(
            f"this is no rotation matrix: its columns are off from orthonormal by {error:.3g}, and"
            f" {limit:g} is allowed. Orthonormalise it on purpose with"
            " kempe.frames.orthonormalised(matrix, limit=...), or give a quaternion.",
            error=error,
        )
    if R.size and _smallest_determinant(R) < 0.0:
        raise NotOrthogonal(
            "this matrix mirrors (determinant -1): swap or negate one axis.", error=error
        )
    if error <= ROUNDING:
        return R, 0.0
    return orthonormal(R), error
