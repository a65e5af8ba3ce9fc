"""Rows without denominators: a quotient vanishes where what stands above does, and not below.

    A / B = 0    and    B > 0    is    A = 0    and    B > 0

Constraints on bars divide by lengths, and say by their `arrows` which of them could be zero; those
are kept positive beside the row, so clearing it keeps the set of solutions.
"""

from collections.abc import Mapping

from kempe.algebra import Expression, Op, supports
from kempe.algebra.operations import CONSTANT

Quotient = tuple[Expression, Expression | None]  # above, and below where that is not 1


def cleared(row: Expression, unknowns: Mapping[int, int]) -> Expression:
    """The row times the denominators with unknowns (node -> number) of its outermost sums."""
    return _quotient(row, unknowns)[0]


def _quotient(e: Expression, unknowns: Mapping[int, int]) -> Quotient:
    graph, op = e.graph, e.graph.ops[e.node]
    if op not in (Op.NEG, Op.DIV, Op.ADD, Op.SUB, Op.MUL) or not _sees(e, unknowns):
        return e, None
    args = [Expression(graph, a) for a in graph.args[e.node]]
    if op == Op.NEG:
        above, below = _quotient(args[0], unknowns)
        return -above, below
    if op == Op.DIV:
        above, below = _quotient(args[0], unknowns)
        if not _sees(args[1], unknowns):
            return above / args[1], below
        return above, args[1] if below is None else below * args[1]
    if op == Op.MUL:
        scale, rest = sorted(args, key=lambda a: graph.ops[a.node] != CONSTANT)
        if graph.ops[scale.node] != CONSTANT:
            return e, None
        above, below = _quotient(rest, unknowns)
        return scale * above, below
    (p, q), (r, s) = (_quotient(a, unknowns) for a in args)
    if q is None and s is None:
        return e, None
    first = p if s is None else p * s
    second = r if q is None else r * q
    below = q if s is None else s if q is None else q * s
    return (first + second if op == Op.ADD else first - second), below


def _sees(e: Expression, unknowns: Mapping[int, int]) -> bool:
    return bool(supports(e.graph, [e], unknowns)[0])
