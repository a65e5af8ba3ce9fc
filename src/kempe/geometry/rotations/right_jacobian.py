"""How the rates of a rotation vector make angular velocity and acceleration.

R = exp(skew(phi)),  w_body = Jr(phi) phi',  alpha_body = Jr phi'' + Jr' phi'
Jr(phi) = 1 - b skew(phi) + c skew(phi)^2
b = (1 - cos x) / x^2,  c = (x - sin x) / x^3,  x = |phi|

Source: [Chirikjian] for the right Jacobian; its rate: Own.
"""

import numpy as np
from numpy.typing import ArrayLike

from kempe.geometry.array import floats
from kempe.geometry.rotations.abstract import Floats
from kempe.geometry.rotations.skew import skew

# Below this angle (rad) the series is used: its first term left out is below 1e-16, and the closed
# forms, which divide by up to x^5, have lost five digits there.
SMALL = 0.05


def right_jacobian(vectors: ArrayLike) -> Floats:
    """Jr (..., 3, 3) with w_body = Jr(phi) phi', of rotation vectors phi (..., 3) in rad."""
    phi = floats(vectors)
    b, c, _, _ = _coefficients(phi)
    S = skew(phi)
    return np.asarray(np.eye(3) - b * S + c * S @ S)


def right_jacobian_rate(vectors: ArrayLike, rates: ArrayLike) -> Floats:
    """Jr' (..., 3, 3) along phi' (..., 3) in rad/s."""
    phi, rate = floats(vectors), floats(rates)
    b, c, db, dc = _coefficients(phi)
    S, D = skew(phi), skew(rate)
    along = (phi * rate).sum(axis=-1)[..., None, None]
    return np.asarray(-db * along * S - b * D + dc * along * S @ S + c * (S @ D + D @ S))


def _coefficients(phi: Floats) -> tuple[Floats, Floats, Floats, Floats]:
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
