"""Reactions of a simulated motion: its own multipliers, seen at the joints."""

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.layout import Layout
from kempe.equations import Equations, equations_of
from kempe.equations.equations import Sampled
from kempe.equations.rank import REDUNDANT
from kempe.kinematics.reactions.reactions import Multipliers, Reactions
from kempe.results import Motion

FloatArray = NDArray[np.float64]


def simulated_reactions(layout: Layout, motion: Motion) -> Reactions:
    """What joints and drives exert along a simulated motion.

    A component is unique where no combination of rows that does nothing has a part in it. Where
    no joint is redundant there is none, not even in a singular position, which is passed too fast
    to matter.
    """
    equations = equations_of(layout.moving)
    entries = Sampled(equations, motion.q, motion.t).entries()
    null = np.zeros((len(motion), 0, len(equations.program.shape.rows)))
    if motion.redundant:
        null = _idle_combinations(equations, entries)
    return Reactions(equations, motion, Multipliers(motion.multipliers, null), entries)


def _idle_combinations(equations: Equations, entries: FloatArray) -> FloatArray:
    """Combinations of rows that do nothing, at every sample: (n, most of them, rows)."""
    weights = equations.row_weights
    found = []
    for sample in entries:
        J = np.ascontiguousarray(equations.scaled(sample).T)
        found.append(np.atleast_2d(core.null_space(J, REDUNDANT)).reshape(-1, len(weights)))
    most = max(len(null) for null in found)  # more of them in a singular position
    filled = [np.pad(null, ((0, most - len(null)), (0, 0))) for null in found]
    return weights * np.array(filled)
