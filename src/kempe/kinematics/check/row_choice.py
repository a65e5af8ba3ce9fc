"""Which rows a sweep solves; what is wrong where drives are missing, too many, or idle."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.layout import Layout
from kempe.equations import Equations
from kempe.equations.rank import (
    REDUNDANT,
    SINGULAR,
    drive_rows,
    independent_rows,
    null_space,
    sparse_rows,
)
from kempe.errors import AssemblyError, DriveError
from kempe.kinematics.check.check import check, loop_mobilities
from kempe.kinematics.check.removal import (
    example_start,
    exchanged_drives,
    joints_to_remove,
    removal_words,
)
from kempe.kinematics.mobility.free_motions import drivable, idle_drives
from kempe.kinematics.mobility.passive_spin import passive_spins, spin_directions, without_spins
from kempe.kinematics.mobility.straightening import tilted_axis
from kempe.model.graph import bodies_graph
from kempe.results import Report
from kempe.results.reports.counts import IdleDrives, Spinner, idle_spins, listed, spinning
from kempe.results.state import State

FloatArray = NDArray[np.float64]

# Velocities from which a square system is first tried as it is, by a sparse factorisation.
DENSE = 300
MOST_SHOWN = 12  # drives that are all named where they are too many


@final
@dataclass(frozen=True, slots=True)
class SolvedRows:
    """Rows that are solved and rows that repeat them, by their place in the program."""

    kept: tuple[int, ...]
    spare: tuple[int, ...]


def solved_rows(equations: Equations, at: State) -> SolvedRows:
    """The rows that are solved; a DriveError where drives are missing, too many, or in a fight.

    They are chosen by the model alone, whatever the program solves already.
    """
    if equations.layout.n_v > DENSE and (many := _of_many(equations, at)) is not None:
        return many
    rows = equations.program.shape.rows
    order = sorted(range(len(rows)), key=lambda k: (rows[k].element, rows[k].place))
    told = np.array(order, dtype=np.intp)  # of whole numbers also where there are no rows
    J = equations.scaled_jacobian(at)[told]
    is_drive = drive_rows(equations)[told]
    n_v, n_drives = equations.layout.n_v, int(is_drive.sum())
    joints = np.flatnonzero(~is_drive)
    free = independent_rows(J[joints])
    mobility = n_v - len(free)
    if n_drives > mobility:
        spinning = len(passive_spins(equations, at))
        raise over_driven(
            equations.layout, n_drives, mobility - spinning, at.t, idle_drives(equations.layout, at)
        )
    kept = [*(int(joints[k]) for k in free), *(int(k) for k in np.flatnonzero(is_drive))]
    if n_drives < mobility:
        passive = passive_spins(equations, at)
        if n_drives + len(passive) == mobility and n_drives:
            _refuse_singular(equations, J[kept], at)
        raise _under_driven(
            equations, at, mobility, J, passive, at.t, may_deceive=len(free) < len(joints)
        )
    _refuse_singular(equations, J[kept], at)
    solved = {int(told[k]) for k in kept}
    spare = tuple(k for k in range(len(J)) if k not in solved)
    return SolvedRows(tuple(sorted(solved)), spare)


def _of_many(equations: Equations, at: State) -> SolvedRows | None:
    """The rows of a large system, by elimination body by body; None where something is wrong."""
    every = tuple(range(len(equations.program.shape.rows)))
    if len(every) == equations.layout.n_v and _is_regular(equations, at, every):
        return SolvedRows(every, ())
    is_drive = drive_rows(equations)
    joints = sparse_rows(equations, at, ~is_drive).kept
    kept = tuple(sorted([*joints, *np.flatnonzero(is_drive).tolist()]))
    if len(kept) != equations.layout.n_v or not _is_regular(equations, at, kept):
        return None
    solved = set(kept)
    return SolvedRows(kept, tuple(k for k in every if k not in solved))


def _refuse_singular(equations: Equations, J: FloatArray, at: State) -> None:
    """A DriveError where rows that are solved at the start depend on others, or as good as that."""
    if len(J) > DENSE:
        smallest = 0.0 if len(independent_rows(J)) < len(J) else np.inf
    else:
        smallest = float(np.linalg.svd(J, compute_uv=False)[-1])
    if smallest < SINGULAR:
        mobility = equations.layout.n_v - len(J) + len(equations.layout.model.drives)
        passive = passive_spins(equations, at)
        raise _not_determined(equations.layout, at, smallest, mobility, passive)


def _not_determined(
    layout: Layout,
    at: State,
    smallest: float,
    mobility: int,
    passive: tuple[Spinner, ...],
) -> DriveError:
    """What is wrong with drives, in number enough, that do not determine the motion."""
    idle = idle_drives(layout, at)
    name = repr(layout.model.name)
    n_drives = len(layout.model.drives)
    report = check(layout, at.t) if not idle.names and layout.n_v <= DENSE else None
    if report is not None and report.is_singular:
        return _stands_singular(layout, at.t, report)
    if idle.is_general and n_drives - idle.surplus + len(passive) == mobility:
        message = f"{name} cannot be moved by its drives. {idle.too_many}"
    elif idle.is_general:
        exchange = exchanged_drives(layout, at.t)
        told = f"{idle.fault} {exchange}" if exchange else idle.words
        message = f"{name} cannot be moved by its drives. {told}"
    else:
        message = (
            f"{name} stands in a singular position at t = {at.t:g} s: there its drives do not"
            " determine the motion. "
            + (idle.words if idle.names else "Start a drive at another value, or drive others.")
        )
    return DriveError(
        message,
        mobility=mobility,
        smallest_singular=smallest,
        drives=idle.names,
    )


def _stands_singular(layout: Layout, t: float, report: Report) -> DriveError:
    """What is wrong with drives enough where the joints alone start in a singular position."""
    n_drives = len(layout.model.drives)
    said = " ".join(str(part) for part in report.singular)
    return DriveError(
        f"{layout.model.name!r} cannot be swept by its {n_drives} drive{'s' * (n_drives != 1)}"
        f" from where it stands at t = {t:g} s. {said}",
        drives=n_drives,
        mobility=report.mobility,
        bodies=tuple(b for part in report.singular for b in part.bodies),
    )


def _is_regular(equations: Equations, at: State, rows: tuple[int, ...]) -> bool:
    """Whether the square system of these rows factors with sound pivots."""
    shape = equations.program.shape
    _, entries, _ = equations.evaluate(at.q, at.t, at.turns)
    entries = equations.scaled_entries(entries)
    place = np.full(len(shape.rows), -1, dtype=np.int32)
    place[list(rows)] = np.arange(len(rows), dtype=np.int32)
    mine = place[shape.jacobian_rows]
    counted = mine >= 0
    entries = np.ascontiguousarray(entries[counted])
    lu = core.SparseLU(
        equations.layout.n_v, mine[counted], shape.jacobian_columns[counted], entries
    )
    return bool(lu.factor(entries)) and float(lu.smallest_pivot_ratio) > REDUNDANT


def over_driven(
    layout: Layout, n_drives: int, mobility: int, t: float, idle: IdleDrives | None = None
) -> DriveError:
    """What is wrong with more drives than freedoms, and which of them are `idle`, if known."""
    names = [d.gauge.name for d in layout.model.drives]
    shown = ", ".join(map(repr, names)) if len(names) <= MOST_SHOWN else listed(names)
    return DriveError(
        f"{layout.model.name!r} has {n_drives} drive{'s' * (n_drives != 1)} ({shown}) but only"
        f" {mobility} freedom{'s' * (mobility != 1)} to drive: "
        + (
            f"the drives would fight each other. {_too_many(layout, n_drives - mobility, t, idle)}"
            if mobility
            else f"it cannot move at all.{_what_locks(layout, t)}"
        ),
        drives=n_drives,
        mobility=mobility,
        joints=_doubled(layout),
    )


def _too_many(layout: Layout, surplus: int, t: float, idle: IdleDrives | None) -> str:
    """Which drives fight each other, and which to remove."""
    remove = removal_words(layout, t, surplus)
    if idle is None or not 0 < len(idle.names) < len(layout.model.drives):
        return remove
    if surplus == 1 and remove == f"Remove the drive on {idle.names[0]!r}.":
        return idle.too_many
    return f"{idle.fault} {remove}"


def _what_locks(layout: Layout, t: float) -> str:
    """What keeps it from moving: joints that weld two bodies together, axes that are tilted.

    A joint is to be removed only where that was tried, and the drives move what is left.
    """
    names = _doubled(layout)
    fit = " or ".join(repr(name) for name in joints_to_remove(layout, t, names))
    if names:
        shown = " and ".join(repr(name) for name in names)
        remove = f": remove {fit}" if fit else ""
        return f" {shown} join the same two bodies and hold them together{remove}."
    for loop in bodies_graph(layout.model).loops:
        tilt = tilted_axis(loop)
        if tilt is not None:
            return f" In the loop {loop}, {tilt}: straighten it."
    return f" Remove {fit}." if fit else ""


def _doubled(layout: Layout) -> tuple[str, ...]:
    """Two joints that alone hold two bodies together like a weld, the first such pair."""
    if not any(len(loop.bodies) == 2 for loop in bodies_graph(layout.model).loops):
        return ()
    try:
        loops = loop_mobilities(Layout(replace(layout.model, drives=())))
    except AssemblyError:
        return ()
    for one in loops:
        if len(one.loop.bodies) == 2 and one.by_rank == 0:
            return tuple(joint.name for joint in one.loop.joints)
    return ()


def _under_driven(
    equations: Equations,
    at: State,
    mobility: int,
    J: FloatArray,
    passive: tuple[Spinner, ...],
    t: float,
    *,
    may_deceive: bool,
) -> DriveError:
    """What is wrong with fewer drives than freedoms at first order; with enough, what deceives.

    `passive` is what may spin idly. Where rows depend on others they `may deceive`.
    """
    n_drives = len(equations.layout.model.drives)
    report = check(equations.layout, t) if may_deceive and equations.layout.n_v <= DENSE else None
    if report is not None and report.is_singular and report.mobility <= n_drives + len(passive):
        return _stands_singular(equations.layout, t, report)
    mobility = mobility if report is None else report.mobility
    idle = idle_drives(equations.layout, at)
    surplus = idle.surplus if idle.is_general else 0
    missing = mobility - n_drives - len(passive) + surplus
    spins = spin_directions(equations.layout, at.q, passive)
    free = without_spins(null_space(J), spins)
    rates = np.abs(free).max(axis=0, initial=0.0)
    motion = equations.layout.coordinates.v_by_body(rates).max(axis=1)
    stuck = {b for p in (report.singular if report else ()) if p.is_stuck for b in p.bodies}
    pairs = zip(equations.layout.model.moving, motion, strict=True)
    movers = [b.name for b, m in pairs if m > 1e-6 and b.name not in stuck]
    aside = f" {idle_spins(passive, 'needs none', 'need none')}" if passive else ""
    if surplus:
        aside += f" {idle.too_many}"
    shown = ", ".join(repr(name) for name in movers[:5])
    gauge = drivable(equations, at.q, free, movers, spins, spinning(passive))
    example = "" if gauge is None else f", for example on {gauge.name!r}"
    layout, start = equations.layout, ""
    if gauge is not None and layout.n_v <= DENSE:
        start = example_start(layout, at.q, t, gauge)
    example += f" from {start}" if start else ""
    return DriveError(
        f"{equations.layout.model.name!r} has {mobility} freedom{'s' * (mobility != 1)} and"
        f" {n_drives} drive{'s' * (n_drives != 1)}: {shown} can still move by"
        f" {'itself' if len(movers) == 1 else 'themselves'}. Add {missing}"
        f" drive{'s' * (missing != 1)}{example}.{aside}",
        drives=n_drives,
        mobility=mobility,
        bodies=tuple(movers),
        passive=passive,
    )
