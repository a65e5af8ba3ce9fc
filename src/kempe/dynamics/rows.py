"""Which rows hold the motion: redundancy decided where the mechanism is in general position."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout import Layout
from kempe.errors import AssemblyError
from kempe.kinematics.assembly import Assembled
from kempe.kinematics.rank import REDUNDANT, independent_rows, over_driven
from kempe.kinematics.released import released_at
from kempe.kinematics.survey import Survey, survey

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class RowVerdict:
    """Rows that are solved, in order, and what the joints leave free."""

    kept: tuple[int, ...]
    mobility: int  # without the drives


def choose_rows(layout: Layout, start: Assembled, t: float) -> RowVerdict:
    """The rows to solve; errors where drives are too many or rows nearly redundant.

    Redundant rows of joints are left out such that what is left determines the motion well in
    all positions around the start that have the general rank; rows of drives are all solved.
    """
    found = survey(released_at(layout, start.q, t))
    general = [J for J, r in zip(found.jacobians, found.ranks, strict=True) if r == found.rank]
    dropped = set(expendable_rows(general))
    joints = [k for k in range(len(general[0])) if k not in dropped]
    if len(independent_rows(general[0][joints])) < found.rank:
        joints = sorted(independent_rows(general[0]))
    mobility, drives = layout.n_v - found.rank, len(layout.model.drives)
    if drives > mobility:
        raise over_driven(layout, drives, mobility)
    if found.nearly:
        raise _nearly_redundant(layout, found)
    first = len(found.jacobians[0])
    return RowVerdict((*joints, *range(first, first + drives)), mobility)


def expendable_rows(jacobians: list[FloatArray]) -> list[int]:
    """Rows that the others say, chosen well for several Jacobians of one rank at once.

    A row may go where a combination of rows that does nothing has a large part in it: of the
    null spaces of all J^T the columns are taken whose shortest rest is longest.

    Own: pivoted QR, but with one pivot for several matrices.
    """
    rests = []
    for J in jacobians:
        lengths = np.maximum(np.linalg.norm(J, axis=1), 1e-300)
        unit = np.ascontiguousarray((J / lengths[:, None]).T)
        rests.append(np.atleast_2d(core.null_space(unit, REDUNDANT)).reshape(-1, len(J)))
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


def _nearly_redundant(layout: Layout, found: Survey) -> AssemblyError:
    from kempe.kinematics.evaluator import evaluator

    row = evaluator(layout).shape.rows[int(np.argmax(found.weak_rows))]
    name = layout.elements[row.element].name
    return AssemblyError(
        f"{layout.model.name!r} is nearly redundant: joint {name!r} all but repeats what others"
        f" say (to {found.weakness:.1e}), and would lock it. Straighten the axes of its markers,"
        " or take a joint that holds less.",
        joint=name,
        weakness=found.weakness,
    )
