"""The mobility of every loop by itself: by Gruebler's count and by the rank of its equations."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.drives import Drive
from kempe.equations import Equations, equations_of
from kempe.equations.rank import independent_rows
from kempe.geometry import GROUND
from kempe.kinematics.check.assembly import assemble
from kempe.model.graph import bodies_graph
from kempe.model.links import grashof, planar_links
from kempe.model.topology import Loop
from kempe.results import LoopCount

FloatArray = NDArray[np.float64]


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
