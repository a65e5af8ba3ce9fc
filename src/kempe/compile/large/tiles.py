"""The large plan: one tape per kind of element, run over tiles of its instances.

Elements of equal structure share a tape whose inputs are the frames and velocities of the bodies
they hold on to; where each instance finds its inputs and leaves its results in the system's memory
is a table of places. Compile time depends on the number of kinds, not of elements.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Graph, record_formula
from kempe.algebra.native import core, native_tape
from kempe.algebra.tape import IntArray, Tape
from kempe.compile.layout.charts import AbstractChart
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.elements import all_numbers
from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.compile.layout.numbers import is_literal
from kempe.compile.layout.velocity_elements import VelocityElement
from kempe.compile.program.program import Program, system_size
from kempe.compile.trace.inputs import Inputs
from kempe.compile.trace.moving_bodies import MovingBody
from kempe.compile.trace.shape import AbstractShape, Row
from kempe.compile.trace.tracing import (
    derivatives,
    element_rows,
    held_velocities,
    live_rows,
    refuse_idle_row,
)
from kempe.geometry import Pose

Places = NDArray[np.int64]
PHASES = ("retract", "frames", "residual", "gamma")
# Kinds of numbers whose places in memory the native system is told.
MEMORY = (
    *("q", "v", "delta", "t", "last", "p", "phi", "spare", "turns"),
    *("jacobian", "velocity_rhs", "gamma", "size"),
)


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """Elements of one structure, traced once on bodies of their own."""

    members: list[int]  # element numbers
    bodies: list[int]  # which markers ride on moving bodies
    live: list[int]  # places of the rows that did not vanish
    turned: list[int]  # readings that count turns
    pattern: list[tuple[int, int]]  # (live row, local column) of the Jacobian's entries
    inputs: Inputs
    frames: list[list[Expression]]
    outputs: dict[str, list[Expression]]  # by phase
    whiteners: Sequence[tuple[int, int, Expression]] = ()  # body, place in its C, input


@final
@dataclass(frozen=True, eq=False)
class TileShape(AbstractShape):
    """The shape of a tiled system."""


@final
@dataclass(frozen=True, slots=True)
class Group:
    """A tape and the places of its inputs and outputs, instance by instance."""

    tape: Tape
    inputs: IntArray  # registers
    gather: IntArray  # (inputs, instances)
    scatter: IntArray  # (outputs, instances)


@final
class TilePlan:
    """Places in memory and the groups that use them."""

    def __init__(
        self,
        layout: Layout,
        kinds: list[Kind],
        spare: Sequence[int] | None,
        *,
        more_turns: int = 0,
        more_parameters: int = 0,
        has_blocks: bool = False,
        whitener_size: int = 0,
    ) -> None:
        self.layout = layout
        self.more_turns = more_turns  # of others than rows, after those of rows
        self.more_parameters = more_parameters
        self.has_blocks = has_blocks  # entries of J stand in blocks that come later
        self.whitener_size = whitener_size  # numbers of C of a body, after the parameters
        self.kinds = kinds
        q, _ = chart_inputs(layout.chart)
        coordinate = {e.node: k for k, e in enumerate(q)}
        # numbers of a frame that are coordinates, and need no place of their own
        self.frame_coordinate = {
            k: coordinate[e.node]
            for k, e in enumerate(layout.chart.frame(q))
            if e.node in coordinate
        }
        self.frame_size = len(layout.chart.frame(q))
        made = [k for k in range(self.frame_size) if k not in self.frame_coordinate]
        self.frame_made = {k: place for place, k in enumerate(made)}
        self.first_row = self._firsts(lambda kind: len(kind.live))
        self.first_turn = self._firsts(lambda kind: len(kind.turned))
        self.first_entry = self._firsts(lambda kind: len(kind.pattern))
        self.first_parameter = self._firsts(lambda kind: self._count_parameters(kind))
        self._number_rows(spare)
        self._lay_out_memory()

    def _firsts(self, count: Callable[[Kind], int]) -> Places:
        """Where the numbers of every element start, and how many there are in all."""
        counts = np.zeros(len(self.layout.elements) + 1, dtype=np.int64)
        for kind in self.kinds:
            counts[np.array(kind.members) + 1] = count(kind)
        return np.cumsum(counts)

    def _count_parameters(self, kind: Kind) -> int:
        numbers = all_numbers(self.layout.elements[kind.members[0]])
        return sum(1 for x in numbers if not is_literal(x))

    def _number_rows(self, spare: Sequence[int] | None) -> None:
        layout = self.layout
        live = {e: kind.live for kind in self.kinds for e in kind.members}
        turned = {e: kind.turned for kind in self.kinds if kind.turned for e in kind.members}
        rows = []
        for e, element in enumerate(layout.elements):
            units = element.units
            rows += [Row(e, place, units[place]) for place in live[e]]
        watched = set(range(len(rows)) if spare is None else spare)
        order = [k for k in range(len(rows)) if k not in watched] + sorted(watched)
        self.row_place = np.empty(len(rows), dtype=np.int64)  # solved rows come first
        self.row_place[order] = np.arange(len(rows))
        self.entry_place = np.arange(self.first_entry[-1])
        jacobian = np.zeros((2, len(self.entry_place)), dtype=np.int32)
        for kind in self.kinds:
            local = np.array(kind.pattern, dtype=np.int64).reshape(-1, 2)
            entries = self._numbered(kind, self.first_entry, len(local))
            jacobian[0, entries] = self.rows_of(kind)[:, local[:, 0]]
            jacobian[1, entries] = self._columns(kind, local[:, 1])
        self.shape = TileShape(
            n_q=layout.n_q,
            n_v=layout.n_v,
            n_rows=len(rows) - len(watched),
            n_spare=len(watched),
            n_turns=int(self.first_turn[-1]),
            n_parameters=len(layout.parameters),
            rows=tuple(rows[k] for k in order),
            counted=tuple((e, k) for e in sorted(turned) for k in turned[e]),
            jacobian_rows=jacobian[0],
            jacobian_columns=jacobian[1],
        )

    def _numbered(self, kind: Kind, firsts: Places, count: int) -> Places:
        """Numbers that belong to the elements of a kind, (elements, count)."""
        return firsts[kind.members][:, None] + np.arange(count)

    def rows_of(self, kind: Kind) -> Places:
        """The rows of a kind's elements, (elements, live rows)."""
        return self.row_place[self._numbered(kind, self.first_row, len(kind.live))]

    def bodies_of(self, kind: Kind) -> Places:
        """The bodies that a kind's elements hold on to, (elements, bodies)."""
        riding = self.layout.riding
        found = [[riding[e][k] for k in kind.bodies] for e in kind.members]
        return np.array(found, dtype=np.int64).reshape(len(kind.members), len(kind.bodies))

    def _columns(self, kind: Kind, local: Places) -> Places:
        body, part = self.layout.coordinates.body_of(local)
        columns: Places = self.layout.coordinates.column_of(self.bodies_of(kind)[:, body], part)
        return columns

    def _lay_out_memory(self) -> None:
        shape, layout = self.shape, self.layout
        all_rows = len(shape.rows)
        room = {
            "q": shape.n_q,
            "v": shape.n_v,
            "delta": 0 if self.has_blocks else shape.n_v,
            "t": 1,
            "last": shape.n_turns + self.more_turns,
            "p": shape.n_parameters + self.more_parameters,
            "whiteners": layout.n_bodies * self.whitener_size,
            "frames": layout.n_bodies * len(self.frame_made),
            "phi": shape.n_rows,
            "spare": shape.n_spare,
            "turns": shape.n_turns + self.more_turns,
            "jacobian": 0 if self.has_blocks else len(shape.jacobian_rows),
            "velocity_rhs": all_rows,
            "gamma": all_rows,
        }
        self.memory, size = {}, 0
        for name, numbers in room.items():
            self.memory[name] = size
            size += numbers
        self.memory["size"] = max(size, 1)

    def add_room(self, name: str, numbers: int) -> None:
        """Room for more numbers, at the end."""
        self.memory[name] = self.memory["size"]
        self.memory["size"] += numbers

    # -- groups ------------------------------------------------------------------------------

    def groups(self) -> dict[str, list[Group]]:
        """The groups of every phase."""
        result: dict[str, list[Group]] = {phase: [] for phase in PHASES}
        if not self.layout.chart.is_flat:
            result["retract"] = [self._retraction()]
        result["frames"] = [self._frames()]
        for kind in self.kinds:
            for phase in ("residual", "gamma"):
                if kind.outputs[phase]:
                    result[phase].append(self._group(kind, phase))
        return result

    def _retraction(self) -> Group:
        chart = self.layout.chart
        q, d = chart_inputs(chart)
        places = self._spread("q", len(q))
        sources = [*places, *self._spread("delta", len(d))]
        return group_of([*q, *d], chart.retract(q, d), np.array(sources), np.array(places))

    def _frames(self) -> Group:
        """The numbers of the frames that are not coordinates themselves."""
        q, _ = chart_inputs(self.layout.chart)
        frame = self.layout.chart.frame(q)
        return group_of(
            q,
            [frame[k] for k in self.frame_made],
            np.array(self._spread("q", len(q))),
            np.array(self._spread("frames", len(self.frame_made))),
        )

    def frame_places(self, bodies: Places) -> Places:
        """Where the numbers of the frames of bodies stand, (bodies, numbers of a frame)."""
        at, memory = self.layout.coordinates, self.memory
        places = [
            memory["q"] + at.coordinate_of(bodies, self.frame_coordinate[k])
            if k in self.frame_coordinate
            else memory["frames"] + bodies * len(self.frame_made) + self.frame_made[k]
            for k in range(self.frame_size)
        ]
        return np.stack(places, axis=1)

    def body_places(self, bodies: Places) -> list[Places]:
        """Where frames, then velocities, of the bodies that elements hold on to stand."""
        at, v = self.layout.coordinates, self.memory["v"]
        places = [self.frame_places(each) for each in bodies.T]
        own = np.arange(at.n_each)
        return places + [v + at.column_of(each[:, None], own) for each in bodies.T]

    def _spread(self, name: str, size: int) -> list[Any]:
        each = size * np.arange(self.layout.n_bodies)
        return [self.memory[name] + k + each for k in range(size)]

    def _group(self, kind: Kind, phase: str) -> Group:
        gather, scatter = self.sources(kind).T, self._targets(kind, phase).T
        return group_of(self.inputs(kind), kind.outputs[phase], gather, scatter)

    def inputs(self, kind: Kind) -> list[Expression]:
        """What the tapes of a kind read, in order."""
        ins = kind.inputs
        inputs = [*(e for f in kind.frames for e in f), *ins.v, ins.t, *ins.last, *ins.p]
        return inputs + [e for _, _, e in kind.whiteners]

    def sources(self, kind: Kind) -> Places:
        """Where a kind's elements find their inputs, (elements, inputs)."""
        memory, count = self.memory, len(kind.members)
        bodies = self.bodies_of(kind)
        whiteners = [
            memory["whiteners"] + bodies[:, body : body + 1] * self.whitener_size + place
            for body, place, _ in kind.whiteners
        ]
        return np.hstack(
            [
                *self.body_places(bodies),
                np.full((count, 1), memory["t"]),
                memory["last"] + self._numbered(kind, self.first_turn, len(kind.turned)),
                memory["p"] + self._numbered(kind, self.first_parameter, len(kind.inputs.p)),
                *whiteners,
            ]
        )

    def _targets(self, kind: Kind, phase: str) -> Places:
        memory, rows = self.memory, self.rows_of(kind)
        if phase != "residual":
            gamma: Places = memory["gamma"] + rows
            return gamma
        entries = self._numbered(kind, self.first_entry, len(kind.pattern))
        return np.hstack(
            [
                memory["phi"] + rows,  # watched rows follow the solved ones
                memory["turns"] + self._numbered(kind, self.first_turn, len(kind.turned)),
                memory["jacobian"] + self.entry_place[entries],
                memory["velocity_rhs"] + rows,
            ]
        )


