"""Which rows hold the motion: redundancy decided where the mechanism is in general position.

One position may be singular by chance, so the rank is asked at the start and at positions moved
along what is free. Rows are in sizes of the machine and count with length 1.

Own: the verdicts on nearly redundant rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout import Layout
from kempe.compile.program import Program
from kempe.errors import AssemblyError
from kempe.kinematics.assembly import ASSEMBLED, Assembled, close, step_weights
from kempe.kinematics.rank import REDUNDANT, over_driven, scaled_jacobian
from kempe.kinematics.released import remembered_evaluator

FloatArray = NDArray[np.float64]

POSITIONS = 6  # moved ones that are looked at
MOVES = (0.3, 0.1, 0.03)  # rad, and sizes of the machine: the first that closes is taken
# Between REDUNDANT and this, everywhere: rows that all but repeat others, and lock the mechanism.
NEARLY = 1e-4


@final
@dataclass(frozen=True, slots=True)
class RowVerdict:
    """Rows that are solved, in order, and what the joints leave free."""

    kept: tuple[int, ...]
    mobility: int  # without the drives


@final
@dataclass(frozen=True, slots=True)
class _Look:
    """The rows of joints and couplers in one position."""

    independent: tuple[int, ...]
    smallest: float  # singular value


def choose_rows(layout: Layout, start: Assembled, t: float) -> RowVerdict:
    """The rows to solve; errors where drives are too many or rows nearly redundant."""
    free = Layout(replace(layout.model, drives=()))
    program = remembered_evaluator(free)
    drives = len(layout.model.drives)
    looks = [_look(free, program, at, t) for at in _positions(free, program, start, t)]
    best = max(looks, key=lambda look: (len(look.independent), look.smallest))
    if looks[0].independent and len(looks[0].independent) == len(best.independent):
        best = looks[0]
    mobility = layout.n_v - len(best.independent)
    if drives > mobility:
        raise over_driven(layout, drives, mobility)
    _refuse_nearly_redundant(free, program, looks, best)
    first_drive = len(program.shape.rows)
    kept = (*sorted(best.independent), *range(first_drive, first_drive + drives))
    return RowVerdict(kept, mobility)


def _positions(
    layout: Layout, program: Program, start: Assembled, t: float
) -> Sequence[Assembled]:
    """The start, and positions along random free motions that close again."""
    found = [Assembled(start.q, start.last[: program.shape.n_turns], start.residual, 0)]
    J = scaled_jacobian(layout, program, found[0], t)
    basis = np.atleast_2d(core.null_space(np.ascontiguousarray(J), REDUNDANT))
    basis = basis.reshape(-1, layout.n_v)
    if not len(basis):
        return found
    random = np.random.default_rng(len(basis))
    scale = 1.0 / step_weights(layout)
    for _ in range(POSITIONS):
        way = random.normal(size=len(basis)) @ basis
        way /= max(1e-300, float(np.abs(way).max()))
        for size in MOVES:
            moved = close(layout, program, program.retract(start.q, size * scale * way), t)
            if moved.residual <= ASSEMBLED:
                found.append(moved)
                break
    return found


def _look(layout: Layout, program: Program, at: Assembled, t: float) -> _Look:
    J = scaled_jacobian(layout, program, at, t)
    if not len(J):
        return _Look((), 1.0)
    independent, _, _, _, smallest = core.rank_revealing_rows(np.ascontiguousarray(J), REDUNDANT)
    return _Look(tuple(int(k) for k in independent), float(smallest))


def _refuse_nearly_redundant(
    layout: Layout, program: Program, looks: Sequence[_Look], best: _Look
) -> None:
    if not best.independent or max(look.smallest for look in looks) > NEARLY:
        return
    if len(best.independent) < len(looks[0].independent):
        return
    row = program.shape.rows[best.independent[-1]]
    name = layout.elements[row.element].name
    raise AssemblyError(
        f"{layout.model.name!r} is nearly redundant: joint {name!r} all but repeats what others"
        f" say (to {best.smallest:.1e}), which would lock it. Straighten the axes of its markers,"
        " or take a joint that holds less.",
        joint=name,
        smallest=best.smallest,
    )
