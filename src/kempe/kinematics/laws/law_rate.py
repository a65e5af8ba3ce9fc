"""How fast a drive's law changes at one moment, exactly."""

import numpy as np

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.native import native_tape
from kempe.drives import AbstractLaw


def law_rate(law: AbstractLaw, t: float) -> float:
    """df/dt at t, by tracing the law."""
    return law_rates(law, t)[0]


def law_rates(law: AbstractLaw, t: float) -> tuple[float, float]:
    """df/dt and d2f/dt2 at t, by tracing the law; not finite where it has none."""
    graph = Graph()
    time = Expression(graph, graph.input("t"))
    one, zero = (Expression(graph, graph.constant(c)) for c in (1.0, 0.0))
    rate = zero + tangent([zero + law.value(time)], {time.node: one})[0]
    second = zero + tangent([rate], {time.node: one})[0]
    tape = record_formula([time], [rate, second])
    found = native_tape(tape).evaluate(np.array([[t]]), tape.outputs)[0]
    return float(found[0]), float(found[1])
