"""The equations around one position, as numbers of like size: where singular positions are judged.

Rows and displacements are measured in sizes of the machine or radians, time in units in which the
drives move by one. A displacement x = (d, s) has n_v components of the bodies and one of time.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import native_tape
from kempe.compile.kinematic_tape import KinematicTape
from kempe.kinematics.assembly import row_weights, step_weights
from kempe.kinematics.preparation import Prepared

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A position and the equations there: F the rows, J their Jacobian, f_t their rate in time."""

    q: FloatArray
    t: float  # s, of the drives' laws
    last: FloatArray  # unwrapped turns
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

    def __init__(self, prepared: Prepared, parameters: FloatArray, t: float) -> None:
        self._program = prepared.program
        self._p = parameters
        self._rows = row_weights(prepared.layout, prepared.program)
        self.scale = 1.0 / step_weights(prepared.layout)  # of displacements
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

    def at(self, q: FloatArray, t: float, last: FloatArray) -> Place:
        """The equations at a position."""
        phi, entries, turns = self._program.evaluate(self._p, q, t, last)
        rate, _ = self._program.right_hand(self._p, q, t, np.zeros(self.n))
        J = self._rows[:, None] * self._program.dense_jacobian(entries) * self.scale
        return Place(q, t, turns, self._rows * phi, J, -self.unit * self._rows * rate)

    def moved(self, place: Place, x: FloatArray) -> Place:
        """The equations a displacement away."""
        q = self._program.retract(place.q, self.scale * x[:-1])
        return self.at(q, place.t + self.unit * float(x[-1]), place.last)

    def displacement(self, q: FloatArray, v: FloatArray) -> FloatArray:
        """(d, s) of a velocity v (SI) of everything, while time runs."""
        return np.append(v / self.scale * self.unit, 1.0)

    def second(self, place: Place, x: FloatArray, y: FloatArray) -> FloatArray:
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

    def _gammas(self, place: Place, v: FloatArray) -> FloatArray:
        """gamma of all rows at velocities (k, n_v): (k, m)."""
        shape = self._program.shape
        if not isinstance(shape, KinematicTape):
            one = [self._program.right_hand(self._p, place.q, place.t, x)[1] for x in v]
            return np.array(one)
        tape = shape.tape
        inputs = np.zeros((len(v), tape.n_inputs))
        inputs[:, : shape.n_q] = place.q
        inputs[:, shape.n_q : shape.n_q + shape.n_v] = v
        inputs[:, shape.n_q + 2 * shape.n_v] = place.t
        inputs[:, tape.n_inputs - shape.n_parameters :] = self._p
        return native_tape(tape).evaluate_lanes(inputs, shape.gamma)
