"""Products of stacks of vectors and matrices, (..., 3) and (..., 3, 3)."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

# Distances (m), speeds and accelerations up to which every combination of them is finite:
# w x (w x d) of three such numbers is 1e300.
FARTHEST = 1e100
TOO_FAR = (
    f"a number beyond {FARTHEST:g}: sums and products of such numbers have no finite value. Choose"
    " a larger unit."
)


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
