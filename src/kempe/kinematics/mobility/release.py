"""A mechanism whose drives are let go: it keeps its pose and may move as its joints allow."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.equations import Equations, equations_of
from kempe.errors import AssemblyError
from kempe.kinematics.closing.closing import ASSEMBLED, Closing, FloatArray, close, residual_at
from kempe.kinematics.closing.winding import has_sums, initial_turns
from kempe.results.state import State

Reading = tuple[str, int]  # the name of a joint or coupler, and which of its readings


@final
@dataclass(frozen=True, slots=True, eq=False)
class Released:
    """The equations without drives, and a closed start where the drives were let go."""

    equations: Equations
    start: Closing


def released_at(
    layout: Layout, q: FloatArray, t: float, turns: Mapping[Reading, float] | None = None
) -> Released:
    """The mechanism with its drives let go in the configuration q, or as near as it closes.

    `turns` are those of readings that its drives have made, where it is part of a larger one.
    """
    free = Layout(replace(layout.model, drives=()))
    equations = equations_of(free)
    made = turns_made(layout, t, q) if turns is None else turns
    start = _as_it_stands(equations, q, t, made) or close(equations, q, t)
    if start.residual > ASSEMBLED:
        raise AssemblyError(
            f"{layout.model.name!r} does not close from the given poses: {start.residual:.3g} of"
            " its size is left open. Give poses nearer to an assembly.",
            residual=start.residual,
        )
    return Released(equations, start)


def turns_made(layout: Layout, t: float, q: FloatArray) -> dict[Reading, float]:
    """What readings of joints and couplers show in q, with the turns that the drives have made.

    Poses in space show no whole turns: with the drives these would be forgotten.
    """
    if layout.model.plane or not layout.model.drives:
        return {}
    if not layout.model.couplers and not has_sums(layout):
        return {}
    equations = equations_of(layout)
    last = initial_turns(equations, t, q)
    return {
        (layout.elements[number].name, place): float(value)
        for (number, place), value in zip(equations.program.shape.counted, last, strict=True)
    }


def _as_it_stands(
    equations: Equations, q: FloatArray, t: float, turns: Mapping[Reading, float]
) -> Closing | None:
    """q with these turns, where all rows of the joints and couplers are closed there."""
    readings = [
        (equations.layout.elements[k].name, place) for k, place in equations.program.shape.counted
    ]
    if not readings or any(reading not in turns for reading in readings):
        return None
    last = np.array([turns[reading] for reading in readings])
    residual, last = residual_at(equations, State(t, q, turns=last), equations.row_weights)
    return Closing(t, q, turns=last, residual=residual) if residual <= ASSEMBLED else None
