"""Singular positions, located to rounding: dead points and places where branches cross.

In (q, t) the motion is a curve with tangent x, [J f_t] x = 0. In a dead point it turns back in t:
J has a null vector, [J f_t] has full rank, and it goes on along w and -w, J w = 0. Where branches
cross, [J f_t] has lost rank as well: a direction x = sum a_j x_j of its null space belongs to a
branch only if the rows stay closed to second order,

    u_i . D2(x, x) = 0    for every normal u_i,

quadratic equations with one ratio of the a_j each. Rows and displacements are measured in sizes of
the machine or radians, time in units in which the drives move by one. A displacement x = (d, s) has
n_v components of the bodies and one of time.

Source: [Keller] for the equations; all of their roots by many starts, Own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import native_tape
from kempe.compile.small.kinematic_tape import KinematicTape
from kempe.kinematics.stepping.sweep_start import Prepared
from kempe.results.state import State

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

# A quadratic form this much smaller than the largest says nothing; roots meet the others to this.
NOTHING = 1e-7
# Directions closer than this are one.
SAME = 1e-5
STARTS = 100  # of Newton's method on the sphere, for each root there can be
ITERATIONS = 25
MOST_TANGENTS = 5  # 16 branches at most
SEED = 1876  # the same starts in every run


@final
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LinearState(State):
    """A state, t of the drives' laws, and the rows F there with Jacobian J and rate in time f_t."""

    F: FloatArray  # (m,)
    J: FloatArray  # (m, n)
    f_t: FloatArray  # (m,)

    @property
    def extended(self) -> FloatArray:
        """[J f_t], (m, n + 1): its null vectors are the tangents of the motion in (q, t)."""
        return np.column_stack([self.J, self.f_t])

    @property
    def misfit(self) -> float:
        """The largest row."""
        return float(np.abs(self.F).max(initial=0.0))


@final
class Neighbourhood:
    """Evaluates rows, Jacobian and second derivatives near a time."""

    def __init__(self, prepared: Prepared, t: float) -> None:
        self._equations = prepared.equations
        self._program, self._p = prepared.equations.program, prepared.equations.parameters
        self._rows = prepared.equations.row_weights
        self.scale = 1.0 / prepared.equations.step_weights  # of displacements
        self.unit = self._time_unit(prepared.start.q, t)

    def _time_unit(self, q: FloatArray, t: float) -> float:
        """s: in it the drives go about one radian or one size of the machine."""
        rate, bend = self._program.right_hand(self._p, q, t, np.zeros(len(self.scale)))
        speed = float(np.abs(self._rows * rate).max(initial=0.0))
        change = float(np.sqrt(np.abs(self._rows * bend).max(initial=0.0)))
        return 1.0 / max(speed, change) if max(speed, change) > 0.0 else 1.0

    @property
    def n(self) -> int:
        """How many components of displacements are those of bodies."""
        return len(self.scale)

    def at(self, state: State) -> LinearState:
        """The equations at a state."""
        phi, entries, turns = self._equations.evaluate(state.q, state.t, state.turns)
        rate, _ = self._program.right_hand(self._p, state.q, state.t, np.zeros(self.n))
        J = self._rows[:, None] * self._program.dense_jacobian(entries) * self.scale
        f_t = -self.unit * self._rows * rate
        return LinearState(state.t, state.q, turns=turns, F=self._rows * phi, J=J, f_t=f_t)

    def moved(self, place: LinearState, x: FloatArray) -> LinearState:
        """The equations a displacement away."""
        q = self._program.retract(place.q, self.scale * x[:-1])
        return self.at(State(place.t + self.unit * float(x[-1]), q, turns=place.turns))

    def displacement(self, q: FloatArray, v: FloatArray) -> FloatArray:
        """(d, s) of a velocity v (SI) of everything, while time runs."""
        return np.append(v / self.scale * self.unit, 1.0)

    def second(self, place: LinearState, x: FloatArray, y: FloatArray) -> FloatArray:
        """The second derivative of the rows along x and each y (k, n + 1): (k, m).

        D2(x, y) = (G(x + y) - G(x - y)) / 4 with G(v) = -gamma(v), the second derivative along v;
        time enters the rows only through the drives' laws, apart from the bodies.
        """
        d, e = x[:-1] * self.scale, y[:, :-1] * self.scale
        still = np.zeros((1, self.n))
        gamma = self._gammas(place, np.vstack([still, d + e, d - e]))
        k = len(y)
        of_time = np.multiply.outer(x[-1] * y[:, -1], -gamma[0]) * self.unit**2
        bent: FloatArray = 0.25 * (gamma[1 + k :] - gamma[1 : 1 + k]) + of_time
        return bent * self._rows

    def _gammas(self, place: LinearState, v: FloatArray) -> FloatArray:
        """gamma of all rows at velocities (k, n_v): (k, m)."""
        shape = self._program.shape
        if not isinstance(shape, KinematicTape):
            one = [self._program.right_hand(self._p, place.q, place.t, x)[1] for x in v]
            return np.array(one)
        inputs = self._program.tape_inputs(np.tile(place.q, (len(v), 1)), place.t, self._p, v)
        return native_tape(shape.tape).evaluate_lanes(inputs, shape.gamma)


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
    rank, everywhere = around.n - lost, np.eye(around.n + 1)

    def vanishing(at: LinearState) -> tuple[FloatArray, FloatArray]:
        U, _, Vt = np.linalg.svd(at.extended)
        U2, V2 = U[:, rank:], Vt[rank:]
        block = U2.T @ at.extended @ V2.T
        rates = [around.second(at, x, everywhere) @ U2 for x in V2]  # (n + 1, m - rank) each
        return np.concatenate([*block.T]), np.vstack([rate.T for rate in rates])

    found = _newton(around, place, vanishing)
    if found is None:
        return None
    U, s, Vt = np.linalg.svd(found.extended)
    if found.misfit > CLOSED or s[rank] > VANISHING * s[rank - 1] * np.sqrt(NEAR):
        return None
    return SingularPoint(found, Vt[rank:], U[:, rank:])


