"""The derivatives of the equations of motion as one tape.

Inputs, in order: q, v, t, last (turns), a, lam (of all rows), p (parameters), sides (of the
switches of force laws).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.algebra import Tape, record_formula
from kempe.algebra.tape import IntArray
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.trace.dynamic_tracing import TracedDynamics
from kempe.compile.trace.force_tracing import Load, moving_bodies
from kempe.compile.trace.residual_derivatives import Seeds, by_state, held, more_inputs


@final
@dataclass(frozen=True, eq=False)
class DerivativeTape:
    """A tape whose outputs are derivatives of the residual, and where each of them stands."""

    tape: Tape
    rows: IntArray  # velocities, then rows of the system
    columns: IntArray  # by place, by velocity, by time


def derivative_tape(traced: TracedDynamics, at: Coordinates, kept: Sequence[int]) -> DerivativeTape:
    """The derivatives of the equations that solve the kept rows; the others come after those."""
    system, inputs = traced.system, traced.system.inputs
    spare = [k for k in range(len(system.phi)) if k not in set(kept)]
    arranged = [*kept, *spare]
    n = len(inputs.v)
    a, lam = more_inputs(inputs, "a", n), more_inputs(inputs, "lam", len(arranged))
    rows = [system.jacobian[k] for k in arranged]
    terms = held(rows, [system.gamma[k] for k in arranged], a, lam)
    residual: Load = dict(terms.push)
    for column, force in traced.load.items():
        residual[column] = residual[column] - force if column in residual else -force
    residual |= {n + k: gap for k, gap in enumerate(terms.gaps)}
    seeds: Seeds = {
        node: row
        for body in moving_bodies(at, inputs)
        for node, row in at.chart.seeds(body.frame, body.first).items()
    }
    derived = by_state(list(residual.values()), inputs, seeds, n)
    entries = [
        (row, column, e)
        for row, of in zip(residual, derived, strict=True)
        for column, e in of.items()
    ]
    ins = [*inputs.q, *inputs.v, inputs.t, *inputs.last, *a, *lam, *inputs.p, *inputs.sides]
    return DerivativeTape(
        record_formula(ins, [e for _, _, e in entries]),
        np.array([row for row, _, _ in entries], dtype=np.int32),
        np.array([column for _, column, _ in entries], dtype=np.int32),
    )
