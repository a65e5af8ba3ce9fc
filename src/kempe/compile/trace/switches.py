"""Switches of force laws: where a law changes over to another formula, has a corner or jumps.

A law is frozen for a step: every choice that `where`, `abs`, `min` and `max` make is told from
outside by a *side*, +1 or -1, so that the law is smooth however far a step reaches. So is the
stretch of a table between two corners, and the whole number that a value is rounded to: both by
whether they are even. With side 0 the law chooses for itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.algebra import Expression
from kempe.algebra.derivative import operands, reachable, rebuilt, selection
from kempe.algebra.operations import CHOICES, CONSTANT, INPUT, Op
from kempe.algebra.table_corners import (
    FloatArray,
    alternating,
    halves,
    is_smooth_round,
    table_bends,
    table_jumps,
)
from kempe.compile.trace.inputs import Inputs

UNGUARDED = (-1, 0)
Guard = tuple[int, int]  # a switch, and the side of it without which another one does not matter


@final
@dataclass(frozen=True, slots=True)
class FrozenLaw:
    """Formulas whose choices are told by sides.

    `switches` change their sign where a choice changes; `guards` has one for each of them, and
    `clocks` says whether it is a function of time alone. `told` has a switch for every value that
    is to be told, and whether both have the same sign (1) or not (-1); 0 where none chooses by it.
    """

    outputs: list[Expression]
    sides: list[Expression]
    switches: list[Expression]
    guards: list[Guard]
    clocks: list[bool]
    told: list[tuple[int, int]]


def frozen(
    outputs: Sequence[Expression],
    inputs: Inputs,
    told: Sequence[Expression] = (),
    states: Sequence[Expression] = (),
) -> FrozenLaw:
    """The outputs, every choice that depends on more than parameters told by a side.

    `states` are parameters that change along a motion.
    """
    if not outputs:
        return FrozenLaw([], [], [], [], [], [])
    return _Freezer(inputs, states).law(outputs, told)


@final
class _Freezer:
    """Rewrites formulas node by node, and remembers who reads which choice."""

    def __init__(self, inputs: Inputs, states: Sequence[Expression]) -> None:
        self.graph = inputs.graph
        self.next_side = inputs.next_side
        self.fixed = {e.node for e in inputs.p} - {e.node for e in states}
        self.time = inputs.t.node
        self.turns = {e.node for e in inputs.last}
        self.new: dict[int, int] = {}
        self.varies: dict[int, bool] = {}
        self.only_time: dict[int, bool] = {}  # what varies of it
        self.counts_turns: dict[int, bool] = {}
        self.readers: dict[int, list[int]] = {}
        self.tables: dict[tuple[object, ...], list[int]] = {}  # made here: places in the graph
        self.switch_of: dict[int, int] = {}  # by the condition's node
        self.told: list[int] = []  # condition told by a side
        self.sides: list[Expression] = []
        self.switches: list[Expression] = []
        self.clocks: list[bool] = []
        self.choices: dict[int, tuple[int, int, int, int]] = {}  # node: switch, sign, yes, no

    def law(self, outputs: Sequence[Expression], told: Sequence[Expression]) -> FrozenLaw:
        """All of it, and the switches of the values that are `told`."""
        nodes = reachable(self.graph, [o.node for o in outputs])
        self.readers = {o.node: [INPUT] for o in outputs}
        for node in nodes:
            for a in operands(self.graph.ops[node], self.graph.args[node]):
                self.readers.setdefault(a, []).append(node)
        for node in nodes:
            self._rewrite(node)
        found = [Expression(self.graph, self.new[o.node]) for o in outputs]
        guards = self._guards(outputs, nodes)
        marked = [self._known(self.new.get(value.node, INPUT)) for value in told]
        return FrozenLaw(found, self.sides, self.switches, guards, self.clocks, marked)

    def _known(self, condition: int) -> tuple[int, int]:
        """The switch of a condition that is known already, and the sign by which they differ."""
        if condition == INPUT:
            return -1, 0
        condition, sign = self._upright(condition)
        return (self.switch_of[condition], sign) if condition in self.switch_of else (-1, 0)

    def _rewrite(self, node: int) -> None:
        graph = self.graph
        op, args = graph.ops[node], operands(graph.ops[node], graph.args[node])
        if op in (INPUT, CONSTANT):
            self.varies[node] = op == INPUT and node not in self.fixed
            self.only_time[node] = not self.varies[node] or node == self.time
            self.counts_turns[node] = node in self.turns
            self.new[node] = node
            return
        self.varies[node] = any(self.varies[a] for a in args)
        self.only_time[node] = all(self.only_time[a] for a in args)
        self.counts_turns[node] = any(self.counts_turns[a] for a in args)
        told = self.varies[node] and node not in graph.untold
        choice = self._choice(node) if told else None
        if choice is None:
            self.new[node] = rebuilt(graph, node, self.new)
            if node in graph.untold:
                graph.untold.add(self.new[node])
            return
        how, condition, yes, no = choice
        decides = args[:1] if op in CHOICES else args
        switch, sign = self._switch(condition, all(self.only_time[a] for a in decides))
        side = self.told[switch]
        self.new[node] = graph.where(how, side if sign > 0 else graph.neg(side), *self._both(node))
        self.choices[node] = switch, sign, yes, no

    def _choice(self, node: int) -> tuple[Op, int, int, int] | None:
        """(operation, condition rewritten, yes, no) of a node that chooses by the state."""
        graph, op, args = self.graph, self.graph.ops[node], self.graph.args[node]
        if op in CHOICES:
            if not self.varies[args[0]]:
                return None
            return Op(op), self.new[args[0]], args[1], args[2]
        if op == Op.ABS:
            return Op.WHERE_NOT_NEGATIVE, self.new[args[0]], args[0], args[0]
        if op in (Op.MIN, Op.MAX):
            first, second = (self.new[a] for a in args)
            if op == Op.MIN:
                first, second = second, first
            return Op.WHERE_POSITIVE, graph.sub(first, second), args[0], args[1]
        if op == Op.ROUND and not self.counts_turns[node] and not self._begins_anew(node):
            return Op.WHERE_NOT_NEGATIVE, self._evenness(self.new[args[0]]), args[0], args[0]
        if op == Op.TABLE and len(corners := self._corners(node)):
            place = self._made_tables(corners)[0]
            condition = graph.node(Op.TABLE, self.new[args[0]], place, 0)
            return Op.WHERE_POSITIVE, condition, args[0], args[0]
        assert selection(graph, node) is None
        return None

    def _both(self, node: int) -> tuple[int, int]:
        op, args = self.graph.ops[node], self.graph.args[node]
        if op == Op.ABS:
            return self.new[args[0]], self.graph.neg(self.new[args[0]])
        if op == Op.ROUND:
            x = Expression(self.graph, self.new[args[0]])
            return (2.0 * np.rint(0.5 * x)).node, (2.0 * np.rint(0.5 * (x - 1.0)) + 1.0).node
        if op == Op.TABLE:
            even, odd = self._made_tables(self._corners(node), args[1])
            at, order = self.new[args[0]], args[2]
            graph = self.graph
            return graph.node(Op.TABLE, at, even, order), graph.node(Op.TABLE, at, odd, order)
        return self.new[args[-2]], self.new[args[-1]]

    def _evenness(self, node: int) -> int:
        """Positive where the nearest whole number is even, by how far that is from changing."""
        x = Expression(self.graph, node)
        found: Expression = 0.5 - abs(x - 2.0 * np.rint(0.5 * x))
        return found.node

    def _corners(self, node: int) -> FloatArray:
        """Where a table, or a derivative of it, jumps, has a corner, or bends otherwise."""
        _, place, order = self.graph.args[node]
        table = self.graph.tables[place]
        found = [table_jumps(table, order), table_jumps(table, order + 1)]
        return np.unique(np.concatenate([*found, table_bends(table, order)]))

    def _made_tables(self, corners: FloatArray, table: int | None = None) -> list[int]:
        """The place of the function that changes its sign at corners, or of a table's halves."""
        key = (table, *corners.tolist())
        if key not in self.tables:
            tables = self.graph.tables
            made = [alternating(corners)] if table is None else halves(tables[table], corners)
            self.tables[key] = list(range(len(tables), len(tables) + len(made)))
            tables += made
        return self.tables[key]

    def _begins_anew(self, node: int) -> bool:
        """Whether a rounded value only brings the argument of smooth periodic tables home.

        x - period round(...), which jumps by a period where the table begins anew. A table with
        corners is told by its stretch, which is another one there, so it is not smooth round.
        """
        graph = self.graph
        for reader in self.readers[node]:
            period, brought = 1.0, [reader]
            if reader != INPUT and graph.ops[reader] == Op.MUL:
                period = next((c for a in graph.args[reader] if (c := graph.constants.get(a))), 0.0)
                brought = self.readers[reader]
            for x in brought:
                if x == INPUT or graph.ops[x] != Op.SUB:
                    return False
                for last in self.readers[x]:
                    if last == INPUT or graph.ops[last] != Op.TABLE:
                        return False
                    _, place, order = graph.args[last]
                    is_smooth = is_smooth_round(graph.tables[place], order, period)
                    if not is_smooth or len(self._corners(last)):
                        return False
        return True

    def _switch(self, condition: int, clock: bool) -> tuple[int, int]:
        """The switch of a condition, and the sign by which they differ."""
        graph = self.graph
        condition, sign = self._upright(condition)
        if condition not in self.switch_of:
            self.switch_of[condition] = len(self.switches)
            side = self.next_side()
            square = graph.mul(side.node, side.node)
            self.told.append(graph.where(Op.WHERE_POSITIVE, square, side.node, condition))
            self.sides.append(side)
            self.switches.append(Expression(graph, condition))
            self.clocks.append(clock)
        return self.switch_of[condition], sign

    def _upright(self, condition: int) -> tuple[int, int]:
        """The one of a condition and its negative that stands for both, and the sign between."""
        graph = self.graph
        if graph.ops[condition] == Op.NEG:
            return graph.args[condition][0], -1
        if graph.ops[condition] == Op.SUB and graph.args[condition][0] > graph.args[condition][1]:
            return graph.neg(condition), -1
        return condition, 1

    def _guards(self, outputs: Sequence[Expression], nodes: Sequence[int]) -> list[Guard]:
        """For every switch one that must stand on one side for it to matter, where there is one.

        A node counts under all sides that every way from it to an output takes.
        """
        under: dict[int, frozenset[Guard]] = {o.node: frozenset() for o in outputs}
        needed: dict[int, frozenset[Guard]] = {}

        def reach(node: int, sides: frozenset[Guard]) -> None:
            under[node] = under[node] & sides if node in under else sides

        for node in reversed(nodes):
            mine = under[node]
            if node not in self.choices:
                for a in operands(self.graph.ops[node], self.graph.args[node]):
                    reach(a, mine)
                continue
            switch, sign, yes, no = self.choices[node]
            needed[switch] = needed[switch] & mine if switch in needed else mine
            if self.graph.ops[node] in CHOICES:
                reach(yes, mine | {(switch, sign)})
                reach(no, mine | {(switch, -sign)})
                reach(self.graph.args[node][0], mine)
            else:  # what it chooses from decides what it chooses
                reach(yes, mine)
                reach(no, mine)
        return [
            max((g for g in needed[k] if g[0] != k), default=UNGUARDED)
            for k in range(len(self.switches))
        ]
