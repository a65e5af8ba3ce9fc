"""How well the drives determine the motion: the singular values of the equations."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.layout import Layout
from kempe.compile.small.kinematic_tape import KinematicTape
from kempe.equations import Equations
from kempe.equations.equations import Sampled
from kempe.equations.programs import raw_program
from kempe.errors import BadNumber
from kempe.kinematics.check.row_choice import solved_rows
from kempe.results import Motion
from kempe.results.state import State

FloatArray = NDArray[np.float64]

# Velocities up to which full matrices are quicker than sparse ones.
DENSE = 60
# Velocities up to which redundant rows are taken in; larger mechanisms keep those of the start.
MOST_REDUNDANT = 400
# Numbers in the full matrices that are taken apart at a time: 32 MB.
AT_A_TIME = 4_000_000
# Relative accuracy of the largest singular value where matrices are sparse: it is only a yardstick.
YARDSTICK = 1e-4


@final
@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """Smallest and largest singular value (n,) of the Jacobian, and the smallest's rate.

    Redundant rows count too: which of them are solved does not matter. Lengths count in sizes of
    the machine, angles in radians. In a dead point, and where branches cross, the smallest is
    nought.
    """

    t: FloatArray  # s
    smallest: FloatArray
    largest: FloatArray
    trend: FloatArray  # 1/s, d smallest / dt along the motion

    @property
    def number(self) -> FloatArray:
        """The condition number (n,), largest by smallest: 1 is best, infinite is singular."""
        with np.errstate(divide="ignore"):
            number: FloatArray = self.largest / self.smallest
        return number

    def __len__(self) -> int:
        return len(self.t)


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Samples:
    """The Jacobian at every sample, scaled, as entries of one pattern."""

    m: int  # rows
    n: int  # columns
    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    entries: FloatArray  # (samples, entries)


def condition(layout: Layout, motion: Motion) -> Condition:
    """The condition of J_s = W J C at every sample, W and C the scales of rows and columns.

    With J_s w = sigma u the smallest singular value changes as  sigma' = u . (W J' C w). J' along
    the motion comes from the acceleration terms gamma(v) = -J' v, which are quadratic in v:
    J' w = -(gamma(v + w) - gamma(v) - gamma(w) + gamma(0)) / 2. (Where bodies turn in space that is
    the symmetric part of J'; the other part is square to w.)

    Source: [GolubVanLoan] section 2.5 for singular vectors; the polarised gamma, Own.
    """
    if not len(motion):
        raise BadNumber("a motion without samples has no condition: its outcome says why.")
    equations = Equations(layout, raw_program(layout))
    tape = equations.program.tape
    sampled = Sampled(equations, motion.q, motion.t)
    at = State(float(motion.t[0]), motion.q[0], turns=np.zeros(tape.n_turns))
    solved = solved_rows(equations, at)
    whole = bool(solved.spare) and layout.n_v <= MOST_REDUNDANT
    kept = np.array(range(len(tape.rows)) if whole else solved.kept, dtype=np.int32)
    W, C = equations.row_weights[kept], 1.0 / layout.step_weights
    samples = _scaled(tape, sampled.entries(), kept, W, C)
    find = _dense_values if whole or samples.n <= DENSE else _sparse_values
    smallest, largest, u, w = find(samples)
    # w is measured with the speed's length, so that the differences lose nothing
    speed = np.linalg.norm(motion.v / C, axis=1)
    pace = np.where(speed > 0.0, speed, 1.0)[:, None]
    turned = _polarised_gamma(sampled, motion.v, pace * w * C)[:, kept] / pace
    trend = -np.einsum("ni,ni->n", u * W, turned)
    return Condition(motion.t, smallest, largest, np.where(speed > 0.0, trend, 0.0))


def _scaled(
    tape: KinematicTape,
    entries: FloatArray,
    kept: NDArray[np.int32],
    W: FloatArray,
    C: FloatArray,
) -> _Samples:
    place = np.full(len(tape.rows), -1, dtype=np.int32)
    place[kept] = np.arange(len(kept), dtype=np.int32)
    mine = np.flatnonzero(place[tape.jacobian_rows] >= 0)
    rows, columns = place[tape.jacobian_rows[mine]], tape.jacobian_columns[mine]
    return _Samples(len(kept), tape.n_v, rows, columns, entries[:, mine] * (W[rows] * C[columns]))


def _polarised_gamma(samples: Sampled, v: FloatArray, w: FloatArray) -> FloatArray:
    """(gamma(v + w) - gamma(v) - gamma(w) + gamma(0)) / 2 of all rows, (n, rows)."""
    both, one, other, none = (samples.right_hand(x)[1] for x in (v + w, v, w, np.zeros_like(v)))
    return 0.5 * (both - one - other + none)


Singular = tuple[FloatArray, FloatArray, FloatArray, FloatArray]


def _dense_values(samples: _Samples) -> Singular:
    """Smallest, largest, and the vectors u and w of the smallest, by full matrices."""
    m, n, count = samples.m, samples.n, len(samples.entries)
    smallest, largest = np.zeros(count), np.zeros(count)
    u, w = np.zeros((count, m)), np.zeros((count, n))
    stride = max(1, AT_A_TIME // (m * n))
    for first in range(0, count, stride):
        part = slice(first, min(count, first + stride))
        J = np.zeros((part.stop - first, m, n))
        J[:, samples.rows, samples.columns] = samples.entries[part]
        left, values, right = np.linalg.svd(J, full_matrices=False)
        smallest[part], largest[part] = values[:, -1], values[:, 0]
        u[part], w[part] = left[:, :, -1], right[:, -1, :]
    return smallest, largest, u, w


def _sparse_values(samples: _Samples) -> Singular:
    """Singular values by sparse factorisation: 1 / sigma^2 is the largest of (J^T J)^-1."""
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import LinearOperator, eigsh

    n, count = samples.n, len(samples.entries)
    smallest, largest = np.zeros(count), np.zeros(count)
    u, w = np.zeros((count, n)), np.zeros((count, n))
    lu = core.SparseLU(n, samples.rows, samples.columns, samples.entries[0])
    start = np.ones(n)

    def inverse(x: FloatArray) -> Any:
        return lu.solve(lu.solve_transposed(np.ascontiguousarray(x.ravel())))

    operator = LinearOperator((n, n), matvec=inverse, dtype=np.float64)
    for k, entries in enumerate(samples.entries):
        J: Any = csr_array((entries, (samples.rows, samples.columns)), shape=(n, n))
        top = eigsh(J.T @ J, k=1, v0=start, tol=YARDSTICK, return_eigenvectors=False)
        largest[k] = np.sqrt(top[0])
        if not (lu.factor(entries) or lu.refactor_with_new_order(entries)):
            continue  # singular to rounding: nought
        _, vectors = eigsh(operator, k=1, v0=start)
        w[k] = start = vectors[:, 0]
        image = J @ start
        smallest[k] = np.linalg.norm(image)
        u[k] = image / smallest[k]
    return smallest, largest, u, w


def dead_point_distance(
    condition: Condition, rate: FloatArray, known: FloatArray | None = None
) -> FloatArray:
    """The way (n,) a drive that moves with `rate` (n,) has before it, by the condition's trend.

    On the way into a dead point the square of the smallest singular value falls linearly with the
    drive:  sigma^2 ~ s_dead - s,  so  s_dead - s = -sigma / (2 sigma') s'.

    Never negative, in the drive's unit; infinite where the condition is getting better or the drive
    stands still. It is an estimate that becomes exact as the dead point comes near, and never more
    than the way (n,) to the dead point that ended the run, if that is `known`. Where branches
    cross, sigma itself falls linearly, and the crossing is twice as far away.

    Own: from the square-root behaviour of a fold.
    """
    distance: FloatArray = np.full(len(condition), np.inf)
    nears = (condition.trend < 0.0) & (rate != 0.0)
    with np.errstate(over="ignore"):
        time = -0.5 * condition.smallest[nears] / condition.trend[nears]
        distance[nears] = time * np.abs(rate[nears])
    if known is not None:
        distance = np.minimum(distance, known)
    distance[condition.smallest == 0.0] = 0.0
    return distance
