"""The large plan of dynamics: one tape per kind of joint, force and body, run over tiles.

Every kind adds loads of its own to the bodies; which load belongs to which velocity is a list, and
so is where every entry of J stands among the dense blocks of the solver.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from kempe.algebra import Expression
from kempe.algebra.native import core
from kempe.algebra.tape import IntArray
from kempe.compile.large.dynamic_actors import ActorKind, Actors, ActorTracer
from kempe.compile.large.tile_plan import Group, Kind, Places, TilePlan, group_of
from kempe.compile.large.tiles import Compiler, native_group
from kempe.compile.large.whitening import whitener_size
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.program.dynamic_program import (
    DynamicProgram,
    dense_entries,
    dynamic_size,
    saddle_blocks,
)
from kempe.compile.trace.dynamic_tracing import moved_guards
from kempe.compile.trace.shape import AbstractDynamicShape
from kempe.compile.trace.switches import Guard
from kempe.compile.trace.tracing import Row

# Kinds of numbers whose places in memory the native system is told, and three counts.
MEMORY: Final = (
    *("q", "v", "t", "last", "p", "phi", "turns", "velocity_rhs", "gamma", "blocks", "loads"),
    *("powers", "kinetic", "stored", "size", "whiteners", "idle", "switches", "sides"),
    *("n_powers", "n_kinetic", "n_stored"),
)
NOTHING: tuple[tuple[Row, ...], IntArray, IntArray] = (
    (),
    np.zeros(0, dtype=np.int32),
    np.zeros(0, dtype=np.int32),
)


@final
@dataclass(frozen=True, eq=False)
class DynamicTileShape(AbstractDynamicShape):
    """The shape of a tiled dynamic system."""


def tile_dynamics_program(
    layout: DynamicLayout,
    spare: Sequence[int],
    kinds: list[Kind],
    compiler: Compiler | None = None,
) -> DynamicProgram:
    """The program that solves all rows but the spare ones."""
    return _DynamicPlan(layout, spare, kinds).program(compiler)


@final
class _DynamicPlan:
    """Places in memory of what rows, forces and inertias need."""

    def __init__(self, layout: DynamicLayout, spare: Sequence[int], kinds: list[Kind]) -> None:
        self.layout = layout
        self.chart = layout.layout.chart
        tracer = ActorTracer(layout)
        self.actors = tracer.kinds()
        self.force_counted = tracer.force_counted
        turns = len(self.force_counted)
        more = len(layout.parameters) - len(layout.layout.parameters)
        self.plan = TilePlan(
            layout.layout,
            kinds,
            spare,
            more_turns=turns,
            more_parameters=more,
            has_blocks=True,
            whitener_size=whitener_size(layout.model.plane),
        )
        self._place_entries()
        counts = {name: 0 for name in ("loads", "powers", "kinetic", "stored", "switches")}
        self.guards: list[Guard] = []
        self.clocks: list[bool] = []
        self.switch_forces: list[int] = []
        for kind in self.actors:
            n = len(kind.members)
            counts["loads"] += n * len(kind.loads)
            counts["powers"] += n * len(kind.power)
            counts["kinetic"] += n * len(kind.kinetic)
            counts["stored"] += n * len(kind.stored)
            for number in kind.numbers:
                self.guards += moved_guards(kind.law.guards, len(self.guards))
                self.clocks += kind.law.clocks
                self.switch_forces += [number] * len(kind.law.switches)
            counts["switches"] += n * len(kind.law.switches)
        for name, numbers in counts.items():
            self.plan.add_room(name, numbers)
            self.plan.memory[f"n_{name}"] = numbers
        self.plan.add_room("sides", counts["switches"])

    # -- entries of J ------------------------------------------------------------------------

    def _place_entries(self) -> None:
        """Dense blocks of the solved rows; entries that share a place get slots to add up."""
        plan, shape, at = self.plan, self.plan.shape, self.layout.layout.coordinates
        keys = shape.jacobian_rows.astype(np.int64) * shape.n_v + shape.jacobian_columns
        found, which, times = np.unique(keys, return_inverse=True, return_counts=True)
        rows = (found // shape.n_v).astype(np.int32)
        columns = (found % shape.n_v).astype(np.int32)
        solved = rows < shape.n_rows  # these come first: rows rise
        bodies, n = at.n_bodies, at.n_each
        self.saddle = saddle_blocks(shape.rows[: shape.n_rows], rows[solved], columns[solved], at)
        dense_rows, dense_columns = dense_entries(self.saddle, at)
        # of the other rows every body they hold on to has room for all its velocities
        body, part = at.body_of(columns[~solved])
        strips, mine = np.unique(
            rows[~solved].astype(np.int64) * bodies + body, return_inverse=True
        )
        self.idle_bodies = (strips % max(bodies, 1)).astype(np.int32)
        idle_columns = at.all_v_of(self.idle_bodies)
        idle_rows = np.repeat(strips // max(bodies, 1), n)
        self.rows = np.concatenate([dense_rows, idle_rows]).astype(np.int32)
        self.columns = np.concatenate([dense_columns, idle_columns]).astype(np.int32)
        if shape.n_spare:
            self.all_rows = saddle_blocks(shape.rows, self.rows, self.columns, at)
        else:
            self.all_rows = saddle_blocks(*NOTHING, Coordinates(self.chart, 0))
        plan.add_room("blocks", len(dense_rows))
        plan.add_room("idle", len(idle_rows))
        shared = times[which] > 1
        plan.add_room("sums", int(shared.sum()))
        idle = plan.memory["idle"] + at.column_of(mine, part)
        places = np.concatenate([self.saddle.places + plan.memory["blocks"], idle])
        targets = places[which]
        slots = plan.memory["sums"] + np.arange(int(shared.sum()))
        self.sums = list(zip(slots.tolist(), targets[shared].tolist(), strict=True))
        targets[shared] = slots
        plan.entry_place = targets - plan.memory["jacobian"]

    # -- the program -------------------------------------------------------------------------

    def program(self, compiler: Compiler | None) -> DynamicProgram:
        """The native system."""
        own = self.plan.groups()
        phases: dict[str, list[Group]] = {
            "frames": own["frames"],
            "residual": own["residual"],
            "gamma": own["gamma"],
            "loads": [],
            "energies": [],
            "switches": [],
        }
        load_columns = self._actor_groups(phases)
        native = [[native_group(g, compiler) for g in groups] for groups in phases.values()]
        shape = self._shape()
        entries = core.DynamicEntries(
            idle_bodies=self.idle_bodies,
            sum_slots=np.array([s for s, _ in self.sums], dtype=np.int32),
            sum_places=np.array([p for _, p in self.sums], dtype=np.int32),
            load_columns=load_columns,
        )
        system = core.TileDynamics(
            dynamic_size(shape, len(self.guards)),
            core.DynamicMemory(**{name: self.plan.memory[name] for name in MEMORY}),
            native,
            self.saddle,
            entries,
            self.all_rows,
        )
        return DynamicProgram(shape, system, "large")

    def _shape(self) -> DynamicTileShape:
        shape = self.plan.shape
        return DynamicTileShape(
            n_q=shape.n_q,
            n_v=shape.n_v,
            n_rows=shape.n_rows,
            n_spare=shape.n_spare,
            n_turns=shape.n_turns + len(self.force_counted),
            n_parameters=len(self.layout.parameters),
            rows=shape.rows,
            counted=shape.counted,
            force_counted=tuple(self.force_counted),
            jacobian_rows=self.rows,
            jacobian_columns=self.columns,
            guards=np.array([g for g, _ in self.guards], dtype=np.int32),
            guard_sides=np.array([s for _, s in self.guards], dtype=np.int32),
            clocks=np.array(self.clocks, dtype=np.int32),
            switch_forces=np.array(self.switch_forces, dtype=np.int32),
        )

    def _actor_groups(self, phases: dict[str, list[Group]]) -> IntArray:
        """Adds the groups of forces and inertias; returns the velocity of every load."""
        memory, at = self.plan.memory, self.layout.layout.coordinates
        words = ("loads", "powers", "kinetic", "stored", "switches")
        free = {name: memory[name] for name in words}

        def room(name: str, count: int, each: int) -> Places:
            first = free[name]
            free[name] += count * each
            return np.arange(first, free[name]).reshape(count, each)

        load_columns: list[Places] = [np.zeros(0, dtype=np.int64)]
        for kind in self.actors:
            actors, count, inputs = kind.members, len(kind.members), self._inputs(kind)
            switches = room("switches", count, len(kind.law.switches))
            gather = self._sources(kind, memory["sides"] + switches - memory["switches"]).T
            if kind.law.switches:
                phases["switches"].append(group_of(inputs, kind.law.switches, gather, switches.T))
            if kind.turned:
                places = memory["turns"] + self._turns(actors)
                phases["residual"].append(group_of(inputs, kind.turned, gather, places.T))
            places = np.hstack(
                [room("loads", count, len(kind.loads)), room("powers", count, len(kind.power))]
            )
            body, part = at.body_of(np.array(kind.columns, dtype=np.int64))
            load_columns.append(at.column_of(actors.bodies[:, body], part).reshape(-1))
            if kind.loads or kind.power:
                outputs = [*kind.loads, *kind.power]
                phases["loads"].append(group_of(inputs, outputs, gather, places.T))
            for word in ("kinetic", "stored"):
                found: list[Expression] = getattr(kind, word)
                if found:
                    scatter = room(word, count, 1).T
                    phases["energies"].append(group_of(inputs, found, gather, scatter))
        return np.concatenate(load_columns).astype(np.int32)

    def _turns(self, actors: Actors) -> Places:
        """Turns of forces come after those of all rows."""
        turns: Places = self.plan.shape.n_turns + actors.turns
        return turns

    def _inputs(self, kind: ActorKind) -> list[Expression]:
        ins = kind.inputs
        return [*(e for f in kind.frames for e in f), *ins.v, ins.t, *ins.last, *ins.p, *ins.sides]

    def _sources(self, kind: ActorKind, sides: Places) -> Places:
        memory, actors = self.plan.memory, kind.members
        own = actors.first_parameter[:, None] + np.arange(len(kind.inputs.p))
        return np.hstack(
            [
                *self.plan.body_places(actors.bodies),
                np.full((len(actors), 1), memory["t"]),
                memory["last"] + self._turns(actors),
                memory["p"] + own,
                sides,
            ]
        )
