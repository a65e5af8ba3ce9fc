"""The large plan of dynamics: one tape per kind of joint, force and body, run over tiles.

Every kind adds loads of its own to the bodies; which load belongs to which velocity is a list, and
so is where every entry of J stands among the dense blocks of the solver.

Rows are measured by mass: Y = J C^T in place of J, where C M C^T = 1. The block solver needs J only
as S = J M^-1 J^T = Y Y^T. Where the rows of many elements are written in tiles, C costs next to
nothing there, and J need not be stored beside Y.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from kempe.algebra import Expression
from kempe.algebra.native import core
from kempe.algebra.tape import IntArray
from kempe.compile.large.tiles import (
    Compiler,
    Group,
    Kind,
    Places,
    TilePlan,
    group_of,
    native_group,
)
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.layout.layout import GROUND_INDEX
from kempe.compile.layout.numbers import is_literal, pattern
from kempe.compile.program.program import DynamicProgram, dynamic_size
from kempe.compile.trace.dynamic_tracing import inertia_terms, lost_power, moved_guards, told_of
from kempe.compile.trace.elimination import dense_entries, saddle_blocks
from kempe.compile.trace.force_tracing import ForceTracer
from kempe.compile.trace.inputs import Inputs
from kempe.compile.trace.moving_bodies import MovingBody
from kempe.compile.trace.shape import AbstractDynamicShape, Row, Told
from kempe.compile.trace.switches import FrozenLaw, Guard, frozen

# Kinds of numbers whose places in memory the native system is told, and three counts.
MEMORY = (
    *("q", "v", "t", "last", "p", "phi", "turns", "velocity_rhs", "gamma", "blocks", "loads"),
    *("powers", "kinetic", "stored", "size", "whiteners", "idle", "switches", "sides", "rates"),
    *("n_powers", "n_kinetic", "n_stored"),
)


def whitener_size(plane: bool) -> int:
    """Numbers of C of a body: one for translations, a lower triangle for rotations."""
    return 2 if plane else 7


def whitened_kinds(layout: DynamicLayout, kinds: Sequence[Kind]) -> list[Kind]:
    """The kinds with Y for J; apart where C of some bodies is diagonal and of others is not."""
    first = 2 if layout.model.plane else 3
    tensors = layout.mass_blocks[:, first:, first:]
    off_diagonal = ~np.eye(tensors.shape[1], dtype=bool)
    is_diagonal = np.logical_not(np.any(tensors[:, off_diagonal], axis=1)).tolist()
    made = []
    for kind in kinds:
        groups: dict[tuple[bool, ...], list[int]] = {}
        for e in kind.members:
            held = tuple(is_diagonal[layout.layout.riding[e][k]] for k in kind.bodies)
            groups.setdefault(held, []).append(e)
        made += [_whitened(kind, layout, held, members) for held, members in groups.items()]
    return made


def _whitened(
    kind: Kind, layout: DynamicLayout, is_diagonal: tuple[bool, ...], members: list[int]
) -> Kind:
    """A kind whose bodies have diagonal tensors or not; Y_i = sum over m <= i of C_im J_m."""
    at, first = layout.layout.coordinates, layout.layout.chart.n_linear
    outputs = kind.outputs["residual"]
    begin = len(kind.live) + len(kind.turned)
    end = begin + len(kind.pattern)
    J: dict[tuple[int, int], dict[int, Expression]] = {}  # (row, body) -> velocity -> entry
    for (row, column), entry in zip(kind.pattern, outputs[begin:end], strict=True):
        body, part = at.body_of(column)
        J.setdefault((row, body), {})[part] = entry
    graph, used = kind.inputs.graph, dict[tuple[int, int], Expression]()

    def whitener(body: int, i: int, m: int) -> Expression:
        place = 0 if i < first else 1 + (i - first) * (i - first + 1) // 2 + m - first
        name = f"whitener{body}_{place}"
        return used.setdefault((body, place), Expression(graph, graph.input(name)))

    pattern, entries = [], []
    for (row, body), given in sorted(J.items()):
        for i in range(at.n_each):
            lowest = first if i >= first and not is_diagonal[body] else i
            terms = [whitener(body, i, m) * given[m] for m in range(lowest, i + 1) if m in given]
            if terms:
                pattern.append((row, at.column_of(body, i)))
                entries.append(sum(terms[1:], start=terms[0]))
    return replace(
        kind,
        members=members,
        pattern=pattern,
        outputs=kind.outputs | {"residual": [*outputs[:begin], *entries, *outputs[end:]]},
        whiteners=[(body, place, used[body, place]) for body, place in sorted(used)],
    )


@final
@dataclass(frozen=True, slots=True)
class Actors:
    """Forces or inertias: the bodies they act on, where their numbers start, their turns."""

    bodies: Places  # (actors, bodies of each)
    first_parameter: Places  # (actors,)
    turns: Places  # (actors, turns of each)
    states: Places  # (actors, states of each)

    def __len__(self) -> int:
        return len(self.first_parameter)


@final
@dataclass(frozen=True, slots=True)
class ActorKind:
    """Forces or inertias of one structure, traced once on bodies of their own."""

    members: Actors
    inputs: Inputs
    frames: list[list[Expression]]
    columns: list[int]  # local velocities of its loads
    loads: list[Expression]
    law: FrozenLaw  # loads and power as their sides say
    power: Sequence[Expression] = ()  # dissipated; one, or none
    turned: Sequence[Expression] = ()
    kinetic: Sequence[Expression] = ()  # one, or none
    stored: Sequence[Expression] = ()  # one, or none
    states: Sequence[Expression] = ()  # of its own
    rates: Sequence[Expression] = ()  # of those
    numbers: Sequence[int] = ()  # of the forces; none for inertias


@final
class ActorTracer:
    """Traces the kinds of forces and inertias of a model, and counts the turns of forces."""

    def __init__(self, layout: DynamicLayout) -> None:
        self.layout = layout
        self.chart = layout.layout.chart
        self.force_counted: list[tuple[int, int]] = []  # force, reading

    def kinds(self) -> list[ActorKind]:
        """Forces, then inertias."""
        return [*self._forces(len(self.layout.layout.parameters)), *self._inertias()]

    def _forces(self, first: int) -> Iterator[ActorKind]:
        layout = self.layout
        groups: dict[str, list[int]] = {}
        starts, count = [], first
        for k, (word, bodies) in enumerate(zip(layout.structures, layout.riding, strict=True)):
            riding = "".join("g" if b == GROUND_INDEX else "b" for b in bodies)
            described = layout.is_built_in or layout.forces[k].is_built_in
            groups.setdefault(f"{word}@{riding}{'' if described else f'#{k}'}", []).append(k)
            starts.append(count)
            count += sum(1 for x in layout.force_numbers[k] if not is_literal(x))
        self.first_mass = count
        for members in groups.values():
            yield self._force_kind(members, starts)

    def _force_kind(self, members: list[int], starts: list[int]) -> ActorKind:
        element = self.layout.forces[members[0]]
        riding = [b != GROUND_INDEX for b in self.layout.riding[members[0]]]
        inputs, frames, bodies = self._bodies(sum(riding))
        tracer = ForceTracer(self.chart, inputs, bodies)
        waiting = iter(bodies)
        found = tracer.trace(element, [next(waiting) if rides else None for rides in riding])
        outputs = [*found.load.values(), *found.rates, lost_power(tracer, found)]
        law = frozen(outputs, inputs, found.overlaps, found.states)
        loads, lost = law.outputs[: len(found.load)], law.outputs[-1]
        return ActorKind(
            self._actors(members, starts, list(found.turned)),
            inputs,
            frames,
            list(found.load),
            loads,
            law,
            power=[] if lost.is_zero else [lost],
            turned=list(found.turned.values()),
            kinetic=[] if found.kinetic is None else [found.kinetic],
            stored=[] if found.energy is None else [found.energy],
            states=found.states,
            rates=law.outputs[len(found.load) : -1],
            numbers=members,
        )

    def _actors(self, members: list[int], starts: list[int], turned: list[int]) -> Actors:
        first = len(self.force_counted)
        self.force_counted += [(k, reading) for k in members for reading in turned]
        turns = np.arange(first, len(self.force_counted)).reshape(len(members), len(turned))
        bodies = [[b for b in self.layout.riding[k] if b != GROUND_INDEX] for k in members]
        return Actors(
            np.array(bodies, dtype=np.int64).reshape(len(members), -1),
            np.array([starts[k] for k in members]),
            turns,
            self._states(members),
        )

    def _states(self, members: list[int]) -> Places:
        """The numbers of the states of forces of one kind, (members, states of each)."""
        counts = [len(element.force.states) for element in self.layout.forces]
        first = np.cumsum([0, *counts])
        own: Places = first[members][:, None] + np.arange(counts[members[0]])
        return own

    def _inertias(self) -> Iterator[ActorKind]:
        groups: dict[str, list[int]] = {}
        starts, count = [], self.first_mass
        for k, numbers in enumerate(self.layout.mass_numbers):
            groups.setdefault(pattern(numbers), []).append(k)
            starts.append(count)
            count += sum(1 for x in numbers if not is_literal(x))
        for found in groups.values():
            members = Actors(
                np.array(found)[:, None],
                np.array(starts)[found],
                np.zeros((len(found), 0), np.int64),
                np.zeros((len(found), 0), np.int64),
            )
            inputs, frames, bodies = self._bodies(1)
            entries = [inputs.number(x) for x in self.layout.mass_numbers[found[0]]]
            terms = inertia_terms(self.layout.model.plane, bodies[0], entries)
            columns, loads = list(terms.load), list(terms.load.values())
            law, kinetic = frozen([], inputs), [terms.kinetic]
            yield ActorKind(members, inputs, frames, columns, loads, law, kinetic=kinetic)

    def _bodies(self, count: int) -> tuple[Inputs, list[list[Expression]], list[MovingBody]]:
        at = Coordinates(self.chart, count)
        inputs = Inputs.fresh(0, at.bodies_v.stop)
        frames = [self.chart.frame_inputs(inputs.graph, f"frame{k}_") for k in range(count)]
        mine = [at.v_of(k) for k in range(count)]
        pairs = zip(frames, mine, strict=True)
        return inputs, frames, [MovingBody(frame, inputs.v[v], v.start) for frame, v in pairs]


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
    return DynamicPlan(layout, spare, kinds).program(compiler)


@final
class DynamicPlan:
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
        self.told: list[Told] = []
        for kind in self.actors:
            n = len(kind.members)
            counts["loads"] += n * len(kind.loads)
            counts["powers"] += n * len(kind.power)
            counts["kinetic"] += n * len(kind.kinetic)
            counts["stored"] += n * len(kind.stored)
            for number in kind.numbers:
                self.told += told_of(kind.law, number, len(self.guards))
                self.guards += moved_guards(kind.law.guards, len(self.guards))
                self.clocks += kind.law.clocks
                self.switch_forces += [number] * len(kind.law.switches)
            counts["switches"] += n * len(kind.law.switches)
        for name, numbers in counts.items():
            self.plan.add_room(name, numbers)
            self.plan.memory[f"n_{name}"] = numbers
        self.plan.add_room("sides", counts["switches"])
        self.plan.add_room("rates", len(layout.state_places))

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
            "rates": [],
        }
        load_columns = self._actor_groups(phases)
        native = [[native_group(g, compiler) for g in groups] for groups in phases.values()]
        shape = self.shape()
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

    def shape(self) -> DynamicTileShape:
        """The shape of the system."""
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
            told=tuple(self.told),
            states=np.array(self.layout.state_places, dtype=np.int32),
            flows=tuple(self.layout.flows),
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
        for kind, sources in zip(self.actors, self.gathers(), strict=True):
            actors, count, inputs = kind.members, len(kind.members), self.inputs(kind)
            switches = room("switches", count, len(kind.law.switches))
            gather = sources.T
            if kind.law.switches:
                phases["switches"].append(group_of(inputs, kind.law.switches, gather, switches.T))
            if kind.rates:
                places = memory["rates"] + actors.states
                phases["rates"].append(group_of(inputs, kind.rates, gather, places.T))
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
                found: Sequence[Expression] = getattr(kind, word)
                if found:
                    scatter = room(word, count, 1).T
                    phases["energies"].append(group_of(inputs, found, gather, scatter))
        return np.concatenate(load_columns).astype(np.int32)

    def _turns(self, actors: Actors) -> Places:
        """Turns of forces come after those of all rows."""
        turns: Places = self.plan.shape.n_turns + actors.turns
        return turns

    def inputs(self, kind: ActorKind) -> list[Expression]:
        """What the tapes of a kind of forces or inertias read, in order."""
        ins = kind.inputs
        return [*(e for f in kind.frames for e in f), *ins.v, ins.t, *ins.last, *ins.p, *ins.sides]

    def gathers(self) -> list[Places]:
        """Where every kind of forces or inertias finds its inputs, (actors, inputs) each."""
        found, first = [], self.plan.memory["sides"]
        for kind in self.actors:
            shape = (len(kind.members), len(kind.law.switches))
            sides = first + np.arange(shape[0] * shape[1]).reshape(shape)
            first += sides.size
            found.append(self._sources(kind, sides))
        return found

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
