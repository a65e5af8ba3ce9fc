"""What can still move in a position, what could be driven there, and which drives hold nothing."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name
from kempe.equations import Equations, equations_of
from kempe.equations.rank import (
    drive_rows,
    independent_rows,
    null_space,
    of_length_one,
    sparse_rows,
)
from kempe.kinematics.closing.closing import DENSE
from kempe.kinematics.closing.placement import body_pose, gauge_reading
from kempe.kinematics.closing.winding import initial_turns
from kempe.kinematics.mobility.finite_motion import Released, released_at
from kempe.kinematics.mobility.passive_spin import spin_directions, square_to, without_spins
from kempe.measures import Gauge
from kempe.results import BodyMotion, FreeMotion
from kempe.results.reports.counts import IdleDrives, Spinner
from kempe.results.state import State

FloatArray = NDArray[np.float64]
Rounded = tuple[tuple[int, float], ...]

# A body takes part in a free motion where it moves by this share of what moves most.
TAKES_PART = 1e-6
A_FEW = 12  # motions that are told of many bodies

STEP = 1e-4  # rad, and sizes of the machine
CHANGES = 1e-3  # of a step: less is the bend of a motion that does not change the measure at first
MOST = 200  # measures that are tried

# A combination of driven rates that changes by less than this share of them holds nothing: as near
# to a dead centre as a search ends.
HOLDS = 3e-6
PLACES = 9  # digits of the rows of drives that are compared
NAMED = 1e-3  # share of such a combination that a drive must have to be named
STEPS = (0.2, -0.2, 0.05)  # rad, and share of the machine's size: where else it is looked at


def free_motions(
    equations: Equations, at: State, passive: Sequence[Spinner] = ()
) -> tuple[FreeMotion, ...]:
    """A basis of the motions that the rows allow at a place, each with as few bodies as can be.

    The spins of what is `passive` come last. Of many bodies, the first few of these motions.
    """
    spins = spin_directions(equations.layout, at.q, passive)
    if equations.layout.n_v > DENSE:
        rows = sparse_rows(equations, at)
        k = len(rows.free)  # what comes last moves fewest bodies
        some = [rows.motion(np.eye(1, k, place)[0]) for place in range(max(0, k - A_FEW), k)]
        basis = np.array(some).reshape(-1, equations.layout.n_v)
        others = _other_than_spins(basis, spins)
    else:
        others = _separated(without_spins(null_space(equations.scaled_jacobian(at)), spins))
    return (
        *(displacement_motion(equations.layout, row, at.q) for row in others),
        *(
            replace(displacement_motion(equations.layout, row, at.q), is_idle_spin=True)
            for row in spins
        ),
    )


def _other_than_spins(free: FloatArray, spins: FloatArray) -> FloatArray:
    """Some free motions, the spins taken out of them; not those that say nothing beside others."""
    left = square_to(of_length_one(free), spins)
    left = left[np.linalg.norm(left, axis=1) > TAKES_PART]
    return np.asarray(left[sorted(independent_rows(left))])


def _separated(basis: FloatArray) -> FloatArray:
    """A basis of the space with many zeros: Gauss-Jordan, largest entries first."""
    basis = basis.copy()
    for k in range(len(basis)):
        rest = np.abs(basis[k:])
        i, j = divmod(int(rest.argmax()), rest.shape[1])
        basis[[k, k + i]] = basis[[k + i, k]]
        basis[k] /= basis[k, j]
        others = np.arange(len(basis)) != k
        basis[others] -= np.outer(basis[others, j], basis[k])
    return basis


def displacement_motion(layout: Layout, scaled: FloatArray, q: FloatArray) -> FreeMotion:
    """A displacement (n_v,), in sizes of the machine and rad, as a motion body by body."""
    by_body = layout.coordinates.v_by_body
    sizes = np.abs(by_body(scaled)).max(axis=1)
    order = [
        int(k) for k in np.argsort(-sizes, kind="stable") if sizes[k] > TAKES_PART * sizes.max()
    ]
    moved = by_body(scaled / sizes.max() / layout.step_weights)
    return FreeMotion(tuple(_body(layout, k, moved[k], q) for k in order))


def _body(layout: Layout, k: int, d: FloatArray, q: FloatArray) -> BodyMotion:
    name = layout.model.moving[k].name
    X_WB = body_pose(layout, q, name)
    if layout.model.plane:
        v, w = np.array([d[0], d[1], 0.0]), np.array([0.0, 0.0, d[2]])
    else:
        v, w = d[:3], X_WB.rotation.matrix() @ d[3:]
    x, y, z = (float(c) for c in X_WB.position)
    return BodyMotion(
        name,
        (x, y, z),
        (float(v[0]), float(v[1]), float(v[2])),
        (float(w[0]), float(w[1]), float(w[2])),
        layout.size,
    )


def drivable(
    equations: Equations,
    q: FloatArray,
    free: FloatArray,
    bodies: Iterable[str],
    spins: FloatArray,
    idle: Iterable[str],
) -> Gauge | None:
    """A measure that changes along one of the free motions (k, n_v; rad and sizes of the machine).

    It changes along none of the `spins` (k, n_v) of bodies that are `idle`, which it would hold
    instead. Angles of these bodies come first, then what joints leave free, then the bodies'
    coordinates, all this of bodies that spin idly last; None where none of them does.
    """
    known, driven = (
        gauges_by_name(equations.layout.model),
        {d.gauge.name for d in equations.layout.model.drives},
    )
    movers = tuple(bodies)
    last = set(idle)
    first = [body for body in movers if body not in last]
    joints = [f"{j.name}.{m.word}" for j in equations.layout.model.joints for m in j.freedom]
    names = [f"{body}.angle" for body in first] + joints
    names += [f"{body}.{word}" for body in first for word in "xyz"]
    names += [f"{body}.{word}" for body in movers for word in ("angle", *"xyz")]
    wanted = [known[n] for n in dict.fromkeys(names) if n in known and n not in driven]
    scale = STEP / equations.layout.step_weights
    ends, spun = (
        [
            tuple(
                equations.program.retract(q, way * scale * d / np.abs(d).max())
                for way in (1.0, -1.0)
            )
            for d in motions
            if np.any(d)
        ]
        for motions in (free, spins)
    )
    fit = (
        g
        for g in wanted[:MOST]
        if _changes(equations.layout, g, ends) and not _changes(equations.layout, g, spun)
    )
    return next(fit, None)


def _changes(layout: Layout, gauge: Gauge, ends: Sequence[tuple[FloatArray, ...]]) -> bool:
    size = 1.0 if gauge.unit == "rad" else layout.size
    for pair in ends:
        after, before = (gauge_reading(layout, q, gauge) for q in pair)
        change = after - before
        if gauge.unit == "rad" and math.isfinite(change):
            change = math.remainder(change, math.tau)
        if abs(change) > 2.0 * STEP * CHANGES * size:
            return True
    return False


def idle_drives(layout: Layout, at: State) -> IdleDrives:
    """The drives that do not determine the motion where the mechanism stands.

    With N a basis of what the joints allow and J_d the drives' rows, combinations c of drives with
    c J_d N = 0 hold nothing. Of large mechanisms those are told that repeat each other. Own.
    """
    if not layout.model.drives:
        return IdleDrives()
    equations = equations_of(layout)
    if layout.n_v > DENSE:
        return _said_again(equations, at)
    here, surplus, basis = _idle(equations, at.q, at.t)
    if not here:
        return IdleDrives()
    free = released_at(layout, at.q, at.t)
    elsewhere = [_idle(equations, q, at.t)[:2] for q in _around(free, basis)]
    if not elsewhere or not all(names for names, _ in elsewhere):
        return IdleDrives(here, is_general=False, surplus=surplus)
    return IdleDrives(here, is_general=True, surplus=min(surplus, *(n for _, n in elsewhere)))


def _said_again(equations: Equations, at: State) -> IdleDrives:
    """The first drives whose rows are parallel, here and wherever its bodies are moved to."""
    layout, rng = equations.layout, np.random.default_rng(1876)
    away = equations.program.retract(
        at.q, 0.1 * rng.standard_normal(layout.n_v) / layout.step_weights
    )
    here, there = (
        _rows_of_drives(equations, q, at.t, initial_turns(equations, at.t, at.q))
        for q in (at.q, away)
    )
    alike: dict[tuple[Rounded, Rounded], list[str]] = {}
    for drive, *rows in zip(layout.model.drives, here, there, strict=True):
        alike.setdefault((rows[0], rows[1]), []).append(drive.gauge.name)
    names = next((tuple(group) for group in alike.values() if len(group) > 1), ())
    return IdleDrives(names, is_general=bool(names), surplus=max(len(names) - 1, 0))


def _rows_of_drives(
    equations: Equations, q: FloatArray, t: float, turns: FloatArray
) -> list[Rounded]:
    """The directions of the rows of drives, places and rounded numbers: parallel ones are equal."""
    shape = equations.program.shape
    entries = equations.scaled_entries(equations.evaluate(q, t, turns)[1])
    first = int(np.argmax(drive_rows(equations)))
    rows: list[dict[int, float]] = [{} for _ in equations.layout.model.drives]
    for k in np.flatnonzero(shape.jacobian_rows >= first):
        row, column = rows[int(shape.jacobian_rows[k]) - first], int(shape.jacobian_columns[k])
        row[column] = row.get(column, 0.0) + float(entries[k])
    found = []
    for row in rows:
        told = {column: x for column, x in sorted(row.items()) if x}
        length = math.copysign(math.hypot(*told.values()), next(iter(told.values()), 1.0)) or 1.0
        found.append(tuple((column, round(x / length, PLACES) + 0.0) for column, x in told.items()))
    return found


def idle_at(equations: Equations, q: FloatArray, t: float) -> tuple[str, ...]:
    """Names of drives that do not determine the motion at q, on small mechanisms."""
    return _idle(equations, q, t)[0]


def telling_drives(layout: Layout, places: Sequence[FloatArray], t: float) -> tuple[int, ...]:
    """Drives, by number, that say all that the drives say, where they say most; first ones first.

    `places` are configurations that the joints allow.
    """
    equations = equations_of(layout)
    found: tuple[int, ...] = ()
    for q in places:
        held, _ = _held(equations, q, t)
        told = np.zeros((0, held.shape[1]))
        kept = []
        for k, row in enumerate(held):
            new = row - (row @ told.T) @ told
            new -= (new @ told.T) @ told
            length = float(np.linalg.norm(new))
            if length > HOLDS:
                kept.append(k)
                told = np.vstack([told, new / length])
        found = max(found, tuple(kept), key=len)
    return found


def _idle(equations: Equations, q: FloatArray, t: float) -> tuple[tuple[str, ...], int, FloatArray]:
    """Names of idle drives at q, how many could go, and a basis of what the joints allow there."""
    held, basis = _held(equations, q, t)
    U, values, _ = np.linalg.svd(held)
    idle = U[:, int((values > HOLDS).sum()) :]
    drives = equations.layout.model.drives
    weights = np.abs(idle).max(axis=1, initial=0.0)
    names = tuple(d.gauge.name for d, weight in zip(drives, weights, strict=True) if weight > NAMED)
    return names, idle.shape[1], basis


def _held(equations: Equations, q: FloatArray, t: float) -> tuple[FloatArray, FloatArray]:
    """What drives hold (drives, k) of a basis (k, n_v) of what the joints allow at q, and that."""
    last = initial_turns(equations, t, q)
    J = equations.program.dense_jacobian(equations.evaluate(q, t, last)[1])
    J = of_length_one(J / equations.layout.step_weights)
    is_drive = drive_rows(equations)
    basis = null_space(J[~is_drive], HOLDS)
    return J[is_drive] @ basis.T, basis


def _around(free: Released, basis: FloatArray) -> list[FloatArray]:
    """Closed places a short way off, the drives let go."""
    rng = np.random.default_rng(1876)
    found = []
    for step in STEPS:
        d = rng.standard_normal(len(basis)) @ basis
        d /= max(float(np.abs(d).max(initial=0.0)), 1e-300)
        there = free.moved(d, step)
        if there.is_closed:
            found.append(there.q)
    return found
