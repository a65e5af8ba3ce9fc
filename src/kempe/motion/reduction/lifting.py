"""Rows with more unknowns and less degree: roots get names of their own.

A row with a root, such as that of a point on a torus, is no polynomial; with d for it, and d^2
equal to what stands under it, both rows are of second degree, which the search handles best.
"""

import math
from dataclasses import replace

import numpy as np

from kempe.algebra import Expression, Op, Part, record_parts, substituted, supports
from kempe.algebra.native import native_tape
from kempe.motion.equations.system import SystemRow, SystemUnknown
from kempe.motion.reduction.blocks import RowsLeft

TRIAL = 2.0**-10  # of a step by which a slope is told, in unknowns
ROOM = 0.125  # below zero, for an unknown that is a root and so is positive


def without_roots(left: RowsLeft) -> RowsLeft:
    """Rows in which each root over unknowns is an unknown d itself, with d^2 = u and d > 0.

    A solution at which a root is zero is not one of d > 0: the search lists it as unresolved,
    since there d > 0 can be neither proved nor refuted.
    """
    for _ in range(len(left.graph.ops)):
        root = _innermost_root(left)
        if root is None:
            return left
        left = _named(left, root)
    return left


def _innermost_root(left: RowsLeft) -> int | None:
    """A root over unknowns in an equation, with no other root under it."""
    graph, found = left.graph, None
    numbers = {e.node: k for k, e in enumerate(left.inputs)}
    waiting = [row.value.node for row in left.rows]
    seen = set(waiting)
    while waiting:
        node = waiting.pop()
        if graph.ops[node] == Op.SQRT and supports(graph, [Expression(graph, node)], numbers)[0]:
            found = node
            waiting = []
            seen = {node}
        new = [a for a in graph.args[node] if a not in seen]
        seen.update(new)
        waiting += new
    return found


def _named(left: RowsLeft, root: int) -> RowsLeft:
    graph = left.graph
    name = f"root {sum(u.name.startswith('root ') for u in left.unknowns) + 1}"
    under = Expression(graph, graph.args[root][0])
    unit = _steepness(left, root)  # so that the new unknown moves about as fast as the others
    own = Expression(graph, graph.input(name))
    d = own * Expression(graph, graph.constant(unit))
    source = next(row.source for row in left.rows if supports(graph, [row.value], {root: 0})[0])

    def put_in(rows: list[SystemRow]) -> list[SystemRow]:
        values = substituted([row.value for row in rows], {root: d})
        return [SystemRow(value, row.source) for value, row in zip(values, rows, strict=True)]

    return replace(
        left,
        unknowns=[*left.unknowns, SystemUnknown(name, low=-ROOM)],
        inputs=[*left.inputs, own],
        rows=[*put_in(list(left.rows)), SystemRow(own * own - under / (unit * unit), source)],
        redundant=put_in(list(left.redundant)),
        sides=[*put_in(list(left.sides)), SystemRow(own, source)],
    )


def _steepness(left: RowsLeft, root: int) -> float:
    """The power of two next to the length of a root's gradient, as numbers show."""
    value = Expression(left.graph, root)
    tape = record_parts(left.graph, list(left.inputs), [Part("root", {"root": [value]})]).tape
    at = np.array([0.25 if math.isnan(u.guess) else u.guess for u in left.unknowns])
    steps = np.vstack([at, at + TRIAL * np.eye(len(at))])
    values = native_tape(tape).evaluate(np.ascontiguousarray(steps), tape.outputs)[:, 0]
    length = float(np.linalg.norm(values[1:] - values[0])) / TRIAL
    return 2.0 ** round(math.log2(length)) if 0.0 < length < math.inf else 1.0
