"""Rotation vectors: exponential, logarithm, and how their rates make angular velocity.

R = exp(skew(phi)),  w_body = Jr(phi) phi',  alpha_body = Jr phi'' + Jr' phi'
Jr(phi) = 1 - b skew(phi) + c skew(phi)^2
b = (1 - cos x) / x^2,  c = (x - sin x) / x^3,  x = |phi|

Source: [Chirikjian] for the right Jacobian; its rate: Own.
"""

import numpy as np

from kempe.frames.arrays import FloatArray, skew

# Below this angle (rad) the series is used: its first term left out is below 1e-16, and the closed
# forms, which divide by up to x^5, have lost five digits there.
SMALL = 0.05


def exponential(phi: FloatArray) -> FloatArray:
    """The rotation by the angle |phi| about phi: Rodrigues' formula, (..., 3) -> (..., 3, 3)."""
    x2 = (phi * phi).sum(axis=-1)
    x = np.sqrt(x2)
    b = 0.5 * np.sinc(x / (2.0 * np.pi)) ** 2
    S = skew(phi)
    R: FloatArray = np.eye(3) + np.sinc(x / np.pi)[..., None, None] * S + b[..., None, None] * S @ S
    return R


def quaternion(R: FloatArray) -> FloatArray:
    """Unit quaternions, scalar first and not negative, (..., 3, 3) -> (..., 4).

    Source: [Shepperd]; the row of the largest square is taken, so nothing is lost.
    """
    m = {(i, j): R[..., i, j] for i in range(3) for j in range(3)}
    x, y, z = m[0, 0], m[1, 1], m[2, 2]
    u, v, w = m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]
    a, b, c = m[0, 1] + m[1, 0], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1]
    rows = ((1 + x + y + z, u, v, w), (u, 1 + x - y - z, a, b))
    more = ((v, a, 1 - x + y - z, c), (w, b, c, 1 - x - y + z))
    Q = np.stack([np.stack(row, axis=-1) for row in (*rows, *more)], axis=-2)
    largest = np.argmax(np.stack([x + y + z, x, y, z], axis=-1), axis=-1)
    q = np.take_along_axis(Q, largest[..., None, None], axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    signed: FloatArray = np.where(q[..., :1] < 0.0, -q, q)
    return signed


def logarithm(R: FloatArray) -> FloatArray:
    """The shortest rotation vector of a rotation, (..., 3, 3) -> (..., 3)."""
    q = quaternion(R)
    s = np.linalg.norm(q[..., 1:], axis=-1)
    scale = np.where(s > 1e-150, 2.0 * np.arctan2(s, q[..., 0]) / np.maximum(s, 1e-150), 2.0)
    phi: FloatArray = scale[..., None] * q[..., 1:]
    return phi


def right_jacobian(phi: FloatArray) -> FloatArray:
    """Jr with w_body = Jr(phi) phi', (..., 3) -> (..., 3, 3)."""
    b, c, _, _ = _coefficients(phi)
    S = skew(phi)
    J: FloatArray = np.eye(3) - b * S + c * S @ S
    return J


def right_jacobian_rate(phi: FloatArray, rate: FloatArray) -> FloatArray:
    """Jr' along phi' = rate."""
    b, c, db, dc = _coefficients(phi)
    S, D = skew(phi), skew(rate)
    along = (phi * rate).sum(axis=-1)[..., None, None]
    J: FloatArray = -db * along * S - b * D + dc * along * S @ S + c * (S @ D + D @ S)
    return J


def _coefficients(phi: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """b, c and their rates per phi . phi', each (..., 1, 1)."""
    x2 = (phi * phi).sum(axis=-1)[..., None, None]
    x = np.sqrt(x2)
    is_small = x < SMALL
    y = np.where(is_small, 1.0, x)
    s, k = np.sin(y), 1.0 - np.cos(y)
    b = np.where(is_small, 1 / 2 - x2 / 24 + x2**2 / 720 - x2**3 / 40320, k / y**2)
    c = np.where(is_small, 1 / 6 - x2 / 120 + x2**2 / 5040 - x2**3 / 362880, (y - s) / y**3)
    db = np.where(is_small, -1 / 12 + x2 / 180 - x2**2 / 6720, (y * s - 2 * k) / y**4)
    dc = np.where(is_small, -1 / 60 + x2 / 1260 - x2**2 / 60480, (y * k - 3 * (y - s)) / y**5)
    return b, c, db, dc
