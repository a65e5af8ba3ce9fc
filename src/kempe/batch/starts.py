"""Where variants start: on the branch of the mechanism they are variants of.

Their numbers are led from those of the mechanism itself, which stands assembled, to their own: at
once where Newton's method contracts and stays near, else in steps that are halved where it does not
and doubled where it does. No block of the Jacobian may change the sign of its determinant on the
way, so that every variant is put together as the mechanism is. One that meets a singular position
on the way is not reached.

Own: continuation in the numbers of a model, with the acceptance of the sweep.
"""

from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.batch.devices import Code
from kempe.batch.numbers import Reading
from kempe.batch.variants import Group
from kempe.compile.layout.layout import Layout
from kempe.compile.llvm.lane_sweep import WIDTH, LaneArrays, LaneLimits, aligned
from kempe.equations import Equations
from kempe.equations.programs import programs_of
from kempe.errors import KempeError
from kempe.kinematics.stepping.preparation import prepare
from kempe.kinematics.stepping.sweep_start import Prepared, standing

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

SMALLEST: Final = 2.0**-10  # share of the way to a variant's numbers
ROUNDS: Final = int(2.0 / SMALLEST)  # two for every step of a way that goes round many times


@final
@dataclass(frozen=True, slots=True, eq=False)
class Home:
    """Where the mechanism itself stands: its numbers, coordinates, turns and size."""

    parameters: FloatArray
    q: FloatArray
    turns: FloatArray
    size: float


def started(home: Layout, group: Group, read: Reading) -> Prepared | None:
    """The mechanism itself, assembled, in the program of a group; None where neither goes.

    Where a group is built of other parts than the mechanism, it starts from a variant of its own.
    """
    own = read.numbers(home)
    try:
        if own.skeleton != group.numbers.skeleton:
            return prepare(group.layout, read.t)
        prepared = prepare(home, read.t)
        if home.structure == group.layout.structure:
            return prepared
        shape = prepared.equations.program.shape
        make = programs_of(group.layout)
        program = make.solving(set(shape.rows[: shape.n_rows]), prepared.start)
        place = group.numbers.places["all"]
        numbers = own.values[place][group.numbers.lifted[place]]
        return standing(Equations(group.layout, program, numbers), prepared.start)
    except KempeError:
        return None


def padded(count: int) -> int:
    """The least multiple of eight that is not below a number."""
    return -(-count // WIDTH) * WIDTH


def lanes_of(rows: FloatArray) -> FloatArray:
    """Numbers (variants, k) as (k, variants), the last variant repeated up to eight."""
    count = len(rows)
    made = aligned((max(1, rows.shape[1]), padded(count)))
    made[: rows.shape[1], :count] = rows.T
    made[:, count:] = made[:, count - 1 : count]
    return made


def led_from(
    home: Home,
    code: Code,
    shared: LaneLimits,
    t: float,
    parameters: FloatArray,
    sizes: FloatArray,
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Coordinates, turns (variants, ...) of variants at time t, and which were reached."""
    count = len(parameters)
    q, turns = (np.tile(x, (count, 1)) for x in (home.q, home.turns))
    done, step = np.zeros(count), np.ones(count)
    waiting = np.flatnonzero(np.isfinite(parameters).all(axis=1))
    for _ in range(ROUNDS):
        if not len(waiting):
            break
        share = np.minimum(1.0, done[waiting] + step[waiting])
        some = home.parameters + share[:, None] * (parameters[waiting] - home.parameters)
        size = home.size + share * (sizes[waiting] - home.size)
        there, turned, fine = _closed(code, shared, t, some, size, q[waiting], turns[waiting])
        went = waiting[fine]
        q[went], turns[went], done[went] = there[fine], turned[fine], share[fine]
        step[went] *= 2.0
        step[waiting[~fine]] *= 0.5
        waiting = waiting[(done[waiting] < 1.0) & (step[waiting] >= SMALLEST)]
    return q, turns, done >= 1.0


def _closed(
    code: Code,
    shared: LaneLimits,
    t: float,
    parameters: FloatArray,
    sizes: FloatArray,
    q: FloatArray,
    turns: FloatArray,
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Newton's method from q, in every variant."""
    count, task = len(q), code.task
    mine = LaneArrays(
        parameters=lanes_of(parameters),
        read=lanes_of(np.zeros((count, task.reading.n_parameters))),
        q=lanes_of(q),
        turns=lanes_of(turns),
        sizes=lanes_of(1.0 / sizes[:, None]),
        aims=lanes_of(np.zeros((count, sum(task.reading.wrapped)))),
    )
    out = aligned((task.orders, max(1, len(task.reading.wrapped)), code.rows(1), padded(count)))
    reached = code.run(np.array([t]), shared, mine, out)
    n_turns = task.kinematic.n_turns
    return mine.q[:, :count].T, mine.turns[:n_turns, :count].T, reached[:count] > 0
