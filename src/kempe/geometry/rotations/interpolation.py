"""Orientations between given ones: unit quaternions (..., 4), scalar first."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from kempe.algebra.native import core
from kempe.errors import BadNumber
from kempe.geometry.number import floats, one_to_one
from kempe.geometry.rotations.abstract import Floats
from kempe.geometry.rotations.group import inverse, product
from kempe.geometry.rotations.rotation_vector import RotationVector

Way = Literal["shortest", "longest", "as given"]


def slerp(a: ArrayLike, b: ArrayLike, t: ArrayLike, *, way: Way = "shortest") -> Floats:
    """From a (t = 0) to b (t = 1) about one axis at a constant rate.

    "shortest" turns by less than half a turn, "longest" by the rest of it the other way, "as given"
    the way the signs of the quaternions say.

    Source: [Shoemake1985].
    """
    p, q = floats(a), floats(b)
    times = floats(t)
    if p.shape[-1:] != (4,) or q.shape[-1:] != (4,):
        raise BadNumber(f"quaternions (..., 4) are needed, these have {p.shape} and {q.shape}.")
    if way not in ("shortest", "longest", "as given"):
        raise BadNumber(f"the way is 'shortest', 'longest' or 'as given', not {way!r}.")
    lead = one_to_one(p.shape[:-1], q.shape[:-1], times.shape)
    if way != "as given":
        opposed = np.einsum("...i,...i->...", p, q) < 0
        q = np.where((opposed == (way == "shortest"))[..., None], -q, q)
    rows = [np.ascontiguousarray(np.broadcast_to(x, (*lead, 4))).reshape(-1, 4) for x in (p, q)]
    out = np.empty_like(rows[0])
    core.slerps(rows[0], rows[1], np.ascontiguousarray(np.broadcast_to(times, lead)).ravel(), out)
    return out.reshape(*lead, 4)


def turn_between(a: ArrayLike, b: ArrayLike, t: ArrayLike, *, about: ArrayLike) -> Floats:
    """From a to b about one axis at a constant rate, the way that is right-handed about `about`.

    R(t) = exp(t skew(v)) R_a,  v = log(R_b R_a^-1), or the rest of the turn where v . about < 0

    `about` is a vector (..., 3) in the axes that a and b are seen from.

    Own: the choice of the way round.
    """
    v = RotationVector().of_quaternions(product(b, inverse(a)))
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    side = np.einsum("...i,...i->...", v, floats(about))[..., None]
    with np.errstate(divide="ignore", invalid="ignore"):
        v = np.where(side < 0, v * (angle - 2.0 * np.pi) / angle, v)
    times = floats(t)[..., None]
    return product(RotationVector().quaternions(times * v), a)


def squad(knots: ArrayLike, u: ArrayLike) -> Floats:
    """A smooth path through orientations (n, 4), at places u in [0, n - 1]; knot k is at u = k.

    slerp(slerp(q_k, q_k+1, t), slerp(s_k, s_k+1, t), 2 t (1 - t)),
    s_k = q_k exp(-(log(q_k^-1 q_k+1) + log(q_k^-1 q_k-1)) / 4)

    Source: [Shoemake1987].
    """
    q = np.array(knots, dtype=np.float64)
    places = floats(u)
    if q.ndim != 2 or q.shape[1] != 4 or len(q) < 2:
        raise BadNumber(f"two quaternions (n, 4) or more are needed, these have {q.shape}.")
    if not ((places >= 0) & (places <= len(q) - 1)).all():
        raise BadNumber(f"places lie between 0 and {len(q) - 1}, the last knot.")
    turns = np.cumprod(np.where(np.einsum("ij,ij->i", q[1:], q[:-1]) < 0, -1.0, 1.0))
    q[1:] *= turns[:, None]
    before, after = np.vstack([q[:1], q[:-1]]), np.vstack([q[1:], q[-1:]])
    vector = RotationVector()
    back, on = (vector.of_quaternions(product(inverse(q), other)) for other in (before, after))
    bend = back + on
    bend[0] = bend[-1] = 0.0
    s = product(q, vector.quaternions(-0.25 * bend))
    k = np.minimum(places.astype(np.int64), len(q) - 2)
    t = places - k
    chord = slerp(q[k], q[k + 1], t, way="as given")
    inner = slerp(s[k], s[k + 1], t, way="as given")
    return slerp(chord, inner, 2.0 * t * (1.0 - t), way="as given")


def cubic(
    a: ArrayLike, b: ArrayLike, w_a: ArrayLike, w_b: ArrayLike, h: ArrayLike, t: ArrayLike
) -> Floats:
    """From a to b in the time h (s), with angular velocities w_a, w_b (..., 3) at the ends.

    q = a exp(b1 u1) exp(b2 u2) exp(b3 u3),  x = t / h,
    b1 = 1 - (1 - x)^3,  b2 = 3 x^2 - 2 x^3,  b3 = x^3,
    u1 = h w_a / 3,  u3 = h w_b / 3,  u2 = log(exp(-u1) a^-1 b exp(-u3))

    Angular velocities are in rad/s in the body's axes, 0 <= t <= h.

    Source: [Kim1995] sec. 4.
    """
    vector = RotationVector()
    step = floats(h)[..., None]
    x = floats(t)[..., None] / step
    u1, u3 = (step * floats(w) / 3.0 for w in (w_a, w_b))
    middle = product(vector.quaternions(-u1), product(inverse(a), b))
    u2 = vector.of_quaternions(product(middle, vector.quaternions(-u3)))
    path = product(a, vector.quaternions((1.0 - (1.0 - x) ** 3) * u1))
    path = product(path, vector.quaternions((3.0 - 2.0 * x) * x * x * u2))
    return product(path, vector.quaternions(x**3 * u3))
