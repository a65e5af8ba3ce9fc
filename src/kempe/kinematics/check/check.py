"""Does it go together, how freely does it move, what is redundant?

The rank of the joints' Jacobian counts the freedoms at first order; where rows depend on others,
moving the mechanism tells which of these are really there. Rows that depend on others all along are
redundant, and consistent, since the loops close. The null space, with the drives on, is what can
still move.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.untraced import said_of_untraced
from kempe.couplers import AbstractCoupler
from kempe.drives import Drive
from kempe.equations import Equations, equations_of
from kempe.equations.rank import (
    SINGULAR,
    drive_rows,
    independent_rows,
    sparse_rows,
)
from kempe.errors import AssemblyError, DriveError, ModelError
from kempe.geometry import GROUND
from kempe.joints import AbstractJoint
from kempe.kinematics.check.assembly import assemble
from kempe.kinematics.check.removal import (
    drives_to_remove,
    example_start,
    exchanged_drives,
    parts_to_remove,
)
from kempe.kinematics.check.ways import ways_together
from kempe.kinematics.closing.attempts import best_attempt
from kempe.kinematics.closing.closing import DENSE, Closing, close
from kempe.kinematics.closing.nearest import free_directions
from kempe.kinematics.closing.placement import gauge_reading, moved_bodies
from kempe.kinematics.closing.winding import initial_turns
from kempe.kinematics.mobility.finite_motion import (
    PartFreedom,
    Released,
    Survey,
    has_weak_rows,
    part_freedoms,
    released_at,
    survey,
)
from kempe.kinematics.mobility.free_motions import drivable, free_motions, idle_at, idle_drives
from kempe.kinematics.mobility.loosening import lengths_to_change, looser_joints
from kempe.kinematics.mobility.passive_spin import passive_spins, spin_directions, without_spins
from kempe.kinematics.mobility.straightening import align_that_helps, tilted_axis
from kempe.model import Model
from kempe.model.graph import Loop, bodies_graph
from kempe.model.links import grashof, planar_links
from kempe.results import JointCount, LoopCount, NearlyRedundant, Report, SingularPart
from kempe.results.reports.counts import IdleDrives, Spinner, Straightened, idle_spins, spinning
from kempe.results.state import State

FloatArray = NDArray[np.float64]

MOVED = 1e-4  # rad, and share of the machine's size: a drive that reads otherwise


@final
@dataclass(frozen=True, slots=True)
class LoopMobility:
    """How freely a loop moves when everything else is taken away and one of its bodies is held."""

    loop: Loop
    by_count: int  # freedoms of its joints less 3 in the plane, 6 in space
    by_rank: int  # in the assembled position

    @property
    def redundant(self) -> int:
        """Rows of the loop's joints that repeat what others say."""
        return self.by_rank - self.by_count

    def __str__(self) -> str:
        return f"{self.loop}: mobility {self.by_count} by count, {self.by_rank} by rank"

    def __repr__(self) -> str:
        return f"<LoopMobility {self}>"


def loop_mobilities(layout: Layout, t: float = 0.0) -> tuple[LoopMobility, ...]:
    """The mobility of every loop of a minimal basis, in the assembled position.

    by count:  sum over joints of (d - rows) - d,  d = 3 in the plane, 6 in space
    by rank:   d (bodies - 1) - rank of the loop's rows in the columns of its bodies

    Source: [Gruebler] for the count.
    """
    equations = equations_of(layout)
    at = assemble(equations, t)
    entries = equations.evaluate(at.q, t, at.turns)[1]
    return _mobilities(equations, equations.scaled_entries(entries))


def loop_counts(
    equations: Equations, entries: FloatArray, drives: Sequence[Drive]
) -> tuple[LoopCount, ...]:
    """The mobility of every loop as plain data, with the class of four-bars among them.

    `equations` are those without drives, `entries` the scaled ones of their Jacobian.
    """
    ends = [(d.gauge.I.body, d.gauge.J.body) for d in drives]
    driven = {b for pair in ends if GROUND in pair for b in pair}
    found = []
    for m in _mobilities(equations, entries):
        links = planar_links(m.loop) if GROUND in m.loop.bodies else None
        kind = None if links is None else grashof(links, GROUND, driven)
        names = tuple(joint.name for joint in m.loop.joints)
        found.append(LoopCount(m.loop.bodies, names, m.by_count, m.by_rank, kind or ""))
    return tuple(found)


