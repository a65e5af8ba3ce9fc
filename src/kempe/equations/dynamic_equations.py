"""The equations of motion of one mechanism, compiled: rows, masses and loads at one state."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.layout.elements import DriveElement
from kempe.compile.program.dynamic_program import DynamicProgram
from kempe.results.state import State

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, eq=False)
class DynamicEquations:
    """Constraints, masses and loads of one mechanism: some rows are solved, the others watched.

    States are those of the centres of mass; their turns are those of rows, then those of forces.
    """

    layout: DynamicLayout
    program: DynamicProgram

    @cached_property
    def row_weights(self) -> FloatArray:
        """1 / size for rows in metres, 1 for the others: (rows,)."""
        return self.program.shape.row_weights(self.layout.layout.size)

    @property
    def is_drive(self) -> NDArray[np.bool_]:
        """Which rows are those of drives."""
        elements, rows = self.layout.layout.elements, self.program.shape.rows
        return np.array([isinstance(elements[r.element], DriveElement) for r in rows], dtype=bool)

    @property
    def spare_drives(self) -> tuple[str, ...]:
        """Measures of drives that repeat what other rows say."""
        elements, shape = self.layout.layout.elements, self.program.shape
        spare = (elements[row.element] for row in shape.rows[shape.n_rows :])
        return tuple(e.drive.gauge.name for e in spare if isinstance(e, DriveElement))

    def pivot_ratio(self, at: State) -> float:
        """The smallest pivot of J M^-1 J^T over its diagonal, at rest; 0 where rows are dependent.

        Pivots are squares of what is left of a row.
        """
        layout, rest = self.layout, np.zeros(self.program.shape.n_v)
        masses = layout.mass_blocks.reshape(-1)
        moved = self.program.system.motion(layout.parameters, masses, at.q, rest, at.t, at.turns)
        return moved.pivot_ratio

    def row_lengths(self, at: State) -> FloatArray:
        """sqrt(J_k M^-1 J_k^T) of all rows, lengths in sizes of the machine: (rows,)."""
        layout, mass = self.layout, self.layout.mass_blocks
        rest = np.zeros(self.program.shape.n_v)
        terms = self.program.system.equations(
            layout.parameters, mass.reshape(-1), at.q, rest, at.t, at.turns
        )
        J = self.program.dense_jacobian(terms.entries)
        blocks = J.reshape(len(J), len(mass), -1)
        squares = np.einsum("kbi,bij,kbj->k", blocks, np.linalg.inv(mass), blocks)
        return np.asarray(np.sqrt(squares) * self.row_weights)
