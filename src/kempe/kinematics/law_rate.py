"""How fast a drive's law changes at one moment, exactly."""

import numpy as np

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.native import native_tape
from kempe.drives import AbstractLaw


def law_rate(law: AbstractLaw, t: float) -> float:
    """df/dt at t, by tracing the law."""
    graph = Graph()
    time = Expression(graph, graph.input("t"))
    one, zero = (Expression(graph, graph.constant(c)) for c in (1.0, 0.0))
    rate = zero + tangent([zero + law.value(time)], {time.node: one})[0]
    tape = record_formula([time], [rate])
    return float(native_tape(tape).evaluate(np.array([[t]]), tape.outputs)[0, 0])
