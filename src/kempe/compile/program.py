"""A program: the compiled form of a structure, shared by every model that has it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core, native_tape
from kempe.compile.kinematic_tape import KinematicTape

FloatArray = NDArray[np.float64]


@final
@dataclass(eq=False)
class Program:
    """A kinematic tape with the native system that runs it, and compiled code where there is any.

    `pivot_reference` holds the sizes the pivots had when their order was chosen.
    """

    tape: KinematicTape
    pivot_reference: FloatArray = field(default_factory=lambda: np.zeros(0))
    fused: Any = None  # keeps compiled code alive
    fused_address: int = 0
    executor: str = "vm"

    @cached_property
    def system(self) -> Any:
        """The native system."""
        k = self.tape
        registers = {
            name: getattr(k, name)
            for name in (
                "retracted phi spare turns dx correct_pivots qd velocity_pivots qdd jacobian"
                " velocity_rhs gamma jacobian_rows jacobian_columns"
            ).split()
        }
        size = [k.n_q, k.n_v, k.n_spare, k.n_turns, k.n_parameters]
        return core.TapeSystem(native_tape(k.tape), size, registers)

    def evaluate(
        self, parameters: FloatArray, q: FloatArray, t: float, last: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """phi of all rows, the Jacobian's entries, and the unwrapped turns, at (q, t)."""
        phi, entries, turns = self.system.evaluate(parameters, q, t, last)
        return phi, entries, turns

    def dense_jacobian(self, entries: FloatArray) -> FloatArray:
        """The Jacobian of all rows as a full matrix."""
        J = np.zeros((len(self.tape.rows), self.tape.n_v))
        J[self.tape.jacobian_rows, self.tape.jacobian_columns] = entries
        return J
