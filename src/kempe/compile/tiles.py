"""The large plan: one tape per kind of element, run over tiles of its instances.

Elements of equal structure share a tape whose inputs are the frames and velocities of the bodies
they hold on to; where each instance finds its inputs and leaves its results in the system's memory
is a table of places. Compile time depends on the number of kinds, not of elements.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from kempe.algebra import Expression, Graph, record_formula
from kempe.algebra.native import core, native_tape
from kempe.algebra.tape import IntArray, Tape
from kempe.compile.elements import Element, structure
from kempe.compile.layout import GROUND_INDEX, Layout, element_numbers
from kempe.compile.numbers import is_literal
from kempe.compile.program import Program, sizes
from kempe.compile.tracing import (
    Inputs,
    Row,
    derivatives,
    element_rows,
    live_rows,
    refuse_idle_row,
)
from kempe.geometry import Pose

Compiler = Callable[[Tape], int]

PHASES = ("retract", "frames", "residual", "gamma")


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


@final
@dataclass(frozen=True, slots=True)
class TileShape:
    """The shape of a tiled system."""

    n_q: int
    n_v: int
    n_rows: int
    n_spare: int
    n_turns: int
    n_parameters: int
    rows: tuple[Row, ...]
    counted: tuple[tuple[int, int], ...]
    jacobian_rows: IntArray
    jacobian_columns: IntArray


@final
@dataclass(frozen=True, slots=True)
class Group:
    """A tape and the places of its inputs and outputs, instance by instance."""

    tape: Tape
    inputs: IntArray  # registers
    gather: IntArray  # (inputs, instances)
    scatter: IntArray  # (outputs, instances)


def trace_kind(layout: Layout, members: list[int]) -> Kind:
    """The rows of a kind and their derivatives, on frames that are inputs."""
    chart, element = layout.chart, layout.elements[members[0]]
    riding = [b != GROUND_INDEX for b in layout.markers_of(element)]
    bodies = [k for k, rides in enumerate(riding) if rides]
    inputs = Inputs.fresh(0, len(bodies) * chart.n_v)
    graph = inputs.graph
    frames = [
        [Expression(graph, graph.input(f"frame{k}_{i}")) for i in range(chart.n_frame)]
        for k in range(len(bodies))
    ]
    poses = iter([chart.pose(frame) for frame in frames])
    written, turned = element_rows(
        element, [next(poses) if rides else Pose.identity() for rides in riding], inputs
    )
    live = live_rows(layout, element, written)
    phi = [written[k] for k in live]
    seeds: dict[int, dict[int, Expression]] = {}
    for k, frame in enumerate(frames):
        seeds |= chart.seeds(frame, k * chart.n_v)
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
    for k, element in enumerate(layout.elements):
        groups.setdefault(_kind_key(layout, element, k), []).append(k)
    return [trace_kind(layout, members) for members in groups.values()]


def tile_program(
    layout: Layout, spare: Sequence[int] | None, kinds: list[Kind], compiler: Compiler | None = None
) -> Program:
    """The program that solves all rows but the spare ones (None: solves none, only evaluates).

    Rows are numbered as the elements write them, vanished ones not counted. The compiler gives the
    address of a tape's function in eight lanes; without one the VM runs the tapes.
    """
    plan = _Plan(layout, kinds, spare)
    phases = [[_native(group, compiler) for group in groups] for groups in plan.groups().values()]
    shape = plan.shape
    solved = shape.n_rows
    system = core.TileSystem(
        sizes(shape), plan.memory, phases, shape.jacobian_rows, shape.jacobian_columns, solved
    )
    return Program(shape, system, "large")


def _native(group: Group, compiler: Compiler | None) -> dict[str, Any]:
    return {
        "tape": native_tape(group.tape),
        "inputs": group.inputs,
        "outputs": group.tape.outputs,
        "gather": np.ascontiguousarray(group.gather.reshape(-1)),
        "scatter": np.ascontiguousarray(group.scatter.reshape(-1)),
        "count": group.gather.shape[1],
        "compiled": 0 if compiler is None else compiler(group.tape),
    }


def _kind_key(layout: Layout, element: Element, number: int) -> str:
    riding = "".join("g" if b == GROUND_INDEX else "b" for b in layout.markers_of(element))
    unique = "" if element.is_built_in else f"#{number}"
    return f"{structure(element)}@{riding}{unique}"


@final
class _Plan:
    """Places in memory and the groups that use them."""

    def __init__(self, layout: Layout, kinds: list[Kind], spare: Sequence[int] | None) -> None:
        self.layout = layout
        self.kinds = kinds
        self.kind_of = {e: kind for kind in kinds for e in kind.members}
        q, _ = _chart_inputs(layout.chart.n_q, 0)
        coordinate = {e.node: k for k, e in enumerate(q)}
        # numbers of a frame that are coordinates, and need no place of their own
        self.frame_coordinate = {
            k: coordinate[e.node]
            for k, e in enumerate(layout.chart.frame(q))
            if e.node in coordinate
        }
        self._number_rows(spare)
        self._number_parameters()
        self._lay_out_memory()

    def _number_rows(self, spare: Sequence[int] | None) -> None:
        layout = self.layout
        rows = [
            Row(e, place, layout.elements[e].units[place])
            for e in range(len(layout.elements))
            for place in self.kind_of[e].live
        ]
        watched = set(range(len(rows)) if spare is None else spare)
        order = [k for k in range(len(rows)) if k not in watched] + sorted(watched)
        self.row_place = {(rows[k].element, rows[k].place): new for new, k in enumerate(order)}
        counted = tuple((e, k) for e in range(len(layout.elements)) for k in self.kind_of[e].turned)
        self.turn_place = {turn: k for k, turn in enumerate(counted)}
        jacobian = [
            (self.row_place[e, kind.live[r]], self._column(e, kind, c), e, k)
            for e, kind in sorted(self.kind_of.items())
            for k, (r, c) in enumerate(kind.pattern)
        ]
        self.entry_place = {(e, k): place for place, (_, _, e, k) in enumerate(jacobian)}
        self.shape = TileShape(
            n_q=layout.n_q,
            n_v=layout.n_v,
            n_rows=len(rows) - len(watched),
            n_spare=len(watched),
            n_turns=len(counted),
            n_parameters=len(layout.parameters),
            rows=tuple(rows[k] for k in order),
            counted=counted,
            jacobian_rows=np.array([j[0] for j in jacobian], dtype=np.int32),
            jacobian_columns=np.array([j[1] for j in jacobian], dtype=np.int32),
        )

    def _column(self, element: int, kind: Kind, local: int) -> int:
        n_v = self.layout.chart.n_v
        bodies = self.layout.markers_of(self.layout.elements[element])
        return bodies[kind.bodies[local // n_v]] * n_v + local % n_v

    def _number_parameters(self) -> None:
        self.first_parameter, count = {}, 0
        for e, element in enumerate(self.layout.elements):
            self.first_parameter[e] = count
            count += sum(1 for x in element_numbers(element) if not is_literal(x))

    def _lay_out_memory(self) -> None:
        shape, layout = self.shape, self.layout
        all_rows = len(shape.rows)
        room = {
            "q": shape.n_q,
            "v": shape.n_v,
            "delta": shape.n_v,
            "t": 1,
            "last": shape.n_turns,
            "p": shape.n_parameters,
            "frames": layout.n_bodies * layout.chart.n_frame,
            "phi": shape.n_rows,
            "spare": shape.n_spare,
            "turns": shape.n_turns,
            "jacobian": len(shape.jacobian_rows),
            "velocity_rhs": all_rows,
            "gamma": all_rows,
        }
        self.memory, size = {}, 0
        for name, numbers in room.items():
            self.memory[name] = size
            size += numbers
        self.memory["size"] = max(size, 1)

    # -- groups ------------------------------------------------------------------------------

    def groups(self) -> dict[str, list[Group]]:
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
        chart, n = self.layout.chart, self.layout.n_bodies
        q, d = _chart_inputs(chart.n_q, chart.n_v)
        places = self._spread("q", chart.n_q, n)
        sources = [*places, *self._spread("delta", chart.n_v, n)]
        return _group([*q, *d], chart.retract(q, d), np.array(sources), np.array(places))

    def _frames(self) -> Group:
        """The numbers of the frames that are not coordinates themselves."""
        chart, n = self.layout.chart, self.layout.n_bodies
        q, _ = _chart_inputs(chart.n_q, 0)
        frame = chart.frame(q)
        made = [k for k in range(chart.n_frame) if k not in self.frame_coordinate]
        places = self._spread("frames", chart.n_frame, n)
        return _group(
            q,
            [frame[k] for k in made],
            np.array(self._spread("q", chart.n_q, n)),
            np.array([places[k] for k in made]),
        )

    def _frame_places(self, body: int) -> Iterator[int]:
        chart, memory = self.layout.chart, self.memory
        for k in range(chart.n_frame):
            if k in self.frame_coordinate:
                yield memory["q"] + body * chart.n_q + self.frame_coordinate[k]
            else:
                yield memory["frames"] + body * chart.n_frame + k

    def _spread(self, name: str, size: int, n: int) -> list[Any]:
        return [self.memory[name] + k + size * np.arange(n) for k in range(size)]

    def _group(self, kind: Kind, phase: str) -> Group:
        ins = kind.inputs
        inputs = [*(e for f in kind.frames for e in f), *ins.v, ins.t, *ins.last, *ins.p]
        gather = np.array([list(self._sources(kind, e)) for e in kind.members]).T
        scatter = np.array([list(self._targets(kind, e, phase)) for e in kind.members]).T
        return _group(inputs, kind.outputs[phase], gather, scatter)

    def _sources(self, kind: Kind, e: int) -> Iterator[int]:
        chart, memory, element = self.layout.chart, self.memory, self.layout.elements[e]
        markers = self.layout.markers_of(element)
        bodies = [markers[k] for k in kind.bodies]
        for b in bodies:
            yield from self._frame_places(b)
        for b in bodies:
            yield from range(memory["v"] + b * chart.n_v, memory["v"] + (b + 1) * chart.n_v)
        yield memory["t"]
        for k in kind.turned:
            yield memory["last"] + self.turn_place[e, k]
        first = memory["p"] + self.first_parameter[e]
        yield from range(first, first + len(kind.inputs.p))

    def _targets(self, kind: Kind, e: int, phase: str) -> Iterator[int]:
        memory = self.memory
        rows = [self.row_place[e, place] for place in kind.live]
        if phase == "residual":
            yield from (memory["phi"] + r for r in rows)  # watched rows follow the solved ones
            yield from (memory["turns"] + self.turn_place[e, k] for k in kind.turned)
            for k in range(len(kind.pattern)):
                yield memory["jacobian"] + self.entry_place[e, k]
            yield from (memory["velocity_rhs"] + r for r in rows)
        else:
            yield from (memory["gamma"] + r for r in rows)


def _chart_inputs(n_q: int, n_v: int) -> tuple[list[Expression], list[Expression]]:
    graph = Graph()
    q = [Expression(graph, graph.input(f"q{k}")) for k in range(n_q)]
    return q, [Expression(graph, graph.input(f"d{k}")) for k in range(n_v)]


def _group(
    inputs: Sequence[Expression], outputs: Sequence[Expression], gather: Any, scatter: Any
) -> Group:
    tape = record_formula(inputs, outputs)
    read = set(tape.code[:, 2:].reshape(-1).tolist()) | set(tape.outputs.tolist())
    used = [k for k in range(len(inputs)) if k in read]
    return Group(
        tape,
        np.array(used, dtype=np.int32),
        np.asarray(gather, dtype=np.int32)[used],
        np.asarray(scatter, dtype=np.int32),
    )
