"""The derivatives of the equations of motion as one tape.

Inputs, in order: q, v, t, last (turns), a, lam (of all rows), p (parameters), sides (of the
switches of force laws).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.algebra import Expression, Tape, record_formula
from kempe.algebra.tape import IntArray
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.trace.dynamic_tracing import TracedDynamics
from kempe.compile.trace.force_tracing import moving_bodies
from kempe.compile.trace.residual_derivatives import (
    Seeds,
    by_state,
    by_state_of_rows,
    held,
    more_inputs,
)


@final
@dataclass(frozen=True, eq=False)
class DerivativeTape:
    """A tape whose outputs are derivatives of the residual, and where each of them stands."""

    tape: Tape
    rows: IntArray  # velocities, rows of the system, power dissipated and driven, states
    columns: IntArray  # by place, by velocity, by time, by a, by lam, by states


def derivative_tape(traced: TracedDynamics, at: Coordinates, kept: Sequence[int]) -> DerivativeTape:
    """The derivatives of the equations that solve the kept rows; the others come after those."""
    system, inputs = traced.system, traced.system.inputs
    spare = [k for k in range(len(system.phi)) if k not in set(kept)]
    arranged = [*kept, *spare]
    n = len(inputs.v)
    a, lam = more_inputs(inputs, "a", n), more_inputs(inputs, "lam", len(arranged))
    zero = Expression(inputs.graph, inputs.graph.constant(0.0))
    terms = held(
        [system.jacobian[k] for k in arranged],
        [system.gamma[k] for k in arranged],
        [system.velocity_rhs[k] for k in arranged],
        a,
        lam,
        zero,
    )
    seeds: Seeds = {
        node: row
        for body in moving_bodies(at, inputs)
        for node, row in at.chart.seeds(body.frame, body.first).items()
    }
    rows = [*terms.push, *range(n, n + len(arranged)), n + len(arranged) + 1]
    derived = by_state_of_rows(terms, inputs, seeds, a, lam)
    m = n + len(arranged)
    rows += [*traced.load, m, *(m + 2 + k for k in range(len(traced.rates)))]
    loads = [-force for force in traced.load.values()]
    outputs = [*loads, traced.dissipated, *traced.rates]
    derived += by_state(outputs, inputs, seeds, traced.states, 2 * n + 1 + m)
    entries = [
        (row, column, e) for row, of in zip(rows, derived, strict=True) for column, e in of.items()
    ]
    ins = [*inputs.q, *inputs.v, inputs.t, *inputs.last, *a, *lam, *inputs.p, *inputs.sides]
    return DerivativeTape(
        record_formula(ins, [e for _, _, e in entries]),
        np.array([row for row, _, _ in entries], dtype=np.int32),
        np.array([column for _, column, _ in entries], dtype=np.int32),
    )
