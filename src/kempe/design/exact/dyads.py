"""Dyads: bars between a frame that moves and another, whose length must not change.

A bar joins point w of one plane to point b of the other. In homogeneous coordinates (h, x, y) of
both, "its length is as in the first position" is bilinear, w^T M b = 0, for rigid bodies that move
(Burmester) and for cranks that turn (Freudenstein) alike. So n positions give n - 1 such rows.

Source: [McCarthySoh] ch. 5 (the design equation of an RR chain); in homogeneous coordinates: Own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.design.exact.listing import Listed, listed, on_sphere, polished
from kempe.motion.equations.system import FullSystem
from kempe.motion.search.search import Effort
from kempe.results.maps.certificate import Promise

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Dyads:
    """Bars that keep their length: ends `w` in one plane and `b` in the other, complex, (n,)."""

    w: NDArray[np.complex128]
    b: NDArray[np.complex128]
    promise: Promise
    message: str


def turning(angle: float) -> FloatArray:
    """The matrix that turns by an angle."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def pose_row(angle: float, p: complex) -> FloatArray:
    """M of a bar from point w of a body to point b of the ground, after the displacement R w + p.

    (|R w + p - b|^2 - |w - b|^2) / 2 = w^T R^T p + p^2 / 2 - b^T ((R - I) w + p)
    """
    R, t = turning(angle), np.array([p.real, p.imag])
    M = np.empty((3, 3))
    M[0, 0] = 0.5 * t @ t
    M[1:, 0] = R.T @ t
    M[0, 1:] = -t
    M[1:, 1:] = -(R - np.eye(2)).T
    return M


def angle_row(crank: float, rocker: float) -> FloatArray:
    """M of a coupler from w of a crank about 0 to b of a rocker about e = (1, 0), both turned.

    (|e + S b - R w|^2 - |e + b - w|^2) / 2 = e^T (S - I) b - e^T (R - I) w - w^T (R^T S - I) b
    """
    R, S, identity = turning(crank), turning(rocker), np.eye(2)
    M = np.zeros((3, 3))
    M[1:, 0] = -(R - identity)[0]
    M[0, 1:] = (S - identity)[0]
    M[1:, 1:] = -(R.T @ S - identity)
    return M


WHOLE = np.eye(3)  # every point of the plane


def only(point: complex) -> FloatArray:
    """The one point of the plane, as a basis (3, 1) of homogeneous coordinates."""
    return np.array([[1.0], [point.real], [point.imag]])


def along(point: complex, direction: complex) -> FloatArray:
    """The points of a line, as a basis (3, 2) of homogeneous coordinates."""
    u = direction / abs(direction)
    return np.array([[1.0, 0.0], [point.real, u.real], [point.imag, u.imag]])


def all_dyads(
    rows: Sequence[FloatArray],
    ends: tuple[FloatArray, FloatArray],
    reach: float,
    effort: Effort,
) -> Dyads:
    """Every bar with w^T M b = 0 for all rows, its ends in these subspaces, nearer than `reach`.

    The bases (3, k) of `ends` have first rows (1, 0, ..): k - 1 is the freedom of an end.
    """
    system = FullSystem()
    vectors = []
    for name, basis in zip("wb", ends, strict=True):
        k = basis.shape[1]
        least = 1.0 / reach
        vectors.append([system.number(1.0)] if k == 1 else on_sphere(system, name, k, least))
    for number, row in enumerate(rows):
        A = ends[0].T @ row @ ends[1]
        value = system.number(0.0)
        for i, u in enumerate(vectors[0]):
            for j, v in enumerate(vectors[1]):
                value = value + float(A[i, j]) * (u * v)
        system.equate(value, f"position {number + 2}")
    found = listed(system, "dyads", effort)
    return _as_points(rows, ends, found)


def _as_points(
    rows: Sequence[FloatArray], ends: tuple[FloatArray, FloatArray], found: Listed
) -> Dyads:
    """The ends as points, after a polish in plain coordinates."""
    sizes = [basis.shape[1] for basis in ends]
    split = sizes[0] if sizes[0] > 1 else 0

    def plain(x: FloatArray) -> FloatArray:
        parts = [x[:split], x[split:]]
        return np.concatenate([p[1:] / p[0] for p in parts if len(p)])

    def values(y: NDArray[np.complex128]) -> list[complex]:
        w, b = _ends(y)
        return [complex(w @ row @ b) for row in rows]

    def _ends(y: NDArray[np.complex128]) -> tuple[NDArray[np.complex128], ...]:
        first = np.concatenate([[1.0], y[: sizes[0] - 1]])
        second = np.concatenate([[1.0], y[sizes[0] - 1 :]])
        return ends[0] @ first, ends[1] @ second

    pairs = [_ends(polished(values, plain(x)).astype(np.complex128)) for x in found.x]
    w, b = (np.array([complex(p[k][1].real, p[k][2].real) for p in pairs]) for k in (0, 1))
    return Dyads(w.astype(np.complex128), b.astype(np.complex128), found.promise, found.message)
