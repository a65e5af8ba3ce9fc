"""Putting expressions in the place of others: the same formulas of new arguments."""

from collections.abc import Callable, Mapping, Sequence

from kempe.algebra.derivative import operands, reachable
from kempe.algebra.expression import Expression
from kempe.algebra.graph import Graph
from kempe.algebra.operations import CONSTANT, INPUT, PIECEWISE, Op

FOLDED: dict[int, Callable[..., int]] = {
    Op.ADD: Graph.add,
    Op.SUB: Graph.sub,
    Op.MUL: Graph.mul,
    Op.DIV: Graph.div,
    Op.NEG: Graph.neg,
    Op.REC: Graph.rec,
    Op.SQRT: Graph.sqrt,
}
CHOICES = (Op.WHERE_POSITIVE, Op.WHERE_NOT_NEGATIVE)
EXTREMA = (Op.MIN, Op.MAX)


def substituted(
    outputs: Sequence[Expression], places: Mapping[int, Expression]
) -> list[Expression]:
    """The outputs with every node in `places` replaced, folded anew."""
    if not outputs:
        return []
    graph = outputs[0].graph
    new = {node: e.node for node, e in places.items()}
    for node in reachable(graph, [o.node for o in outputs], new):
        if node not in new:
            new[node] = rebuilt(graph, node, new)
    return [Expression(graph, new[o.node]) for o in outputs]


def supports(graph: Graph, outputs: Sequence[Expression], of: Mapping[int, int]) -> list[set[int]]:
    """For every output, which of the nodes in `of` (node -> number) it is made of."""
    found: dict[int, frozenset[int]] = {node: frozenset((k,)) for node, k in of.items()}
    for node in reachable(graph, [o.node for o in outputs], found):
        if node not in found:
            args = operands(graph.ops[node], graph.args[node])
            found[node] = frozenset().union(*(found[a] for a in args))
    return [set(found[o.node]) for o in outputs]


def rebuilt(graph: Graph, node: int, new: Mapping[int, int]) -> int:
    """A node of new operands, folded anew."""
    op, args = graph.ops[node], graph.args[node]
    if op in (INPUT, CONSTANT):
        return node
    moved = tuple(new[a] for a in operands(op, args))
    if moved == operands(op, args):
        return node
    if op in FOLDED:
        return FOLDED[op](graph, *moved)
    if op == Op.SQR:
        return graph.mul(moved[0], moved[0])
    if op in CHOICES:
        return graph.where(Op(op), *moved)
    if op in EXTREMA:
        return graph.extremum(Op(op), *moved)
    if op == Op.COPY:
        return moved[0]
    if op in PIECEWISE:
        return graph.node(Op(op), moved[0], *args[1:])
    return graph.function(Op(op), moved[0]) if len(moved) == 1 else graph.node(Op(op), *moved)
