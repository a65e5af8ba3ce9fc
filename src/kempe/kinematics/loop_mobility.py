"""The mobility of every loop by itself: by Gruebler's count and by the rank of its equations."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout import GROUND_INDEX, Layout
from kempe.compile.program import Program
from kempe.geometry import GROUND
from kempe.kinematics.assembly import assemble
from kempe.kinematics.evaluator import evaluator
from kempe.kinematics.rank import independent_rows, scaled_jacobian
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
    program = evaluator(layout)
    J = scaled_jacobian(layout, program, assemble(layout, program, t), t)
    return _mobilities(layout, program, J)


def loop_counts(layout: Layout, program: Program, J: FloatArray) -> tuple[LoopCount, ...]:
    """The same as plain data, J being the scaled Jacobian of all rows of the program."""
    driven = [d.gauge.J.body for d in layout.model.drives]
    found = []
    for m in _mobilities(layout, program, J):
        links = planar_links(m.loop) if GROUND in m.loop.bodies else None
        crank = next((b for b in driven if b in m.loop.bodies), "")
        kind = None if links is None else grashof(links, GROUND, crank)
        names = tuple(joint.name for joint in m.loop.joints)
        found.append(LoopCount(m.loop.bodies, names, m.by_count, m.by_rank, kind or ""))
    return tuple(found)


def _mobilities(layout: Layout, program: Program, J: FloatArray) -> tuple[LoopMobility, ...]:
    element = np.array([row.element for row in program.shape.rows], dtype=int)
    number = {joint.name: k for k, joint in enumerate(layout.model.joints)}
    d = layout.chart.n_v
    found = []
    for loop in bodies_graph(layout.model).loops:
        joints = [number[joint.name] for joint in loop.joints]
        rows = np.flatnonzero(np.isin(element, joints))
        bodies = [layout.body_index[name] for name in loop.bodies]
        moving = [b for b in bodies if b != GROUND_INDEX]
        columns = [b * d + k for b in moving for k in range(d)]
        rank = len(independent_rows(np.ascontiguousarray(J[rows][:, columns])))
        free = d * (len(bodies) - 1)
        found.append(LoopMobility(loop, free - len(rows), free - rank))
    return tuple(found)
