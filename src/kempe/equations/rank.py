"""Which rows say something new: independent ones, by pivoting, in one place or in several.

Of many rows, by elimination body by body, in time that grows with them: rows that touch a body are
put together, its columns eliminated by the largest entries, and what is left of the other rows goes
on to its neighbours; the body with fewest neighbours first. A row of which nothing is left repeats
others. Own; the order as in [GeorgeLiu] on minimum degree.
"""

import heapq
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.equations.equations import Equations
from kempe.results.state import State

FloatArray = NDArray[np.float64]

# A row that the others determine to this share of its own length is redundant. Constraint rows are
# products of direction cosines: rounding leaves 1e-15, a hinge tilted by 1e-6 rad leaves 1e-6.
REDUNDANT = 1e-9
# Where branches meet, a search ends only within the square root of its tolerance: a start whose
# smallest singular value is below this stands in a singular position.
SINGULAR = 3e-6

# Logarithm of the factor by which an exchange of rows must enlarge their volume to be made.
LARGER = 1e-3
# Noise on rows of length 1: far above rounding, far below what makes rows sound.
BLUR = 1e-7


def independent_rows(J: FloatArray) -> list[int]:
    """Rows of J that are independent, in the order they were taken."""
    if len(J) == 0:
        return []
    found = core.rank_revealing_rows(np.ascontiguousarray(J), REDUNDANT)
    return [int(k) for k in found.independent]


def null_space(J: FloatArray, share: float = REDUNDANT) -> FloatArray:
    """A basis (k, n) of the directions that rows J (m, n) allow.

    A row of which others leave less than this share of its length is one of them.
    """
    if not len(J):
        return np.eye(J.shape[1])
    found = core.null_space(np.ascontiguousarray(J), share)
    return np.atleast_2d(found).reshape(-1, J.shape[1])


def of_length_one(J: FloatArray) -> FloatArray:
    """The rows divided by their lengths; rows of zeros stay."""
    return np.asarray(J / np.maximum(np.linalg.norm(J, axis=1), 1e-300)[:, None])


def steadied_rows(positions: FloatArray, kept: list[int], fixed: int) -> list[int]:
    """Rows that determine the motion well in all of several positions, from rows that do in one.

    `positions` is (k, rows, columns); the last `fixed` rows kept stay. Two rows, one kept and one
    spare, are exchanged as long as that enlarges the least volume of the kept rows, over that of
    all rows, among the positions:

    vol(kept with i for j) = |c_ij| vol(kept),  J_spare = C J_kept

    Rows are blurred a little, so that those which are dependent somewhere have a volume to enlarge.

    Source: [Goreinov] for one position; the least of several: Own.
    """
    chosen = list(kept)
    blur = BLUR * np.random.default_rng(1876).standard_normal(positions.shape)
    J = positions + blur
    whole = 0.5 * np.linalg.slogdet(np.swapaxes(J, 1, 2) @ J)[1]
    for _ in range(len(chosen)):
        spare = [k for k in range(J.shape[1]) if k not in chosen]
        solved, others = (np.swapaxes(J[:, rows], 1, 2) for rows in (chosen, spare))
        volume = np.linalg.slogdet(solved)[1] - whole
        C = np.linalg.solve(solved, others)[:, : len(chosen) - fixed]
        after = (np.log(np.abs(C)) + volume[:, None, None]).min(axis=0)
        j, i = np.unravel_index(int(after.argmax()), after.shape)
        if not after[j, i] > volume.min() + LARGER:
            break
        chosen[int(j)] = spare[int(i)]
    return chosen


def drive_rows(equations: Equations) -> NDArray[np.bool_]:
    """Which rows are those of drives."""
    first, drives = equations.layout.first_drive, len(equations.layout.model.drives)
    rows = equations.program.shape.rows
    return np.array([first <= r.element < first + drives for r in rows], dtype=bool)


REPEATS = 1e-9  # share of a row's length that others leave of it where it says nothing new


@final
@dataclass(frozen=True, slots=True)
class _Front:
    """Rows that are still to be dealt with, on the columns of some bodies."""

    groups: tuple[int, ...]
    columns: NDArray[np.intp]
    rows: NDArray[np.intp]
    values: FloatArray  # (rows, columns)


@final
@dataclass(frozen=True, slots=True)
class _Solved:
    """Columns of one body that follow from others: x = -A y, and those that are free."""

    solved: NDArray[np.intp]
    given: NDArray[np.intp]
    A: FloatArray
    free: NDArray[np.intp]


@final
@dataclass(frozen=True, slots=True)
class SparseRows:
    """Rows that are independent, those that repeat them, and what the rows allow."""

    n_v: int
    kept: tuple[int, ...]
    redundant: tuple[int, ...]
    smallest: float  # pivot, rows having length 1
    steps: tuple[_Solved, ...]

    @property
    def free(self) -> NDArray[np.intp]:
        """Columns that may be chosen, in the order in which others depend on them."""
        found = [step.free for step in reversed(self.steps)]
        return np.concatenate(found) if found else np.zeros(0, dtype=np.intp)

    def motion(self, mix: FloatArray) -> FloatArray:
        """The displacement (n_v,) that the rows allow, with these values of the free columns."""
        x = np.zeros(self.n_v)
        x[self.free] = mix
        for step in reversed(self.steps):
            x[step.solved] = -step.A @ x[step.given]
        return x


