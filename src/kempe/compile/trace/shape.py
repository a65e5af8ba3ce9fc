"""The shape of a program: how many of everything, where its rows come from, which entries J has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.tape import IntArray
from kempe.compile.layout.elements import Element


@final
@dataclass(frozen=True, slots=True)
class Row:
    """Where a row of the system comes from: element, place among the element's rows, unit."""

    element: int
    place: int
    unit: str


@dataclass(frozen=True, eq=False)
class AbstractShape:
    """Sizes, origins of the rows (solved ones first, then spares) and the Jacobian's pattern."""

    n_q: int
    n_v: int
    n_rows: int  # rows that are solved
    n_spare: int  # redundant rows that are only watched
    n_turns: int
    n_parameters: int
    rows: tuple[Row, ...]
    counted: tuple[tuple[int, int], ...]  # turns of rows: element, and which of its readings
    jacobian_rows: IntArray  # of all rows' entries
    jacobian_columns: IntArray

    def row_weights(self, size: float) -> NDArray[np.float64]:
        """1 / size for rows in metres, 1 for the others: (rows,)."""
        return np.array([1.0 / size if row.unit == "m" else 1.0 for row in self.rows])

    def redundant(self, elements: Sequence[Element]) -> tuple[str, ...]:
        """The names of those of the elements that have a row which is only watched."""
        return tuple(dict.fromkeys(elements[r.element].name for r in self.rows[self.n_rows :]))


@final
@dataclass(frozen=True, slots=True)
class Told:
    """A switch that is the overlap of two surfaces, or minus it (sign -1): of which force."""

    switch: int
    sign: int
    force: int
    overlap: int  # which of those of the force


@dataclass(frozen=True, eq=False)
class AbstractDynamicShape(AbstractShape):
    """The shape of the rows, turns that forces count after those of the rows, switches, states."""

    force_counted: tuple[tuple[int, int], ...]  # turns of forces, likewise
    guards: IntArray  # of every switch of a force law: another one, or -1, and
    guard_sides: IntArray  # the side of that without which it does not matter
    clocks: IntArray  # 1 where it is a function of time alone
    switch_forces: IntArray
    told: tuple[Told, ...]
    states: IntArray  # of forces: where each stands among the parameters
    flows: tuple[tuple[int, int], ...]  # bodies that gain mass, and the state that says how much
