"""Generalised coordinates: fewer numbers q that all specific coordinates follow from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from kempe.geometry.rotations.abstract import Floats
from kempe.geometry.specific.saddle import saddle_solution
from kempe.geometry.specific.solving import applied
from kempe.geometry.specific.system_equations import SystemEquations
from kempe.geometry.specific.traced import Quantities, Tracing
from kempe.geometry.vector import Scalar

Formula = Callable[[Sequence[Scalar]], Sequence[Scalar]]


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
    _quantities: Quantities = field(init=False, repr=False)

    def __post_init__(self) -> None:
        tracing = Tracing(self.count)
        s = tracing.lifted(self.formula(tracing.s))
        columns = [tracing.along(s, k) for k in range(self.count)]
        P = [column[i] for i in range(len(s)) for column in columns]
        shape = (len(s), self.count)
        made = {"s": (s, (len(s),)), "P": (P, shape), "P_rate": (tracing.in_time(P), shape)}
        object.__setattr__(self, "_quantities", Quantities(tracing, made))

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