def sparse_rows(
    equations: Equations,
    at: State,
    counted: NDArray[np.bool_] | None = None,
) -> SparseRows:
    """The independent rows of a program at a configuration, with all that follows from them.

    Of all rows, or of those that are `counted` (rows,).
    """
    shape = equations.program.shape
    entries = equations.evaluate(at.q, at.t, at.turns)[1]
    entries = entries * equations.row_weights[shape.jacobian_rows]
    entries = entries / equations.layout.step_weights[shape.jacobian_columns]
    lengths = np.sqrt(np.bincount(shape.jacobian_rows, entries**2, len(shape.rows)))
    entries = entries / np.maximum(lengths, 1e-300)[shape.jacobian_rows]
    element = np.array([row.element for row in shape.rows], dtype=np.intp)
    group = equations.layout.coordinates.group_of_each(equations.layout.n_own)
    rows, columns = shape.jacobian_rows, shape.jacobian_columns
    if counted is not None:
        mine = counted[rows]
        rows, columns, entries = rows[mine], columns[mine], entries[mine]
    return _eliminated(_fronts(rows, columns, entries, element, group), group, len(shape.rows))


def _fronts(
    rows: NDArray[np.int32],
    columns: NDArray[np.int32],
    entries: FloatArray,
    element: NDArray[np.intp],
    group: NDArray[np.intp],
) -> list[_Front]:
    """One for every element."""
    order = np.argsort(element[rows], kind="stable")
    ends = np.flatnonzero(np.diff(element[rows][order])) + 1
    found = []
    for mine in np.split(order, ends) if len(order) else ():
        own_rows, i = np.unique(rows[mine].astype(np.intp), return_inverse=True)
        own_columns, j = np.unique(columns[mine].astype(np.intp), return_inverse=True)
        values = np.zeros((len(own_rows), len(own_columns)))
        values[i, j] = entries[mine]
        groups = tuple(int(g) for g in np.unique(group[own_columns]))
        found.append(_Front(groups, own_columns, own_rows, values))
    return found


def _eliminated(fronts: list[_Front], group: NDArray[np.intp], n_rows: int) -> SparseRows:
    n_v = len(group)
    members: list[list[int]] = [[] for _ in range(int(group.max(initial=-1)) + 1)]
    for column, g in enumerate(group):
        members[int(g)].append(column)
    at: list[set[int]] = [set() for _ in members]  # fronts at every group
    for k, front in enumerate(fronts):
        for g in front.groups:
            at[g].add(k)
    queue = [(len(at[g]), g) for g in range(len(members))]
    heapq.heapify(queue)
    done = [False] * len(members)
    kept: list[int] = []
    steps: list[_Solved] = []
    smallest = np.inf
    while queue:
        degree, g = heapq.heappop(queue)
        if done[g] or degree != len(at[g]):
            if not done[g]:
                heapq.heappush(queue, (len(at[g]), g))
            continue
        done[g] = True
        mine = [fronts[k] for k in sorted(at[g])]
        step, rest, pivots, least = _eliminate(mine, np.array(members[g], dtype=np.intp), group)
        smallest = min(smallest, least)
        kept += pivots
        steps.append(step)
        for k in sorted(at[g]):
            for other in fronts[k].groups:
                at[other].discard(k)
        if rest is not None:
            fronts.append(rest)
            for other in rest.groups:
                at[other].add(len(fronts) - 1)
                heapq.heappush(queue, (len(at[other]), other))
    chosen = set(kept)
    redundant = tuple(k for k in range(n_rows) if k not in chosen)
    return SparseRows(n_v, tuple(sorted(kept)), redundant, float(smallest), tuple(steps))


def _eliminate(
    fronts: list[_Front], own: NDArray[np.intp], group: NDArray[np.intp]
) -> tuple[_Solved, _Front | None, list[int], float]:
    """A body's columns by its rows: what follows, what is left of the rows, and the pivots."""
    nothing = np.zeros(0, dtype=np.intp)
    if not fronts:
        return _Solved(nothing, nothing, np.zeros((0, 0)), own), None, [], np.inf
    others = np.setdiff1d(np.unique(np.concatenate([f.columns for f in fronts])), own)
    columns = np.concatenate([own, others])
    place = {int(c): k for k, c in enumerate(columns)}
    rows = np.concatenate([f.rows for f in fronts])
    F = np.zeros((len(rows), len(columns)))
    first = 0
    for f in fronts:
        F[first : first + len(f.rows), [place[int(c)] for c in f.columns]] = f.values
        first += len(f.rows)
    m, least = len(own), np.inf
    pivot_rows: list[int] = []
    pivot_columns: list[int] = []
    for _ in range(min(m, len(rows))):
        sizes = np.abs(F[:, :m])
        sizes[pivot_rows] = 0.0
        i, j = divmod(int(sizes.argmax()), m)
        if sizes[i, j] <= REPEATS:
            break
        least = min(least, float(sizes[i, j]))
        F[i] /= F[i, j]
        factors = F[:, j].copy()
        factors[i] = 0.0
        F -= np.outer(factors, F[i])
        pivot_rows.append(i)
        pivot_columns.append(j)
    is_free = [j for j in range(m) if j not in pivot_columns]
    given = np.concatenate([own[is_free], others]).astype(np.intp)
    A = F[np.ix_(pivot_rows, [*is_free, *range(m, len(columns))])]
    step = _Solved(own[pivot_columns].astype(np.intp), given, A, own[is_free].astype(np.intp))
    left = [i for i in range(len(rows)) if i not in set(pivot_rows)]
    left = [i for i in left if np.abs(F[i, m:]).max(initial=0.0) > REPEATS]
    kept = [int(rows[i]) for i in pivot_rows]
    if not left:
        return step, None, kept, least
    values = np.ascontiguousarray(F[left][:, m:])
    groups = tuple(int(g) for g in np.unique(group[others]))
    return step, _Front(groups, others, rows[left], values), kept, least
