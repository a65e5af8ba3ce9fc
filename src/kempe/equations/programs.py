"""The one factory of programs, for every analysis: by which plan, and made once for all models.

A plan is one program for the whole step, or tiles of like elements. Tiles are quicker to make, and
to run where there are many; how many that is depends on how much of a step is solved on the tape.

A program belongs to a structure and a choice of rows that are solved. It is remembered in this
process by these, and one that is a single tape is kept on the disk for others.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from functools import cached_property
from hashlib import blake2s
from typing import TYPE_CHECKING, final

from kempe.compile.large.tiles import Kind, kinds_of, tile_program
from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.layout.layout import Layout
from kempe.compile.program.program import (
    DYNAMIC_PROGRAMS,
    PROGRAMS,
    Derived,
    DynamicProgram,
    Program,
    dynamic_size,
    is_compiled,
    tile_compiler,
)
from kempe.compile.program.tape_programs import (
    attach_executor,
    dynamic_tape_program,
    store_program,
    stored_program,
    tape_derivatives,
    tape_program,
)
from kempe.compile.small.kinematic_tape import kinematic_tape
from kempe.compile.trace.elimination import elimination_order
from kempe.compile.trace.shape import Row
from kempe.compile.trace.tracing import TracedSystem, trace
from kempe.compile.trace.untraced import refuse_untraced, untraced_joints
from kempe.equations.equations import DynamicEquations, Equations
from kempe.equations.pivot_order import Order, common_order, own_order, suits
from kempe.errors import MissingPart
from kempe.results.state import State

if TYPE_CHECKING:
    from kempe.compile.trace.dynamic_tracing import TracedDynamics

PLANS = ("auto", "small", "large")
# Pivots that a step computes, up to which it is one program: about one for each joint, coupler and
# drive of a sweep, where the others are 1 and vanish, and one for each row of a simulation, which
# factors J M^-1 J^T. Measured on chains and loops of 8 to 64 bodies: up to here one program takes
# up to three times as long to make as tiles (more where loops in space repeat rows), beyond up to
# eight times. It runs 1.3 to 5 times as fast as tiles in the plane; in space 1.1 to 1.6 times, and
# from 13 bodies in a simulation and some 50 in a sweep on no faster any more.
MOST_PIVOTS = 64


def plan_of(
    layout: Layout, plan: str = "auto", massless: Sequence[str] = (), dynamic_rows: int = 0
) -> str:
    """The plan of an analysis of a layout, "small" or "large": that one, where it is possible.

    Tiles have no place for unknowns of elements themselves, and in a simulation they need the mass
    and the inertia of every body; `massless` are those that lack one. A simulation tells how many
    rows it has.
    """
    if plan not in PLANS:
        raise MissingPart(f"there is no plan {plan!r}: use one of {', '.join(PLANS)}.")
    if plan == "large" and layout.n_own:
        raise MissingPart(
            "the large plan knows no points on curves: leave plan='auto', or use plan='small'."
        )
    if plan == "large" and massless:
        raise MissingPart(
            f"body {massless[0]!r} has no mass, or no inertia about some axis, and the plan"
            " 'large' needs both of every body. Leave the plan to 'auto', or take 'small'."
        )
    if plan == "large":
        refuse_untraced(layout, "programs of tiles (plan='large')")
    if plan != "auto":
        return plan
    many = (dynamic_rows or len(layout.elements)) > MOST_PIVOTS
    fits = not layout.n_own and not massless and untraced_joints(layout) is None
    return "large" if many and fits else "small"


def equations_of(layout: Layout) -> Equations:
    """The equations of a layout, all rows evaluated and none solved; remembered by structure."""
    key = f"{layout.key}:rows" if layout.is_built_in else None
    program = PROGRAMS.find(key)
    if program is None:
        if plan_of(layout) == "large":
            program = tile_program(layout, None, kinds_of(layout))
        else:
            program = raw_program(layout)
        PROGRAMS.keep(key, program)
    return Equations(layout, program)


def raw_program(layout: Layout) -> Program:
    """The program that is one tape, evaluates all rows of a layout and solves none, made anew."""
    return tape_program(kinematic_tape(trace(layout), [], None), untraced_joints(layout))


class AbstractPrograms(ABC):
    """Where programs of a structure come from."""

    plan: str

    def __init__(self, layout: Layout, executor: str) -> None:
        self.layout = layout
        self.executor = "llvm" if is_compiled(executor) else "vm"

    @property
    @abstractmethod
    def raw(self) -> Program:
        """The program that evaluates all rows and solves none, made anew."""

    @cached_property
    def any(self) -> Program:
        """The first program there is, or else the raw one: all of them evaluate alike."""
        found = PROGRAMS.find(self._key("")) or self._stored("")
        if found is None:
            return self.raw
        PROGRAMS.keep(self._key(""), found)
        return found

    @abstractmethod
    def solving(self, rows: Collection[Row], at: State) -> Program:
        """The program that solves these rows of the model."""

    def _key(self, word: str) -> str | None:
        if not self.layout.is_built_in:
            return None
        return f"{self.layout.key}:{self.executor}:{self.plan}:{word}"

    def _stored(self, word: str) -> Program | None:
        return None


@final
class SmallPrograms(AbstractPrograms):
    """Programs that are one tape."""

    plan = "small"

    @cached_property
    def _system(self) -> TracedSystem:
        return trace(self.layout)

    @cached_property
    def raw(self) -> Program:
        return tape_program(kinematic_tape(self._system, [], None), untraced_joints(self.layout))

    def solving(self, rows: Collection[Row], at: State) -> Program:
        some = self.any
        equations = Equations(self.layout, some)
        kept = places(some, rows)
        order = common_order(equations, kept)
        if order is None or not suits(equations, order, kept, at):
            order = own_order(equations, kept, at)
        if some.tape.order == order and set(some.shape.rows[: len(kept)]) == set(rows):
            return some
        word = _word(rows, order)
        known = PROGRAMS.find(self._key(word)) or self._stored(word)
        return known or self._remembered(self._made(rows, order), word)

    def _made(self, rows: Collection[Row], order: Order) -> Program:
        made = tape_program(
            kinematic_tape(self._system, places(self.raw, rows), order),
            untraced_joints(self.layout),
        )
        attach_executor(made, self.executor)
        return made

    def _remembered(self, program: Program, word: str) -> Program:
        """A program, kept for models to come and for other processes; the first stands for all."""
        first = self.any.shape.n_rows == 0
        PROGRAMS.keep(self._key("" if first else word), program)
        if self.layout.is_built_in:
            store_program(f"{self.layout.key} {'' if first else word}", program)
        return program

    def _stored(self, word: str) -> Program | None:
        if not self.layout.is_built_in:
            return None
        return stored_program(f"{self.layout.key} {word}", self.executor)


@final
class LargePrograms(AbstractPrograms):
    """Programs of tiles, which order their pivots anew in every sweep."""

    plan = "large"

    @cached_property
    def _kinds(self) -> list[Kind]:

        return kinds_of(self.layout)

    @cached_property
    def raw(self) -> Program:
        return tile_program(self.layout, None, self._kinds)

    def solving(self, rows: Collection[Row], at: State) -> Program:
        key = self._key(_word(rows, ()))
        program = PROGRAMS.find(key)
        if program is None:
            kept = set(places(self.raw, rows))
            spare = tuple(k for k in range(len(self.raw.shape.rows)) if k not in kept)
            code: list[object] = []
            compiler = tile_compiler(self.executor, code)
            program = tile_program(self.layout, spare, self._kinds, compiler)
            program.compiled, program.executor = code, "llvm" if code else "vm"
            PROGRAMS.keep(key, program)
            PROGRAMS.keep(self._key(""), PROGRAMS.find(self._key("")) or program)
        return program


def programs_of(layout: Layout, executor: str = "auto", plan: str = "auto") -> AbstractPrograms:
    """Where programs that sweep a layout come from."""
    kind = LargePrograms if plan_of(layout, plan) == "large" else SmallPrograms
    return kind(layout, executor)


def places(program: Program, rows: Collection[Row]) -> tuple[int, ...]:
    """Where a program has these rows, element by element."""
    mine = [(row.element, row.place, k) for k, row in enumerate(program.shape.rows) if row in rows]
    return tuple(k for *_, k in sorted(mine))


def _word(rows: Collection[Row], order: Order) -> str:
    told = sorted((row.element, row.place) for row in rows)
    return blake2s(repr((told, order)).encode(), digest_size=16).hexdigest()


@final
class DynamicPrograms:
    """Where equations of motion that solve given rows, and watch the others, come from."""

    def __init__(self, layout: DynamicLayout, n_rows: int, executor: str, plan: str) -> None:
        self.layout = layout
        self.n_rows = n_rows
        self.executor = executor
        self.plan = plan_of(layout.layout, plan, layout.massless, n_rows)

    def solving(self, kept: tuple[int, ...]) -> DynamicEquations:
        """The equations with these rows solved, from memory where their program has been made."""
        key = None
        if self.layout.is_built_in:
            key = f"{self.layout.key}:{self.executor}:{self.plan}:{hash(kept)}"
        program = DYNAMIC_PROGRAMS.find(key)
        if program is None:
            program = self._large(kept) if self.plan == "large" else self._small(kept)
            DYNAMIC_PROGRAMS.keep(key, program)
        return DynamicEquations(self.layout, program)

    @cached_property
    def _traced(self) -> "TracedDynamics":
        from kempe.compile.trace.dynamic_tracing import trace_dynamics

        return trace_dynamics(self.layout)

    @cached_property
    def _kinds(self) -> list[Kind]:
        from kempe.compile.large.dynamic_tiles import whitened_kinds

        return whitened_kinds(self.layout, kinds_of(self.layout.layout))

    def _small(self, kept: tuple[int, ...]) -> DynamicProgram:
        from kempe.compile.small.dynamic_tape import dynamic_tape

        inner = self.layout.layout
        bodies = [inner.markers_of(e) for e in inner.elements]
        order = elimination_order([self._traced.system.rows[k] for k in kept], bodies)
        tape = dynamic_tape(self._traced, kept, order)
        program = dynamic_tape_program(tape, inner.coordinates, self.executor)
        layout, executor = self.layout, self.executor  # what was traced is not kept alive

        def derived() -> Derived:
            from kempe.compile.small.derivative_tape import derivative_tape
            from kempe.compile.trace.dynamic_tracing import trace_dynamics

            traced = trace_dynamics(layout)
            found = derivative_tape(traced, layout.layout.coordinates, kept)
            return tape_derivatives(found, dynamic_size(tape, len(traced.switches)), executor)

        program.derive = derived
        return program

    def _large(self, kept: tuple[int, ...]) -> DynamicProgram:
        from kempe.compile.large.dynamic_tiles import tile_dynamics_program

        code: list[object] = []
        spare = sorted(set(range(self.n_rows)) - set(kept))
        compiler = tile_compiler(self.executor, code)
        program = tile_dynamics_program(self.layout, spare, self._kinds, compiler)
        program.compiled, program.executor = code, "llvm" if code else "vm"
        layout, executor = self.layout, self.executor

        def derived() -> Derived:
            from kempe.compile.large.derivative_tiles import tile_derivatives

            own: list[object] = []
            return Derived(tile_derivatives(layout, spare, tile_compiler(executor, own)), own)

        program.derive = derived
        return program
