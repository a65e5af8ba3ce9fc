"""The motion of samples of the centres of mass, audited: what comes out of a simulation."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import samples_at_origins
from kempe.dynamics.ending import RunEnd
from kempe.dynamics.energy_check import (
    broken_promise,
    imbalance,
    promise_broken,
    told_roughness,
    unbalanced,
)
from kempe.dynamics.events.event_run import EventRun
from kempe.dynamics.events.grips import grip_columns
from kempe.dynamics.preparation.preparation import PreparedDynamics
from kempe.outcome import Outcome
from kempe.results import Event, Motion, Recipe

FloatArray = NDArray[np.float64]


def motion_of_samples(
    prepared: PreparedDynamics,
    out: dict[str, FloatArray],
    end: RunEnd,
    times: FloatArray,
    tolerance: float,
    outcome: Outcome,
    events: EventRun | None = None,
    *,
    is_watched: bool = True,
) -> Motion:
    """The motion of samples of the centres of mass, as far as the run came."""
    done, model = end.samples, prepared.equations.layout.model
    program = prepared.equations.program
    audit = _audited(prepared, out, end, times, tolerance, is_watched=is_watched)
    rough = _told_rough(prepared, out, end, times, tolerance) if is_watched else ()
    if audit is not None:
        (done, outcome), rough = audit, ()
    q, v, a = (out[name][:done] for name in ("q", "v", "a"))
    if prepared.uneven.any() and events is None:
        a = _closed_accelerations(prepared, q, v, a, times[:done])
    if events is None:
        multipliers, rubbed, gripped = _carried(prepared, q, out["lam"][:done])
    else:
        multipliers = out["multipliers"][:done]
        rubbed, gripped = out["rubbed"][:done], out["gripped"][:done]
    kinetic, potential, dissipated, driven = out["energy"][:done, :4].T.copy()
    q, v, a = samples_at_origins(model, q, v, a)
    return Motion(
        t=times[:done].copy(),
        q=q,
        v=v,
        a=a,
        outcome=outcome,
        counts=end.counts,
        recipe=Recipe(
            program.executor,
            program.plan,
            {"tolerance": tolerance},
            end.methods[0][1],
            end.methods,
        ),
        redundant=program.shape.redundant(prepared.equations.layout.layout.elements),
        notes=(*prepared.moved, *prepared.changes, *_told_errors(end), *rough),
        angles=dict(prepared.start.angles),
        multipliers=multipliers,
        kinetic=kinetic,
        potential=potential,
        dissipated=dissipated,
        violation=out["violation"][:done, 0] * prepared.equations.layout.layout.size,
        driven=driven,
        held=np.zeros((0, 0)) if events is None else out["held"][:done],
        rubbed=rubbed,
        gripped=gripped,
        acted=() if events is None else events.acted,
        events=_in_order((*end.touches, *(() if events is None else events.events))),
        states=out["states"][:done].copy(),
        law_changes=end.law_changes,
    )


def _carried(
    prepared: PreparedDynamics, q: FloatArray, lam: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The rows' multipliers, and what joints' friction rubs and grips, a row a sample.

    `lam` are the integrator's, in its order and with its sign.
    """
    multipliers = np.zeros((len(lam), prepared.n_rows))
    multipliers[:, prepared.row_order] = -lam
    if prepared.loads is None:
        return multipliers, np.zeros((0, 0)), np.zeros((0, 0))
    rubbed = prepared.loads.rubbed(prepared.equations.layout.model, q, lam)
    grips = grip_columns(prepared.equations.layout.model).values()
    return multipliers, rubbed, np.zeros((len(lam), sum(c.stop - c.start for c in grips)))


def _audited(
    prepared: PreparedDynamics,
    out: dict[str, FloatArray],
    end: RunEnd,
    times: FloatArray,
    tolerance: float,
    *,
    is_watched: bool,
) -> tuple[int, Outcome] | None:
    """How many samples come before energies go wrong, and the outcome; None where they do not."""
    model = prepared.equations.layout.model
    energy, largest, pushed = np.split(out["energy"][: end.samples], [4, 5], axis=1)
    told = (energy, end.counts["steps"], tolerance, largest[:, 0], pushed[:, 0])
    wrong = imbalance(*told) if is_watched else None
    if wrong is not None:
        wrong = imbalance(*told, _held_energy(prepared, float(times[0])))
    until = end.samples if wrong is None else wrong.sample + 1
    broken = broken_promise(prepared.equations.layout, out["q"][:until], times[:until])
    if broken is not None:
        return broken.sample, promise_broken(broken, float(times[broken.sample]))
    if wrong is None:
        return None
    suspects = [*(f.name for f in model.forces), *(d.gauge.name for d in model.drives)]
    t = float(times[wrong.sample])
    return wrong.sample, unbalanced(wrong, t, tolerance, end.counts["damped"], suspects)


def _told_rough(
    prepared: PreparedDynamics,
    out: dict[str, FloatArray],
    end: RunEnd,
    times: FloatArray,
    tolerance: float,
) -> tuple[str, ...]:
    """What is noted of energies that add up no better than a rough tolerance lets them."""
    energy, largest, _ = np.split(out["energy"][: end.samples], [4, 5], axis=1)
    rough = told_roughness(energy, tolerance, largest[:, 0], 0.0)
    if rough:  # rounding of what is held is asked for only where it may count
        held = _held_energy(prepared, float(times[0]))
        rough = told_roughness(energy, tolerance, largest[:, 0], held)
    return rough


def _in_order(events: Iterable[Event]) -> tuple[Event, ...]:
    return tuple(sorted(events, key=lambda e: e.t))


def _told_errors(end: RunEnd) -> tuple[str, ...]:
    """What steps of one length erred by at most, in words; nothing where errors were followed."""
    if not end.largest_error:
        return ()
    return (
        f"the largest error of a step of one length is estimated to be {end.largest_error:.1e}:"
        " lengths beside the machine's, angles in rad, velocities beside the largest",
    )


def _closed_accelerations(
    prepared: PreparedDynamics, q: FloatArray, v: FloatArray, a: FloatArray, t: FloatArray
) -> FloatArray:
    """Accelerations a (n, n_v) of the centres of mass that fit the rows, where those are uneven.

    A screw of a small lead, say, all but holds what pushes along it: of the difference, which the
    nut's acceleration is, digits are lost that the acceleration of its turning has.
    """
    equations = prepared.equations
    states = [
        replace(prepared.start, t=float(at), q=place, v=rate)
        for at, place, rate in zip(t, q, v, strict=True)
    ]
    looks = [states[len(states) // 2], states[-1]] if states else []
    always = [prepared.uneven, *(equations.uneven_rows(state) for state in looks)]
    if not np.all(always, axis=0).any():  # only in passing
        return a
    return equations.closed_accelerations(states, a)


def _held_energy(prepared: PreparedDynamics, t: float) -> float:
    """What the loads at the start would make over the length of the machine (J)."""
    if prepared.callbacks:  # whoever gives numbers is asked along the run alone
        return 0.0
    load = prepared.terms(prepared.start.q, prepared.start.v, t).load
    return float(np.abs(load / prepared.equations.layout.layout.step_weights).sum())
