"""Rows that are the same formula, multiplied out exactly: c1 s2 - s1 c2 and s1 c2 - c1 s2.

A sum of products of doubles and of other nodes of the graph, whatever these are, is written as a
polynomial with fractions as coefficients. Two rows whose polynomials are multiples of each other
vanish together.
"""

from collections.abc import Hashable
from fractions import Fraction

from kempe.algebra import Expression, Graph, Op

Polynomial = dict[tuple[int, ...], Fraction]  # by the nodes that are multiplied, in order

MOST_TERMS = 128  # of a polynomial that is multiplied out; beyond, a node stands for itself


def formula_of(row: Expression, known: dict[int, Polynomial]) -> Hashable:
    """What two rows share only where one is a number, not zero, times the other, exactly.

    `known` holds what was multiplied out before on the same graph, by node.
    """
    terms = _polynomial(row.graph, row.node, known)
    if not terms:
        return frozenset[tuple[tuple[int, ...], Fraction]]()
    lead = terms[min(terms)]
    return frozenset((nodes, c / lead) for nodes, c in terms.items())


def _polynomial(graph: Graph, node: int, known: dict[int, Polynomial]) -> Polynomial:
    if node not in known:
        made = _combined(graph, node, known)
        known[node] = {(node,): Fraction(1)} if len(made) > MOST_TERMS else made
    return known[node]


def _combined(graph: Graph, node: int, known: dict[int, Polynomial]) -> Polynomial:
    op, value = graph.ops[node], graph.constants.get(node)
    if value is not None:
        return {(): Fraction(value)} if value else {}
    if op not in (Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.SQR):
        return {(node,): Fraction(1)}
    parts = [_polynomial(graph, a, known) for a in graph.args[node]]
    if op == Op.NEG:
        return _scaled(parts[0], Fraction(-1))
    if op == Op.ADD:
        return _sum(parts[0], parts[1])
    if op == Op.SUB:
        return _sum(parts[0], _scaled(parts[1], Fraction(-1)))
    if op == Op.DIV:
        below = parts[1]
        if below.keys() == {()}:
            return _scaled(parts[0], 1 / below[()])
        return {(node,): Fraction(1)}
    a, b = parts[0], parts[-1]
    if len(a) * len(b) > MOST_TERMS:
        return {(node,): Fraction(1)}
    total: Polynomial = {}
    for m, x in a.items():
        for n, y in b.items():
            together = tuple(sorted((*m, *n)))
            total[together] = total.get(together, Fraction(0)) + x * y
    return {m: x for m, x in total.items() if x}


def _scaled(p: Polynomial, factor: Fraction) -> Polynomial:
    return {m: factor * x for m, x in p.items()}


def _sum(a: Polynomial, b: Polynomial) -> Polynomial:
    total = dict(a)
    for m, x in b.items():
        total[m] = total.get(m, Fraction(0)) + x
    return {m: x for m, x in total.items() if x}
