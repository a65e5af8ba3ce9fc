"""From a model to a program that is ready to sweep it.

The program of a structure is made once: traced, its redundant rows found, its elimination ordered,
compiled. Later models of the same structure, in this process or another, only set parameters.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.equations import Equations, equations_of
from kempe.equations.programs import programs_of
from kempe.equations.rank import independent_rows
from kempe.errors import AssemblyError
from kempe.kinematics.check.assembly import assemble
from kempe.kinematics.check.row_choice import over_driven, solved_rows
from kempe.kinematics.closing.closing import Closing, close
from kempe.kinematics.closing.placement import Given, moved_bodies
from kempe.kinematics.mobility.free_motions import idle_drives
from kempe.kinematics.stepping.sweep_start import Prepared, standing

FloatArray = NDArray[np.float64]


def prepare(
    layout: Layout,
    t: float,
    executor: str = "auto",
    plan: str = "auto",
    start: Given | None = None,
) -> Prepared:
    """The program of the layout's structure, and the model assembled at time t.

    It is put together as near as possible to `start`, its own first guesses if omitted. A layout
    never changes, so what was prepared for these is kept as long as it lives.
    """
    if start is not None:
        return _prepared(layout, t, executor, plan, start)
    key = ("sweep", t, executor, plan)
    kept = layout.prepared(key, Prepared)
    return kept or layout.keep(key, _prepared(layout, t, executor, plan, None))


def _prepared(layout: Layout, t: float, executor: str, plan: str, given: Given | None) -> Prepared:
    """What is prepared depends on the model alone, never on models that were prepared before.

    Any program of the structure does to put the model together and to choose the rows it is solved
    by; the one it is swept with solves just these, with pivots in the order of its structure, or in
    the model's own where that does not suit it.
    """
    make = programs_of(layout, executor, plan)
    some = Equations(layout, make.any)
    start = assembled(some, t, given)
    solved = solved_rows(some, start)
    kept = {some.program.shape.rows[k] for k in solved.kept}
    equations = Equations(layout, make.solving(kept, start))
    if equations.program is not some.program:  # rows in another order: it stands where it stood
        again = close(equations, start.q, t)
        start = again if again.is_closed else assembled(equations, t, given)
    guesses = None if given is None else given.guesses
    moved = moved_bodies(layout, start.q, guesses)
    return replace(standing(equations, start), moved=moved)


def assembled(equations: Equations, t: float, given: Given | None = None) -> Closing:
    """The start; where there is none, a DriveError if it is the drives that prevent it."""
    try:
        return assemble(equations, t, given)
    except AssemblyError:
        _refuse_fighting_drives(equations.layout, t)
        raise


def _refuse_fighting_drives(layout: Layout, t: float) -> None:
    """A DriveError where the joints alone go together, with fewer freedoms than drives."""
    bare = Layout(replace(layout.model, drives=()))
    if not layout.model.drives or not bare.elements:
        return
    equations = equations_of(bare)
    try:
        start = assemble(equations, t)
    except AssemblyError:
        return
    mobility = bare.n_v - len(independent_rows(equations.scaled_jacobian(start)))
    if len(layout.model.drives) > mobility:
        idle = idle_drives(layout, start)
        raise over_driven(layout, len(layout.model.drives), mobility, t, idle)