def _mobilities(equations: Equations, entries: FloatArray) -> tuple[LoopMobility, ...]:
    shape, d = equations.program.shape, equations.layout.coordinates.n_each
    number = {joint.name: k for k, joint in enumerate(equations.layout.model.joints)}
    element = np.array([row.element for row in shape.rows], dtype=np.intp)[shape.jacobian_rows]
    order = np.argsort(element, kind="stable")  # entries of one element after the other
    ends = np.searchsorted(element[order], np.arange(len(equations.layout.elements) + 1))
    counts = np.bincount(
        [row.element for row in shape.rows], minlength=len(equations.layout.elements)
    )
    found = []
    for loop in bodies_graph(equations.layout.model).loops:
        mine = [number[joint.name] for joint in loop.joints]
        places = np.concatenate([order[ends[k] : ends[k + 1]] for k in mine])
        rows, i = np.unique(shape.jacobian_rows[places], return_inverse=True)
        columns, j = np.unique(shape.jacobian_columns[places], return_inverse=True)
        J = np.zeros((len(rows), len(columns)))
        J[i, j] = entries[places]
        n_rows = int(sum(counts[k] for k in mine))
        bodies = {m.body for joint in loop.joints for m in joint.markers}  # bars may end on others
        own = sum(len(joint.unknowns) for joint in loop.joints)
        free = d * (len(bodies) - 1) + own
        rank = len(independent_rows(np.ascontiguousarray(J)))
        found.append(LoopMobility(loop, free - n_rows, free - rank))
    return tuple(found)


def check(
    layout: Layout,
    t: float = 0.0,
    *,
    straightened: tuple[Straightened, ...] = (),
) -> Report:
    """Freedoms by count and by moving, redundant rows by joint, free motions, loops and ranges.

    Source: [Sung] for the count table, [Grashof] for the class of a four-bar; freedoms: Own.
    """
    if not layout.model.moving:
        raise ModelError(f"{layout.model.name!r} has no body that could move: add one.")
    equations = equations_of(layout)
    start = _start(equations, t)
    free = released_at(layout, start.q, t)
    parts = part_freedoms(layout, start.q, t)
    seen = _nearly_repeating(free)
    nearly = seen.nearly if seen is not None else 0
    typical = _typical(free, parts)
    there = _rows_at(free.equations, typical)
    mobility = sum(part.mobility for part in parts)
    at_start = sum(part.at_first_order for part in parts)
    if nearly:  # rows that hold by a little hold all the same
        at_start = max(mobility, at_start - nearly)
    is_singular = any(p.is_singular for p in parts) and not (nearly and at_start == mobility)
    rows = [r.element for r in free.equations.program.shape.rows]
    excess = max(0, len(rows) - (layout.n_v - mobility)) if mobility or not is_singular else 0
    counts = _joint_counts(free.equations, there, excess)
    found = Report(
        name=layout.model.name,
        plane=layout.model.plane,
        length_unit=layout.model.length_unit,
        bodies=layout.n_bodies,
        coordinates=layout.n_v,
        joints=counts,
        drives=tuple(d.gauge.name for d in layout.model.drives),
        loops=loop_counts(free.equations, there.entries, layout.model.drives),
        mobility_by_count=layout.n_v - sum(c.rows for c in counts),
        mobility=mobility,
        mobility_at_start=at_start,
        is_singular=is_singular,
        free=(),
        redundant_rows=excess,
        looser=looser_joints(layout, typical.q, there.J, rows, excess, t, mobility)
        if mobility and not is_singular and there.J is not None
        else (),
        nearly=None if seen is None else _nearly(layout, free, seen, mobility),
        adrift=_adrift(layout),
        near_singular=0.0,
        straightened=straightened,
        notes=(*moved_bodies(layout, start.q), *said_of_untraced(layout)),
        singular=tuple(_singular(layout, part, start.q, t) for part in parts if part.is_singular)
        if is_singular
        else (),
        couplers=tuple(coupler.name for coupler in layout.model.couplers),
    )
    if layout.rolls:
        found = _rolling(found, layout, typical)
    if not is_singular:
        found = replace(found, ways=ways_together(layout, start))
    return _with_drives(found, equations_of(layout.moving), start)


