"""How the equations of motion change with the numbers of a model, and with the sides of laws.

Inputs, in order: q, v, t, last (turns), a, lam (of all rows), p (parameters), sides (of the
switches of force laws): those of the tape of derivatives by place, velocity and time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.algebra import Expression, Part, Tape, record_parts, sparse_jacobian
from kempe.algebra.tape import IntArray
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.trace.dynamic_tracing import TracedDynamics
from kempe.compile.trace.force_tracing import moving_bodies
from kempe.compile.trace.residual_derivatives import Seeds, by_state, held, more_inputs


@final
@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """Entries of a matrix: their registers, rows and columns."""

    registers: IntArray
    rows: IntArray
    columns: IntArray


@final
@dataclass(frozen=True, slots=True, eq=False)
class NumberTape:
    """A tape of the terms of the equations of motion, and of their derivatives by parameters.

    Of R = [M a + J^T lam - f;  J a - gamma; rates of states], M held; `load` are the entries of f
    by velocity, `gaps` J a - gamma of all rows. `switches` are the functions whose signs the sides
    are, with their derivatives by place, velocity, time and states, and by parameters.
    """

    tape: Tape
    by_numbers: Entries
    load: Entries  # one row
    jacobian: Entries
    gaps: IntArray
    rates: IntArray
    switches: IntArray
    switch_by_state: Entries
    switch_by_numbers: Entries


def number_tape(traced: TracedDynamics, at: Coordinates, kept: Sequence[int]) -> NumberTape:
    """The tape of the equations that solve the kept rows; the others come after those."""
    system, inputs = traced.system, traced.system.inputs
    spare = [k for k in range(len(system.phi)) if k not in set(kept)]
    arranged = [*kept, *spare]
    n, m = len(inputs.v), len(arranged)
    a, lam = more_inputs(inputs, "a", n), more_inputs(inputs, "lam", m)
    zero = Expression(inputs.graph, inputs.graph.constant(0.0))
    one = Expression(inputs.graph, inputs.graph.constant(1.0))
    jacobian = [system.jacobian[k] for k in arranged]
    gamma = [system.gamma[k] for k in arranged]
    terms = held(jacobian, gamma, [zero] * m, a, lam, zero)
    numbers = {p.node: {k: one} for k, p in enumerate(inputs.p)}
    rows = [*terms.push, *range(n, n + m), *traced.load]
    rows += [n + m + k for k in range(len(traced.rates))]
    loads = [-force for force in traced.load.values()]
    residual = [*terms.push.values(), *terms.gaps, *loads, *traced.rates]
    seeds: Seeds = {
        node: row
        for body in moving_bodies(at, inputs)
        for node, row in at.chart.seeds(body.frame, body.first).items()
    }
    matrices: dict[str, tuple[Sequence[int], Sequence[Mapping[int, Expression]]]] = {
        "by_numbers": (rows, sparse_jacobian(residual, numbers)),
        "load": ([0], [traced.load]),
        "jacobian": (range(m), jacobian),
        "switch_by_state": (
            range(len(traced.switches)),
            by_state(traced.switches, inputs, seeds, traced.states, 2 * n + 1),
        ),
        "switch_by_numbers": (
            range(len(traced.switches)),
            sparse_jacobian(traced.switches, numbers),
        ),
    }
    listed = {
        name: [(row, column, e) for row, of in zip(*both, strict=True) for column, e in of.items()]
        for name, both in matrices.items()
    }
    outputs: dict[str, Sequence[Expression]] = {
        name: [e for _, _, e in entries] for name, entries in listed.items()
    }
    outputs |= {"gaps": terms.gaps, "rates": traced.rates, "switches": traced.switches}
    ins = [*inputs.q, *inputs.v, inputs.t, *inputs.last, *a, *lam, *inputs.p, *inputs.sides]
    recording = record_parts(inputs.graph, ins, [Part("numbers", outputs)])
    found = {
        name: Entries(
            recording.registers[name],
            np.array([row for row, _, _ in entries], dtype=np.int32),
            np.array([column for _, column, _ in entries], dtype=np.int32),
        )
        for name, entries in listed.items()
    }
    gaps, rates, switches = (recording.registers[name] for name in ("gaps", "rates", "switches"))
    return NumberTape(
        recording.tape,
        found["by_numbers"],
        found["load"],
        found["jacobian"],
        gaps,
        rates,
        switches,
        found["switch_by_state"],
        found["switch_by_numbers"],
    )
