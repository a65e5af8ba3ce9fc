"""The directions in which motion can leave a singular position.

At a dead point the curve of the motion turns back in time: it goes on along w and -w, J w = 0.
Where branches cross, a direction x = sum a_j x_j of the null space of [J f_t] belongs to a branch
only if the rows stay closed to second order,

    u_i . D2(x, x) = 0    for every normal u_i,

quadratic equations with one ratio of the a_j each.

Source: [Keller] for the equations; all of their roots by many starts, Own.
"""

import numpy as np
from numpy.typing import NDArray

from kempe.kinematics.singular.neighbourhood import Neighbourhood
from kempe.kinematics.singular.singular_point import SingularPoint

FloatArray = NDArray[np.float64]

# A quadratic form this much smaller than the largest says nothing; roots meet the others to this.
NOTHING = 1e-7
# Directions closer than this are one.
SAME = 1e-5
STARTS = 100  # of Newton's method on the sphere, for each root there can be
ITERATIONS = 25
MOST_TANGENTS = 5  # 16 branches at most
SEED = 1876  # the same starts in every run


def tangents(around: Neighbourhood, point: SingularPoint) -> FloatArray:
    """Unit directions (k, n + 1), one for each branch, without their opposites.

    None where they cannot be told: too many loops are flat at once, or to second order there is a
    whole surface of them.
    """
    if not point.is_crossing:
        return point.tangents
    if len(point.tangents) > MOST_TANGENTS:
        return np.zeros((0, around.n + 1))
    forms = _forms(around, point)
    largest = np.abs(forms).max(initial=0.0)
    if largest <= NOTHING:
        return np.zeros((0, around.n + 1))
    sizes = np.abs(forms).max(axis=(1, 2))
    telling = [Q / size for Q, size in zip(forms, sizes, strict=True) if size > NOTHING * largest]
    roots = _pair(telling) if len(point.tangents) == 2 else _several(np.array(telling))
    if len(roots) > 2 ** (len(point.tangents) - 1):  # more than quadrics can have, one by one
        return np.zeros((0, around.n + 1))
    found: FloatArray = roots @ point.tangents
    return found


def _forms(around: Neighbourhood, point: SingularPoint) -> FloatArray:
    """Q_i[j, k] = u_i . D2(x_j, x_k)."""
    x = point.tangents
    bent = [around.second(point.place, one, x) @ point.normals for one in x]  # (p, k) each
    Q = np.array(bent)  # (p, p, k)
    return np.moveaxis(0.5 * (Q + Q.swapaxes(0, 1)), 2, 0)


def _pair(forms: list[FloatArray]) -> FloatArray:
    """Roots (cos, sin) of two unknowns: Q00 c^2 + 2 Q01 c s + Q11 s^2 = 0.

    With the double angle: (Q00 - Q11) / 2 cos 2x + Q01 sin 2x = -(Q00 + Q11) / 2.
    """
    Q = forms[0]
    along, across, rest = 0.5 * (Q[0, 0] - Q[1, 1]), Q[0, 1], -0.5 * (Q[0, 0] + Q[1, 1])
    size = np.hypot(along, across)
    if size == 0.0 or abs(rest) > size * (1.0 + NOTHING):
        return np.zeros((0, 2))
    middle, half = np.arctan2(across, along), np.arccos(np.clip(rest / size, -1.0, 1.0))
    roots = [_circle(0.5 * (middle + side * half)) for side in (-1.0, 1.0)]
    if half < SAME or half > np.pi - SAME:
        roots = roots[:1]
    fine = [a for a in roots if all(abs(a @ other @ a) < SAME for other in forms)]
    return np.array(fine).reshape(-1, 2)


def _circle(angle: float) -> FloatArray:
    return np.array([np.cos(angle), np.sin(angle)])


def _several(forms: FloatArray) -> FloatArray:
    """Common roots of forms on the unit sphere, up to sign, by Newton's method from all over it."""
    p = forms.shape[1]
    a = np.random.default_rng(SEED).normal(size=(STARTS * 2 ** (p - 1), p))  # even over the sphere
    a /= np.linalg.norm(a, axis=1, keepdims=True)
    for _ in range(ITERATIONS):
        Qa = np.einsum("ijk,nk->nij", forms, a)
        value = np.concatenate([np.einsum("nij,nj->ni", Qa, a), np.zeros((len(a), 1))], axis=1)
        slope = np.concatenate([2.0 * Qa, a[:, None, :]], axis=1)
        step = np.linalg.pinv(slope) @ value[:, :, None]
        a = a - step[:, :, 0]
        a /= np.linalg.norm(a, axis=1, keepdims=True)
    left = np.abs(np.einsum("ni,kij,nj->nk", a, forms, a)).max(axis=1)
    found: list[FloatArray] = []
    for one in a[left < NOTHING]:
        if all(1.0 - abs(float(one @ other)) > SAME**2 for other in found):
            found.append(one)
    found.sort(key=lambda one: tuple(np.round(one * np.sign(one[np.argmax(np.abs(one))]), 6)))
    return np.array(found).reshape(-1, p)
