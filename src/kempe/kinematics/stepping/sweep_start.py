"""A mechanism that is ready to be swept: its equations with some rows solved, and its start."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.trace.shape import Row
from kempe.equations import Equations
from kempe.equations.pivot_order import pivot_sizes
from kempe.equations.programs import programs_of
from kempe.kinematics.stepping.newton import USUAL, Newton
from kempe.results.state import State

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class Prepared:
    """The equations of one model, some rows solved and the others watched, and where it starts."""

    equations: Equations
    start: State
    pivots: FloatArray = field(default_factory=lambda: np.zeros(0))  # their sizes, of a tape
    moved: tuple[str, ...] = ()  # bodies that start elsewhere than they were given, in words
    newton: Newton = USUAL


def solving(prepared: Prepared, kept: Collection[Row], at: State) -> Prepared:
    """A mechanism that stands at `at`, with the rows `kept` solved and the others watched."""
    equations, before = prepared.equations, prepared.equations.program
    make = programs_of(equations.layout, before.executor, before.plan)
    program = make.solving(kept, at)
    return replace(standing(replace(equations, program=program), at), newton=prepared.newton)


def standing(equations: Equations, at: State) -> Prepared:
    """A mechanism that stands at `at`, with the sizes that the pivots of its tape have there."""
    large = equations.program.plan == "large"
    sizes = np.zeros(0) if large else pivot_sizes(equations, at)
    return Prepared(equations, at, sizes)