def chart_inputs(chart: AbstractChart) -> tuple[list[Expression], list[Expression]]:
    """Coordinates and displacements of one body, in a graph of their own."""
    graph = Graph()
    return chart.q_inputs(graph, "q"), chart.v_inputs(graph, "d")


def group_of(
    inputs: Sequence[Expression], outputs: Sequence[Expression], gather: Any, scatter: Any
) -> Group:
    """A formula over many instances; inputs that it does not read are left out."""
    tape = record_formula(inputs, outputs)
    read = set(tape.code[:, 2:].reshape(-1).tolist()) | set(tape.outputs.tolist())
    used = [k for k in range(len(inputs)) if k in read]
    return Group(
        tape,
        np.array(used, dtype=np.int32),
        np.asarray(gather, dtype=np.int32)[used],
        np.asarray(scatter, dtype=np.int32),
    )


Compiler = Callable[[Tape], int]


def trace_kind(layout: Layout, members: list[int]) -> Kind:
    """The rows of a kind and their derivatives, on frames that are inputs."""
    chart, element = layout.chart, layout.elements[members[0]]
    riding = [b != GROUND_INDEX for b in layout.markers_of(element)]
    bodies = [k for k, rides in enumerate(riding) if rides]
    at = Coordinates(chart, len(bodies))
    inputs = Inputs.fresh(0, at.bodies_v.stop)
    frames = [chart.frame_inputs(inputs.graph, f"frame{k}_") for k in range(len(bodies))]
    seeds: dict[int, dict[int, Expression]] = {}
    for k, frame in enumerate(frames):
        seeds |= chart.seeds(frame, at.v_of(k).start)
    turned: dict[int, Expression] = {}
    if isinstance(element, VelocityElement):
        pairs = [(frame, at.v_of(k)) for k, frame in enumerate(frames)]
        carriers = iter([MovingBody(frame, inputs.v[v], v.start) for frame, v in pairs])
        rolling = [next(carriers) if rides else None for rides in riding]
        held = held_velocities(layout, element, rolling, inputs, seeds)
        live, phi, derived = held.live, held.phi, held.derived
    else:
        poses = iter([chart.pose(frame) for frame in frames])
        X = [next(poses) if rides else Pose.identity() for rides in riding]
        written, turned = element_rows(element, X, inputs)
        live = live_rows(layout, element, written)
        phi = [written[k] for k in live]
        derived = derivatives(inputs, phi, seeds)
    for place, row in zip(live, derived["jacobian"], strict=True):
        refuse_idle_row(layout, element, place, row)
    entries = [(r, c, e) for r, row in enumerate(derived["jacobian"]) for c, e in row.items()]
    return Kind(
        members,
        bodies,
        live,
        list(turned),
        [(r, c) for r, c, _ in entries],
        inputs,
        frames,
        {
            "residual": [
                *phi,
                *turned.values(),
                *(e for _, _, e in entries),
                *derived["velocity_rhs"],
            ],
            "gamma": derived["gamma"],
        },
    )


