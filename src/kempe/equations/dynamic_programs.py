"""Programs of equations of motion: made once for every choice of rows, remembered by structure."""

from functools import cached_property
from typing import final

from kempe.compile.large.dynamic_tiles import tile_dynamics_program
from kempe.compile.large.tile_plan import Kind
from kempe.compile.large.tiles import kinds_of
from kempe.compile.large.whitening import whitened_kinds
from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.program.dynamic_program import (
    DynamicProgram,
    dynamic_tape_program,
    elimination_order,
)
from kempe.compile.program.executor import tile_compiler
from kempe.compile.program.program_cache import DYNAMIC_PROGRAMS
from kempe.compile.small.dynamic_tape import dynamic_tape
from kempe.compile.trace.dynamic_tracing import TracedDynamics, trace_dynamics
from kempe.equations.dynamic_equations import DynamicEquations
from kempe.equations.plan import is_dynamics_large


@final
class DynamicPrograms:
    """Where equations of motion that solve given rows, and watch the others, come from."""

    def __init__(self, layout: DynamicLayout, n_rows: int, executor: str, plan: str) -> None:
        self.layout = layout
        self.n_rows = n_rows
        self.executor = executor
        self.plan = "large" if is_dynamics_large(layout, n_rows, plan) else "small"

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
    def _traced(self) -> TracedDynamics:
        return trace_dynamics(self.layout)

    @cached_property
    def _kinds(self) -> list[Kind]:
        return whitened_kinds(self.layout, kinds_of(self.layout.layout))

    def _small(self, kept: tuple[int, ...]) -> DynamicProgram:
        inner = self.layout.layout
        bodies = [inner.markers_of(e) for e in inner.elements]
        order = elimination_order([self._traced.system.rows[k] for k in kept], bodies)
        tape = dynamic_tape(self._traced, kept, order)
        return dynamic_tape_program(tape, inner.coordinates, self.executor)

    def _large(self, kept: tuple[int, ...]) -> DynamicProgram:
        code: list[object] = []
        spare = sorted(set(range(self.n_rows)) - set(kept))
        compiler = tile_compiler(self.executor, code)
        program = tile_dynamics_program(self.layout, spare, self._kinds, compiler)
        program.compiled, program.executor = code, "llvm" if code else "vm"
        return program
