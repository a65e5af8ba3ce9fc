"""Reactions of a simulated motion: its own multipliers, seen at the joints."""

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout import Layout
from kempe.compile.program import Program
from kempe.kinematics.closing import row_weights
from kempe.kinematics.evaluator import evaluator
from kempe.kinematics.multipliers import Multipliers
from kempe.kinematics.rank import REDUNDANT, scaled
from kempe.kinematics.reactions import Reactions
from kempe.kinematics.sampled import Sampled
from kempe.results import Motion

FloatArray = NDArray[np.float64]


def simulated_reactions(layout: Layout, motion: Motion) -> Reactions:
    """What joints and drives exert along a simulated motion.

    A component is unique where no combination of rows that does nothing has a part in it. Where
    no joint is redundant there is none, not even in a singular position, which is passed too fast
    to matter.
    """
    program = evaluator(layout)
    entries = Sampled(layout, program, motion.q, motion.t).entries()
    null = np.zeros((len(motion), 0, len(program.shape.rows)))
    if motion.redundant:
        null = _idle_combinations(layout, program, entries)
    return Reactions(layout, motion, program, Multipliers(motion.multipliers, null), entries)


def _idle_combinations(layout: Layout, program: Program, entries: FloatArray) -> FloatArray:
    """Combinations of rows that do nothing, at every sample: (n, most of them, rows)."""
    weights = row_weights(layout, program)
    found = []
    for sample in entries:
        J = np.ascontiguousarray(scaled(layout, program, sample).T)
        found.append(np.atleast_2d(core.null_space(J, REDUNDANT)).reshape(-1, len(weights)))
    most = max(len(null) for null in found)  # more of them in a singular position
    filled = [np.pad(null, ((0, most - len(null)), (0, 0))) for null in found]
    return weights * np.array(filled)
