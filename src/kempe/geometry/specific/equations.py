"""Equations of motion in specific coordinates: of one body, of several, of fewer coordinates q."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber, SingularCoordinates
from kempe.geometry import Inertia, Scalar
from kempe.geometry.number import Floats, floats
from kempe.geometry.rotations.exponential import skew
from kempe.geometry.specific.kinematics import (
    BodyCoordinates,
    TracedArrays,
    Tracing,
    applied,
    diagonal,
)

# The smallest pivot by the largest, after rows and columns are scaled to unit diagonals: six digits
# are left at this.
SINGULAR = 1e-10
Formula = Callable[[Sequence[Scalar]], Sequence[Scalar]]


def saddle_solution(
    M: Floats, C: Floats, right: Floats, rest: Floats, what: object
) -> tuple[Floats, Floats]:
    """x (..., n) and mu (..., m) of  M x - C^T mu = right,  C x = rest.

    Coordinates are first scaled so that M has ones on its diagonal (a body's mass and moments may
    be apart by many powers of ten), and rows so that each has length one.
    """
    n, m = M.shape[-1], C.shape[-2]
    lead = np.broadcast_shapes(M.shape[:-2], C.shape[:-2], right.shape[:-1], rest.shape[:-1])
    masses = np.einsum("...ii->...i", M)
    largest = masses.max(axis=-1, keepdims=True, initial=0.0)
    scale = 1.0 / np.sqrt(np.where(masses > 0.0, masses, np.where(largest > 0, largest, 1.0)))
    rows = C * scale[..., None, :]
    length = np.linalg.norm(rows, axis=-1, keepdims=True)
    length = np.where(length > 0.0, length, 1.0)
    K = np.zeros((*lead, n + m, n + m))
    K[..., :n, :n] = M * scale[..., :, None] * scale[..., None, :]
    K[..., n:, :n] = rows / length
    K[..., :n, n:] = np.swapaxes(K[..., n:, :n], -1, -2)
    b = np.empty((*lead, n + m))
    b[..., :n], b[..., n:] = right * scale, rest / length[..., 0]
    values = np.linalg.svd(K, compute_uv=False)
    good = values[..., -1] > SINGULAR * values[..., 0]
    if not np.all(good):
        row = int(np.argmin(np.ravel(good)))
        raise SingularCoordinates(
            f"the equations of motion of row {row} have no one answer: {what!r} is singular there,"
            " a part without mass is free, or constraints repeat each other.",
            row=row,
        )
    x = np.linalg.solve(K, b[..., None])[..., 0]
    return x[..., :n] * scale, -x[..., n:] / length[..., 0]


@final
@dataclass(frozen=True, slots=True, eq=False)
class BodyEquations:
    """M s'' = Q + Qv (+ C^T mu where there are more coordinates than freedoms).

    In twists the same equations read  M6 V' + h = F  with, A the orientation and c the centre of
    mass in the body,

    M6 = [[m 1, -m A skew(c)], [m skew(c) A^T, J]],  h = (m A (w x (w x c)), w x J w),

    J about the body's origin and F = (force in the reference's axes, torque in the body's). In
    coordinates V = B s' they become  M = B^T M6 B,  Q = B^T F,  Qv = -B^T (M6 B' s' + h).

    Where the origin is the centre of mass, place and orientation are decoupled.

    Source: [Pissanetzky] sec. 3.8; the centre of mass off the origin: Own.
    """

    coordinates: BodyCoordinates
    inertia: Inertia  # in the body's frame

    @property
    def is_decoupled(self) -> bool:
        """Whether place and orientation have equations of their own."""
        return not self.inertia.centre.any()

    def twist_mass(self, s: ArrayLike) -> Floats:
        """M6 (..., 6, 6), which V' is multiplied by."""
        _, A = self.coordinates.place(s)
        m, c = self.inertia.mass, self.inertia.centre
        M = np.zeros((*A.shape[:-2], 6, 6))
        M[..., :3, :3] = m * np.eye(3)
        M[..., :3, 3:] = -m * (A @ skew(c))
        M[..., 3:, :3] = np.swapaxes(M[..., :3, 3:], -1, -2)
        M[..., 3:, 3:] = self.inertia.about_origin()
        return M

    def twist_bias(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """h (..., 6), what a twist that does not change needs."""
        _, A = self.coordinates.place(s)
        w = self.coordinates.twist(s, rate)[..., 3:]
        inward = np.cross(w, np.cross(w, self.inertia.centre))
        spin = np.cross(w, w @ self.inertia.about_origin())
        lead = np.broadcast_shapes(A.shape[:-2], w.shape[:-1])
        h = np.empty((*lead, 6))
        h[..., :3], h[..., 3:] = self.inertia.mass * applied(A, inward), spin
        return h

    def kinetic_energy(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """T = V . M6 V / 2 (...) in J."""
        V = self.coordinates.twist(s, rate)
        return np.asarray(0.5 * np.einsum("...i,...i->...", V, applied(self.twist_mass(s), V)))

    def rotational_energy(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """T_r = w . J w / 2 (...) in J, J about the origin.

        Source: [Pissanetzky] eq. 3.46, 3.52.
        """
        w = self.coordinates.twist(s, rate)[..., 3:]
        return np.asarray(0.5 * np.einsum("...i,...i->...", w, w @ self.inertia.about_origin()))

    def mass_matrix(self, s: ArrayLike) -> Floats:
        """M = B^T M6 B (..., n, n); G^T J G for the orientation. Source: [Pissanetzky] eq. 3.53."""
        B = self.coordinates.B(s)
        return np.asarray(np.swapaxes(B, -1, -2) @ self.twist_mass(s) @ B)

    def quadratic_velocity(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """Qv = -B^T (M6 B' s' + h) (..., n).

        On coordinates without a constraint it is dT/ds - M' s', the two parts of the book.

        Source: [Pissanetzky] eq. 3.50-3.55, where J is diagonal; here J is any.
        """
        drift = applied(self.coordinates.B_rate(s, rate), rate)
        rest = applied(self.twist_mass(s), drift) + self.twist_bias(s, rate)
        return -_transposed_applied(self.coordinates.B(s), rest)

    def force(self, s: ArrayLike, wrench: ArrayLike) -> Floats:
        """Q = B^T F (..., n) of F = (force in the reference's axes, torque in the body's)."""
        return _transposed_applied(self.coordinates.B(s), wrench)

    def accelerations(self, s: ArrayLike, rate: ArrayLike, wrench: ArrayLike) -> Floats:
        """s'' (..., n) of the free body under a wrench; decoupled where it can be.

        [[M, C^T], [C, 0]] (s'', -mu) = (Q + Qv, -C' s')
        """
        c = self.coordinates
        M, right = self.mass_matrix(s), self.force(s, wrench) + self.quadratic_velocity(s, rate)
        C, rest = c.C(s), -applied(c.C_rate(s, rate), rate)
        if not self.is_decoupled:
            return saddle_solution(M, C, right, rest, c)[0]
        near, _ = saddle_solution(M[..., :3, :3], C[..., :0, :3], right[..., :3], rest[..., :0], c)
        far, _ = saddle_solution(M[..., 3:, 3:], C[..., 3:], right[..., 3:], rest, c)
        return np.concatenate([near, far], axis=-1)


def _transposed_applied(matrix: Floats, vector: ArrayLike) -> Floats:
    return np.asarray(np.einsum("...ij,...i->...j", matrix, floats(vector)))


@final
@dataclass(frozen=True, slots=True, eq=False)
class SystemEquations:
    """Several bodies, one after the other, and constraints between them given in twists.

    A constraint on twists  J V' = gamma  becomes one on specific coordinates:

    J_s s'' = gamma_s,  J_s = J B,  gamma_s = gamma - J B' s'

    Source: [Pissanetzky] sec. 3.9.
    """

    bodies: tuple[BodyEquations, ...]

    @property
    def count(self) -> int:
        """How many coordinates there are in all."""
        return sum(body.coordinates.count for body in self.bodies)

    def B(self, s: ArrayLike) -> Floats:
        """V = B s' of all bodies (..., 6 b, n)."""
        return diagonal([body.coordinates.B(x) for body, x in self._each(s)])

    def B_rate(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """The time derivative of B."""
        return diagonal([body.coordinates.B_rate(x, y) for body, x, y in self._each(s, rate)])

    def C(self, s: ArrayLike) -> Floats:
        """What the coordinates themselves must keep (..., m, n): C s' = 0."""
        return diagonal([body.coordinates.C(x) for body, x in self._each(s)])

    def C_rate(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """The time derivative of C."""
        return diagonal([body.coordinates.C_rate(x, y) for body, x, y in self._each(s, rate)])

    def kinetic_energy(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """T (...) of all bodies in J."""
        return np.asarray(sum(body.kinetic_energy(x, y) for body, x, y in self._each(s, rate)))

    def mass_matrix(self, s: ArrayLike) -> Floats:
        """M (..., n, n), a block for every body."""
        return diagonal([body.mass_matrix(x) for body, x in self._each(s)])

    def quadratic_velocity(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """Qv (..., n) of all bodies."""
        parts = [body.quadratic_velocity(x, y) for body, x, y in self._each(s, rate)]
        return np.concatenate(parts, axis=-1)

    def force(self, s: ArrayLike, wrenches: ArrayLike) -> Floats:
        """Q (..., n) of wrenches (..., 6 b), six numbers for every body."""
        F = floats(wrenches)
        parts = [
            body.force(x, F[..., 6 * k : 6 * k + 6]) for k, (body, x) in enumerate(self._each(s))
        ]
        return np.concatenate(parts, axis=-1)

    def constraint_jacobian(self, s: ArrayLike, J: ArrayLike) -> Floats:
        """J_s = J B (..., m, n) of a Jacobian J (..., m, 6 b) of twists."""
        return np.asarray(floats(J) @ self.B(s))

    def constraint_acceleration(
        self, s: ArrayLike, rate: ArrayLike, J: ArrayLike, gamma: ArrayLike
    ) -> Floats:
        """gamma_s = gamma - J B' s' (..., m)."""
        drift = applied(self.B_rate(s, rate), rate)
        return np.asarray(floats(gamma) - applied(floats(J), drift))

    def accelerations(
        self, s: ArrayLike, rate: ArrayLike, wrenches: ArrayLike, J: ArrayLike, gamma: ArrayLike
    ) -> tuple[Floats, Floats]:
        """s'' (..., n) and the multipliers lam (..., m) of constraints that do not repeat.

        M s'' - J_s^T lam - C^T mu = Q + Qv,  J_s s'' = gamma_s,  C s'' = -C' s'
        """
        J_s, C = self.constraint_jacobian(s, J), self.C(s)
        gamma_s = self.constraint_acceleration(s, rate, J, gamma)
        drift = -applied(self.C_rate(s, rate), rate)
        lead = np.broadcast_shapes(J_s.shape[:-2], C.shape[:-2], gamma_s.shape[:-1])
        m, n = J_s.shape[-2:]
        rows = np.concatenate(
            [np.broadcast_to(J_s, (*lead, m, n)), np.broadcast_to(C, (*lead, *C.shape[-2:]))], -2
        )
        rest = np.concatenate(
            [np.broadcast_to(gamma_s, (*lead, m)), np.broadcast_to(drift, (*lead, C.shape[-2]))],
            -1,
        )
        right = self.force(s, wrenches) + self.quadratic_velocity(s, rate)
        second, lam = saddle_solution(self.mass_matrix(s), rows, right, rest, self._what)
        return second, lam[..., :m]

    @property
    def _what(self) -> tuple[object, ...]:
        return tuple(body.coordinates.orientator for body in self.bodies)

    def _each(self, *given: ArrayLike) -> list[tuple[Any, ...]]:
        """Every body with its own part of these coordinates, rates, ..., each (..., n)."""
        arrays = [floats(numbers) for numbers in given]
        for numbers in arrays:
            if numbers.shape[-1:] != (self.count,):
                raise BadNumber(
                    f"{len(self.bodies)} bodies have {self.count} coordinates here, these are"
                    f" {numbers.shape}."
                )
        ends = list(accumulate((b.coordinates.count for b in self.bodies), initial=0))
        return [
            (body, *(numbers[..., first:last] for numbers in arrays))
            for body, (first, last) in zip(self.bodies, pairwise(ends), strict=True)
        ]


@final
@dataclass(frozen=True, slots=True, eq=False)
class GeneralisedEquations:
    """Bodies whose specific coordinates are a formula s(q) of generalised ones.

    s' = P q',  s'' = P q'' + P' q',  P = ds/dq

    M_q = P^T M P,  Q_q = P^T Q,  Qv_q = P^T (Qv - M P' q')

    Joints that the formula obeys need no equation and no multiplier; others are given in twists.

    Source: [Pissanetzky] sec. 3.8 and 3.9, the map to generalised coordinates; P by the tracer.
    """

    system: SystemEquations
    formula: Formula
    count: int  # of generalised coordinates
    _quantities: TracedArrays = field(init=False, repr=False)

    def __post_init__(self) -> None:
        tracing = Tracing(self.count)
        s = tracing.lifted(self.formula(tracing.s))
        columns = [tracing.along(s, k) for k in range(self.count)]
        P = [column[i] for i in range(len(s)) for column in columns]
        shape = (len(s), self.count)
        made = {"s": (s, (len(s),)), "P": (P, shape), "P_rate": (tracing.in_time(P), shape)}
        object.__setattr__(self, "_quantities", TracedArrays(tracing, made))

    def specific(self, q: ArrayLike) -> Floats:
        """s (..., n)."""
        return self._quantities("s", q)

    def P(self, q: ArrayLike) -> Floats:
        """ds/dq (..., n, count), so that s' = P q'."""
        return self._quantities("P", q)

    def P_rate(self, q: ArrayLike, rate: ArrayLike) -> Floats:
        """The time derivative of P."""
        return self._quantities("P_rate", q, rate)

    def kinetic_energy(self, q: ArrayLike, rate: ArrayLike) -> Floats:
        """T (...) in J."""
        return self.system.kinetic_energy(self.specific(q), applied(self.P(q), rate))

    def mass_matrix(self, q: ArrayLike) -> Floats:
        """M_q (..., count, count)."""
        P = self.P(q)
        return np.asarray(np.swapaxes(P, -1, -2) @ self.system.mass_matrix(self.specific(q)) @ P)

    def quadratic_velocity(self, q: ArrayLike, rate: ArrayLike) -> Floats:
        """Qv_q (..., count)."""
        s, P = self.specific(q), self.P(q)
        drift = applied(self.P_rate(q, rate), rate)
        rest = self.system.quadratic_velocity(s, applied(P, rate))
        rest = rest - applied(self.system.mass_matrix(s), drift)
        return applied(np.swapaxes(P, -1, -2), rest)

    def force(self, q: ArrayLike, wrenches: ArrayLike) -> Floats:
        """Q_q (..., count) of wrenches (..., 6 b)."""
        forces = self.system.force(self.specific(q), wrenches)
        return applied(np.swapaxes(self.P(q), -1, -2), forces)

    def constraint_jacobian(self, q: ArrayLike, J: ArrayLike) -> Floats:
        """J_q = J B P (..., m, count) of a Jacobian J (..., m, 6 b) of twists."""
        return np.asarray(self.system.constraint_jacobian(self.specific(q), J) @ self.P(q))

    def constraint_acceleration(
        self, q: ArrayLike, rate: ArrayLike, J: ArrayLike, gamma: ArrayLike
    ) -> Floats:
        """gamma_q = gamma - J (B' s' + B P' q') (..., m)."""
        s, P = self.specific(q), self.P(q)
        specific = self.system.constraint_acceleration(s, applied(P, rate), J, gamma)
        drift = applied(self.P_rate(q, rate), rate)
        return np.asarray(specific - applied(self.system.constraint_jacobian(s, J), drift))

    def accelerations(
        self,
        q: ArrayLike,
        rate: ArrayLike,
        wrenches: ArrayLike,
        J: ArrayLike | None = None,
        gamma: ArrayLike | None = None,
    ) -> tuple[Floats, Floats]:
        """q'' (..., count) and the multipliers (..., m) of the constraints given in twists."""
        right = self.force(q, wrenches) + self.quadratic_velocity(q, rate)
        M = self.mass_matrix(q)
        if J is None or gamma is None:
            none = np.zeros((0, self.count))
            return saddle_solution(M, none, right, np.zeros(0), self.formula)
        rows = self.constraint_jacobian(q, J)
        rest = self.constraint_acceleration(q, rate, J, gamma)
        return saddle_solution(M, rows, right, rest, self.formula)
