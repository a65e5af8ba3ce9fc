"""Does it go together, how freely does it move, what is redundant?

The rank of the Jacobian in the assembled position counts the freedoms that are really there; rows
that depend on others are redundant, and consistent, since the loops close. The null space, with the
drives on, is what can still move.
"""

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout import Layout
from kempe.compile.program import Program
from kempe.geometry import GROUND
from kempe.kinematics.assembly import assemble
from kempe.kinematics.preparation import evaluator
from kempe.kinematics.rank import REDUNDANT, drive_rows, independent_rows, scaled_jacobian
from kempe.model.links import grashof, pinned_links
from kempe.model.topology import Topology, topology
from kempe.results.report import FreeMotion, JointCount, Report

FloatArray = NDArray[np.float64]

# A body takes part in a free motion where it moves by this share of what moves most.
TAKES_PART = 1e-6


def check(layout: Layout, t: float = 0.0) -> Report:
    """Freedoms by count and by rank, redundant rows by joint, free motions, loops and classes.

    Source: [Sung] for the count table, [Grashof] for the class of a four-bar; rank: Own.
    """
    program = evaluator(layout)
    start = assemble(layout, program, t)
    J = scaled_jacobian(layout, program, start, t)
    is_drive = drive_rows(layout, program)
    joints = np.flatnonzero(~is_drive)
    kept = {int(joints[k]) for k in independent_rows(J[joints])}
    mobility = layout.n_v - len(kept)
    counts = _joint_counts(layout, program, kept)
    shape = topology(layout.model)
    return Report(
        name=layout.model.name,
        plane=layout.model.plane,
        bodies=layout.n_bodies,
        coordinates=layout.n_v,
        joints=counts,
        drives=tuple(d.gauge.name for d in layout.model.drives),
        loops=tuple(str(loop) for loop in shape.loops),
        mobility_by_count=layout.n_v - sum(c.rows for c in counts),
        mobility=mobility,
        free=_free_motions(layout, J),
        redundant_rows=sum(c.redundant for c in counts),
        kinds=_kinds(layout, shape),
        adrift=shape.adrift,
        near_singular=_smallest_singular(J, kept, is_drive),
    )


def _joint_counts(layout: Layout, program: Program, kept: set[int]) -> tuple[JointCount, ...]:
    counts = []
    for k, element in enumerate(layout.elements[: layout.first_drive]):
        rows = [i for i, r in enumerate(program.shape.rows) if r.element == k]
        model = layout.model
        part = model.joints[k] if k < len(model.joints) else model.couplers[k - len(model.joints)]
        extra = sum(1 for i in rows if i not in kept)
        counts.append(JointCount(element.name, type(part).__name__.lower(), len(rows), extra))
    return tuple(counts)


def _free_motions(layout: Layout, J: FloatArray) -> tuple[FreeMotion, ...]:
    basis = np.atleast_2d(core.null_space(np.ascontiguousarray(J), REDUNDANT))
    n = layout.chart.n_v
    motions = []
    for motion in basis.reshape(-1, layout.n_v):
        parts = motion[: layout.n_bodies * n].reshape(layout.n_bodies, n)
        sizes = np.abs(parts).max(axis=1)
        order = [int(k) for k in np.argsort(-sizes) if sizes[k] > TAKES_PART * sizes.max()]
        names = [layout.model.moving[k].name for k in order]
        twists = {name: tuple(map(float, parts[k])) for name, k in zip(names, order, strict=True)}
        motions.append(FreeMotion(tuple(names), twists))
    return tuple(motions)


def _kinds(layout: Layout, shape: Topology) -> tuple[str, ...]:
    if not layout.model.plane:
        return ()
    driven = [d.gauge.J.body for d in layout.model.drives]
    kinds = []
    for loop in shape.loops:
        links = pinned_links(loop)
        if links is not None and GROUND in loop.bodies:
            crank = next((b for b in driven if b in loop.bodies), "")
            kind = grashof(links, GROUND, crank)
            if kind is not None:
                kinds.append(kind)
    return tuple(kinds)


def _smallest_singular(J: FloatArray, kept: set[int], is_drive: NDArray[np.bool_]) -> float:
    rows = [*sorted(kept), *np.flatnonzero(is_drive)]
    if not rows:
        return 0.0
    values = np.linalg.svd(J[rows], compute_uv=False)
    return float(values[-1]) if len(values) else 0.0
