"""Derivatives of the equations of motion by place, velocity and time, for implicit methods.

The residual of the index-1 form, with accelerations a and multipliers lam given:

R(q, v, t; a, lam) = [M a + J^T lam - f(q, v, t);  J a - gamma(q, v, t)]

M does not change: it is that of the centres of mass. The derivative by q is that along the
velocities: column k says how R changes while the bodies move as velocity k moves them, linear ones
in world, angular ones in body axes.

Two more rows are powers: what forces dissipate, and what rows that move with time put in, lam held.
Then come the rates of states that forces have of their own.

Columns are n by place, n by velocity, one by time, n by a (where it says J), one by each lam (of
the power of drives), and one by each state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from kempe.algebra import Expression, sparse_jacobian
from kempe.compile.trace.force_tracing import Load
from kempe.compile.trace.inputs import Inputs

Seeds = Mapping[int, Mapping[int, Expression]]
Derived = list[dict[int, Expression]]


@final
@dataclass(frozen=True, slots=True)
class Held:
    """What rows with multipliers do.

    J^T lam by velocity, J a - gamma of every row, and the power of rows that move with time,
    -lam . -phi_t.
    """

    push: Load
    gaps: list[Expression]
    driven: Expression


def held(
    jacobian: Sequence[Mapping[int, Expression]],
    gamma: Sequence[Expression],
    velocity_rhs: Sequence[Expression],
    a: Sequence[Expression],
    lam: Sequence[Expression],
    zero: Expression,
) -> Held:
    """The terms of rows in the residual."""
    push: Load = {}
    gaps, driven = [], zero
    for row, right, rate, multiplier in zip(jacobian, gamma, velocity_rhs, lam, strict=True):
        gap = -right
        for column, entry in row.items():
            term = entry * multiplier
            push[column] = push[column] + term if column in push else term
            gap = gap + entry * a[column]
        gaps.append(gap)
        driven = driven - multiplier * rate
    return Held(push, gaps, driven)


def by_state(
    outputs: Sequence[Expression],
    inputs: Inputs,
    seeds: Seeds,
    more: Sequence[Expression] = (),
    first: int = 0,
) -> Derived:
    """Derivatives by place, velocity and time, and by `more`, from column `first` on."""
    one, n = Expression(inputs.graph, inputs.graph.constant(1.0)), len(inputs.v)
    along: dict[int, Mapping[int, Expression]] = dict(seeds)
    along |= {e.node: {n + k: one} for k, e in enumerate(inputs.v)}
    along[inputs.t.node] = {2 * n: one}
    along |= {e.node: {first + k: one} for k, e in enumerate(more)}
    return sparse_jacobian(outputs, along)


def by_state_of_rows(
    terms: Held,
    inputs: Inputs,
    seeds: Seeds,
    a: Sequence[Expression],
    lam: Sequence[Expression],
) -> Derived:
    """Derivatives of the pushes, the gaps and the power of rows, one after the other."""
    n = len(inputs.v)
    return [
        *by_state(list(terms.push.values()), inputs, seeds),
        *by_state(terms.gaps, inputs, seeds, a, 2 * n + 1),
        *by_state([terms.driven], inputs, seeds, lam, 3 * n + 1),
    ]


def more_inputs(inputs: Inputs, name: str, count: int) -> list[Expression]:
    """Further inputs of a graph, such as accelerations or multipliers."""
    graph = inputs.graph
    return [Expression(graph, graph.input(f"{name}{k}")) for k in range(count)]
