"""Switches of force laws: where `where`, `abs`, `min` and `max` change over to another formula.

A law is frozen for a step: every choice it makes is told from outside by a *side*, +1 or -1, so
that the law is smooth however far a step reaches. With side 0 the law chooses for itself.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import final

from kempe.algebra import Expression, Graph
from kempe.algebra.derivative import operands, reachable, selection
from kempe.algebra.operations import CONSTANT, INPUT, Op
from kempe.algebra.substitution import CHOICES, rebuilt

UNGUARDED = (-1, 0)
Guard = tuple[int, int]  # a switch, and the side of it without which another one does not matter


@final
@dataclass(frozen=True, slots=True)
class FrozenLaw:
    """Formulas whose choices are told by sides.

    `switches` change their sign where a choice changes; `guards` has one for each of them.
    """

    outputs: list[Expression]
    sides: list[Expression]
    switches: list[Expression]
    guards: list[Guard]


def frozen(
    outputs: Sequence[Expression],
    next_side: Callable[[], Expression],
    fixed: Iterable[Expression] = (),
) -> FrozenLaw:
    """The outputs, every choice that depends on more than `fixed` inputs told by a side."""
    if not outputs:
        return FrozenLaw([], [], [], [])
    return _Freezer(outputs[0].graph, next_side, {e.node for e in fixed}).law(outputs)


@final
class _Freezer:
    """Rewrites formulas node by node, and remembers who reads which choice."""

    def __init__(self, graph: Graph, next_side: Callable[[], Expression], fixed: set[int]) -> None:
        self.graph = graph
        self.next_side = next_side
        self.fixed = fixed
        self.new: dict[int, int] = {}
        self.varies: dict[int, bool] = {}
        self.switch_of: dict[int, int] = {}  # by the condition's node
        self.told: list[int] = []  # condition told by a side
        self.sides: list[Expression] = []
        self.switches: list[Expression] = []
        self.choices: dict[int, tuple[int, int, int, int]] = {}  # node: switch, sign, yes, no

    def law(self, outputs: Sequence[Expression]) -> FrozenLaw:
        """All of it."""
        nodes = reachable(self.graph, [o.node for o in outputs])
        for node in nodes:
            self._rewrite(node)
        found = [Expression(self.graph, self.new[o.node]) for o in outputs]
        return FrozenLaw(found, self.sides, self.switches, self._guards(outputs, nodes))

    def _rewrite(self, node: int) -> None:
        graph = self.graph
        op, args = graph.ops[node], operands(graph.ops[node], graph.args[node])
        if op in (INPUT, CONSTANT):
            self.varies[node] = op == INPUT and node not in self.fixed
            self.new[node] = node
            return
        self.varies[node] = any(self.varies[a] for a in args)
        choice = self._choice(node) if self.varies[node] else None
        if choice is None:
            self.new[node] = rebuilt(graph, node, self.new)
            return
        how, condition, yes, no = choice
        switch, sign = self._switch(condition)
        told = self.told[switch]
        self.new[node] = graph.where(how, told if sign > 0 else graph.neg(told), *self._both(node))
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
        assert selection(graph, node) is None
        return None

    def _both(self, node: int) -> tuple[int, int]:
        op, args = self.graph.ops[node], self.graph.args[node]
        if op == Op.ABS:
            return self.new[args[0]], self.graph.neg(self.new[args[0]])
        return self.new[args[-2]], self.new[args[-1]]

    def _switch(self, condition: int) -> tuple[int, int]:
        """The switch of a condition, and the sign by which they differ."""
        graph, sign = self.graph, 1
        if graph.ops[condition] == Op.NEG:
            condition, sign = graph.args[condition][0], -1
        elif graph.ops[condition] == Op.SUB and graph.args[condition][0] > graph.args[condition][1]:
            condition, sign = graph.neg(condition), -1
        if condition not in self.switch_of:
            self.switch_of[condition] = len(self.switches)
            side = self.next_side()
            square = graph.mul(side.node, side.node)
            self.told.append(graph.where(Op.WHERE_POSITIVE, square, side.node, condition))
            self.sides.append(side)
            self.switches.append(Expression(graph, condition))
        return self.switch_of[condition], sign

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
