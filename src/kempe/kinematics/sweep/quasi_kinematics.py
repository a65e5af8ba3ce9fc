"""Quasi-kinematics: a mechanism with fewer drives than freedoms, its free parts held back.

Of all velocities that the drives allow the shortest is taken, lengths in sizes of the machine:

    v = J^+ (-phi_t),   J v = -phi_t  and  v = J^T mu

so that what no drive holds moves only where it must. Its rate is  J a = gamma  with the part that J
leaves open from the second equation:  a = J^+ gamma + (1 - J^+ J) J'^T mu.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.layout import Layout
from kempe.equations import Equations, equations_of
from kempe.equations.equations import Sampled
from kempe.equations.rank import drive_rows, independent_rows
from kempe.interruption import put_off
from kempe.kinematics.check.row_choice import over_driven
from kempe.kinematics.closing.closing import Closing
from kempe.kinematics.closing.placement import Given, moved_bodies
from kempe.kinematics.laws.drive_laws import (
    ValueJump,
    law_value,
    refuse_rough_start,
    value_jump,
)
from kempe.kinematics.mobility.free_motions import idle_drives
from kempe.kinematics.stepping.ending import SweepEnd, broken_law
from kempe.kinematics.stepping.newton import USUAL, Newton
from kempe.kinematics.stepping.preparation import assembled
from kempe.outcome import Ending, Outcome
from kempe.results import Motion, Recipe, StepControl
from kempe.results.motion import NEAREST

FloatArray = NDArray[np.float64]

COUNTS = ("iterations", "halvings", "substeps")


def quasi_sweep(
    layout: Layout, times: FloatArray, given: Given | None = None, newton: Newton = USUAL
) -> Motion | None:
    """Samples at the given times (s, rising); None where the drives hold every freedom.

    Own: see the equations above; positions by Runge and Kutta's method of order 4.
    """
    start = float(times[0])
    equations = equations_of(layout)
    at = assembled(equations, start, given)
    J = equations.scaled_jacobian(at)
    is_drive = drive_rows(equations)
    joints = np.flatnonzero(~is_drive)
    free = layout.n_v - len(independent_rows(J[joints]))
    driven = int(is_drive.sum())
    if driven > free:
        raise over_driven(layout, driven, free, start, idle_drives(layout, at))
    if driven == free:
        return None
    kept = np.array(sorted(independent_rows(J)), dtype=np.int32)
    q, end = _positions(equations, at, times, kept, newton)
    jump = value_jump(layout.model.drives, times, end.at.t)
    if jump is not None:
        end = replace(end, samples=int(np.count_nonzero(times <= jump.t)))
    done = end.samples
    with np.errstate(invalid="ignore", over="ignore"):
        v, a = _rates(equations, q[:done], times[:done], kept)
    if done < len(times) or not (np.isfinite(v).all() and np.isfinite(a).all()):
        refuse_rough_start(layout.model.drives, start)
    open_ones = layout.n_v - len(kept)
    return Motion(
        t=times if done == len(times) else times[:done].copy(),
        q=q[:done],
        v=v,
        a=a,
        outcome=_outcome(layout, end, times, open_ones, jump),
        counts={name: end.cost.counts[name] for name in COUNTS} | {"free": open_ones},
        recipe=Recipe(equations.program.executor, equations.program.plan, {}, NEAREST),
        control=StepControl(
            min(end.cost.smallest_step, float(np.diff(times).min(initial=np.inf))),
            end.cost.refusals,
        ),
        notes=moved_bodies(layout, at.q, None if given is None else given.guesses),
    )


def _positions(
    equations: Equations,
    at: Closing,
    times: FloatArray,
    kept: NDArray[np.int32],
    newton: Newton,
) -> tuple[FloatArray, SweepEnd]:
    shape = equations.program.shape
    q = np.empty((len(times), shape.n_q))
    end = core.nearest_sweep(
        equations.program.system,
        equations.parameters,
        at.q,
        at.turns,
        times,
        q,
        shape.jacobian_rows,
        shape.jacobian_columns,
        kept,
        equations.row_weights,
        equations.layout.step_weights,
        newton.tolerance,
        newton.iterations,
        put_off,
    )
    return q, SweepEnd.of(end)


def _rates(
    equations: Equations, q: FloatArray, t: FloatArray, kept: NDArray[np.int32]
) -> tuple[FloatArray, FloatArray]:
    """Velocities and accelerations (n, n_v) at the samples.

    J'^T mu has the components  mu . D2(v, e_k), from gamma(v + e_k) - gamma(v - e_k).
    """
    samples = Sampled(equations, q, t)
    W, C = equations.row_weights[kept], 1.0 / equations.layout.step_weights
    J = W[:, None] * samples.jacobians()[:, kept] * C
    inverse = np.linalg.pinv(J)
    rest = np.zeros((len(q), equations.layout.n_v))
    rate, _ = samples.right_hand(rest)
    speed = np.einsum("nij,nj->ni", inverse, W * rate[:, kept])
    mu = np.einsum("nji,nj->ni", inverse, speed)
    v = C * speed
    _, gamma = samples.right_hand(v)
    pace = float(np.abs(speed).max(initial=0.0)) or 1.0
    turned = np.zeros_like(v)
    for k in range(equations.layout.n_v):
        step = np.zeros(equations.layout.n_v)
        step[k] = pace * C[k]
        after, before = (samples.right_hand(v + s * step)[1][:, kept] for s in (1.0, -1.0))
        turned[:, k] = ((W * mu) * (before - after)).sum(axis=1) / (4.0 * pace)
    across = turned - np.einsum("nij,njk,nk->ni", inverse, J, turned)
    a = C * (np.einsum("nij,nj->ni", inverse, W * gamma[:, kept]) + across)
    return v, a


def _outcome(
    layout: Layout, end: SweepEnd, times: FloatArray, free: int, jump: ValueJump | None
) -> Outcome:
    drives = layout.model.drives
    said = (
        f"{free} freedom{'s are' if free > 1 else ' is'} not driven: what is free has moved as"
        " little as it could."
    )
    if end.samples == len(times):
        return Outcome(Ending.DONE, said, "", {"free": free})
    t = end.at.t
    broken = (
        broken_law(drives, end, times, t)
        if jump is None
        else jump.outcome(jump.t, end.refusal.name)
    )
    if broken is not None:
        is_jump = broken.ending is Ending.STEP_TOO_SMALL
        return replace(broken, facts=broken.facts | {"free": free}) if is_jump else broken
    details: dict[str, float | int | str] = {"t": t, "free": free, "refusal": end.refusal.name}
    if end.interrupted:
        return Outcome(
            Ending.INTERRUPTED,
            f"stopped by request at t = {t:.9g} s. {said[0].upper()}{said[1:]}",
            "The samples so far are kept.",
            details,
        )
    where = ""
    if drives:
        name, value = drives[0].gauge.name, law_value(drives[0], t)[0]
        details |= {"drive": name, "value": value}
        where = f"{name} = {value:.9g} {drives[0].gauge.unit}, "
    return Outcome(
        Ending.SINGULAR,
        f"at {where}t = {t:.9g} s no motion of the free parts lets the drives go on. {said}",
        "Drive more of the mechanism, or end the sweep before it.",
        details,
    )
