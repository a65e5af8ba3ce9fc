"""Formulas as programs, read into polynomials: expression graphs and tapes."""

from collections.abc import Sequence

from kempe.algebra import Graph, Op, Tape
from kempe.algebra.operations import CONSTANT, INPUT
from kempe.motion.verify.written.polynomial import Polynomial, Ring

TWO = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.ATAN2})


def of_graph(ring: Ring, graph: Graph, nodes: Sequence[int]) -> list[Polynomial]:
    """Nodes of an expression graph; its inputs are unknowns by name."""
    names = {node: name for name, node in graph.inputs.items()}
    known: dict[int, Polynomial] = {}
    for node in _needed(graph, nodes):
        op, args = graph.ops[node], graph.args[node]
        if op == INPUT:
            known[node] = ring.of(ring.unknown(names[node]))
        elif op == CONSTANT:
            known[node] = ring.number(graph.constants[node])
        elif op == Op.SPLINE:
            known[node] = ring.apply(Op.SPLINE, [known[args[0]]], graph.splines[args[1]], args[2])
        else:
            known[node] = ring.apply(Op(op), [known[a] for a in args])
    return [known[node] for node in nodes]


def of_tape(ring: Ring, tape: Tape, inputs: Sequence[Polynomial]) -> list[Polynomial]:
    """The outputs of a tape for given inputs."""
    zero = ring.number(0)
    r = [*inputs, *(ring.number(float(c)) for c in tape.constants)]
    r += [zero] * (tape.n_registers - len(r))
    for code, d, a, b, c in tape.code.tolist():
        op = Op(code)
        if op is Op.SINCOS:
            r[d], r[b] = ring.apply(Op.SIN, [r[a]]), ring.apply(Op.COS, [r[a]])
        elif op is Op.SPLINE:
            r[d] = ring.apply(op, [r[a]], tape.splines[b], c)
        elif op is Op.MULADD:
            r[d] = r[a] * r[b] + r[c]
        elif op is Op.MULSUB:
            r[d] = r[a] * r[b] - r[c]
        elif op is Op.NMULADD:
            r[d] = r[c] - r[a] * r[b]
        else:
            r[d] = ring.apply(op, [r[a], r[b]] if op in TWO else [r[a]])
    return [r[int(k)] for k in tape.outputs]


def _needed(graph: Graph, nodes: Sequence[int]) -> list[int]:
    """The nodes that others stand on, before those; a spline's number is no node."""
    seen: set[int] = set()
    todo = list(nodes)
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            args = graph.args[node]
            todo += args[:1] if graph.ops[node] == Op.SPLINE else args
    return sorted(seen)
