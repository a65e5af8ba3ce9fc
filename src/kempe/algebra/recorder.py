"""From graph to tape: instruction selection and register allocation.

A product that is used once, by a sum, becomes one instruction (rounded twice: never a fused
multiply-add). Sine and cosine of one angle become one instruction. A register that only its own
section reads is recycled inside the section; what other sections read, and every output, keeps a
register of its own, so sections may run again and again in any order that respects `reads`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.algebra.derivative import operands
from kempe.algebra.expression import Expression
from kempe.algebra.graph import Graph
from kempe.algebra.operations import CONSTANT, INPUT, PIECEWISE, Op
from kempe.algebra.tape import IntArray, Section, Tape, TapeTable


@final
@dataclass(frozen=True, slots=True)
class Part:
    """A section to record: what it computes, and the earlier sections whose results it may use."""

    name: str
    outputs: Mapping[str, Sequence[Expression]]
    reads: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Recording:
    """A tape and the registers of every named output."""

    tape: Tape
    registers: dict[str, IntArray]


def record_parts(graph: Graph, inputs: Sequence[Expression], parts: Sequence[Part]) -> Recording:
    """The tape of the parts, in order, with these inputs in registers 0, 1, ..."""
    return _Recorder(graph, [e.node for e in inputs], parts).recording()


def record_formula(inputs: Sequence[Expression], outputs: Sequence[Expression]) -> Tape:
    """A tape of one section, for a formula that is evaluated as a whole."""
    graph = inputs[0].graph if inputs else outputs[0].graph
    recording = record_parts(graph, inputs, [Part("formula", {"out": outputs})])
    return recording.tape


@final
class _Recorder:
    def __init__(self, graph: Graph, inputs: list[int], parts: Sequence[Part]) -> None:
        self.graph = graph
        self.parts = parts
        self.copied: dict[int, int] = {}  # node that only renames -> what it renames
        for node, op in enumerate(graph.ops):
            if op == Op.COPY:
                source = graph.args[node][0]
                self.copied[node] = self.copied.get(source, source)
        self.read: dict[int, tuple[int, ...]] = {}  # node -> its operands
        self.orders: dict[str, list[int]] = {}
        for part in parts:
            known = {node for name in part.reads for node in self.orders[name]}
            self.orders[part.name] = self._needed(part, known)
        self.visible = self._visible_elsewhere()
        self.fixed = {node: register for register, node in enumerate(inputs)}
        self._place_constants(len(inputs))
        self.code: list[tuple[int, int, int, int, int]] = []
        self.free: list[int] = []
        self.kept: dict[str, dict[int, int]] = {}  # section -> node -> register

    def _args(self, node: int) -> tuple[int, ...]:
        """The operands of a node, renamed ones by what they rename."""
        if node not in self.read:
            args = operands(self.graph.ops[node], self.graph.args[node])
            self.read[node] = tuple([self.copied.get(a, a) for a in args])
        return self.read[node]

    def _outputs(self, part: Part) -> list[int]:
        nodes = (e.node for es in part.outputs.values() for e in es)
        return [self.copied.get(n, n) for n in nodes]

    def _needed(self, part: Part, known: set[int]) -> list[int]:
        graph, seen = self.graph, set()
        stack = self._outputs(part)
        while stack:
            node = stack.pop()
            if node in seen or node in known or graph.ops[node] in (INPUT, CONSTANT):
                continue
            seen.add(node)
            stack.extend(self._args(node))
        return sorted(seen)

    def _visible_elsewhere(self) -> dict[str, set[int]]:
        """For every section, its nodes that are outputs or that a section reading it uses."""
        visible = {}
        for part in self.parts:
            mine = set(self.orders[part.name])
            seen = set(self._outputs(part)) & mine
            for other in self.parts:
                if part.name in other.reads:
                    for node in self.orders[other.name]:
                        seen.update(a for a in self._args(node) if a in mine)
                    seen.update(n for n in self._outputs(other) if n in mine)
            visible[part.name] = seen
        return visible

    def _place_constants(self, first: int) -> None:
        used: set[int] = set()
        for part in self.parts:
            for node in self.orders[part.name]:
                used.update(self._args(node))
            used.update(self._outputs(part))
        used = {n for n in used if self.graph.ops[n] == CONSTANT}
        self.constant_nodes = sorted(used)
        for k, node in enumerate(self.constant_nodes):
            self.fixed[node] = first + k
        self.n_inputs = first
        self.next = first + len(self.constant_nodes)

    def recording(self) -> Recording:
        sections, registers = [], {}
        for part in self.parts:
            start = len(self.code)
            where = self._section(part)
            sections.append(Section(part.name, start, len(self.code)))
            for name, expressions in part.outputs.items():
                nodes = (self.copied.get(e.node, e.node) for e in expressions)
                registers[name] = np.array([where[n] for n in nodes], dtype=np.int32)
        outputs = [r for part in self.parts for n in part.outputs for r in registers[n]]
        tape = Tape(
            code=np.array(self.code, dtype=np.int32).reshape(-1, 5),
            constants=np.array([self.graph.constants[n] for n in self.constant_nodes]),
            n_inputs=self.n_inputs,
            n_registers=self.next,
            outputs=np.array(outputs, dtype=np.int32),
            sections=tuple(sections),
            tables=tuple(TapeTable(*t) for t in self.graph.tables),
            splines=tuple(self.graph.splines),
        )
        return Recording(tape, registers)

    def _section(self, part: Part) -> dict[int, int]:
        order, visible = self.orders[part.name], self.visible[part.name]
        where = dict(self.fixed)
        for name in part.reads:
            where.update(self.kept[name])
        uses = self._uses(order)
        absorbed = self._absorbed(order, uses, visible)
        pairs = self._sine_cosine_pairs(order)
        mine = set(order)
        swallowed = {product for _, product in absorbed.values()}
        for node in order:
            if node in swallowed or node in where:
                continue
            if node in pairs:
                sine, cosine = pairs[node]
                angle = self._args(node)
                a = where[angle[0]]
                first, second = self._take(sine in visible), self._take(cosine in visible)
                where[sine], where[cosine] = first, second
                self.code.append((Op.SINCOS, first, a, second, 0))
                self._release(angle * 2, uses, where, visible, mine)
                continue
            op, args, immediates = self._instruction(node, absorbed)
            a, b, c = ([where[x] for x in args] + immediates + [0, 0, 0])[:3]
            self._release(args, uses, where, visible, mine)
            where[node] = self._take(node in visible)
            self.code.append((op, where[node], a, b, c))
        self.kept[part.name] = {n: where[n] for n in visible}
        return where

    def _instruction(
        self, node: int, absorbed: Mapping[int, tuple[int, int]]
    ) -> tuple[int, tuple[int, ...], list[int]]:
        op, args = self.graph.ops[node], self._args(node)
        if node in absorbed:
            position, product = absorbed[node]
            other = args[1 - position]
            difference = Op.MULSUB if position == 0 else Op.NMULADD
            fused = Op.MULADD if op == Op.ADD else difference
            factors = self._args(product)
            return fused, (factors[0], factors[1], other), []
        if op in PIECEWISE:
            return op, args, list(self.graph.args[node][1:])
        return op, args, []

    def _uses(self, order: Iterable[int]) -> dict[int, int]:
        uses: dict[int, int] = {}
        for node in order:
            for a in self._args(node):
                uses[a] = uses.get(a, 0) + 1
        return uses

    def _absorbed(
        self, order: Sequence[int], uses: Mapping[int, int], visible: set[int]
    ) -> dict[int, tuple[int, int]]:
        """Sum -> (operand position, product) of products that only that sum uses."""
        graph, mine, taken = self.graph, set(order), {}
        for node in order:
            if graph.ops[node] in (Op.ADD, Op.SUB):
                for position in (1, 0):
                    product = self._args(node)[position]
                    if (
                        graph.ops[product] == Op.MUL
                        and uses[product] == 1
                        and product in mine
                        and product not in visible
                    ):
                        taken[node] = (position, product)
                        break
        return taken

    def _sine_cosine_pairs(self, order: Sequence[int]) -> dict[int, tuple[int, int]]:
        by_angle: dict[int, dict[int, int]] = {}
        for node in order:
            op = self.graph.ops[node]
            if op in (Op.SIN, Op.COS):
                by_angle.setdefault(self._args(node)[0], {})[op] = node
        pairs = {}
        for both in by_angle.values():
            if len(both) == 2:
                pair = (both[Op.SIN], both[Op.COS])
                pairs[pair[0]] = pairs[pair[1]] = pair
        return pairs

    def _take(self, keep: bool) -> int:
        if self.free and not keep:
            return self.free.pop()
        self.next += 1
        return self.next - 1

    def _release(
        self,
        args: Iterable[int],
        uses: dict[int, int],
        where: Mapping[int, int],
        visible: set[int],
        mine: set[int],
    ) -> None:
        for a in args:
            if a in mine and a not in visible:
                uses[a] -= 1
                if uses[a] == 0:
                    self.free.append(where[a])
