"""Reactions of a simulated motion: its own multipliers, seen at the joints."""

import numpy as np

from kempe.compile.layout import Layout
from kempe.kinematics.evaluator import evaluator
from kempe.kinematics.reactions import Reactions, idle_combinations, jacobian_samples
from kempe.results import Motion

# Samples at which redundancy is looked for: a position may be singular by chance.
LOOKS = 3


def simulated_reactions(layout: Layout, motion: Motion) -> Reactions:
    """What joints and drives exert along a simulated motion.

    A component is unique where, in general position, no combination of rows that does nothing
    has a part in it.
    """
    program = evaluator(layout)
    entries = jacobian_samples(layout, motion, program)
    looks = np.linspace(0, len(motion) - 1, LOOKS).astype(int)
    idle = [idle_combinations(program, entries[k]) for k in sorted(set(looks.tolist()))]
    null = min(idle, key=len)
    return Reactions(layout, motion, program, motion.multipliers, entries, null)
