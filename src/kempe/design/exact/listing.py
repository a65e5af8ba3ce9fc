"""All solutions of a square polynomial system, by the certified search."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression
from kempe.motion.equations.system import FullSystem
from kempe.motion.reduction.reduction import reduced
from kempe.motion.search.search import Effort
from kempe.motion.search.solution import assemblies, refuse_freedom
from kempe.results.maps.certificate import Promise

FloatArray = NDArray[np.float64]

POLISHES: Final = 3  # steps of Newton's method after the search, which ends at about 1e-13
COMPLEX_STEP: Final = 1e-100


@final
@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Solutions, one a row, and how sure it is that there are no others in the domain."""

    x: FloatArray  # (solutions, unknowns)
    promise: Promise
    message: str


def listed(system: FullSystem, name: str, effort: Effort) -> Listed:
    """Every solution of a system with as many equations as unknowns, in its domain."""
    names = [unknown.name for unknown in system.unknowns]
    for unknown, value in zip(names, system.inputs, strict=True):
        system.read(unknown, value)
    small = reduced(system, 0)
    refuse_freedom(small, name, 0)
    found = assemblies(small, name, [], effort)
    x = [[state.others[unknown] for unknown in names] for state in found.states]
    rows = np.array(x, dtype=np.float64).reshape(len(x), len(names))
    return Listed(rows, found.outcome, found.message)


def on_sphere(system: FullSystem, name: str, size: int, least: float) -> list[Expression]:
    """A point of a projective space of `size` coordinates as a unit vector, its first above least.

    A vector and its negative are one point, and the first coordinate is 0 at infinity only.
    """
    first = system.unknown(f"{name}0", least, 1.0, is_limit=True)
    vector = [first, *(system.unknown(f"{name}{k}", -1.0, 1.0) for k in range(1, size))]
    square = system.number(-1.0)
    for coordinate in vector:
        square = square + coordinate * coordinate
    system.equate(square, f"{name} has length 1")
    return vector


def polished(
    rows: Callable[[NDArray[np.complex128]], Sequence[complex]], x: FloatArray
) -> FloatArray:
    """A solution after some steps of Newton's method on rows that are polynomials.

    J = Im(rows(x + i h e_k)) / h, the derivative by a complex step h.
    """
    n = len(x)
    for _ in range(POLISHES):
        steps = x + 1j * COMPLEX_STEP * np.eye(n)
        J = np.array([np.imag(rows(step)) / COMPLEX_STEP for step in steps]).T
        value = np.real(rows(x.astype(np.complex128)))
        step, *_ = np.linalg.lstsq(J, -value, rcond=None)
        x = x + step
    return x
