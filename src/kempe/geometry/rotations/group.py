"""What rotations do, as arrays of unit quaternions (..., 4), scalar first, and directions."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from kempe.algebra.native import core
from kempe.errors import BadNumber
from kempe.geometry.number import Floats, floats, one_to_one
from kempe.geometry.rotations.abstract import AbstractRepresentation, rows_of
from kempe.geometry.rotations.matrix import Matrix
from kempe.geometry.rotations.quaternion import Quaternion
from kempe.geometry.rotations.rotation_vector import RotationVector

FLIP = np.array([1.0, -1.0, -1.0, -1.0])
# Eigenvalues nearer to each other than this share leave the mean's direction to rounding.
UNDECIDED = 1e-12
Way = Literal["shortest", "longest", "as given"]


def paired(a: ArrayLike, b: ArrayLike, width: int) -> tuple[Floats, Floats, tuple[int, ...]]:
    """Rows of quaternions and of something `width` wide, repeated where one is given for many."""
    p, r = floats(a, "quaternions"), floats(b, "what quaternions act on")
    if p.shape[-1:] != (4,) or r.shape[-1:] != (width,):
        raise BadNumber(
            f"shapes (..., 4) and (..., {width}) are needed, these are {p.shape} and {r.shape}."
        )
    lead = one_to_one(p.shape[:-1], r.shape[:-1])
    rows = (
        np.ascontiguousarray(np.broadcast_to(x, (*lead, n))).reshape(-1, n)
        for x, n in ((p, 4), (r, width))
    )
    return next(rows), next(rows), lead


def product(p: ArrayLike, q: ArrayLike) -> Floats:
    """R_AC = R_AB R_BC (..., 4), p being R_AB and q R_BC: first q, then p, about fixed axes."""
    a, b, lead = paired(p, q, 4)
    out = np.empty((len(a), 4))
    core.quaternion_products(a, b, out)
    return out.reshape(*lead, 4)


def inverse(q: ArrayLike) -> Floats:
    """R_BA (..., 4) of R_AB (..., 4)."""
    return np.asarray(floats(q) * FLIP)


def turned(q: ArrayLike, vectors: ArrayLike) -> Floats:
    """v_A = R_AB v_B (..., 3) of quaternions (..., 4) and vectors (..., 3)."""
    single = floats(q)
    if single.shape == (4,):
        return np.asarray(floats(vectors) @ Matrix().of_quaternions(single).T)
    a, v, lead = paired(q, vectors, 3)
    out = np.empty((len(a), 3))
    core.turned_vectors(a, v, out)
    return out.reshape(*lead, 3)


def distance(p: ArrayLike, q: ArrayLike) -> Floats:
    """The angle (...) in rad of the turn from one rotation (..., 4) to the other, in [0, pi].

    t = 4 atan2(|p - q|, |p + q|), the smaller of the two lengths above the larger

    Own: exact to rounding near 0 and near pi, where an arc cosine is not.
    """
    a, b = floats(p), floats(q)
    less, more = np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1)
    return np.asarray(4.0 * np.arctan2(np.minimum(less, more), np.maximum(less, more)))


def least_turn(start: ArrayLike, end: ArrayLike) -> Floats:
    """The shortest rotation (..., 4) that carries one direction (..., 3) onto another.

    q = (a.b + 1, a x b) / length; between opposite directions any square axis serves

    Own: by the half vector.
    """
    a, b = (floats(d) for d in (start, end))
    la, lb = (np.linalg.norm(d, axis=-1, keepdims=True) for d in (a, b))
    if not ((la > 0) & np.isfinite(la)).all() or not ((lb > 0) & np.isfinite(lb)).all():
        raise BadNumber("a direction is three finite numbers, not all zero.")
    a, b = np.broadcast_arrays(a / la, b / lb)
    scalar = np.linalg.norm(a + b, axis=-1, keepdims=True) ** 2 / 2.0
    u = np.cross(a, b)
    side = np.eye(3)[np.argmin(np.abs(a), axis=-1)]
    opposite = scalar < 1e-14
    q = np.concatenate(
        [np.where(opposite, 0.0, scalar), np.where(opposite, np.cross(a, side), u)], -1
    )
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))


def converted(
    numbers: ArrayLike, source: AbstractRepresentation, target: AbstractRepresentation
) -> Floats:
    """Rotations written as `source`, written as `target`, however many stand in the array.

    >>> from kempe.geometry.rotations import Euler, Matrix, converted
    >>> converted([0.0, 0.0, 0.0], Euler("ZXZ"), Matrix()).shape
    (3, 3)
    """
    return target.of_quaternions(source.quaternions(numbers))


def mean(q: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """The unit quaternion (4,), scalar first, nearest to quaternions (n, 4), whatever their signs.

    The eigenvector of sum w_k q_k q_k^T with the largest eigenvalue: it makes the weighted sum of
    sin^2(t_k / 2) least, t_k the angles from the mean.

    Source: [Markley2007].
    """
    rows = Quaternion().quaternions(np.reshape(floats(q), (-1, 4)))
    if not len(rows):
        raise BadNumber("there is no mean of no rotations.")
    if weights is None:
        M = rows.T @ rows
    else:
        w = floats(weights).ravel()
        if w.shape != (len(rows),) or not (np.isfinite(w) & (w >= 0)).all() or not w.any():
            raise BadNumber(
                f"{len(rows)} rotations need as many weights, finite, not negative, not all zero."
            )
        M = (rows * w[:, None]).T @ rows
    values, vectors = np.linalg.eigh(M)
    if values[3] - values[2] <= UNDECIDED * values[3]:
        raise BadNumber(
            "these rotations lie so evenly that none is nearest to all: give weights, or fewer."
        )
    best = vectors[:, 3]
    return np.asarray(-best if best[0] < 0 else best)


def uniform(count: int, rng: np.random.Generator) -> Floats:
    """Unit quaternions (count, 4), scalar first, uniform over all rotations.

    Source: [Shoemake1992]; by four normal numbers, whose direction is uniform.
    """
    return Quaternion().quaternions(rng.standard_normal((count, 4)))


def spherical(vectors: ArrayLike) -> Floats:
    """(r, polar, azimuth) of vectors (..., 3): length, angle from z, angle from x about z (rad).

    r = |v|,  polar = atan2(hypot(x, y), z),  azimuth = atan2(y, x)

    On the polar axis the azimuth is 0.

    Source: [Pissanetzky] p. 28; ISO 80000-2 has the same order.
    """
    rows, lead = rows_of(vectors, (3,), "a vector")
    x, y, z = rows.T
    across = np.hypot(x, y)
    out = np.stack([np.hypot(across, z), np.arctan2(across, z), np.arctan2(y, x)], axis=-1)
    out[across == 0, 2] = 0.0
    return out.reshape(*lead, 3)


def direction(polar: ArrayLike, azimuth: ArrayLike) -> Floats:
    """The unit vector (..., 3) at these angles (rad).

    (sin polar cos azimuth, sin polar sin azimuth, cos polar)
    """
    p, a = np.broadcast_arrays(floats(polar), floats(azimuth))
    s = np.sin(p)
    return np.stack([s * np.cos(a), s * np.sin(a), np.cos(p)], axis=-1)


def slerp(a: ArrayLike, b: ArrayLike, t: ArrayLike, *, way: Way = "shortest") -> Floats:
    """From a (t = 0) to b (t = 1), each (..., 4), about one axis at a constant rate; (..., 4).

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
    """From a to b about one axis at a constant rate, right-handed about `about`; (..., 4).

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
    """From a to b in the time h (s), with angular velocities w_a, w_b (..., 3); (..., 4).

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
