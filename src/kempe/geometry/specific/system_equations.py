"""The equations of motion of bodies and constraints in specific coordinates."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber
from kempe.geometry.array import floats
from kempe.geometry.rotations.abstract import Floats
from kempe.geometry.specific.body_equations import BodyEquations
from kempe.geometry.specific.saddle import saddle_solution
from kempe.geometry.specific.solving import applied


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
        pairs = zip(self._each(s), self._each(rate), strict=True)
        return diagonal([body.coordinates.B_rate(x, y) for (body, x), (_, y) in pairs])

    def C(self, s: ArrayLike) -> Floats:
        """What the coordinates themselves must keep (..., m, n): C s' = 0."""
        return diagonal([body.coordinates.C(x) for body, x in self._each(s)])

    def C_rate(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """The time derivative of C."""
        pairs = zip(self._each(s), self._each(rate), strict=True)
        return diagonal([body.coordinates.C_rate(x, y) for (body, x), (_, y) in pairs])

    def kinetic_energy(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """T (...) of all bodies in J."""
        pairs = zip(self._each(s), self._each(rate), strict=True)
        return np.asarray(sum(body.kinetic_energy(x, y) for (body, x), (_, y) in pairs))

    def mass_matrix(self, s: ArrayLike) -> Floats:
        """M (..., n, n), a block for every body."""
        return diagonal([body.mass_matrix(x) for body, x in self._each(s)])

    def quadratic_velocity(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """Qv (..., n) of all bodies."""
        pairs = zip(self._each(s), self._each(rate), strict=True)
        return np.concatenate([b.quadratic_velocity(x, y) for (b, x), (_, y) in pairs], axis=-1)

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

    def _each(self, s: ArrayLike) -> list[tuple[BodyEquations, Floats]]:
        numbers = floats(s)
        if numbers.shape[-1:] != (self.count,):
            raise BadNumber(
                f"{len(self.bodies)} bodies have {self.count} coordinates here, these are"
                f" {numbers.shape}."
            )
        parts, first = [], 0
        for body in self.bodies:
            last = first + body.coordinates.count
            parts.append((body, numbers[..., first:last]))
            first = last
        return parts


def diagonal(blocks: list[Floats]) -> Floats:
    """Matrices (..., i, j) one below and beside the other, zeros elsewhere."""
    lead = np.broadcast_shapes(*(block.shape[:-2] for block in blocks))
    rows, columns = (sum(block.shape[k] for block in blocks) for k in (-2, -1))
    M = np.zeros((*lead, rows, columns))
    i = j = 0
    for block in blocks:
        k, l = block.shape[-2:]
        M[..., i : i + k, j : j + l] = block
        i, j = i + k, j + l
    return M
