"""The equations around one position, as numbers of like size: where singular positions are judged.

Rows and displacements are measured in sizes of the machine or radians, time in units in which the
drives move by one. A displacement x = (d, s) has n_v components of the bodies and one of time.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import native_tape
from kempe.compile.small.kinematic_tape import KinematicTape
from kempe.kinematics.stepping.preparation import Prepared
from kempe.results.state import State

FloatArray = NDArray[np.float64]


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
        inputs = shape.inputs(np.tile(place.q, (len(v), 1)), place.t, self._p, v)
        return native_tape(shape.tape).evaluate_lanes(inputs, shape.gamma)
