"""Equilibria of a mechanism: from a start to where it rests, with the verdict and the reactions."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import to_origins, velocities_at_origins
from kempe.compile.layout.layout import Layout
from kempe.dynamics.curve_riders import dismounted, riding
from kempe.errors import BadNumber
from kempe.geometry import Marker
from kempe.kinematics.closing.placement import Given
from kempe.kinematics.mobility.free_motions import displacement_motion
from kempe.kinematics.observe.observation import observe
from kempe.kinematics.reactions.loads import applied_force
from kempe.model import Model
from kempe.outcome import Outcome
from kempe.results import Motion, Recipe
from kempe.results.reports.equilibrium import METHOD, FreeDirection, Rested
from kempe.results.reports.free_motion import FreeMotion
from kempe.results.state import State
from kempe.statics.holding import (
    Holding,
    frictions_that_hold,
    motion_at_base,
    sides_that_hold,
)
from kempe.statics.rest import SEEK, Rest, rest
from kempe.statics.stability import Stability, stability
from kempe.statics.system import Balance, StaticSystem, static_start

FloatArray = NDArray[np.float64]

MOST_DIRECTIONS = 50


def statics(
    layout: Layout,
    t: float = 0.0,
    *,
    seek: str = "stable",
    given: Given | None = None,
    angles: Mapping[str, float] | None = None,
) -> Rested:
    """Where a mechanism rests with its drives held as they are at time t.

    It starts at the assembly nearest to the `given` poses, the model's first guesses if omitted.
    """
    if seek not in SEEK:
        raise BadNumber(f"seek={seek!r} is none of {', '.join(map(repr, SEEK))}.")
    if layout.n_own:
        carried = riding(layout, t, given)
        found = statics(carried.layout, t, seek=seek, angles=angles)
        motion = dismounted(layout, carried, found.motion)
        n = layout.coordinates.bodies_v.stop
        own = tuple(
            FreeDirection(
                way.stiffness,
                np.concatenate([way.displacement[:n], np.zeros(layout.n_own)]),
                without_riders(layout, way.motion),
            )
            for way in found.directions
        )
        return replace(found, motion=motion, directions=own)
    model = layout.model
    if frictions_that_hold(model) or sides_that_hold(model):
        held = Holding(layout, t, seek, dict(angles or {})).found(given)
        rested = told(held.system, held.end, (*held.notes, *_notes(model)))
        motion = motion_at_base(layout, held, rested.motion)
        return replace(rested, motion=motion, holds=held.holds)
    start = static_start(layout, t, given, dict(angles or {}))
    end = rest(start.system, start.state, seek)
    return told(start.system, end, (*start.notes, *_notes(model)))


def _notes(model: Model) -> tuple[str, ...]:
    """What of a model is left out, or holds only for a while."""
    notes = []
    stops = {side.stop.name for side in sides_that_hold(model)}
    if events := [event.name for event in model.events if event.name not in stops]:
        named = ", ".join(map(repr, events[:3])) + (", ..." if len(events) > 3 else "")
        notes.append(f"events act in simulations only, not here: {named}")
    creeping = [f.name for f in frictions_that_hold(model) if f.creep is not None]
    if creeping:
        named = ", ".join(map(repr, creeping[:3])) + (", ..." if len(creeping) > 3 else "")
        notes.append(f"friction that creeps in simulations holds here: {named}")
    return tuple(notes)


def without_riders(layout: Layout, motion: FreeMotion) -> FreeMotion:
    """A motion without the bodies that only stand for places on curves."""
    mine = tuple(one for one in motion.motions if one.body in layout.body_index)
    return replace(motion, motions=mine)


def told(system: StaticSystem, end: Rest, notes: tuple[str, ...] = ()) -> Rested:
    """What a search has found, as a result."""
    here = end.here
    if end.pushes:
        notes = (
            *notes,
            "it was balanced where it does not stay, and was pushed off"
            f" {end.pushes if end.pushes > 1 else 'one'} such place{'s' * (end.pushes > 1)}",
        )
    if end.is_nearest:
        notes = (
            *notes,
            "downhill it came to no end, as some forces are no slope of an energy: this is the"
            " balance nearest to the start",
        )
    held = stability(system, here)
    motion = at_rest(system, [here], end.outcome, notes, {"steps": end.steps})
    ways = tuple(_direction(system, here, held, k) for k in range(held.directions.shape[1]))
    return Rested(
        motion,
        held.verdict if end.outcome.is_done else None,
        ways[:MOST_DIRECTIONS],
        held.is_conservative,
        held.flutters,
    )


def at_rest(
    system: StaticSystem,
    balances: list[Balance],
    outcome: Outcome,
    notes: tuple[str, ...] = (),
    counts: dict[str, int] | None = None,
) -> Motion:
    """Samples at rest as a motion: places, no velocities, multipliers and stored energies."""
    layout = system.origins
    n, n_v = len(balances), layout.n_v
    q = np.array([system.origins_of(here.state) for here in balances]).reshape(n, layout.n_q)
    t = np.array([here.state.t for here in balances])
    lam = np.array([here.lam * system.row_weights for here in balances])
    angles = system.turned(balances[0].state) if balances else {}
    still = Motion(t, q, np.zeros((n, n_v)), np.zeros((n, n_v)), outcome, angles=angles)
    return Motion(
        t=t,
        q=q,
        v=np.zeros((n, n_v)),
        a=np.zeros((n, n_v)),
        outcome=outcome,
        counts=counts or {},
        recipe=Recipe("vm", "small", {}, METHOD),
        redundant=_redundant(system, balances),
        notes=notes,
        angles=angles,
        multipliers=-lam.reshape(n, -1),
        kinetic=np.zeros(n),
        potential=stored(layout, still),
        dissipated=np.zeros(n),
        driven=np.zeros(n),
        violation=np.array([_gap(system, here.state) for here in balances]),
    )


def _gap(system: StaticSystem, at: State) -> float:
    """How far joints and drives gape, m."""
    n = system.rows.program.shape.n_turns
    phi = system.rows.evaluate(at.q, at.t, at.turns[:n])[0]
    return float(np.abs(system.row_weights * phi).max(initial=0.0)) * system.origins.size


def _redundant(system: StaticSystem, balances: list[Balance]) -> tuple[str, ...]:
    """Joints in combinations of rows that do nothing, where there are any."""
    if not balances:
        return ()
    J = balances[0].J
    n_idle = len(J) - (J.shape[1] - balances[0].N.shape[1])
    if n_idle <= 0:
        return ()
    lengths = np.maximum(np.linalg.norm(J, axis=1), 1e-300)
    u, _, _ = np.linalg.svd(J / lengths[:, None])
    idle = np.abs(u[:, -n_idle:]).max(axis=1) > 1e-8
    elements, rows = system.layout.layout.elements, system.equations.program.shape.rows
    names = (elements[rows[k].element].name for k in np.flatnonzero(idle))
    return tuple(dict.fromkeys(names))


def stored(layout: Layout, motion: Motion) -> FloatArray:
    """What weights and springs have stored at samples (n,), J; weights count from the origin."""
    total = np.zeros(len(motion))
    if not len(motion):
        return total
    g = np.array(layout.model.gravity)
    for body in layout.model.moving if g.any() else ():
        if body.inertia is not None and body.inertia.mass:
            x, y, z = (float(c) for c in body.inertia.centre)
            place, _, _ = observe(
                layout, motion, [Marker(body.name, (x, y, z))], lambda X: list(X[0].position)
            )
            total -= body.inertia.mass * (place @ g)
    for force in layout.model.forces:
        if force.stores:
            energy = applied_force(layout, motion, force).energy
            total += 0.0 if energy is None else energy
    return total


def _direction(system: StaticSystem, here: Balance, held: Stability, k: int) -> FreeDirection:
    y = system.units * held.directions[:, k]
    return FreeDirection(float(held.stiffness[k]), *displaced(system, here.state.q, y))


def at_origins(system: StaticSystem, q: FloatArray, d: FloatArray) -> FloatArray:
    """A displacement d (n_v,) of the centres of mass at q, as that of the bodies' origins."""
    return np.asarray(velocities_at_origins(system.layout.model, q[None, :], d[None, :])[0])


def displaced(system: StaticSystem, q: FloatArray, d: FloatArray) -> tuple[FloatArray, FreeMotion]:
    """A displacement d (n_v,) of the centres of mass at q: of the origins, and body by body."""
    origins, there = system.origins, at_origins(system, q, d)
    place = to_origins(system.layout.model, q[None, :])[0]
    return there, displacement_motion(origins, origins.step_weights * there, place)
