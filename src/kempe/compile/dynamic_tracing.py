"""Tracing the equations of motion: masses, loads and energies on top of the rows.

M a + J^T lam = f(q, v, t),   J a = gamma
"""

from dataclasses import dataclass
from typing import final

from kempe.algebra import Expression
from kempe.compile.dynamic_layout import DynamicLayout
from kempe.compile.force_tracing import ForceTracer, Load, MovingBody
from kempe.compile.layout import GROUND_INDEX
from kempe.compile.schur import InverseMass, SparseRow
from kempe.compile.tracing import TracedSystem, trace
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
    load: Load  # f, gyroscopic terms included
    turns: list[Expression]  # of rows, then of forces
    counted: list[tuple[int, int]]  # the turns of forces: force, and which of its readings
    dissipated: Expression  # power
    stored: list[StoredEnergy]
    potential: Expression
    kinetic: Expression


def trace_dynamics(layout: DynamicLayout) -> TracedDynamics:
    """Rows, loads, masses and energies of a layout, in one graph."""
    system = trace(layout.layout)
    chart, inputs = layout.layout.chart, system.inputs
    bodies = [
        MovingBody(
            chart.frame(inputs.q[k * chart.n_q : (k + 1) * chart.n_q]),
            inputs.v[k * chart.n_v : (k + 1) * chart.n_v],
            k * chart.n_v,
        )
        for k in range(layout.layout.n_bodies)
    ]
    tracer = ForceTracer(chart, inputs, bodies)
    load: Load = {}
    turns, counted = list(system.turns), []
    dissipated, potential = tracer.zero, tracer.zero
    stored = []
    for number, element in enumerate(layout.forces):
        places = layout.bodies_of(element)
        found = tracer.trace(element, [None if b == GROUND_INDEX else bodies[b] for b in places])
        turns += found.turned.values()
        counted += [(number, reading) for reading in found.turned]
        _accumulate(load, found.load)
        dissipated = dissipated - _power(found.load, inputs.v, tracer.zero)
        if found.energy is not None:
            gradient = tracer.energy_gradient(found.energy)
            stored.append(StoredEnergy(element.name, found.energy, gradient, found.load))
            dissipated = dissipated - tracer.energy_rate(found.energy)
            potential = potential + found.energy
    inverse_mass, kinetic = _masses(layout, tracer, bodies, load)
    return TracedDynamics(
        system, inverse_mass, load, turns, counted, dissipated, stored, potential, kinetic
    )


def _power(load: Load, v: list[Expression], zero: Expression) -> Expression:
    terms = [force * v[k] for k, force in load.items()]
    return sum(terms[1:], terms[0]) if terms else zero


def _accumulate(load: Load, more: Load) -> None:
    for column, force in more.items():
        load[column] = load[column] + force if column in load else force


def _masses(
    layout: DynamicLayout, tracer: ForceTracer, bodies: list[MovingBody], load: Load
) -> tuple[InverseMass, Expression]:
    """M^-1 and the kinetic energy; gyroscopic torques -w x I w join the loads."""
    rows: dict[int, SparseRow] = {}
    kinetic = tracer.zero
    for body, numbers in zip(bodies, layout.mass_numbers, strict=True):
        entries = [tracer.inputs.number(x) for x in numbers]
        if layout.model.plane:
            lightness, looseness = entries
            for k in range(2):
                rows[body.first + k] = {body.first + k: lightness}
            rows[body.first + 2] = {body.first + 2: looseness}
            x, y, turn = body.v
            kinetic = kinetic + 0.5 * ((x * x + y * y) / lightness + turn * turn / looseness)
            continue
        lightness, inverse, tensor = entries[0], entries[1:7], entries[7:]
        for k in range(3):
            rows[body.first + k] = {body.first + k: lightness}
            row = _row(inverse, k)
            rows[body.first + 3 + k] = {
                body.first + 3 + j: e for j, e in enumerate(row) if not e.is_zero
            }
        w = Vector(*body.v[3:])
        spin = Vector(*(Vector(*_row(tensor, k)) @ w for k in range(3)))
        v = Vector(*body.v[:3])
        kinetic = kinetic + 0.5 * ((v @ v) / lightness + w @ spin)
        gyroscopic = w.cross(spin)
        _accumulate(load, {body.first + 3 + k: -e for k, e in enumerate(gyroscopic)})
    return InverseMass(rows), kinetic


def _row(upper: list[Expression], k: int) -> list[Expression]:
    """Row k of a symmetric 3 x 3 matrix given by its upper triangle."""
    xx, xy, xz, yy, yz, zz = upper
    return [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]][k]
