"""Walks over the graph in its own order: exact derivatives, and expressions in the place of others.

A *seed* says how a node moves: its derivative is given and the walk does not look behind it. So a
body's rotation matrix is seeded with dA = A skew(w), and no formula is ever differentiated through
a quaternion.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from kempe.algebra.expression import Expression
from kempe.algebra.graph import Graph
from kempe.algebra.operations import CHOICES, CONSTANT, INPUT, PIECEWISE, Op

Column = int
Partials = list[tuple[int, int]]  # (operand, partial derivative), nodes both


def reachable(graph: Graph, roots: Iterable[int], stop: Iterable[int] = ()) -> list[int]:
    """Nodes that the roots are made of, operands before results; not looking behind `stop`."""
    blocked, seen, stack = set(stop), set(), list(roots)
    ops, args = graph.ops, graph.args
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if node not in blocked:
            stack.extend(operands(ops[node], args[node]))
    return sorted(seen)


def operands(op: int, args: tuple[int, ...]) -> tuple[int, ...]:
    """The operands of a node that are nodes (which table or spline, and the order, are not)."""
    return args[:1] if op in PIECEWISE else args


def partials(graph: Graph, node: int) -> Partials:
    """(operand, partial derivative node) of one node."""
    op, args = graph.ops[node], graph.args[node]
    rule = RULES.get(op) if node not in graph.still else None
    return rule(graph, node, args) if rule else []


def selection(graph: Graph, node: int) -> tuple[Op, int, int, int] | None:
    """(where-operation, condition, yes, no) of a node that passes on one of two operands.

    Its derivative is the taken operand's own; a derivative that does not exist on the other side
    never enters (0 times infinity would).
    """
    op, args = graph.ops[node], graph.args[node]
    if op in (Op.WHERE_POSITIVE, Op.WHERE_NOT_NEGATIVE):
        return Op(op), *args  # type: ignore[return-value]
    if op == Op.MIN:
        return Op.WHERE_POSITIVE, graph.sub(args[1], args[0]), args[0], args[1]
    if op == Op.MAX:
        return Op.WHERE_POSITIVE, graph.sub(args[0], args[1]), args[0], args[1]
    return None


def tangent(outputs: Sequence[Expression], seeds: Mapping[int, Expression]) -> list[Expression]:
    """Directional derivative of the outputs when the seeded nodes move as their seeds say."""
    if not outputs:
        return []
    graph = outputs[0].graph
    zero = graph.constant(0.0)
    moving = {node: seed.node for node, seed in seeds.items()}
    for node in reachable(graph, (o.node for o in outputs), moving):
        if node in moving:
            continue
        choice = selection(graph, node)
        if choice:
            op, condition, yes, no = choice
            total = graph.where(op, condition, moving.get(yes, zero), moving.get(no, zero))
        else:
            total = zero
            for operand, partial in _moving_partials(graph, node, moving):
                total = graph.add(total, graph.mul(partial, moving[operand]))
        if total != zero:
            moving[node] = total
    return [Expression(graph, moving.get(o.node, zero)) for o in outputs]


def sparse_jacobian(
    outputs: Sequence[Expression], seeds: Mapping[int, Mapping[Column, Expression]]
) -> list[dict[Column, Expression]]:
    """Derivatives of every output in every column, entries that fold to zero left out."""
    if not outputs:
        return []
    graph = outputs[0].graph
    zero = graph.constant(0.0)
    moving = {n: {c: e.node for c, e in row.items()} for n, row in seeds.items()}
    for node in reachable(graph, (o.node for o in outputs), moving):
        if node in moving:
            continue
        row: dict[Column, int] = {}
        choice = selection(graph, node)
        if choice:
            op, condition, yes, no = choice
            ways = moving.get(yes, {}), moving.get(no, {})
            for column in ways[0].keys() | ways[1].keys():
                taken = (way.get(column, zero) for way in ways)
                row[column] = graph.where(op, condition, *taken)
        for operand, partial in _moving_partials(graph, node, moving):
            for column, derivative in moving[operand].items():
                term = graph.mul(partial, derivative)
                row[column] = graph.add(row[column], term) if column in row else term
        row = {c: n for c, n in row.items() if graph.constants.get(n) != 0.0}
        if row:
            moving[node] = row
    return [
        {c: Expression(graph, n) for c, n in sorted(moving.get(o.node, {}).items())}
        for o in outputs
    ]


def _moving_partials(graph: Graph, node: int, moving: Mapping[int, object]) -> Partials:
    args = operands(graph.ops[node], graph.args[node])
    if not any(a in moving for a in args):
        return []
    return [(a, p) for a, p in partials(graph, node) if a in moving]


def _scaled(graph: Graph, node: int, factor: float) -> int:
    return graph.mul(graph.constant(factor), node)


def _one_minus_square(graph: Graph, node: int) -> int:
    return graph.sub(graph.constant(1.0), graph.mul(node, node))


def _atan2(g: Graph, n: int, a: tuple[int, ...]) -> Partials:
    y, x = a  # d atan2(y, x) = (x dy - y dx) / (x^2 + y^2)
    inverse = g.rec(g.add(g.mul(x, x), g.mul(y, y)))
    return [(y, g.mul(x, inverse)), (x, g.neg(g.mul(y, inverse)))]


def _div(g: Graph, n: int, a: tuple[int, ...]) -> Partials:
    inverse = g.rec(a[1])  # d(a/b) = da / b - (a/b) db / b
    return [(a[0], inverse), (a[1], g.neg(g.mul(n, inverse)))]


def _pow(g: Graph, n: int, a: tuple[int, ...]) -> Partials:
    base, exponent = a
    lower = g.node(Op.POW, base, g.sub(exponent, g.constant(1.0)))
    result = [(base, g.mul(exponent, lower))]
    if exponent not in g.constants:
        result.append((exponent, g.mul(n, g.function(Op.LOG, base))))
    return result


def _table(g: Graph, n: int, a: tuple[int, ...]) -> Partials:
    x, table, order = a
    if order + 1 >= g.tables[table][1].shape[1]:
        return [(x, g.constant(0.0))]
    return [(x, g.node(Op.TABLE, x, table, order + 1))]


def _spline(g: Graph, n: int, a: tuple[int, ...]) -> Partials:
    x, spline, order = a
    if g.splines[spline].vanishes(order + 1):
        return [(x, g.constant(0.0))]
    return [(x, g.node(Op.SPLINE, x, spline, order + 1))]


def _of_one(slope: Callable[[Graph, int, int], int]) -> "Rule":
    """The rule of a function of one operand: its slope, from the node and the operand."""
    return lambda g, n, a: [(a[0], slope(g, n, a[0]))]


Rule = Callable[[Graph, int, tuple[int, ...]], Partials]

RULES: dict[int, Rule] = {
    Op.ADD: lambda g, n, a: [(a[0], g.constant(1.0)), (a[1], g.constant(1.0))],
    Op.SUB: lambda g, n, a: [(a[0], g.constant(1.0)), (a[1], g.constant(-1.0))],
    Op.MUL: lambda g, n, a: [(a[0], a[1]), (a[1], a[0])],
    Op.DIV: _div,
    Op.NEG: _of_one(lambda g, n, x: g.constant(-1.0)),
    Op.REC: _of_one(lambda g, n, x: g.neg(g.mul(n, n))),
    Op.SQR: _of_one(lambda g, n, x: _scaled(g, x, 2.0)),
    Op.SQRT: _of_one(lambda g, n, x: _scaled(g, g.rec(n), 0.5)),
    Op.SIN: _of_one(lambda g, n, x: g.function(Op.COS, x)),
    Op.COS: _of_one(lambda g, n, x: g.neg(g.function(Op.SIN, x))),
    Op.TAN: _of_one(lambda g, n, x: g.add(g.constant(1.0), g.mul(n, n))),
    Op.ASIN: _of_one(lambda g, n, x: g.rec(g.sqrt(_one_minus_square(g, x)))),
    Op.ACOS: _of_one(lambda g, n, x: g.neg(g.rec(g.sqrt(_one_minus_square(g, x))))),
    Op.ATAN2: _atan2,
    Op.EXP: _of_one(lambda g, n, x: n),
    Op.LOG: _of_one(lambda g, n, x: g.rec(x)),
    Op.TANH: _of_one(lambda g, n, x: _one_minus_square(g, n)),
    Op.ABS: _of_one(
        lambda g, n, x: g.where(Op.WHERE_NOT_NEGATIVE, x, g.constant(1.0), g.constant(-1.0))
    ),
    Op.POW: _pow,
    Op.TABLE: _table,
    Op.SPLINE: _spline,
    Op.COPY: _of_one(lambda g, n, x: g.constant(1.0)),
}


FOLDED: dict[int, Callable[..., int]] = {
    Op.ADD: Graph.add,
    Op.SUB: Graph.sub,
    Op.MUL: Graph.mul,
    Op.DIV: Graph.div,
    Op.NEG: Graph.neg,
    Op.REC: Graph.rec,
    Op.SQRT: Graph.sqrt,
}
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
        return graph.held(moved[0]) if node in graph.still else moved[0]
    if op in PIECEWISE:
        return graph.node(Op(op), moved[0], *args[1:])
    return graph.function(Op(op), moved[0]) if len(moved) == 1 else graph.node(Op(op), *moved)
