"""The equations of a mechanism at many samples at once."""

from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import native_tape
from kempe.algebra.tape import IntArray
from kempe.compile.small.kinematic_tape import KinematicTape
from kempe.equations import Equations

FloatArray = NDArray[np.float64]


@final
class Sampled:
    """Evaluates a program at samples q (n, n_q) and times t (n,): in lanes where it is one tape."""

    def __init__(self, equations: Equations, q: FloatArray, t: FloatArray) -> None:
        self._program, self._p, self._q, self._t = equations.program, equations.parameters, q, t

    def entries(self) -> FloatArray:
        """The entries of the Jacobian of all rows, (n, entries)."""
        shape = self._program.shape
        if isinstance(shape, KinematicTape):
            return self._in_lanes(shape, shape.jacobian, None)
        last = np.zeros(shape.n_turns)  # whole turns do not change derivatives
        samples = zip(self._q, self._t, strict=True)
        found = [self._program.evaluate(self._p, q, float(t), last)[1] for q, t in samples]
        return np.array(found).reshape(-1, len(shape.jacobian_rows))

    def jacobians(self) -> FloatArray:
        """The Jacobian of all rows as full matrices, (n, rows, n_v)."""
        shape, entries = self._program.shape, self.entries()
        J = np.zeros((len(entries), len(shape.rows), shape.n_v))
        J[:, shape.jacobian_rows, shape.jacobian_columns] = entries
        return J

    def right_hand(self, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """-phi_t and gamma(v) of all rows, (n, rows) each."""
        shape = self._program.shape
        if isinstance(shape, KinematicTape):
            both = np.concatenate([shape.velocity_rhs, shape.gamma])
            found = self._in_lanes(shape, both, v)
            return found[:, : len(shape.rows)], found[:, len(shape.rows) :]
        samples = zip(self._q, self._t, v, strict=True)
        pairs = [self._program.right_hand(self._p, q, float(t), x) for q, t, x in samples]
        m = len(shape.rows)
        return (
            np.array([rate for rate, _ in pairs]).reshape(-1, m),
            np.array([gamma for _, gamma in pairs]).reshape(-1, m),
        )

    def _in_lanes(
        self, shape: KinematicTape, registers: IntArray, v: FloatArray | None
    ) -> FloatArray:
        inputs = shape.inputs(self._q, self._t, self._p, v)
        return native_tape(shape.tape).evaluate_lanes(inputs, registers)
