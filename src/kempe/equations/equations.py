"""Equations: the rows of one mechanism as a compiled program, with the mechanism's own numbers."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.program.program import Program
from kempe.results.state import State

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, eq=False)
class Equations:
    """The equations of one mechanism: where its numbers lie, and what evaluates and solves them.

    Rows are in m or rad, one for each condition of a joint, coupler or drive. `scaled` quantities
    measure lengths in sizes of the machine, so that rows and displacements compare with angles.
    """

    layout: Layout
    program: Program
    given: FloatArray | None = None  # other numbers than the layout's own

    @property
    def parameters(self) -> FloatArray:
        """The lifted numbers of all elements, SI."""
        return self.layout.parameters if self.given is None else self.given

    def with_parameters(self, parameters: FloatArray) -> "Equations":
        """The equations of the same structure with other numbers, in the layout's order."""
        return replace(self, given=parameters)

    @cached_property
    def row_weights(self) -> FloatArray:
        """1 / size for rows in metres, 1 for the others: (rows,)."""
        return self.program.shape.row_weights(self.layout.size)

    @property
    def step_weights(self) -> FloatArray:
        """1 / size for linear displacements and own unknowns, 1 for angles: (n_v,)."""
        return self.layout.step_weights

    def evaluate(
        self, q: FloatArray, t: float, turns: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """phi of all rows, the Jacobian's entries, and the unwrapped turns, at (q, t)."""
        return self.program.evaluate(self.parameters, q, t, turns)

    def entries(self, at: State) -> FloatArray:
        """The entries of the Jacobian of all rows at a state, in m and rad."""
        return self.evaluate(at.q, at.t, at.turns)[1]

    def scaled_entries(self, entries: FloatArray) -> FloatArray:
        """Entries of the Jacobian with lengths measured in sizes of the machine."""
        shape = self.program.shape
        entries = entries * self.row_weights[shape.jacobian_rows]
        return np.asarray(entries / self.step_weights[shape.jacobian_columns])

    def scaled(self, entries: FloatArray) -> FloatArray:
        """The Jacobian of these entries as a full matrix, lengths in sizes of the machine."""
        J = self.program.dense_jacobian(entries)
        return self.row_weights[:, None] * J / self.step_weights[None, :]

    def scaled_jacobian(self, at: State) -> FloatArray:
        """The Jacobian of all rows at a state, lengths in sizes of the machine: (rows, n_v)."""
        return self.scaled(self.entries(at))
