"""Does it go together, how freely does it move, what is redundant?

The rank of the joints' Jacobian, at the start and around it, counts the freedoms that are really
there; rows that depend on others are redundant, and consistent, since the loops close. The null
space, with the drives on, is what can still move.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout import Layout
from kempe.compile.program import Program
from kempe.couplers import AbstractCoupler
from kempe.errors import AssemblyError, ModelError
from kempe.geometry import GROUND
from kempe.joints import AbstractJoint
from kempe.kinematics.assembly import Assembled, assemble, best_attempt, initial_turns
from kempe.kinematics.closing import DENSE
from kempe.kinematics.drive_range import drive_ranges
from kempe.kinematics.evaluator import evaluator
from kempe.kinematics.free_motions import free_motions
from kempe.kinematics.loop_mobility import loop_counts
from kempe.kinematics.loosening import looser_joints
from kempe.kinematics.rank import REDUNDANT, drive_rows, independent_rows, scaled_jacobian
from kempe.kinematics.released import Released, released_at
from kempe.kinematics.survey import Survey, survey
from kempe.kinematics.tilt import tilted_axis
from kempe.model.graph import bodies_graph
from kempe.model.topology import topology
from kempe.results import JointCount, NearlyRedundant, Report
from kempe.results.counts import Straightened

FloatArray = NDArray[np.float64]


def check(
    layout: Layout,
    t: float = 0.0,
    *,
    ranges: bool = True,
    straightened: tuple[Straightened, ...] = (),
) -> Report:
    """Freedoms by count and by rank, redundant rows by joint, free motions, loops and ranges.

    Source: [Sung] for the count table, [Grashof] for the class of a four-bar; rank: Own.
    """
    if not layout.model.moving:
        raise ModelError(f"{layout.model.name!r} has no body that could move: add one.")
    program = evaluator(layout)
    start = _start(layout, program, t)
    J = scaled_jacobian(layout, program, start, t)
    free = released_at(layout, start.q, t)
    seen = survey(free)
    typical = seen.jacobians[seen.typical]
    kept = set(independent_rows(typical))
    counts = _joint_counts(layout, free.program, typical, kept)
    rows = [r.element for r in free.program.shape.rows]
    excess = len(rows) - seen.rank
    mobility = 0 if seen.is_singular and seen.is_alone else layout.n_v - seen.rank
    drives = tuple(d.gauge.name for d in layout.model.drives)
    can_sweep = ranges and mobility == len(drives) and not seen.is_singular
    return Report(
        name=layout.model.name,
        plane=layout.model.plane,
        length_unit=layout.model.length_unit,
        bodies=layout.n_bodies,
        coordinates=layout.n_v,
        joints=counts,
        drives=drives,
        loops=loop_counts(layout, free.program, typical),
        mobility_by_count=layout.n_v - sum(c.rows for c in counts),
        mobility=mobility,
        mobility_at_start=layout.n_v - seen.ranks[0],
        is_singular=seen.is_singular,
        free=free_motions(layout, J, start.q),
        redundant_rows=0 if mobility == 0 < layout.n_v - seen.ranks[0] else excess,
        looser=looser_joints(layout, seen.places[seen.typical].q, typical, rows, excess)
        if mobility
        else (),
        nearly=_nearly(layout, free, seen),
        ranges=drive_ranges(layout, t) if can_sweep and layout.n_v <= DENSE else (),
        adrift=_adrift(layout),
        near_singular=_smallest_singular(J, drive_rows(layout, program)),
        straightened=straightened,
    )


def _start(layout: Layout, program: Program, t: float) -> Assembled:
    """The assembled position; where drives fight each other, the one that the joints allow."""
    try:
        return assemble(layout, program, t)
    except AssemblyError:
        bare = Layout(replace(layout.model, drives=()))
        rows = evaluator(bare)
        found = best_attempt(bare, rows, t)
        J = scaled_jacobian(bare, rows, found, t)
        if not found.is_closed or not 0 < bare.n_v - len(independent_rows(J)) < (
            len(layout.model.drives)
        ):
            raise
        return replace(found, last=initial_turns(layout, program, t, found.q))


def _joint_counts(
    layout: Layout, program: Program, J: FloatArray, kept: set[int]
) -> tuple[JointCount, ...]:
    """Rows of every joint and coupler; what each could spare costs a rank, so large ones are not
    asked.
    """
    counts = []
    element = np.array([r.element for r in program.shape.rows], dtype=int)
    is_redundant = len(kept) < len(J)
    parts: list[AbstractJoint | AbstractCoupler] = [*layout.model.joints, *layout.model.couplers]
    for k, part in enumerate(parts):
        mine = np.flatnonzero(element == k)
        extra = sum(1 for i in mine if int(i) not in kept)
        spare = extra
        if is_redundant and layout.n_v <= DENSE:
            without = len(independent_rows(np.ascontiguousarray(J[element != k])))
            spare = len(mine) - (len(kept) - without)
        counts.append(JointCount(part.name, _kind(part), len(mine), extra, spare))
    return tuple(counts)


def _kind(part: object) -> str:
    """The class of a part as words: PinInSlot is a 'pin in slot'."""
    name = type(part).__name__
    return "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()


def _nearly(layout: Layout, free: Released, seen: Survey) -> NearlyRedundant | None:
    """The rows that almost repeat others in every configuration, where there are any."""
    if not seen.nearly:
        return None
    element = free.program.shape.rows[int(np.argmax(seen.weak_rows))].element
    name = free.layout.elements[element].name
    through = [
        loop for loop in bodies_graph(layout.model).loops if name in (j.name for j in loop.joints)
    ]
    for loop in through:
        tilt = tilted_axis(loop)
        if tilt is not None:
            return NearlyRedundant(seen.nearly, seen.weakness, tilt.joint, loop.bodies, tilt.angle)
    return NearlyRedundant(seen.nearly, seen.weakness, name, through[0].bodies if through else ())


def _adrift(layout: Layout) -> tuple[str, ...]:
    """Bodies that no path of joints, couplers and drives connects to the ground."""
    parts = [set(part) for part in topology(layout.model).components]
    held = next(part for part in parts if GROUND in part)
    gauges = [g for c in layout.model.couplers for g in c.gauges]
    pairs = [{g.I.body, g.J.body} for g in (*gauges, *(d.gauge for d in layout.model.drives))]
    grown = True
    while grown:
        reached = [p for p in (*parts, *pairs) if p & held and not p <= held]
        grown = bool(reached)
        held = held.union(*reached)
    return tuple(b.name for b in layout.model.moving if b.name not in held)


def _smallest_singular(J: FloatArray, is_drive: NDArray[np.bool_]) -> float:
    """Of the rows that are solved: independent ones of joints, and those of drives."""
    joints = np.flatnonzero(~is_drive)
    kept = [int(joints[k]) for k in independent_rows(np.ascontiguousarray(J[joints]))]
    rows = [*sorted(kept), *np.flatnonzero(is_drive)]
    if not rows:
        return 0.0
    if J.shape[1] > DENSE:
        return float(core.rank_revealing_rows(np.ascontiguousarray(J[rows]), REDUNDANT)[-1])
    return float(np.linalg.svd(J[rows], compute_uv=False)[-1])
