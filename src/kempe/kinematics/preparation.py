"""From a model to a program that is ready to sweep it.

The program of a structure is made once: traced, its redundant rows found, its elimination ordered,
compiled. Later models of the same structure, in this process or another, only set parameters.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.executors.choice import (
    attach_executor,
    store_program,
    stored_program,
    tile_compiler,
)
from kempe.compile.kinematic_tape import kinematic_tape
from kempe.compile.layout import Layout
from kempe.compile.program import Program, tape_program
from kempe.compile.program_cache import PROGRAMS
from kempe.compile.tile_plan import Kind
from kempe.compile.tiles import kinds_of, tile_program
from kempe.compile.tracing import Row, TracedSystem, trace
from kempe.errors import AssemblyError, MissingPart
from kempe.kinematics.assembly import Assembled, assemble, step_weights
from kempe.kinematics.evaluator import evaluator, is_large
from kempe.kinematics.rank import (
    RowChoice,
    choose_rows,
    independent_rows,
    over_driven,
    scaled_jacobian,
)
from kempe.kinematics.undefined_law import refuse_undefined_start

FloatArray = NDArray[np.float64]

# Pivots are chosen by their size at the start and at these displacements of it: a pivot that is
# large by chance in one position is passed over.
SCATTER = (2.0, 3.0)
SAMPLE_SPREAD = 0.3  # rad, and share of the machine's size
PLANS = ("auto", "small", "large")


@final
@dataclass(frozen=True, slots=True)
class Prepared:
    """A program and the assembled start of one model."""

    layout: Layout
    program: Program
    start: Assembled
    choice: RowChoice


_PREPARED: WeakKeyDictionary[Layout, dict[tuple[float, str, str], Prepared]] = WeakKeyDictionary()


def prepare(layout: Layout, t: float, executor: str = "auto", plan: str = "auto") -> Prepared:
    """The program of the layout's structure, and the model assembled at time t.

    A layout never changes, so what was prepared for it is kept as long as it lives.
    """
    kept = _PREPARED.setdefault(layout, {})
    asked = (t, executor, plan)
    if asked not in kept:
        kept[asked] = _prepared(layout, t, executor, plan)
    return kept[asked]


def _prepared(layout: Layout, t: float, executor: str, plan: str) -> Prepared:
    if plan not in PLANS:
        raise MissingPart(f"there is no plan {plan!r}: use one of {', '.join(PLANS)}.")
    key = f"{layout.key}:{executor}:{plan}" if layout.is_built_in else None
    program = PROGRAMS.find(key)
    if program is None and key is not None and plan != "large":
        program = stored_program(layout.key, executor)
    if program is not None:
        start = assembled(layout, program, t)
        choice = choose_rows(layout, program, start, t)
        if choice.kept == tuple(range(program.shape.n_rows)):
            PROGRAMS.keep(key, program)
            return Prepared(layout, program, start, choice)
    large = is_large(layout, plan)
    prepared = (_made_large if large else _made_small)(layout, t, executor)
    if key is not None and not large:
        store_program(layout.key, prepared.program)
    PROGRAMS.keep(key, prepared.program)
    return prepared


def _made_small(layout: Layout, t: float, executor: str) -> Prepared:
    system = trace(layout)
    raw = tape_program(kinematic_tape(system, [], None))
    start = assembled(layout, raw, t)
    choice = choose_rows(layout, raw, start, t)
    return _solving_small(layout, system, raw, start, t, choice, executor)


def _solving_small(
    layout: Layout,
    system: TracedSystem,
    raw: Program,
    at: Assembled,
    t: float,
    choice: RowChoice,
    executor: str,
) -> Prepared:
    order = elimination_order(layout, raw, at, t, choice, system)
    program = tape_program(kinematic_tape(system, choice.kept, order))
    program.evaluate(layout.parameters, at.q, t, at.last)
    program.pivot_reference = np.abs(program.system.pivots())
    attach_executor(program, executor)
    return Prepared(layout, program, at, choice)


def _made_large(layout: Layout, t: float, executor: str) -> Prepared:
    kinds = kinds_of(layout)
    raw = tile_program(layout, None, kinds)
    start = assembled(layout, raw, t)
    return _solving_large(layout, kinds, start, choose_rows(layout, raw, start, t), executor)


def _solving_large(
    layout: Layout, kinds: list[Kind], at: Assembled, choice: RowChoice, executor: str
) -> Prepared:
    code: list[object] = []
    program = tile_program(layout, choice.spare, kinds, tile_compiler(executor, code))
    program.compiled, program.executor = code, "llvm" if code else "vm"
    return Prepared(layout, program, at, choice)


def solving(prepared: Prepared, kept: Collection[Row], at: Assembled, t: float) -> Prepared:
    """The same mechanism, standing at `at`, with the rows `kept` solved and the others watched."""
    layout, before = prepared.layout, prepared.program
    rows = " ".join(sorted(f"{row.element}.{row.place}" for row in kept))
    key = f"{layout.key}:{before.executor}:{before.plan}:{rows}" if layout.is_built_in else None
    known = PROGRAMS.find(key)
    if known is not None:
        return Prepared(layout, known, at, _solved_first(known))
    if before.plan == "large":
        kinds = kinds_of(layout)
        choice = _choice_of(tile_program(layout, None, kinds), kept)
        made = _solving_large(layout, kinds, at, choice, before.executor)
    else:
        system = trace(layout)
        raw = tape_program(kinematic_tape(system, [], None))
        choice = _choice_of(raw, kept)
        made = _solving_small(layout, system, raw, at, t, choice, before.executor)
    PROGRAMS.keep(key, made.program)
    return made


def _choice_of(raw: Program, kept: Collection[Row]) -> RowChoice:
    places = range(len(raw.shape.rows))
    mine = tuple(k for k in places if raw.shape.rows[k] in kept)
    return RowChoice(mine, tuple(k for k in places if raw.shape.rows[k] not in kept))


def _solved_first(program: Program) -> RowChoice:
    n = program.shape.n_rows
    return RowChoice(tuple(range(n)), tuple(range(n, len(program.shape.rows))))


def assembled(layout: Layout, program: Program, t: float) -> Assembled:
    """The start; where there is none, a DriveError if it is the drives that prevent it."""
    refuse_undefined_start(layout.model.drives, t)
    try:
        return assemble(layout, program, t)
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
        raise over_driven(layout, len(layout.model.drives), mobility)


def elimination_order(
    layout: Layout,
    raw: Program,
    start: Assembled,
    t: float,
    choice: RowChoice,
    system: TracedSystem,
) -> list[tuple[int, int]]:
    """Pivots (row among the kept, column), chosen at the start and at displaced positions."""
    place = {row: k for k, row in enumerate(choice.kept)}
    k = raw.tape
    mine = [e for e in range(len(k.jacobian)) if int(k.jacobian_rows[e]) in place]
    rows = np.array([place[int(k.jacobian_rows[e])] for e in mine], dtype=np.int32)
    columns = k.jacobian_columns[mine]
    entries = [e for row in system.jacobian for e in row.values()]
    unit = np.array([abs(entries[e].constant or 0.0) == 1.0 for e in mine], dtype=np.uint8)
    values = [
        raw.evaluate(layout.parameters, q, t, start.last)[1][mine]
        for q in _displaced(layout, raw, start)
    ]
    found = core.markowitz_order(layout.n_v, rows, columns, np.array(values), unit)
    return [(int(r), int(c)) for r, c in zip(found[0], found[1], strict=True)]


def _displaced(layout: Layout, raw: Program, start: Assembled) -> list[FloatArray]:
    scale = SAMPLE_SPREAD / step_weights(layout)
    places = np.arange(1, len(scale) + 1)
    # multiples of irrational numbers, modulo 1: scattered evenly and the same in every run
    scattered = [2.0 * ((places * np.sqrt(prime)) % 1.0) - 1.0 for prime in SCATTER]
    return [start.q, *(raw.retract(start.q, scale * d) for d in scattered)]
