"""Tracing the equations of motion: masses, loads and energies on top of the rows.

M a + J^T lam = f(q, v, t),   J a = gamma
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from kempe.algebra import Expression
from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.layout.layout import GROUND_INDEX
from kempe.compile.trace.elimination import InverseMass, SparseRow
from kempe.compile.trace.force_tracing import (
    ForceTracer,
    Load,
    TracedForce,
    moving_bodies,
)
from kempe.compile.trace.inputs import Inputs
from kempe.compile.trace.moving_bodies import MovingBody
from kempe.compile.trace.shape import Told
from kempe.compile.trace.switches import UNGUARDED, FrozenLaw, Guard, frozen
from kempe.compile.trace.tracing import TracedSystem, trace
from kempe.compile.trace.untraced import refuse_untraced
from kempe.geometry import Vector


@final
@dataclass(frozen=True, slots=True)
class StoredEnergy:
    """What one force has stored; `gradient` by velocity, `load` what the force does."""

    name: str
    energy: Expression
    gradient: Load
    load: Load


@final
@dataclass(frozen=True, slots=True)
class TracedDynamics:
    """The rows of a mechanism, and what drives it."""

    system: TracedSystem
    inverse_mass: InverseMass
    massless: tuple[int, ...]  # velocities that nothing hinders by its mass; 1 stands in M^-1
    load: Load  # f, gyroscopic terms included
    turns: list[Expression]  # of rows, then of forces
    counted: list[tuple[int, int]]  # the turns of forces: force, and which of its readings
    dissipated: Expression  # power
    stored: list[StoredEnergy]
    potential: Expression
    kinetic: Expression
    switches: list[Expression]  # of force laws, whose sides are inputs
    guards: list[Guard]
    clocks: list[bool]  # which of them are functions of time alone
    switch_forces: list[int]  # the force that each switch belongs to
    told: list[Told]
    states: list[Expression]  # of forces, among the parameters
    rates: list[Expression]  # of those
    state_places: list[int]
    flows: list[tuple[int, int]]  # bodies that gain mass, and which of the states it is


def trace_dynamics(layout: DynamicLayout, lifted: frozenset[int] = frozenset()) -> TracedDynamics:
    """Rows, loads, masses and energies of a layout, in one graph.

    Numbers that are `lifted`, counted through elements, forces and masses, are parameters even
    where they are 0.
    """
    refuse_untraced(layout.layout, "equations of motion (simulate, statics)")
    system = trace(layout.layout, lifted)
    chart, inputs = layout.layout.chart, system.inputs
    bodies = moving_bodies(layout.layout.coordinates, inputs)
    tracer = ForceTracer(chart, inputs, bodies)
    load: Load = {}
    turns, counted = list(system.turns), []
    dissipated, potential, kinetic = tracer.zero, tracer.zero, tracer.zero
    stored: list[StoredEnergy] = []
    switches: list[Expression] = []
    guards: list[Guard] = []
    clocks: list[bool] = []
    switch_forces: list[int] = []
    told: list[Told] = []
    states: list[Expression] = []
    rates: list[Expression] = []
    for number, element in enumerate(layout.forces):
        places = layout.layout.markers_of(element)
        found = tracer.trace(element, [None if b == GROUND_INDEX else bodies[b] for b in places])
        turns += found.turned.values()
        counted += [(number, reading) for reading in found.turned]
        lost = lost_power(tracer, found)
        if found.energy is not None:
            gradient = tracer.energy_gradient(found.energy)
            stored.append(StoredEnergy(element.name, found.energy, gradient, found.load))
            potential = potential + found.energy
        kinetic = kinetic if found.kinetic is None else kinetic + found.kinetic
        outputs = [*found.load.values(), *found.rates, lost]
        law = frozen(outputs, inputs, found.overlaps, found.states)
        states += found.states
        rates += law.outputs[len(found.load) : -1]
        _accumulate(load, dict(zip(found.load, law.outputs, strict=False)))
        dissipated = dissipated + law.outputs[-1]
        guards += moved_guards(law.guards, len(switches))
        told += told_of(law, number, len(switches))
        switches += law.switches
        clocks += law.clocks
        switch_forces += [number] * len(law.switches)
    inverse, massless, moved = _add_inertias(load, layout, inputs, bodies, states)
    return TracedDynamics(
        system,
        inverse,
        massless,
        load,
        turns,
        counted,
        dissipated,
        stored,
        potential,
        kinetic + moved,
        switches,
        guards,
        clocks,
        switch_forces,
        told,
        states,
        rates,
        layout.state_places,
        layout.flows,
    )


def lost_power(tracer: ForceTracer, force: TracedForce) -> Expression:
    """What a force takes out of a mechanism, beyond what it stores.

    Nothing where it only stores: were its energy another than its action says, the balance of
    energies would tell, which it could not if the difference counted as dissipated.
    """
    if tracer.only_stores(force):
        return tracer.zero
    lost = -power(force.load, tracer.inputs.v, tracer.zero) - tracer.carried(force)
    return lost if force.energy is None else lost - tracer.energy_rate(force)


def told_of(law: FrozenLaw, force: int, first: int) -> list[Told]:
    """The overlaps of a force that are told, its switches being counted from `first` on."""
    pairs = enumerate(law.told)
    return [Told(first + switch, sign, force, k) for k, (switch, sign) in pairs if sign]


def moved_guards(guards: Sequence[Guard], first: int) -> list[Guard]:
    """Guards among switches that are counted from `first` on."""
    return [g if g == UNGUARDED else (g[0] + first, g[1]) for g in guards]


def power(load: Load, v: Sequence[Expression], zero: Expression) -> Expression:
    """What loads do along velocities."""
    terms = [force * v[k] for k, force in load.items()]
    return sum(terms[1:], terms[0]) if terms else zero


def _accumulate(load: Load, more: Load) -> None:
    for column, force in more.items():
        load[column] = load[column] + force if column in load else force


def _add_inertias(
    load: Load,
    layout: DynamicLayout,
    inputs: Inputs,
    bodies: Sequence[MovingBody],
    states: Sequence[Expression],
) -> tuple[InverseMass, tuple[int, ...], Expression]:
    """M^-1 of all bodies, which velocities have no mass, and the kinetic energy.

    All without the mass which states say they gain.

    Gyroscopic loads are added to `load`.
    """
    inverse: dict[int, SparseRow] = {}
    massless: list[int] = []
    kinetic = Expression(inputs.graph, inputs.graph.constant(0.0))
    plane, gains = layout.model.plane, gained_by(layout, states)
    for k, (body, numbers) in enumerate(zip(bodies, layout.mass_numbers, strict=True)):
        entries = [inputs.number(x) for x in numbers]
        terms = inertia_terms(plane, body, entries)
        inverse |= _lightened(terms.inverse, entries, plane, gains.get(k))
        massless += terms.massless
        kinetic = kinetic + terms.kinetic
        _accumulate(load, terms.load)
    return InverseMass(inverse), tuple(massless), kinetic


@final
@dataclass(frozen=True, slots=True)
class InertiaTerms:
    """What a body's inertia makes: rows of M^-1, gyroscopic loads, kinetic energy.

    `massless` are its velocities that have no mass by the structure: rows of zeros.
    """

    inverse: dict[int, SparseRow]
    massless: list[int]
    load: Load
    kinetic: Expression


def inertia_terms(plane: bool, body: MovingBody, entries: list[Expression]) -> InertiaTerms:
    """M^-1, -w x I w and the kinetic energy of a body, from its mass numbers."""
    first, inverse = body.first, dict[int, SparseRow]()
    if plane:
        lightness, looseness, mass, moment = entries
        inverse = {first + k: {first + k: lightness} for k in range(2)}
        inverse[first + 2] = {first + 2: looseness}
        x, y, turn = body.v
        kinetic = 0.5 * (mass * (x * x + y * y) + moment * turn * turn)
        idle = [first + k for k, m in enumerate((mass, mass, moment)) if m.is_zero]
        return InertiaTerms(inverse, idle, {}, kinetic)
    lightness, mass, loose, tensor = entries[0], entries[1], entries[2:8], entries[8:]
    for k in range(3):
        inverse[first + k] = {first + k: lightness}
        row = _row(loose, k)
        inverse[first + 3 + k] = {first + 3 + j: e for j, e in enumerate(row) if not e.is_zero}
    v, w = Vector(*body.v[:3]), Vector(*body.v[3:])
    spin = Vector(*(Vector(*_row(tensor, k)) @ w for k in range(3)))
    load = {first + 3 + k: -e for k, e in enumerate(w.cross(spin))}
    kinetic = 0.5 * (mass * (v @ v) + w @ spin)
    idle = [first + k for k in range(3) if mass.is_zero]
    idle += [first + 3 + k for k in range(3) if all(e.is_zero for e in _row(tensor, k))]
    return InertiaTerms(inverse, idle, {k: e for k, e in load.items() if not e.is_zero}, kinetic)


def gained_by(layout: DynamicLayout, states: Sequence[Expression]) -> dict[int, Expression]:
    """By body, what it has gained (kg) since the start; of those alone that gain or lose."""
    found: dict[int, Expression] = {}
    for body, state in layout.flows:
        more = states[state]
        found[body] = found[body] + more if body in found else more
    return found


def _lightened(
    inverse: dict[int, SparseRow], entries: list[Expression], plane: bool, gain: Expression | None
) -> dict[int, SparseRow]:
    """M^-1 of a body that has gained mass: m0 / (m0 + gain) of what it was."""
    if gain is None:
        return inverse
    mass = entries[2] if plane else entries[1]
    share = mass / (mass + gain)
    return {k: {j: e * share for j, e in row.items()} for k, row in inverse.items()}


def _row(upper: list[Expression], k: int) -> list[Expression]:
    """Row k of a symmetric 3 x 3 matrix given by its upper triangle."""
    xx, xy, xz, yy, yz, zz = upper
    return [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]][k]
