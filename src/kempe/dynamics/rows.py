"""Which rows hold the motion: redundancy decided where the mechanism is in general position."""

from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.compile.layout import Layout
from kempe.errors import AssemblyError
from kempe.kinematics.assembly import Assembled
from kempe.kinematics.rank import independent_rows, over_driven
from kempe.kinematics.released import released_at
from kempe.kinematics.survey import Survey, survey


@final
@dataclass(frozen=True, slots=True)
class RowVerdict:
    """Rows that are solved, in order, and what the joints leave free."""

    kept: tuple[int, ...]
    mobility: int  # without the drives


def choose_rows(layout: Layout, start: Assembled, t: float) -> RowVerdict:
    """The rows to solve; errors where drives are too many or rows nearly redundant.

    Rows of joints are chosen by pivoted QR, at the start where its rank is the general one, else
    at a position nearby that has it; rows of drives are all solved.
    """
    found = survey(released_at(layout, start.q, t))
    place = 0 if found.ranks[0] == found.rank else found.typical
    joints = sorted(independent_rows(found.jacobians[place]))
    mobility, drives = layout.n_v - len(joints), len(layout.model.drives)
    if drives > mobility:
        raise over_driven(layout, drives, mobility)
    if found.nearly:
        raise _nearly_redundant(layout, found)
    first = len(found.jacobians[0])
    return RowVerdict((*joints, *range(first, first + drives)), mobility)


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
