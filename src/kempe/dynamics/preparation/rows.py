"""Which rows hold the motion: redundancy decided where the mechanism is in general position."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.layout import Layout
from kempe.equations import equations_of
from kempe.equations.rank import REDUNDANT, SparseRows, independent_rows, sparse_rows
from kempe.errors import AssemblyError, DriveError, ModelError
from kempe.kinematics.check.row_choice import over_driven
from kempe.kinematics.closing.closing import DENSE, close
from kempe.kinematics.mobility.finite_motion import (
    NEARLY_REDUNDANT,
    STEPS,
    Released,
    Survey,
    released_at,
    survey,
)
from kempe.kinematics.mobility.free_motions import idle_drives, telling_drives
from kempe.results.state import State

FloatArray = NDArray[np.float64]
# A step to either side, in rad and sizes of the machine, and what rows of length 1 change by along
# it, of its length, where they turn: hinges tilted by 1e-4 rad make a hundredth of that.
ASIDE, BENT = 1e-3, 1e-2
RATES_FIT = 1e-9  # of the largest: velocities that agree
# Velocities from which rows are told by elimination: full matrices take seconds there.
MANY = 150
# Of q: the length sqrt(J_k M^-1 J_k^T) of every row, in the units of the scaled Jacobian. A pivot
# of J M^-1 J^T is the square of what is left of such a length.
RowLengths = Callable[[FloatArray], FloatArray]


@final
@dataclass(frozen=True, slots=True)
class RowVerdict:
    """Rows that are solved, in order, and what the joints leave free."""

    kept: tuple[int, ...]
    mobility: int  # without the drives


def choose_dynamic_rows(
    layout: Layout, start: State, lengths: RowLengths | None = None
) -> RowVerdict:
    """The rows to solve; errors where drives are too many or rows nearly redundant.

    Redundant rows of joints are left out such that what is left determines the motion well in
    all positions around the start that have the general rank. Rows of drives are all solved, but
    for drives that repeat others, or move nothing, in all these positions.
    """
    released = released_at(layout, start.q, start.t)
    many = _of_many(layout, released) if layout.n_v > MANY else None
    if many is not None:
        return many
    found = survey(released)
    at = [k for k, rank in enumerate(found.ranks) if rank == found.rank]
    general = [found.jacobians[k] for k in at]
    n_joints = len(general[0])
    if not n_joints:  # drives alone hold what moves
        return RowVerdict(_drives_alone(layout, start), layout.n_v)
    weighed = lengths and [lengths(found.places[k].q)[:n_joints] for k in at]
    dropped = set(expendable_rows(general, weighed))
    joints = [k for k in range(n_joints) if k not in dropped]
    if len(independent_rows(general[0][joints])) < found.rank:
        joints = sorted(independent_rows(general[0]))
    mobility, drives = layout.n_v - found.rank, len(layout.model.drives)
    if drives > mobility:
        raise over_driven(layout, drives, mobility, start.t, idle_drives(layout, start))
    if found.nearly or found.pinned:
        raise _nearly_redundant(layout, found, released)
    telling = telling_drives(layout, [found.places[k].q for k in at], start.t)
    return RowVerdict((*joints, *(n_joints + k for k in telling)), mobility)


def with_velocity_rows(layout: Layout, start: State, others: RowVerdict) -> RowVerdict:
    """The rows to solve where joints hold velocities too: of those the ones that others leave open.

    A row of velocities that repeats others wherever one looks is only watched. It says nothing of
    places, so that nobody would see drives leave it: those that hold what it holds are refused.
    """
    equations = equations_of(layout.moving)
    shape = equations.program.shape
    places = [start]
    if layout.n_v <= MANY:
        places += list(survey(released_at(layout, start.q, start.t)).places)
    first = len(equations_of(layout).program.shape.rows)
    n_joints = first - len(layout.model.drives)
    joints = [k for k in others.kept if k < n_joints]
    jacobians = [equations.scaled_jacobian(replace(start, q=at.q)) for at in places]
    told = _Told(jacobians)
    for k in joints:
        told.adds(k)
    rolling = [k for k in range(first, len(shape.rows)) if told.adds(k)]
    for k in (k for k in others.kept if k >= n_joints):
        if not told.adds(k):
            raise _driven_and_rolling(layout, shape.rows[k].element)
    _refuse_fighting_velocities(layout, start, jacobians[0])
    return RowVerdict((*others.kept, *rolling), others.mobility - len(rolling))


@final
class _Told:
    """What rows say that were taken so far, at several places at once."""

    def __init__(self, jacobians: list[FloatArray]) -> None:
        self.jacobians = jacobians
        self.bases = [np.zeros((0, J.shape[1])) for J in jacobians]

    def adds(self, row: int) -> bool:
        """Whether a row says something that the others do not, at some place; it is taken then."""
        rests = []
        for J, basis in zip(self.jacobians, self.bases, strict=True):
            rest = J[row] / max(float(np.linalg.norm(J[row])), 1e-300)
            for _ in range(2):  # once more for rounding
                rest = rest - basis.T @ (basis @ rest)
            rests.append(rest)
        lengths = [float(np.linalg.norm(rest)) for rest in rests]
        if not max(lengths) > REDUNDANT:
            return False
        for k, (rest, length) in enumerate(zip(rests, lengths, strict=True)):
            if length > REDUNDANT:
                self.bases[k] = np.vstack([self.bases[k], rest / length])
        return True


def _driven_and_rolling(layout: Layout, element: int) -> DriveError:
    name = layout.moving.elements[element].name
    rolling = [repr(joint.name) for joint in layout.model.joints if joint.velocity_units]
    held = f"{', '.join(rolling)} {'holds' if len(rolling) == 1 else 'hold'}"
    return DriveError(
        f"{layout.model.name!r} cannot be moved by its drives: the {name} moves what {held}"
        " already, of velocities. Take a drive off, or let a force move it.",
        drives=(name,),
    )


def _refuse_fighting_velocities(layout: Layout, start: State, J: FloatArray) -> None:
    """A ModelError where joints ask for velocities that no motion has."""
    equations = equations_of(layout.moving)
    program, weights = equations.program, equations.row_weights
    rates = (
        weights
        * program.right_hand(equations.parameters, start.q, start.t, np.zeros(layout.n_v))[0]
    )
    first = len(equations_of(layout).program.shape.rows)
    is_joint = np.ones(len(rates), dtype=bool)
    is_joint[first - len(layout.model.drives) : first] = False
    lengths = np.maximum(np.linalg.norm(J, axis=1), 1e-300)
    rows, right = (J / lengths[:, None])[is_joint], (rates / lengths)[is_joint]
    gaps = np.abs(rows @ np.linalg.lstsq(rows, right, rcond=REDUNDANT)[0] - right)
    if not gaps.max(initial=0.0) > RATES_FIT * np.abs(right).max(initial=0.0):
        return
    worst = np.flatnonzero(is_joint)[int(np.argmax(gaps))]
    name = layout.moving.elements[program.shape.rows[worst].element].name
    raise ModelError(
        f"the joints of {layout.model.name!r} ask for velocities that fight each other: no motion"
        f" has those of {name!r} and of the others too. Take one of them off, or give them speeds"
        " that fit.",
        joint=name,
    )


def _of_many(layout: Layout, released: Released) -> RowVerdict | None:
    """The rows to solve of many bodies: by elimination, at the start and a short way off.

    None where rows nearly repeat others at both, and full matrices can say more.
    """
    found = _ranked(released)
    best = max(found, key=lambda rows: len(rows.kept))
    if layout.n_v <= DENSE and max(rows.smallest for rows in found) < NEARLY_REDUNDANT:
        return None
    mobility, drives = layout.n_v - len(best.kept), len(layout.model.drives)
    if drives > mobility:
        raise over_driven(layout, drives, mobility, released.start.t)
    first = len(best.kept) + len(best.redundant)
    return RowVerdict((*best.kept, *range(first, first + drives)), mobility)


def _ranked(released: Released) -> list[SparseRows]:
    """Independent rows at the start, and at a closed place beside it, if there is one."""
    equations = released.equations
    here = sparse_rows(equations, released.start)
    if not len(here.free):
        return [here]
    mix = 2.0 * ((np.arange(1, len(here.free) + 1) * np.sqrt(2.0)) % 1.0) - 1.0
    way = here.motion(mix)
    way = way / (equations.step_weights * max(float(np.abs(way).max()), 1e-300))
    for step in STEPS:
        q = equations.program.retract(released.start.q, step * way)
        there = close(equations, q, released.start.t)
        if there.is_closed:
            return [here, sparse_rows(equations, there)]
    return [here]


def _drives_alone(layout: Layout, start: State) -> tuple[int, ...]:
    """The rows of a model that has no joints, which are those of its drives."""
    drives = len(layout.model.drives)
    if drives > layout.n_v:
        raise over_driven(layout, drives, layout.n_v, start.t)
    return telling_drives(layout, [start.q], start.t)


def expendable_rows(
    jacobians: list[FloatArray], weighed: list[FloatArray] | None = None
) -> list[int]:
    """Rows that the others say, chosen well for several Jacobians of one rank at once.

    A row may go where a combination of rows that does nothing has a large part in it: of the
    null spaces of all J^T the columns are taken whose shortest rest is longest. Rows count by
    their lengths |J_k|, or by those that are given for every Jacobian.

    Own: pivoted QR, but with one pivot for several matrices.
    """
    rests = []
    for k, J in enumerate(jacobians):
        lengths = np.maximum(np.linalg.norm(J, axis=1), 1e-300)
        unit = np.ascontiguousarray((J / lengths[:, None]).T)
        rest = np.atleast_2d(core.null_space(unit, REDUNDANT)).reshape(-1, len(J))
        if weighed is not None:
            rest = np.linalg.qr((rest * (weighed[k] / lengths)).T)[0].T
        rests.append(rest)
    chosen: list[int] = []
    for _ in range(min(len(rest) for rest in rests)):
        sizes = np.array([np.linalg.norm(rest, axis=0) for rest in rests]).min(axis=0)
        pivot = int(np.argmax(sizes))
        if not sizes[pivot] > REDUNDANT:
            break
        chosen.append(pivot)
        for k, rest in enumerate(rests):
            way = rest[:, pivot] / np.linalg.norm(rest[:, pivot])
            rests[k] = rest - np.outer(way, way @ rest)
    return chosen


def _nearly_redundant(layout: Layout, found: Survey, released: Released) -> AssemblyError:
    row = equations_of(layout).program.shape.rows[int(np.argmax(found.weak_rows))]
    name, who = layout.elements[row.element].name, layout.model.name
    if found.pinned or is_limit(found, released):
        return AssemblyError(
            f"{who!r} starts in a singular position, or {found.weakness:.1e} beside one: joint"
            f" {name!r} is at the limit of what the others let it reach, and there the motion is"
            " not determined. Change a length a little, so that it closes with room to spare; or"
            " take a joint that holds less.",
            joint=name,
            weakness=found.weakness,
        )
    return AssemblyError(
        f"{who!r} is nearly redundant: joint {name!r} all but repeats what others"
        f" say (to {found.weakness:.1e}), and would lock it. Straighten the axes of its markers,"
        " or take a joint that holds less.",
        joint=name,
        weakness=found.weakness,
    )


def is_limit(found: Survey, released: Released) -> bool:
    """Whether what is weak at the start is a turning point, and no joint that repeats others.

    There rows say nearly the same, lam^T J = 0, and along the motion v that they leave, J v = 0,
    they turn: lam^T J' v is not small. Where a joint repeats others everywhere, it is.

    Own: the second derivative along v, by the Jacobians on either side.
    """
    equations, start = released.equations, released.start
    lengths = np.maximum(np.linalg.norm(found.jacobians[0], axis=1), 1e-300)
    left, _, right = np.linalg.svd(found.jacobians[0] / lengths[:, None], full_matrices=False)
    bend = 0.0
    for k in range(found.rank - found.nearly, found.rank):
        lam, v = left[:, k], right[k] / max(float(np.abs(right[k]).max()), 1e-300)
        sides = []
        for step in (ASIDE, -ASIDE):
            q = equations.program.retract(start.q, step * v / equations.step_weights)
            J = equations.scaled_jacobian(replace(start, q=q))
            sides.append(lam @ ((J / lengths[:, None]) @ v))
        bend = max(bend, abs(sides[0] - sides[1]) / (2.0 * ASIDE))
    return bool(bend > BENT)