def _newton(
    around: Neighbourhood,
    place: LinearState,
    vanishing: Callable[[LinearState], tuple[FloatArray, FloatArray]],
) -> LinearState | None:
    """Where rows are closed and more numbers vanish, told with their slopes (k, n + 1).

    None where that leads too far from the place.
    """
    way = 0.0
    for _ in range(MOST_ITERATIONS):
        numbers, slopes = vanishing(place)
        A = np.vstack([place.extended, slopes])
        step = -np.linalg.lstsq(A, np.concatenate([place.F, numbers]), rcond=None)[0]
        way += float(np.abs(step).max())
        if not way <= NEAR:
            return None
        place = around.moved(place, step)
        if np.abs(step).max() <= ARRIVED:
            break
    return place


def _fold(around: Neighbourhood, place: LinearState) -> SingularPoint | None:
    """Where J has lost one rank: u . J w = 0; a crossing where [J f_t] has lost one with it.

    Branches that touch, and do not cross at an angle, are found here: along them the singular value
    falls as the square of the way left, and no Newton's method for a simple zero meets it.
    """
    n, everywhere = around.n, np.eye(around.n + 1)

    def vanishing(at: LinearState) -> tuple[FloatArray, FloatArray]:
        U, s, Vt = np.linalg.svd(at.J, full_matrices=False)
        rate = around.second(at, np.append(Vt[n - 1], 0.0), everywhere) @ U[:, n - 1]
        return s[n - 1 : n], rate[None]

    found = _newton(around, place, vanishing)
    if found is None:
        return None
    U, s, Vt = np.linalg.svd(found.J, full_matrices=False)
    if found.misfit > CLOSED or s[n - 1] > VANISHING * s[n - 2]:
        return None
    extended = np.linalg.svd(found.extended)
    if extended[1][n - 1] < TOUCHING * extended[1][n - 2]:
        return SingularPoint(found, extended[2][n - 1 :], extended[0][:, n - 1 :])
    return SingularPoint(found, np.append(Vt[n - 1], 0.0)[None], U[:, n:])


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
