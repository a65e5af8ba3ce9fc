"""Tapes of sensitivities: how a configuration, and what is read off it, follow from the numbers.

With the rows phi(q, t; p) = 0 and their derivatives along the motion

    Phi_1 = J v + phi_t,    Phi_2 = J a - gamma

the numbers p move by p', coordinates by a displacement x_0, velocities by x_1, accelerations by
x_2:

    J x_0 = -phi_p p'
    J x_1 = -(d Phi_1 x_0 + Phi_1,p p')
    J x_2 = -(d Phi_2 x_0 + Phi_2,v x_1 + Phi_2,p p')

The adjoint asks for one weighted sum of what is read, s = w . (r, dr/dt, d2r/dt2): multipliers
solve the transposed systems from the accelerations down, and one product gives ds/dp for all
numbers. Both take the factors of J on the expression graph in the order of the sweep.

Inputs, in order: q, v, a, t, last (turns), p (of rows, then of readings), then p' or the weights.

Source: the implicit function theorem, as [BestleEberhard] apply it to motions; the adjoint:
[GilesPierce] section 2. All derivatives are exact, of the traced formulas.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import final

from kempe.algebra import Expression, Part, Tape, record_parts, tangent
from kempe.algebra.pullback import pullback
from kempe.algebra.tape import IntArray
from kempe.compile.layout.layout import Layout
from kempe.compile.small.reading_tape import Read, traced_readings
from kempe.compile.trace.elimination import Elimination, SparseRow, eliminate
from kempe.compile.trace.inputs import Inputs, motion_along
from kempe.compile.trace.shape import Row
from kempe.compile.trace.tracing import trace
from kempe.compile.trace.untraced import refuse_untraced

Order = Sequence[tuple[int, int]]
FORWARD = ("x0", "x1", "x2", "values", "rates", "accelerations", "pushed", "left")


@final
@dataclass(frozen=True, slots=True, eq=False)
class SensitivityTape:
    """A tape of the forward equations: registers of x_0, x_1, x_2 and of what is read, moving.

    `pushed` is phi_p p', and `left` what is left of it where bodies move by x_0: nothing, but of
    rows that are only watched and say something else.
    """

    tape: Tape
    registers: dict[str, IntArray]  # by the names of FORWARD
    n_turns: int
    n_numbers: int  # parameters of rows and readings


@final
@dataclass(frozen=True, slots=True, eq=False)
class AdjointTape:
    """A tape of the adjoint equations: the derivative of a weighted sum by every parameter."""

    tape: Tape
    by_numbers: IntArray  # registers, (parameters,)
    n_turns: int
    n_numbers: int
    orders: int  # of what is read: 1 takes weights of values alone


@final
class Sensitivities:
    """The rows of a layout and what is read of it, traced once for tapes of sensitivities.

    `kept` are the rows that are solved, `order` their pivots (row among the kept, column); numbers
    that are `lifted` are parameters although they are 0 now.
    """

    def __init__(
        self,
        layout: Layout,
        kept: Collection[Row],
        order: Order,
        readings: Sequence[Read],
        lifted: frozenset[int],
    ) -> None:
        refuse_untraced(layout, "exact gradients and batches")
        self.system = trace(layout, lifted)
        self.inputs: Inputs = self.system.inputs
        self.turned = [*self.inputs.last]
        inputs, at, chart = self.inputs, layout.coordinates, layout.chart
        frames = [chart.frame(inputs.q[at.q_of(k)]) for k in range(layout.n_bodies)]
        self.values, _ = traced_readings(layout, readings, frames, inputs)
        one = Expression(inputs.graph, inputs.graph.constant(1.0))
        self.seeds: dict[int, dict[int, Expression]] = {}
        for k, frame in enumerate(frames):
            self.seeds |= chart.seeds(frame, at.v_of(k).start)
        own = inputs.q[at.own_q]
        self.seeds |= {u.node: {at.own_v.start + k: one} for k, u in enumerate(own)}
        self.v, self.a = inputs.v, inputs.delta
        rows = self.system.rows
        self.kept = [k for k, row in enumerate(rows) if row in kept]
        self.order = order
        along = motion_along(self.seeds, self.v)
        self.moving = along | {inputs.t.node: one}
        faster = {v.node: a for v, a in zip(self.v, self.a, strict=True)}
        phi = self.system.phi
        self.rows = [phi, tangent(phi, self.moving)]
        self.rows.append(tangent(self.rows[1], self.moving | faster))
        rates = tangent(self.values, along)
        self.read = [self.values, rates, tangent(rates, along | faster)]

    def forward(self) -> SensitivityTape:
        """The tape of the forward equations, for one direction p' of the numbers."""
        inputs = self.inputs
        moved = self._more("moved", len(inputs.p))
        factors = eliminate([self.system.jacobian[k] for k in self.kept], self.order)
        along = {p.node: m for p, m in zip(inputs.p, moved, strict=True)}
        found: dict[str, Sequence[Expression]] = {}
        words = ("values", "rates", "accelerations")
        for level, (rows, read) in enumerate(zip(self.rows, self.read, strict=True)):
            pushed = tangent(rows, along)
            x = factors.solve([-pushed[k] for k in self.kept])
            if not level:
                left = [self._applied(k, x) + e for k, e in enumerate(pushed)]
                found |= {"pushed": pushed, "left": left}
            along = along | self._displaced(level, x)
            found[f"x{level}"] = x
            found[words[level]] = tangent(read, along)
        ins = [*self._inputs(), *moved]
        recording = record_parts(inputs.graph, ins, [Part("forward", found)])
        registers = {name: recording.registers[name] for name in FORWARD}
        return SensitivityTape(recording.tape, registers, len(self.turned), len(inputs.p))

    def adjoint(self, orders: int) -> AdjointTape:
        """The tape of the adjoint equations; weights are of so many orders of what is read."""
        inputs, J = self.inputs, self.system.jacobian
        count = len(self.values)
        weights = [self._more(f"weight{k}_", count) for k in range(orders)]
        factors = _transposed([J[k] for k in self.kept], self.order)
        terms = [e for read in self.read[:orders] for e in read]
        cotangents = [w for some in weights for w in some]
        # From the accelerations down, every level adds its rows with their multipliers.
        for level in reversed(range(orders)):
            right = self._by_level(level, terms, cotangents)
            lam = factors.solve(right)
            terms += [self.rows[level][k] for k in self.kept]
            cotangents += [-x for x in lam]
        found = pullback(terms, cotangents, [p.node for p in inputs.p])
        zero = Expression(inputs.graph, inputs.graph.constant(0.0))
        outputs = [found.get(p.node, zero) for p in inputs.p]
        ins = [*self._inputs(), *(w for some in weights for w in some)]
        recording = record_parts(inputs.graph, ins, [Part("adjoint", {"out": outputs})])
        registers = recording.registers["out"]
        return AdjointTape(recording.tape, registers, len(self.turned), len(inputs.p), orders)

    def _by_level(
        self, level: int, terms: Sequence[Expression], weights: Sequence[Expression]
    ) -> list[Expression]:
        """The derivative of a weighted sum by displacements, velocities or accelerations."""
        zero = Expression(self.inputs.graph, self.inputs.graph.constant(0.0))
        if level:
            nodes = [e.node for e in (self.v if level == 1 else self.a)]
            found = pullback(terms, weights, nodes)
            return [found.get(n, zero) for n in nodes]
        found = pullback(terms, weights, self.seeds)
        columns = [zero] * len(self.v)
        for node, share in found.items():
            for column, rate in self.seeds[node].items():
                columns[column] = columns[column] + rate * share
        return columns

    def _displaced(self, level: int, x: Sequence[Expression]) -> dict[int, Expression]:
        """How nodes move with a displacement of coordinates, velocities or accelerations."""
        if not level:
            return motion_along(self.seeds, x)
        return {e.node: d for e, d in zip(self.v if level == 1 else self.a, x, strict=True)}

    def _applied(self, row: int, x: Sequence[Expression]) -> Expression:
        zero = Expression(self.inputs.graph, self.inputs.graph.constant(0.0))
        return sum((e * x[k] for k, e in self.system.jacobian[row].items()), zero)

    def _inputs(self) -> list[Expression]:
        inputs = self.inputs
        return [*inputs.q, *self.v, *self.a, inputs.t, *self.turned, *inputs.p]

    def _more(self, name: str, count: int) -> list[Expression]:
        graph = self.inputs.graph
        return [Expression(graph, graph.input(f"{name}{k}")) for k in range(count)]


def _transposed(rows: Sequence[SparseRow], order: Order) -> Elimination:
    """The factors of the transposed matrix, with the same pivots in the same order."""
    columns: list[SparseRow] = [{} for _ in rows]
    for k, row in enumerate(rows):
        for column, entry in row.items():
            columns[column][k] = entry
    return eliminate(columns, [(column, row) for row, column in order])
