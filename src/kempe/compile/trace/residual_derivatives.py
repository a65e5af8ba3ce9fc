"""Derivatives of the equations of motion by place, velocity and time, for implicit methods.

The residual of the index-1 form, with accelerations a and multipliers lam given:

R(q, v, t; a, lam) = [M a + J^T lam - f(q, v, t);  J a - gamma(q, v, t)]

M does not change: it is that of the centres of mass. The derivative by q is that along the
velocities: column k says how R changes while the bodies move as velocity k moves them, linear ones
in world, angular ones in body axes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from kempe.algebra import Expression, sparse_jacobian
from kempe.compile.trace.force_tracing import Load
from kempe.compile.trace.tracing import Inputs

Seeds = Mapping[int, Mapping[int, Expression]]


@final
@dataclass(frozen=True, slots=True)
class Held:
    """What rows with multipliers do: J^T lam by velocity, and J a - gamma of every row."""

    push: Load
    gaps: list[Expression]


def held(
    jacobian: Sequence[Mapping[int, Expression]],
    gamma: Sequence[Expression],
    a: Sequence[Expression],
    lam: Sequence[Expression],
) -> Held:
    """The terms of rows in the residual."""
    push: Load = {}
    gaps = []
    for row, right, multiplier in zip(jacobian, gamma, lam, strict=True):
        gap = -right
        for column, entry in row.items():
            term = entry * multiplier
            push[column] = push[column] + term if column in push else term
            gap = gap + entry * a[column]
        gaps.append(gap)
    return Held(push, gaps)


def by_state(
    outputs: Sequence[Expression], inputs: Inputs, seeds: Seeds, n: int
) -> list[dict[int, Expression]]:
    """Derivatives of formulas: by place in columns 0 ... n, then by velocity, then by time."""
    one = Expression(inputs.graph, inputs.graph.constant(1.0))
    along: dict[int, Mapping[int, Expression]] = dict(seeds)
    along |= {e.node: {n + k: one} for k, e in enumerate(inputs.v)}
    along[inputs.t.node] = {2 * n: one}
    return sparse_jacobian(outputs, along)


def more_inputs(inputs: Inputs, name: str, count: int) -> list[Expression]:
    """Further inputs of a graph, such as accelerations or multipliers."""
    graph = inputs.graph
    return [Expression(graph, graph.input(f"{name}{k}")) for k in range(count)]
