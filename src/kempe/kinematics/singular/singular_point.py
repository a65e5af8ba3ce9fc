"""Singular positions, located to rounding: dead points and places where branches cross.

In (q, t) the motion is a curve with tangent x, [J f_t] x = 0. In a dead point it turns back in t:
J has a null vector, [J f_t] has full rank. Where branches cross, [J f_t] has lost rank as well.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.kinematics.singular.neighbourhood import LinearState, Neighbourhood

FloatArray = NDArray[np.float64]

MOST_ITERATIONS = 15
ARRIVED = 1e-12  # a step of Newton's method this small is rounding, seen through a weak row
CLOSED = 1e-13  # rows; more than this open, and the branches pass each other by
# How far from where the sweep ended the singular position may lie.
NEAR = 1e-2
# Singular values below this may become nought there; more than these are not looked at.
VANISHING = 1e-3
MOST_VANISHING = 8
# Beside the next one, a singular value of [J f_t] that vanishes together with that of J.
TOUCHING = 1e-7


@final
@dataclass(frozen=True, slots=True, eq=False)
class SingularPoint:
    """A place where J has lost rank; `tangents` (p, n + 1) span the null space of [J f_t].

    One tangent: a dead point. More: branches cross there; `normals` (m, k) span the null space of
    [J f_t]^T.
    """

    place: LinearState
    tangents: FloatArray
    normals: FloatArray

    @property
    def is_crossing(self) -> bool:
        """Whether branches cross there."""
        return len(self.tangents) > 1


def singular_point(around: Neighbourhood, place: LinearState) -> SingularPoint | None:
    """The singular position next to a place; None where Newton's method does not lead to one.

    Own: Newton on the rows together with the singular values that vanish, whose derivatives are
    u . D2(w, x) for singular vectors u and w; first as a crossing, which two equations more than
    unknowns only meet if it is one.
    """
    s = np.linalg.svd(place.extended, compute_uv=False)[: around.n]
    small = int(np.count_nonzero(s < VANISHING * s[0]))
    for lost in range(min(small, MOST_VANISHING), 0, -1):
        found = _crossing(around, place, lost)
        if found is not None:
            return found
    return _fold(around, place)


def _crossing(around: Neighbourhood, place: LinearState, lost: int) -> SingularPoint | None:
    """Where [J f_t] has lost so many ranks: U2^T [J f_t] V2 = 0."""
    n, rank, way = around.n, around.n - lost, 0.0
    everywhere = np.eye(n + 1)
    for _ in range(MOST_ITERATIONS):
        U, _, Vt = np.linalg.svd(place.extended)
        U2, V2 = U[:, rank:], Vt[rank:]
        block = U2.T @ place.extended @ V2.T
        rates = [around.second(place, x, everywhere) @ U2 for x in V2]  # (n + 1, m - rank) each
        A = np.vstack([place.extended, *(rate.T for rate in rates)])
        r = np.concatenate([place.F, *block.T])
        step = -np.linalg.lstsq(A, r, rcond=None)[0]
        way += float(np.abs(step).max())
        if not way <= NEAR:
            return None
        place = around.moved(place, step)
        if np.abs(step).max() <= ARRIVED:
            break
    U, s, Vt = np.linalg.svd(place.extended)
    if place.misfit > CLOSED or s[rank] > VANISHING * s[rank - 1] * np.sqrt(NEAR):
        return None
    return SingularPoint(place, Vt[rank:], U[:, rank:])


def _fold(around: Neighbourhood, place: LinearState) -> SingularPoint | None:
    """Where J has lost one rank: u . J w = 0; a crossing where [J f_t] has lost one with it.

    Branches that touch, and do not cross at an angle, are found here: along them the singular value
    falls as the square of the way left, and no Newton's method for a simple zero meets it.
    """
    n, way = around.n, 0.0
    everywhere = np.eye(n + 1)
    for _ in range(MOST_ITERATIONS):
        U, s, Vt = np.linalg.svd(place.J, full_matrices=False)
        u, w = U[:, n - 1], np.append(Vt[n - 1], 0.0)
        rate = around.second(place, w, everywhere) @ u
        A = np.vstack([place.extended, rate])
        step = -np.linalg.lstsq(A, np.append(place.F, s[n - 1]), rcond=None)[0]
        way += float(np.abs(step).max())
        if not way <= NEAR:
            return None
        place = around.moved(place, step)
        if np.abs(step).max() <= ARRIVED:
            break
    U, s, Vt = np.linalg.svd(place.J, full_matrices=False)
    if place.misfit > CLOSED or s[n - 1] > VANISHING * s[n - 2]:
        return None
    extended = np.linalg.svd(place.extended)
    if extended[1][n - 1] < TOUCHING * extended[1][n - 2]:
        return SingularPoint(place, extended[2][n - 1 :], extended[0][:, n - 1 :])
    w = np.append(Vt[n - 1], 0.0)
    return SingularPoint(place, w[None], U[:, n:])
