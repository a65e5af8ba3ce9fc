"""Exact derivatives of expressions, by walking the graph once in its own order.

A *seed* says how a node moves: its derivative is given and the walk does not look behind it. So a
body's rotation matrix is seeded with dA = A skew(w), and no formula is ever differentiated through
a quaternion.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from kempe.algebra.expression import Expression
from kempe.algebra.graph import Graph
from kempe.algebra.operations import PIECEWISE, Op

Column = int


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


def partials(graph: Graph, node: int) -> list[tuple[int, int]]:
    """(operand, partial derivative node) of one node."""
    op, args = graph.ops[node], graph.args[node]
    rule = RULES.get(op)
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


def _moving_partials(
    graph: Graph, node: int, moving: Mapping[int, object]
) -> list[tuple[int, int]]:
    args = operands(graph.ops[node], graph.args[node])
    if not any(a in moving for a in args):
        return []
    return [(a, p) for a, p in partials(graph, node) if a in moving]


def _scaled(graph: Graph, node: int, factor: float) -> int:
    return graph.mul(graph.constant(factor), node)


def _one_minus_square(graph: Graph, node: int) -> int:
    return graph.sub(graph.constant(1.0), graph.mul(node, node))


def _add(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], g.constant(1.0)), (a[1], g.constant(1.0))]


def _sub(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], g.constant(1.0)), (a[1], g.constant(-1.0))]


def _mul(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], a[1]), (a[1], a[0])]


def _div(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    inverse = g.rec(a[1])  # d(a/b) = da / b - (a/b) db / b
    return [(a[0], inverse), (a[1], g.neg(g.mul(n, inverse)))]


def _neg(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], g.constant(-1.0))]


def _copy(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], g.constant(1.0))]


def _rec(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], g.neg(g.mul(n, n)))]


def _sqr(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], _scaled(g, a[0], 2.0))]


def _sqrt(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], _scaled(g, g.rec(n), 0.5))]


def _sin(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], g.function(Op.COS, a[0]))]


def _cos(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], g.neg(g.function(Op.SIN, a[0])))]


def _tan(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], g.add(g.constant(1.0), g.mul(n, n)))]


def _asin(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], g.rec(g.sqrt(_one_minus_square(g, a[0]))))]


def _acos(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], g.neg(g.rec(g.sqrt(_one_minus_square(g, a[0])))))]


def _atan2(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    y, x = a  # d atan2(y, x) = (x dy - y dx) / (x^2 + y^2)
    inverse = g.rec(g.add(g.mul(x, x), g.mul(y, y)))
    return [(y, g.mul(x, inverse)), (x, g.neg(g.mul(y, inverse)))]


def _exp(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], n)]


def _log(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], g.rec(a[0]))]


def _tanh(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(a[0], _one_minus_square(g, n))]


def _abs(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    sign = g.where(Op.WHERE_NOT_NEGATIVE, a[0], g.constant(1.0), g.constant(-1.0))
    return [(a[0], sign)]


def _pow(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    base, exponent = a
    lower = g.node(Op.POW, base, g.sub(exponent, g.constant(1.0)))
    result = [(base, g.mul(exponent, lower))]
    if exponent not in g.constants:
        result.append((exponent, g.mul(n, g.function(Op.LOG, base))))
    return result


def _table(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    x, table, order = a
    if order + 1 >= g.tables[table][1].shape[1]:
        return [(x, g.constant(0.0))]
    return [(x, g.node(Op.TABLE, x, table, order + 1))]


def _spline(g: Graph, n: int, a: tuple[int, ...]) -> list[tuple[int, int]]:
    x, spline, order = a
    if g.splines[spline].vanishes(order + 1):
        return [(x, g.constant(0.0))]
    return [(x, g.node(Op.SPLINE, x, spline, order + 1))]


Rule = Callable[[Graph, int, tuple[int, ...]], list[tuple[int, int]]]

RULES: dict[int, Rule] = {
    Op.ADD: _add,
    Op.SUB: _sub,
    Op.MUL: _mul,
    Op.DIV: _div,
    Op.NEG: _neg,
    Op.REC: _rec,
    Op.SQR: _sqr,
    Op.SQRT: _sqrt,
    Op.SIN: _sin,
    Op.COS: _cos,
    Op.TAN: _tan,
    Op.ASIN: _asin,
    Op.ACOS: _acos,
    Op.ATAN2: _atan2,
    Op.EXP: _exp,
    Op.LOG: _log,
    Op.TANH: _tanh,
    Op.ABS: _abs,
    Op.POW: _pow,
    Op.TABLE: _table,
    Op.SPLINE: _spline,
    Op.COPY: _copy,
}
