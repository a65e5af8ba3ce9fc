"""Forces and inertias of the large plan: traced once a kind, listed member by member."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.algebra import Expression
from kempe.compile.large.tile_plan import Places
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.layout.layout import GROUND_INDEX
from kempe.compile.layout.numbers import is_literal, pattern
from kempe.compile.trace.dynamic_tracing import inertia_terms, lost_power
from kempe.compile.trace.force_tracing import ForceTracer, MovingBody
from kempe.compile.trace.switches import FrozenLaw, frozen
from kempe.compile.trace.tracing import Inputs


@final
@dataclass(frozen=True, slots=True)
class Actors:
    """Forces or inertias: the bodies they act on, where their numbers start, their turns."""

    bodies: Places  # (actors, bodies of each)
    first_parameter: Places  # (actors,)
    turns: Places  # (actors, turns of each)

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
    power: list[Expression]  # dissipated; one, or none
    turned: list[Expression]
    kinetic: list[Expression]  # one, or none
    stored: list[Expression]  # one, or none
    law: FrozenLaw  # loads and power as their sides say
    numbers: list[int]  # of the forces; none for inertias


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
        law = frozen([*found.load.values(), lost_power(tracer, found)], inputs)
        *loads, lost = law.outputs
        return ActorKind(
            self._actors(members, starts, list(found.turned)),
            inputs,
            frames,
            list(found.load),
            loads,
            [] if lost.is_zero else [lost],
            list(found.turned.values()),
            [],
            [] if found.energy is None else [found.energy],
            law,
            members,
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
        )

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
            )
            inputs, frames, bodies = self._bodies(1)
            entries = [inputs.number(x) for x in self.layout.mass_numbers[found[0]]]
            terms = inertia_terms(self.layout.model.plane, bodies[0], entries)
            loads = terms.load
            yield ActorKind(
                members,
                inputs,
                frames,
                list(loads),
                list(loads.values()),
                [],
                [],
                [terms.kinetic],
                [],
                frozen([], inputs),
                [],
            )

    def _bodies(self, count: int) -> tuple[Inputs, list[list[Expression]], list[MovingBody]]:
        at = Coordinates(self.chart, count)
        inputs = Inputs.fresh(0, at.bodies_v.stop)
        frames = [self.chart.frame_inputs(inputs.graph, f"frame{k}_") for k in range(count)]
        mine = [at.v_of(k) for k in range(count)]
        pairs = zip(frames, mine, strict=True)
        return inputs, frames, [MovingBody(frame, inputs.v[v], v.start) for frame, v in pairs]
