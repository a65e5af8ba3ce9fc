"""A dynamic program: the compiled equations of motion of one structure."""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core, native_tape
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.program.executor import is_compiled
from kempe.compile.small.dynamic_tape import REGISTERS, DynamicTape
from kempe.compile.trace.shape import AbstractDynamicShape
from kempe.compile.trace.tracing import Row

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int32]


@final
@dataclass(eq=False)
class DynamicProgram:
    """A native dynamic system, shared by every model of its structure."""

    shape: AbstractDynamicShape
    prototype: "core.DynamicSystem"
    plan: str  # "small" or "large"
    executor: str = "vm"
    compiled: Any = None  # keeps compiled code alive
    _mine: threading.local = field(default_factory=threading.local, repr=False)

    @property
    def system(self) -> "core.DynamicSystem":
        """This thread's own copy of the native system."""
        if not hasattr(self._mine, "system"):
            self._mine.system = self.prototype.clone()
        mine: core.DynamicSystem = self._mine.system
        return mine

    def dense_jacobian(self, entries: NDArray[np.float64]) -> NDArray[np.float64]:
        """J of all rows as one matrix, from the entries that the system gives."""
        shape = self.shape
        J = np.zeros((len(shape.rows), shape.n_v))
        np.add.at(J, (shape.jacobian_rows, shape.jacobian_columns), entries)
        return J


def dynamic_tape_program(tape: DynamicTape, at: Coordinates, executor: str) -> DynamicProgram:
    """The small plan's program: one tape, compiled where that is wanted and available."""
    registers = core.DynamicRegisters(**{name: getattr(tape, name) for name in REGISTERS})
    size = dynamic_size(tape, len(tape.switches))
    saddle = saddle_blocks(tape.rows, tape.jacobian_rows, tape.jacobian_columns, at)
    system = core.TapeDynamics(native_tape(tape.tape), size, registers, saddle)
    program = DynamicProgram(tape, system, "small")
    if is_compiled(executor):
        from kempe.compile.llvm.native_tape import LlvmTape
        from kempe.compile.llvm.object_cache import default_cache

        kept = [int(r) for name in REGISTERS for r in getattr(tape, name)]
        sections = LlvmTape(tape.tape, kept=kept, cache=default_cache())
        system.set_compiled(sections.section_addresses())
        program.compiled, program.executor = sections, "llvm"
    return program


def dynamic_size(shape: AbstractDynamicShape, switches: int) -> "core.DynamicSize":
    """The sizes as the native systems take them."""
    return core.DynamicSize(
        q=shape.n_q,
        v=shape.n_v,
        rows=shape.n_rows,
        spare=shape.n_spare,
        turns=shape.n_turns,
        parameters=shape.n_parameters,
        switches=switches,
    )


def saddle_blocks(
    rows: Sequence[Row], entry_rows: IntArray, entry_columns: IntArray, at: Coordinates
) -> "core.Saddle":
    """Which element touches which bodies, and where every entry of J stands in dense blocks."""
    elements = np.array([row.element for row in rows], dtype=np.int64)
    begins = np.flatnonzero(np.diff(elements, prepend=-1))  # first row of each group
    counts = np.diff(begins, append=len(elements))
    group = np.repeat(np.arange(len(begins)), counts)[entry_rows]
    bodies, size = at.n_bodies, at.n_each
    body, part = at.body_of(entry_columns)
    touches, which = np.unique(group * bodies + body, return_inverse=True)
    owner = touches // max(bodies, 1)
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(begins)))])
    offsets = np.concatenate([[0], np.cumsum(counts[owner] * size)])[:-1]
    places = part * counts[group] + entry_rows - begins[group]
    places = places + offsets[which] if len(places) else places
    return core.Saddle(
        body_sizes=_integers([size] * bodies),
        joint_rows=counts.astype(np.int32),
        touch_starts=starts.astype(np.int32),
        touch_bodies=(touches % max(bodies, 1)).astype(np.int32),
        rows=entry_rows,
        columns=entry_columns,
        places=places.astype(np.int32),
    )


def dense_entries(saddle: "core.Saddle", at: Coordinates) -> tuple[IntArray, IntArray]:
    """Row and velocity of every number of the dense blocks, block after block, by columns."""
    heights, starts = saddle.joint_rows, saddle.touch_starts
    owner = np.repeat(np.arange(len(heights)), np.diff(starts))
    first_rows = np.cumsum(heights) - heights
    counts = heights[owner] * at.n_each
    touch = np.repeat(np.arange(len(owner)), counts)
    local = np.arange(len(touch)) - np.repeat(np.cumsum(counts) - counts, counts)
    height = heights[owner][touch]
    rows = first_rows[owner][touch] + local % height
    columns = at.column_of(saddle.touch_bodies[touch], local // height)
    return rows.astype(np.int32), columns.astype(np.int32)


def elimination_order(rows: Sequence[Row], bodies: Sequence[Sequence[int]]) -> list[int]:
    """The rows in a minimum degree order of the elements that share a body."""
    elements = list(dict.fromkeys(row.element for row in rows))
    members = {e: [k for k, row in enumerate(rows) if row.element == e] for e in elements}
    holders: dict[int, list[int]] = {}
    for place, e in enumerate(elements):
        for body in {b for b in bodies[e] if b >= 0}:
            holders.setdefault(body, []).append(place)
    pairs = {(a, b) for group in holders.values() for a in group for b in group if a < b}
    order = core.minimum_degree_order(
        len(elements),
        _integers(a for a, _ in sorted(pairs)),
        _integers(b for _, b in sorted(pairs)),
        _integers(len(members[e]) for e in elements),
    )
    return [k for place in order for k in members[elements[int(place)]]]


def _integers(numbers: Iterable[int]) -> IntArray:
    return np.array(list(numbers), dtype=np.int32)
