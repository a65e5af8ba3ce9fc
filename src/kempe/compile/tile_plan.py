"""Places of a tiled system's numbers in memory, and the groups that read and write them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from kempe.algebra import Expression, Graph, record_formula
from kempe.algebra.tape import IntArray, Tape
from kempe.compile.layout import Layout, element_numbers
from kempe.compile.numbers import is_literal
from kempe.compile.tracing import Inputs, Row

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
    ) -> None:
        self.layout = layout
        self.more_turns = more_turns  # of others than rows, after those of rows
        self.more_parameters = more_parameters
        self.kinds = kinds
        self.kind_of = {e: kind for kind in kinds for e in kind.members}
        q, _ = chart_inputs(layout.chart.n_q, 0)
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
            "last": shape.n_turns + self.more_turns,
            "p": shape.n_parameters + self.more_parameters,
            "frames": layout.n_bodies * layout.chart.n_frame,
            "phi": shape.n_rows,
            "spare": shape.n_spare,
            "turns": shape.n_turns + self.more_turns,
            "jacobian": len(shape.jacobian_rows),
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
        chart, n = self.layout.chart, self.layout.n_bodies
        q, d = chart_inputs(chart.n_q, chart.n_v)
        places = self._spread("q", chart.n_q, n)
        sources = [*places, *self._spread("delta", chart.n_v, n)]
        return group_of([*q, *d], chart.retract(q, d), np.array(sources), np.array(places))

    def _frames(self) -> Group:
        """The numbers of the frames that are not coordinates themselves."""
        chart, n = self.layout.chart, self.layout.n_bodies
        q, _ = chart_inputs(chart.n_q, 0)
        frame = chart.frame(q)
        made = [k for k in range(chart.n_frame) if k not in self.frame_coordinate]
        places = self._spread("frames", chart.n_frame, n)
        return group_of(
            q,
            [frame[k] for k in made],
            np.array(self._spread("q", chart.n_q, n)),
            np.array([places[k] for k in made]),
        )

    def frame_places(self, body: int) -> Iterator[int]:
        """Where the numbers of a body's frame stand."""
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
        return group_of(inputs, kind.outputs[phase], gather, scatter)

    def _sources(self, kind: Kind, e: int) -> Iterator[int]:
        chart, memory, element = self.layout.chart, self.memory, self.layout.elements[e]
        markers = self.layout.markers_of(element)
        bodies = [markers[k] for k in kind.bodies]
        for b in bodies:
            yield from self.frame_places(b)
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


def chart_inputs(n_q: int, n_v: int) -> tuple[list[Expression], list[Expression]]:
    """Coordinates and displacements of one body, in a graph of their own."""
    graph = Graph()
    q = [Expression(graph, graph.input(f"q{k}")) for k in range(n_q)]
    return q, [Expression(graph, graph.input(f"d{k}")) for k in range(n_v)]


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
