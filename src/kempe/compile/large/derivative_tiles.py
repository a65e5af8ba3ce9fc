"""Derivatives of the equations of motion in tiles: one tape for each kind of joint and force."""

from collections.abc import Sequence
from typing import final

import numpy as np

from kempe.algebra import Expression
from kempe.algebra.native import core
from kempe.compile.large.dynamic_tiles import ActorKind, DynamicPlan
from kempe.compile.large.tiles import (
    Compiler,
    Group,
    Kind,
    Places,
    group_of,
    kinds_of,
    native_group,
)
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.program.program import dynamic_size
from kempe.compile.trace.residual_derivatives import (
    Seeds,
    by_state,
    by_state_of_rows,
    held,
    more_inputs,
)

MEMORY = ("q", "v", "t", "last", "a", "lam", "p", "sides", "derivatives", "size")


def tile_derivatives(
    layout: DynamicLayout, spare: Sequence[int], compiler: Compiler | None
) -> "core.ResidualDerivatives":
    """The derivatives with the spare rows after the others."""
    return _Derivatives(layout, spare).native(compiler)


@final
class _Derivatives:
    """Places in memory of derivatives, and the groups that make them."""

    def __init__(self, layout: DynamicLayout, spare: Sequence[int]) -> None:
        self.layout = layout
        self.at = layout.layout.coordinates
        self.dynamic = DynamicPlan(layout, spare, kinds_of(layout.layout))
        self.plan = self.dynamic.plan
        self.plan.add_room("a", self.plan.shape.n_v)
        self.plan.add_room("lam", len(self.plan.shape.rows))
        self.plan.add_room("derivatives", 0)  # last: it grows group by group
        self.first_power = self.plan.shape.n_v + len(self.plan.shape.rows)
        self.rows: list[Places] = []
        self.columns: list[Places] = []

    def native(self, compiler: Compiler | None) -> "core.ResidualDerivatives":
        """The native derivatives."""
        groups = [self._of_rows(kind) for kind in self.plan.kinds]
        groups += self._of_actors()
        phases = [self.plan.groups()["frames"], [g for g in groups if g is not None]]
        nothing = np.zeros(0, dtype=np.int64)
        return core.TileDerivatives(
            dynamic_size(self.dynamic.shape(), len(self.dynamic.guards)),
            core.DerivativeMemory(**{name: self.plan.memory[name] for name in MEMORY}),
            [[native_group(g, compiler) for g in phase] for phase in phases],
            np.concatenate([nothing, *self.rows]).astype(np.int32),
            np.concatenate([nothing, *self.columns]).astype(np.int32),
        )

    def _of_rows(self, kind: Kind) -> Group | None:
        """J^T lam and J a - gamma of joints, couplers and drives of one kind."""
        mine = Coordinates(self.at.chart, len(kind.bodies))
        n, inputs = mine.bodies_v.stop, kind.inputs
        a, lam = more_inputs(inputs, "a", n), more_inputs(inputs, "lam", len(kind.live))
        begin = len(kind.live) + len(kind.turned)
        jacobian: list[dict[int, Expression]] = [{} for _ in kind.live]
        entries = kind.outputs["residual"][begin : begin + len(kind.pattern)]
        for (row, column), entry in zip(kind.pattern, entries, strict=True):
            jacobian[row][column] = entry
        zero = Expression(inputs.graph, inputs.graph.constant(0.0))
        rates = kind.outputs["residual"][-len(kind.live) :]
        terms = held(jacobian, kind.outputs["gamma"], rates, a, lam, zero)
        bodies, memory, rows = self.plan.bodies_of(kind), self.plan.memory, self.plan.rows_of(kind)
        own = np.arange(self.at.n_each)
        sources = [
            self.plan.sources(kind),
            *(memory["a"] + self.at.column_of(each[:, None], own) for each in bodies.T),
            memory["lam"] + rows,
        ]
        driven = np.full((len(rows), 1), self.first_power + 1)
        push = self._places(bodies, mine, list(terms.push))
        places = np.hstack([push, self.plan.shape.n_v + rows, driven])
        derived = by_state_of_rows(terms, inputs, self._seeds(kind.frames, mine), a, lam)
        ins = [*self.plan.inputs(kind), *a, *lam]
        return self._group(ins, derived, np.hstack(sources), places, bodies, rows)

    def _of_actors(self) -> list[Group | None]:
        """-f of forces and inertias."""
        return [
            self._of_actor(kind, gather)
            for kind, gather in zip(self.dynamic.actors, self.dynamic.gathers(), strict=True)
        ]

    def _of_actor(self, kind: ActorKind, gather: Places) -> Group | None:
        bodies = kind.members.bodies
        mine = Coordinates(self.at.chart, bodies.shape[1])
        outputs = [*(-e for e in kind.loads), *kind.power, *kind.rates]
        seeds, first = self._seeds(kind.frames, mine), 3 * mine.bodies_v.stop + 1
        derived = by_state(outputs, kind.inputs, seeds, kind.states, first)
        power = np.full((len(bodies), len(kind.power)), self.first_power)
        rates = self.first_power + 2 + kind.members.states
        places = np.hstack([self._places(bodies, mine, kind.columns), power, rates])
        states = len(self.plan.shape.rows) + kind.members.states
        return self._group(self.dynamic.inputs(kind), derived, gather, places, bodies, states)

    def _seeds(self, frames: Sequence[Sequence[Expression]], mine: Coordinates) -> Seeds:
        return {
            node: row
            for k, frame in enumerate(frames)
            for node, row in mine.chart.seeds(frame, mine.v_of(k).start).items()
        }

    def _places(self, bodies: Places, mine: Coordinates, local: Sequence[int]) -> Places:
        """The velocities of all (instances, local ones) that local velocities are."""
        body, part = mine.body_of(np.array(local, dtype=np.int64))
        places: Places = self.at.column_of(bodies[:, body], part)
        return places

    def _group(
        self,
        ins: list[Expression],
        derived: Sequence[dict[int, Expression]],
        gather: Places,
        places: Places,
        bodies: Places,
        further: Places,
    ) -> Group | None:
        """The group that writes derivatives; `places` has the row of every formula.

        `further` (instances, k) are columns after those by a: of multipliers, then of states.
        """
        entries = [(r, c, e) for r, of in enumerate(derived) for c, e in of.items()]
        if not entries:
            return None
        mine = Coordinates(self.at.chart, bodies.shape[1])
        n, n_v = mine.bodies_v.stop, self.plan.shape.n_v
        local = self._places(bodies, mine, range(n))
        t = np.full((len(bodies), 1), 2 * n_v)
        known = [local, n_v + local, t, 2 * n_v + 1 + local, 3 * n_v + 1 + further]
        columns = np.hstack(known)[:, [c for _, c, _ in entries]]
        self.rows.append(places[:, [r for r, _, _ in entries]].reshape(-1))
        self.columns.append(columns.reshape(-1))
        first = self.plan.memory["size"]
        self.plan.memory["size"] += columns.size
        scatter = first + np.arange(columns.size).reshape(columns.shape)
        return group_of(ins, [e for _, _, e in entries], gather.T, scatter.T)