def kinds_of(layout: Layout) -> list[Kind]:
    """The elements grouped by structure, each group traced once."""
    groups: dict[str, list[int]] = {}
    for k in range(len(layout.elements)):
        groups.setdefault(_kind_key(layout, k), []).append(k)
    return [trace_kind(layout, members) for members in groups.values()]


def tile_program(
    layout: Layout, spare: Sequence[int] | None, kinds: list[Kind], compiler: Compiler | None = None
) -> Program:
    """The program that solves all rows but the spare ones (None: solves none, only evaluates).

    Rows are numbered as the elements write them, vanished ones not counted. The compiler gives the
    address of a tape's function in eight lanes; without one the VM runs the tapes.
    """
    plan = TilePlan(layout, kinds, spare)
    groups = plan.groups().values()
    phases = [[native_group(group, compiler) for group in phase] for phase in groups]
    shape = plan.shape
    solved = shape.n_rows
    memory = core.TileMemory(**{name: plan.memory[name] for name in MEMORY})
    system = core.TileSystem(
        system_size(shape), memory, phases, shape.jacobian_rows, shape.jacobian_columns, solved
    )
    return Program(shape, system, "large")


def native_group(group: Group, compiler: Compiler | None) -> "core.TileGroup":
    """A group as the native systems take it."""
    return core.TileGroup(
        tape=native_tape(group.tape),
        inputs=group.inputs,
        outputs=group.tape.outputs,
        gather=np.ascontiguousarray(group.gather.reshape(-1)),
        scatter=np.ascontiguousarray(group.scatter.reshape(-1)),
        count=group.gather.shape[1],
        compiled=0 if compiler is None else compiler(group.tape),
    )


def _kind_key(layout: Layout, number: int) -> str:
    riding = "".join("g" if b == GROUND_INDEX else "b" for b in layout.riding[number])
    described = layout.is_built_in or layout.elements[number].is_built_in
    return f"{layout.structures[number]}@{riding}{'' if described else f'#{number}'}"
