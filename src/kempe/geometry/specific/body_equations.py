"""The equations of motion of a rigid body in its specific coordinates."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from kempe.geometry.array import floats
from kempe.geometry.inertia import Inertia
from kempe.geometry.rotations.abstract import Floats
from kempe.geometry.rotations.skew import skew
from kempe.geometry.specific.body import BodyCoordinates
from kempe.geometry.specific.saddle import saddle_solution
from kempe.geometry.specific.solving import applied


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
