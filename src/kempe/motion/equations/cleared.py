"""Rows without denominators: a quotient vanishes where what stands above does, and not below.

    A / B = 0    and    B > 0    is    A = 0    and    B > 0

Constraints on bars divide by lengths, and say by their `arrows` which of them could be zero; those
are kept positive beside the row, so clearing it keeps the set of solutions.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from kempe.algebra import Expression, Op, record_formula, supports
from kempe.algebra.native import native_tape
from kempe.algebra.operations import CONSTANT

SEED, SAMPLES = 7, 9  # of the places where the size of a denominator is looked at
Quotient = tuple[Expression, Expression | None]  # above, and below where that is not 1


def cleared(row: Expression, unknowns: Sequence[Expression]) -> Expression:
    """The row times the denominators with unknowns of its outermost sums, but for a power of two.

    The power makes those denominators of the size of 1, whatever unit they are in.
    """
    above, below = _quotient(row, {e.node: k for k, e in enumerate(unknowns)})
    if below is None:
        return above
    tape = record_formula(list(unknowns), [below])
    somewhere = np.random.default_rng(SEED).uniform(0.5, 1.0, (SAMPLES, len(unknowns)))
    sizes = np.abs(native_tape(tape).evaluate(somewhere, tape.outputs))
    usual = float(np.median(sizes))
    if not 0.0 < usual < math.inf:
        return above
    return above / Expression(row.graph, row.graph.constant(2.0 ** round(math.log2(usual))))


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
