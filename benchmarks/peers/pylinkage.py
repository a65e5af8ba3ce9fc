"""The four-bar in pylinkage, its solver compiled by numba: python -m peers.pylinkage STEPS REPEATS.

Prints one JSON line.
"""

import sys

import numpy as np
from pylinkage import Crank, Ground, Linkage, RRRDyad
from yardsticks.closed_form import COUPLER, CRANK, GROUND, RATE, ROCKER, hinges, worst_error

from peers.pylinkage_clock import measure_turn


def four_bar(steps: int) -> Linkage:
    """Crank, coupler and rocker, open branch, one turn in `steps` steps."""
    A, D = Ground(0.0, 0.0, name="A"), Ground(GROUND, 0.0, name="D")
    crank = Crank(anchor=A, radius=CRANK, angular_velocity=2.0 * np.pi / steps)
    x, y = hinges(np.zeros(1))[1].p[0]
    dyad = RRRDyad(anchor1=crank.output, anchor2=D, distance1=COUPLER, distance2=ROCKER, x=x, y=y)
    linkage = Linkage([A, D, crank, dyad])
    linkage.set_input_velocity(crank, omega=RATE)
    linkage.compile()
    return linkage


measure_turn(four_bar, 3, worst_error, *map(int, sys.argv[1:3]))
