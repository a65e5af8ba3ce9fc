"""Programs of one structure: made once for every choice of rows, remembered, kept on the disk."""

from abc import ABC, abstractmethod
from collections.abc import Collection
from functools import cached_property
from hashlib import blake2s
from typing import final

from kempe.compile.large.tile_plan import Kind
from kempe.compile.large.tiles import kinds_of, tile_program
from kempe.compile.layout.layout import Layout
from kempe.compile.program.executor import (
    attach_executor,
    is_compiled,
    store_program,
    stored_program,
    tile_compiler,
)
from kempe.compile.program.program import Program, tape_program
from kempe.compile.program.program_cache import PROGRAMS
from kempe.compile.small.kinematic_tape import kinematic_tape
from kempe.compile.trace.tracing import Row, TracedSystem, trace
from kempe.equations import Equations
from kempe.equations.pivot_order import Order, common_order, own_order, suits
from kempe.results.state import State


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
        return tape_program(kinematic_tape(self._system, [], None))

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
        made = tape_program(kinematic_tape(self._system, places(self.raw, rows), order))
        attach_executor(made, self.executor)
        return made

    def _remembered(self, program: Program, word: str) -> Program:
        """The same, for models to come and for other processes; the first stands for all."""
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


def places(program: Program, rows: Collection[Row]) -> tuple[int, ...]:
    """Where a program has these rows, element by element."""
    mine = [(row.element, row.place, k) for k, row in enumerate(program.shape.rows) if row in rows]
    return tuple(k for *_, k in sorted(mine))


def _word(rows: Collection[Row], order: Order) -> str:
    told = sorted((row.element, row.place) for row in rows)
    return blake2s(repr((told, order)).encode(), digest_size=16).hexdigest()
