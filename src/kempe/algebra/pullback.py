"""Derivatives of sums of outputs by what they are made of, in one walk from results to operands."""

from collections.abc import Collection, Sequence

from kempe.algebra.derivative import partials, reachable, selection
from kempe.algebra.expression import Expression
from kempe.algebra.operations import Op


def pullback(
    outputs: Sequence[Expression], weights: Sequence[Expression], nodes: Collection[int]
) -> dict[int, Expression]:
    """The derivatives of  sum_k weight_k output_k  by these nodes, weights held; zeros left out.

    The walk does not look behind the nodes, as `tangent` does not look behind its seeds.

    Source: [GriewankWalther] section 3.2, the reverse mode.
    """
    if not outputs:
        return {}
    graph = outputs[0].graph
    zero = graph.constant(0.0)
    pulled: dict[int, int] = {}

    def add(node: int, share: int) -> None:
        if share != zero:
            pulled[node] = graph.add(pulled[node], share) if node in pulled else share

    for output, weight in zip(outputs, weights, strict=True):
        add(output.node, weight.node)
    wanted = set(nodes)
    for node in reversed(reachable(graph, [o.node for o in outputs], wanted)):
        mine = pulled.get(node)
        if mine is None or node in wanted:
            continue
        choice = selection(graph, node)
        if choice:
            op, condition, yes, no = choice
            add(yes, graph.where(Op(op), condition, mine, zero))
            add(no, graph.where(Op(op), condition, zero, mine))
            continue
        for operand, partial in partials(graph, node):
            add(operand, graph.mul(partial, mine))
    return {n: Expression(graph, pulled[n]) for n in wanted if n in pulled}
