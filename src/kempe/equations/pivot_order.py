"""In which order unknowns are eliminated, and how large the pivots of a model are.

The order belongs to the structure. It is chosen at numbers that no model gave, so that a sweep
gives the same bits whichever model of its structure came first. Only a model whose own numbers make
one of these pivots small gets an order of its own.
"""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.program.program import Program
from kempe.equations.equations import Equations
from kempe.errors import DriveError
from kempe.geometry import Pose
from kempe.results.state import State

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int32]
Order = tuple[tuple[int, int], ...]  # (row among the kept, column)

# Positions around a start, and positions and numbers of a structure: multiples of square roots,
# modulo 1, scattered evenly and the same in every run.
AROUND = (2.0, 3.0)
ANYWHERE = ((2.0, 3.0), (6.0, 10.0), (14.0, 15.0))
SPREAD = 0.3  # rad, and share of the machine's size
SMALLEST, LARGEST = 0.2, 0.6  # numbers of a structure, in sizes of the machine
MOMENT = 0.37  # s
# Below this share of the largest number left in its row a pivot is small. Parallel bars, say, stay
# parallel: what vanishes there and not beside it has to count.
SMALL = 0.02
LOST = 1e-6  # a position in which a pivot all but vanishes tells nothing of the pivots after it


def common_order(equations: Equations, kept: tuple[int, ...]) -> Order | None:
    """The order of a structure for these rows; None where its numbers have no meaning there."""
    return _markowitz(equations.program, kept, _anywhere(equations))


def own_order(equations: Equations, kept: tuple[int, ...], at: State) -> Order:
    """An order for the numbers and the start of one model.

    Where the positions around it share none, the start decides.
    """
    samples = _around(equations, at)
    for some in (samples, samples[:1]):
        order = _markowitz(equations.program, kept, some)
        if order is not None:
            return order
    raise DriveError(
        f"{equations.layout.model.name!r} stands in a singular position at t = {at.t:g} s: there"
        " its drives do not determine the motion. Start the drive at another value, or drive"
        " another joint."
    )


def suits(
    equations: Equations,
    order: Order,
    kept: tuple[int, ...],
    at: State,
) -> bool:
    """Whether no pivot of the order is small at the start, or in all positions around it."""
    J = np.array([equations.scaled(e) for e in _around(equations, at)])
    J = J[:, kept, :]
    told = np.ones(len(J), dtype=bool)  # positions that still tell something
    for row, column in order:
        size = np.abs(J[:, row, :]).max(axis=1)
        pivot = J[:, row, column].copy()
        share = np.abs(pivot) / np.where(size > 0.0, size, 1.0)
        beside = share[1:][told[1:]].max(initial=0.0) if len(J) > 1 else 1.0
        if not (share[0] > SMALL and beside > SMALL):
            return False
        told &= share > LOST
        mine = np.flatnonzero(J[:, :, column].any(axis=0))
        mine = mine[mine != row]
        factors = J[:, mine, column] / np.where(told, pivot, 1.0)[:, None]
        J[:, mine, :] -= factors[:, :, None] * J[:, row, None, :]
        J[:, row, :] = 0.0
        J[:, :, column] = 0.0
    return True


def pivot_sizes(equations: Equations, at: State) -> FloatArray:
    """How large the pivots of a program are for a model: the largest of some positions.

    Where a pivot vanishes, those after it have no value.
    """
    sizes, system = [], cast("core.TapeSystem", equations.program.system)
    for q in _positions(equations, at):
        equations.evaluate(q, at.t, at.turns)
        found = np.abs(system.pivots())
        sizes.append(np.where(np.isfinite(found), found, 0.0))
    largest: FloatArray = np.array(sizes).max(axis=0)
    return largest


def _markowitz(program: Program, kept: tuple[int, ...], samples: list[FloatArray]) -> Order | None:
    """An order whose pivots are large in all samples of the Jacobian's entries, if there is one.

    It is the same from every program of the structure: entries are given row by row, in the order
    of `kept`, and column by column.
    """
    rows, columns, mine = _entries(program, kept)
    values = np.array(samples)[:, mine]
    if not np.isfinite(values).all():
        return None
    units = program.tape.jacobian_units[mine].astype(np.uint8)
    found = core.markowitz_order(len(kept), rows, columns, values, units)
    if len(found.left_rows):
        return None
    return tuple((int(r), int(c)) for r, c in zip(found.rows, found.cols, strict=True))


def _entries(program: Program, kept: tuple[int, ...]) -> tuple[IntArray, IntArray, IntArray]:
    """Rows, columns and places of the Jacobian's entries in the kept rows, row by row."""
    tape = program.tape
    place = np.full(len(tape.rows), -1, dtype=np.int32)
    place[list(kept)] = np.arange(len(kept), dtype=np.int32)
    rows, columns = place[tape.jacobian_rows], tape.jacobian_columns
    mine = np.lexsort((columns, rows)).astype(np.int32)
    mine = mine[rows[mine] >= 0]
    return rows[mine], columns[mine], mine


def _around(equations: Equations, at: State) -> list[FloatArray]:
    """Entries of the Jacobian at the start and displaced from it, where they have a value there."""
    samples = [equations.evaluate(q, at.t, at.turns)[1] for q in _positions(equations, at)]
    return [samples[0], *(e for e in samples[1:] if np.isfinite(e).all())]


def _positions(equations: Equations, at: State) -> list[FloatArray]:
    scale = SPREAD / equations.layout.step_weights
    return [
        at.q,
        *(equations.program.retract(at.q, scale * _scattered(len(scale), p)) for p in AROUND),
    ]


def _anywhere(equations: Equations) -> list[FloatArray]:
    """Entries of the Jacobian at numbers and positions that depend on the structure alone."""
    layout = equations.layout
    home = [layout.chart.coordinates(Pose.identity())] * layout.n_bodies
    q = np.concatenate([*home, np.full(layout.n_own, 0.5)])
    samples = []
    for place, number in ANYWHERE:
        where = _scattered(layout.n_v, place)
        numbers = _scattered(len(equations.parameters), number)
        numbers = np.copysign(SMALLEST + (LARGEST - SMALLEST) * np.abs(numbers), numbers)
        moved = equations.program.retract(q, where)
        no_turns = np.zeros(equations.program.shape.n_turns)
        samples.append(equations.program.evaluate(numbers, moved, MOMENT, no_turns)[1])
    return samples


def _scattered(count: int, square: float) -> FloatArray:
    """Numbers from -1 to 1."""
    within: FloatArray = (np.arange(1, count + 1) * np.sqrt(square)) % 1.0
    return 2.0 * within - 1.0
