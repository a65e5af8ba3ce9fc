"""A program: the compiled form of a structure, shared by every model that has it."""

import threading
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core, native_tape
from kempe.compile.small.kinematic_tape import REGISTER_NAMES, KinematicTape
from kempe.compile.trace.shape import AbstractShape

FloatArray = NDArray[np.float64]


@final
@dataclass(eq=False)
class Program:
    """A native system that evaluates and solves the equations of one structure.

    The small plan is one tape (`tape`), the large one tiles of elements.
    """

    shape: AbstractShape
    prototype: "core.KinematicSystem"
    plan: str  # "small" or "large"
    executor: str = "vm"
    fused_address: int = 0
    compiled: Any = None  # keeps compiled code alive
    _mine: threading.local = field(default_factory=threading.local, repr=False)

    @property
    def system(self) -> "core.KinematicSystem":
        """This thread's own copy of the native system."""
        if not hasattr(self._mine, "system"):
            self._mine.system = self.prototype.clone()
        mine: core.KinematicSystem = self._mine.system
        return mine

    @property
    def tape(self) -> KinematicTape:
        """The tape of the small plan."""
        assert isinstance(self.shape, KinematicTape)
        return self.shape

    def evaluate(
        self, parameters: FloatArray, q: FloatArray, t: float, last: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """phi of all rows, the Jacobian's entries, and the unwrapped turns, at (q, t)."""
        rows = self.system.evaluate(parameters, q, t, last)
        return rows.phi, rows.entries, rows.turns

    def right_hand(
        self, parameters: FloatArray, q: FloatArray, t: float, v: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """-phi_t and gamma(v) of all rows, at (q, t)."""
        right = self.system.right_hand(parameters, q, t, v)
        return right.rhs, right.gamma

    def retract(self, q: FloatArray, d: FloatArray) -> FloatArray:
        """The coordinates after the displacement d."""
        return self.system.retract(q, d)

    def dense_jacobian(self, entries: FloatArray) -> FloatArray:
        """The Jacobian of all rows as a full matrix."""
        J = np.zeros((len(self.shape.rows), self.shape.n_v))
        J[self.shape.jacobian_rows, self.shape.jacobian_columns] = entries
        return J


def system_size(shape: AbstractShape) -> "core.SystemSize":
    """The sizes as the native systems take them."""
    return core.SystemSize(
        q=shape.n_q,
        v=shape.n_v,
        spare=shape.n_spare,
        turns=shape.n_turns,
        parameters=shape.n_parameters,
    )


def tape_program(tape: KinematicTape) -> Program:
    """The small plan's program, on the VM until compiled code is attached."""
    registers = core.TapeRegisters(
        **{name: getattr(tape, name) for name in REGISTER_NAMES},
        jacobian_rows=tape.jacobian_rows,
        jacobian_columns=tape.jacobian_columns,
        blocks=tape.blocks,
        pivot_blocks=tape.pivot_blocks,
    )
    system = core.TapeSystem(native_tape(tape.tape), system_size(tape), registers)
    return Program(tape, system, "small")