def _rolling(report: Report, layout: Layout, at: State) -> Report:
    """The report of a mechanism that rolls, with rows of velocities and what those leave free."""
    bare = equations_of(Layout(replace(layout.model, drives=())).moving)
    kept = _rows_at(bare, at).kept
    counts: dict[int, list[bool]] = {}
    first = len(layout.model.joints) + len(layout.model.couplers)
    for k, row in enumerate(bare.program.shape.rows):
        if row.element >= first:
            counts.setdefault(row.element, []).append(k in kept)
    kinds = {joint.name: _kind(joint) for joint in layout.model.joints}
    names = [(bare.layout.elements[e].name, rows) for e, rows in counts.items()]
    rolling = tuple(JointCount(n, kinds[n], len(rows), rows.count(False)) for n, rows in names)
    return replace(report, rolling=rolling, speeds=layout.n_v - len(kept))


def _with_drives(report: Report, equations: Equations, start: State) -> Report:
    """The report of a mechanism with what its drives do, and what they leave free."""
    layout, t = equations.layout, start.t
    mobility, n_drives = report.freedom, len(report.drives)
    held = _held(equations, start)
    may_spin = mobility > n_drives or held.smallest < SINGULAR
    passive = passive_spins(equations, start) if may_spin else ()
    is_counted = mobility == n_drives + len(passive) and not report.is_singular
    is_determined = is_counted and held.smallest >= SINGULAR
    is_unclear = report.is_singular or is_determined  # what singular ones hold, rows do not tell
    idle = IdleDrives() if is_unclear else idle_drives(layout, start)
    surplus = n_drives + len(passive) - mobility
    is_overdriven = bool(mobility and idle.names and surplus > 0)
    fit = drives_to_remove(layout, t, surplus) if is_overdriven else None
    is_exchanged = not fit if is_overdriven else idle.is_general
    return replace(
        report,
        free=free_motions(equations, start, passive),
        near_singular=held.smallest,
        is_determined=is_determined,
        idle_drives=idle.names,
        idle_everywhere=idle.is_general,
        surplus_drives=idle.surplus,
        removable_drives=fit,
        exchange=exchanged_drives(layout, t) if mobility and is_exchanged else "",
        passive=passive,
    )


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Scaled entries of the Jacobian at a place, the independent rows, and J if it is small."""

    entries: FloatArray
    kept: frozenset[int]
    J: FloatArray | None
    smallest: float = 0.0  # singular value, or pivot of many rows, of those that are solved


def _rows_at(equations: Equations, at: State) -> _Rows:
    entries = equations.scaled_entries(equations.evaluate(at.q, at.t, at.turns)[1])
    if equations.layout.n_v > DENSE:
        return _Rows(entries, frozenset(sparse_rows(equations, at).kept), None)
    J = equations.program.dense_jacobian(entries)
    return _Rows(entries, frozenset(independent_rows(J)), J)


def _held(equations: Equations, at: State) -> _Rows:
    """How firmly independent rows of joints, and those of drives, hold the mechanism."""
    is_drive = drive_rows(equations)
    if equations.layout.n_v > DENSE:
        rows = sparse_rows(equations, at)
        lost = [k for k in rows.redundant if is_drive[k]]
        smallest = 0.0 if lost else rows.smallest
        return _Rows(np.zeros(0), frozenset(rows.kept), None, smallest)
    J = equations.scaled_jacobian(at)
    joints = np.flatnonzero(~is_drive)
    kept = [int(joints[k]) for k in independent_rows(np.ascontiguousarray(J[joints]))]
    rows_held = [*sorted(kept), *(int(k) for k in np.flatnonzero(is_drive))]
    smallest = float(np.linalg.svd(J[rows_held], compute_uv=False)[-1]) if rows_held else 0.0
    return _Rows(np.zeros(0), frozenset(rows_held), J, smallest)


def _typical(free: Released, parts: Sequence[PartFreedom]) -> Closing:
    """The start, or where every part that starts in a singular position has left it."""
    q = free.start.q
    for part in parts:
        if part.is_singular and part.others:
            moved = part.others[0]
            q = np.where(moved == free.start.q, q, moved) if len(moved) == len(q) else q
    if q is free.start.q:
        return free.start
    there = close(free.equations, q, free.start.t)
    return there if there.is_closed else free.start


def _nearly_repeating(free: Released) -> Survey | None:
    """What places around the start say, where rows almost repeat others there; None if none do."""
    if free.equations.layout.n_v > DENSE or not free.equations.program.shape.rows:
        return None
    J = free.equations.scaled_jacobian(free.start)
    if not has_weak_rows(J):
        return None
    seen = survey(free)
    return seen if seen.nearly else None


def _singular(layout: Layout, part: PartFreedom, q: FloatArray, t: float) -> SingularPart:
    return SingularPart(
        part.bodies if len(part.bodies) < layout.n_bodies else (),
        part.at_first_order,
        part.branches,
        part.is_shaky,
        lengths_to_change(layout, part, q, t),
        _drives_elsewhere(layout, part, q, t),
    )


def _drives_elsewhere(
    layout: Layout, part: PartFreedom, q: FloatArray, t: float
) -> tuple[str, ...]:
    """Drives that read otherwise on a branch of a part, and hold it there."""
    if part.is_shaky or not part.others or layout.n_v > DENSE:
        return ()
    there = part.others[0]
    equations = equations_of(layout)
    changed = []
    for drive in layout.model.drives:
        gauge = drive.gauge
        here, other = (gauge_reading(layout, x, gauge) for x in (q, there))
        if abs(here - other) > MOVED * (1.0 if gauge.unit == "rad" else layout.size):
            changed.append(gauge.name)
    idle = idle_at(equations, there, t)
    return tuple(name for name in changed if name not in idle)


def _start(equations: Equations, t: float) -> Closing:
    """The assembled position; where drives fight each other, the one that the joints allow."""
    try:
        return assemble(equations, t)
    except AssemblyError:
        bare = Layout(replace(equations.layout.model, drives=()))
        loose = equations_of(bare)
        found = best_attempt(loose, t)
        J = loose.scaled_jacobian(found)
        if not found.is_closed or not 0 < bare.n_v - len(independent_rows(J)) < (
            len(equations.layout.model.drives)
        ):
            raise
        return replace(found, turns=initial_turns(equations, t, found.q))


def _joint_counts(equations: Equations, there: _Rows, excess: int) -> tuple[JointCount, ...]:
    """Rows of every joint and coupler; what each could spare costs a rank, so large ones are not
    asked.
    """
    counts = []
    element = np.array([r.element for r in equations.program.shape.rows], dtype=int)
    parts: list[AbstractJoint | AbstractCoupler] = [
        *equations.layout.model.joints,
        *equations.layout.model.couplers,
    ]
    # Rows that depend on others in a position that cannot be left are needed all the same.
    is_kept = np.array([excess == 0 or k in there.kept for k in range(len(element))], dtype=bool)
    rows = np.bincount(element, minlength=len(parts))
    extra = np.bincount(element[~is_kept], minlength=len(parts))
    is_redundant = excess > 0 and len(there.kept) < len(element)
    for k, part in enumerate(parts):
        spare = int(extra[k])
        if is_redundant and there.J is not None:
            without = len(independent_rows(np.ascontiguousarray(there.J[element != k])))
            spare = int(rows[k]) - (len(there.kept) - without)
        counts.append(JointCount(part.name, _kind(part), int(rows[k]), int(extra[k]), spare))
    return tuple(counts)


def _kind(part: object) -> str:
    """The class of a part as words: PinInSlot is a 'pin in slot'."""
    name = type(part).__name__
    return "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()


def _nearly(layout: Layout, free: Released, seen: Survey, mobility: int) -> NearlyRedundant:
    """The rows that almost repeat others in every configuration."""
    element = free.equations.program.shape.rows[int(np.argmax(seen.weak_rows))].element
    name = free.equations.layout.elements[element].name
    through = [
        loop for loop in bodies_graph(layout.model).loops if name in (j.name for j in loop.joints)
    ]
    tilts = [(loop, tilt) for loop in through if (tilt := tilted_axis(loop)) is not None]
    size = tilts[0][1].angle if tilts else seen.weakness
    align = align_that_helps(layout, size, free.start.t, mobility + seen.nearly) or 0.0
    if tilts:
        loop, tilt = tilts[0]
        return NearlyRedundant(
            seen.nearly, seen.weakness, tilt.joint, loop.bodies, tilt.angle, align
        )
    bodies = through[0].bodies if through else ()
    return NearlyRedundant(seen.nearly, seen.weakness, name, bodies, align=align)


def _adrift(layout: Layout) -> tuple[str, ...]:
    """Bodies that no path of joints, couplers and drives connects to the ground."""
    parts = [set(part) for part in bodies_graph(layout.model).components]
    held = next(part for part in parts if GROUND in part)
    gauges = [g for c in layout.model.couplers for g in c.gauges]
    pairs = [{g.I.body, g.J.body} for g in (*gauges, *(d.gauge for d in layout.model.drives))]
    grown = True
    while grown:
        reached = [p for p in (*parts, *pairs) if p & held and not p <= held]
        grown = bool(reached)
        held = held.union(*reached)
    return tuple(b.name for b in layout.model.moving if b.name not in held)


def no_drive(layout: Layout) -> DriveError:
    """The error for a mechanism that nothing moves, with what could move; or why it cannot."""
    if not layout.model.moving:
        return DriveError(
            f"{layout.model.name!r} has no drive and no body that could move: add some of both.",
            mobility=0,
            bodies=(),
        )
    report = check(layout)
    n = report.mobility - len(report.passive)
    moving = [motion for motion in report.free if not motion.is_idle_spin]
    bodies = tuple(dict.fromkeys(b for motion in moving for b in motion.bodies))
    if report.passive and n == 0:
        spins = idle_spins(report.passive, "moves nothing else", "move nothing else")
        return DriveError(
            f"{layout.model.name!r} has no drive, and nothing to drive either."
            f" {spins}{_what_frees(layout)}",
            mobility=report.mobility,
            bodies=(),
            passive=report.passive,
        )
    if n == 0:
        return DriveError(
            f"{layout.model.name!r} has no drive, and no freedom to drive either: it cannot move."
            f"{_what_frees(layout)}",
            mobility=0,
            bodies=(),
        )
    aside = f" {idle_spins(report.passive, 'needs none', 'need none')}" if report.passive else ""
    shown = ", ".join(repr(b) for b in bodies[:6]) + (", ..." if len(bodies) > 6 else "")
    return DriveError(
        f"{layout.model.name!r} has no drive, so nothing says how it moves. It has"
        f" {report.mobility} freedom{'s' * (report.mobility != 1)}: {shown} can move. Add {n}"
        f" drive{'s' * (n != 1)}{_example(layout, bodies, report.passive)}.{aside}",
        mobility=report.mobility,
        bodies=bodies,
        passive=report.passive,
    )


def _what_frees(layout: Layout) -> str:
    """Joints and couplers, each tried, without which there is something to drive, in a sentence."""

    def frees(model: Model) -> bool:
        found = check(Layout(model))
        return found.mobility > len(found.passive) and not found.adrift

    names = parts_to_remove(layout.model, frees) if layout.n_v <= DENSE else ()
    return f" Remove {' or '.join(map(repr, names))} first." if names else ""


def _example(layout: Layout, bodies: tuple[str, ...], passive: tuple[Spinner, ...]) -> str:
    """A drive that would move something, as the builder takes it."""
    if layout.n_v > DENSE:
        return ""
    equations = equations_of(layout)
    at = assemble(equations, 0.0)
    spins = spin_directions(layout, at.q, passive)
    free = without_spins(free_directions(equations, at), spins)
    gauge = drivable(equations, at.q, free, bodies, spins, spinning(passive))
    if gauge is None:
        return ""
    how = "rpm=60" if gauge.unit == "rad" else "speed=1"
    start = example_start(layout, at.q, 0.0, gauge)
    where = f'start="{start}", ' if start else ""
    return f", for example builder.drive({gauge.name}, {where}{how})"
