"""A dynamic program: the compiled equations of motion of one structure."""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core, native_tape
from kempe.compile.dynamic_tape import REGISTERS, DynamicTape
from kempe.compile.executors.choice import is_compiled
from kempe.compile.tracing import Row

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int32]


@final
@dataclass(eq=False)
class DynamicProgram:
    """A native dynamic system, shared by every model of its structure."""

    shape: DynamicTape
    prototype: Any  # a dynamic system of the C++ core
    plan: str  # "small" or "large"
    executor: str = "vm"
    compiled: Any = None  # keeps compiled code alive
    _mine: threading.local = field(default_factory=threading.local, repr=False)

    @property
    def system(self) -> Any:
        """This thread's own copy of the native system."""
        if not hasattr(self._mine, "system"):
            self._mine.system = self.prototype.clone()
        return self._mine.system


def dynamic_tape_program(tape: DynamicTape, body_size: int, executor: str) -> DynamicProgram:
    """The small plan's program: one tape, compiled where that is wanted and available."""
    registers = {name: getattr(tape, name) for name in REGISTERS}
    sizes = [tape.n_q, tape.n_v, tape.n_rows, tape.n_spare, tape.n_turns, tape.n_parameters]
    saddle = saddle_blocks(
        tape.rows[: tape.n_rows],
        tape.jacobian_rows,
        tape.jacobian_columns,
        tape.n_v // body_size,
        body_size,
    )
    system = core.TapeDynamics(native_tape(tape.tape), sizes, registers, saddle)
    program = DynamicProgram(tape, system, "small")
    if is_compiled(executor):
        from kempe.compile.executors.llvm import LlvmTape
        from kempe.compile.executors.object_cache import default_cache

        kept = [int(r) for name in REGISTERS for r in getattr(tape, name)]
        sections = LlvmTape(tape.tape, kept=kept, cache=default_cache())
        system.set_compiled(sections.section_addresses())
        program.compiled, program.executor = sections, "llvm"
    return program


def saddle_blocks(
    rows: Sequence[Row], entry_rows: IntArray, entry_columns: IntArray, bodies: int, size: int
) -> dict[str, IntArray]:
    """Which element touches which bodies, and where every entry of J stands in dense blocks."""
    groups: list[list[int]] = []
    for k, row in enumerate(rows):
        if k and rows[k - 1].element == row.element:
            groups[-1].append(k)
        else:
            groups.append([k])
    group_of = {k: g for g, group in enumerate(groups) for k in group}
    touched: list[set[int]] = [set() for _ in groups]
    for r, c in zip(entry_rows.tolist(), entry_columns.tolist(), strict=True):
        touched[group_of[r]].add(c // size)
    starts, offsets, count = [0], {}, 0
    for g, group in enumerate(groups):
        for body in sorted(touched[g]):
            offsets[g, body] = count
            count += len(group) * size
        starts.append(starts[-1] + len(touched[g]))
    places = [
        offsets[group_of[r], c // size] + (r - groups[group_of[r]][0]) * size + c % size
        for r, c in zip(entry_rows.tolist(), entry_columns.tolist(), strict=True)
    ]
    return {
        "body_sizes": _integers([size] * bodies),
        "joint_rows": _integers(len(group) for group in groups),
        "touch_starts": _integers(starts),
        "touch_bodies": _integers(b for bodies in touched for b in sorted(bodies)),
        "rows": entry_rows,
        "columns": entry_columns,
        "places": _integers(places),
    }


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
