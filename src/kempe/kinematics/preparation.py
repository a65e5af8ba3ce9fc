"""From a model to a program that is ready to sweep it.

The program of a structure is made once: traced, its redundant rows found, its elimination ordered,
compiled. Later models of the same structure, in this process or another, only set parameters.
"""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout import Layout
from kempe.compile.program import Program
from kempe.compile.tracing import Row
from kempe.errors import AssemblyError, MissingPart
from kempe.kinematics.assembly import Assembled, assemble, close
from kempe.kinematics.evaluator import evaluator, is_large
from kempe.kinematics.given import Given, moved_bodies
from kempe.kinematics.idle_drives import idle_drives
from kempe.kinematics.pivot_order import pivot_sizes
from kempe.kinematics.programs import LargePrograms, SmallPrograms
from kempe.kinematics.rank import (
    choose_rows,
    independent_rows,
    over_driven,
    scaled_jacobian,
)

FloatArray = NDArray[np.float64]

PLANS = ("auto", "small", "large")


@final
@dataclass(frozen=True, slots=True)
class Prepared:
    """A program and the assembled start of one model."""

    layout: Layout
    program: Program
    start: Assembled
    pivots: FloatArray = field(default_factory=lambda: np.zeros(0))  # their sizes, of a tape
    moved: tuple[str, ...] = ()  # bodies that start elsewhere than they were given, in words


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
    return layout.prepared(
        ("sweep", t, executor, plan), lambda: _prepared(layout, t, executor, plan, None)
    )


def _prepared(layout: Layout, t: float, executor: str, plan: str, given: Given | None) -> Prepared:
    """What is prepared depends on the model alone, never on models that were prepared before.

    Any program of the structure does to put the model together and to choose the rows it is solved
    by; the one it is swept with solves just these, with pivots in the order of its structure, or in
    the model's own where that does not suit it.
    """
    if plan not in PLANS:
        raise MissingPart(f"there is no plan {plan!r}: use one of {', '.join(PLANS)}.")
    make = (LargePrograms if is_large(layout, plan) else SmallPrograms)(layout, executor)
    some = make.any
    start = assembled(layout, some, t, given)
    choice = choose_rows(layout, some, start, t)
    program = make.solving({some.shape.rows[k] for k in choice.kept}, start, t)
    if program is not some:  # the same rows in another order: it stands where it stood
        again = close(layout, program, start.q, t)
        start = again if again.is_closed else assembled(layout, program, t, given)
    guesses = None if given is None else given.guesses
    moved = moved_bodies(layout, start.q, guesses)
    return replace(_standing(layout, program, start, t), moved=moved)


def solving(prepared: Prepared, kept: Collection[Row], at: Assembled, t: float) -> Prepared:
    """The same mechanism, standing at `at`, with the rows `kept` solved and the others watched."""
    layout, before = prepared.layout, prepared.program
    make = (LargePrograms if before.plan == "large" else SmallPrograms)(layout, before.executor)
    return _standing(layout, make.solving(kept, at, t), at, t)


def _standing(layout: Layout, program: Program, at: Assembled, t: float) -> Prepared:
    large = program.plan == "large"
    sizes = np.zeros(0) if large else pivot_sizes(layout, program, at, t)
    return Prepared(layout, program, at, sizes)


def assembled(layout: Layout, program: Program, t: float, given: Given | None = None) -> Assembled:
    """The start; where there is none, a DriveError if it is the drives that prevent it."""
    try:
        return assemble(layout, program, t, given)
    except AssemblyError:
        _refuse_fighting_drives(layout, t)
        raise


def _refuse_fighting_drives(layout: Layout, t: float) -> None:
    """A DriveError where the joints alone go together, with fewer freedoms than drives."""
    bare = Layout(replace(layout.model, drives=()))
    if not layout.model.drives or not bare.elements:
        return
    program = evaluator(bare)
    try:
        start = assemble(bare, program, t)
    except AssemblyError:
        return
    mobility = bare.n_v - len(independent_rows(scaled_jacobian(bare, program, start, t)))
    if len(layout.model.drives) > mobility:
        idle = idle_drives(layout, start, t)
        raise over_driven(layout, len(layout.model.drives), mobility, t, idle)
