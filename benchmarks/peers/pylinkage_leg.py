"""Jansen's leg in pylinkage, compiled by numba: python -m peers.pylinkage_leg STEPS REPEATS.

Prints one JSON line.
"""

import sys

import numpy as np
from pylinkage import Crank, Ground, Linkage, RRRDyad
from yardsticks.closed_form import RATE
from yardsticks.leg import CRANK, DYADS, PIVOT, hinges, worst_error

from peers.pylinkage_clock import measure_turn


def leg(steps: int) -> Linkage:
    """The crank and five dyads, one turn in `steps` steps."""
    start = {name: hinge.p[0].tolist() for name, hinge in hinges(np.zeros(1)).items()}
    shaft, pivot = Ground(0.0, 0.0, name="shaft"), Ground(*PIVOT, name="pivot")
    crank = Crank(anchor=shaft, radius=CRANK, angular_velocity=2.0 * np.pi / steps)
    places = {"pin": crank.output, "pivot": pivot}
    for name, P, Q, p, q in DYADS:
        x, y = start[name]
        places[name] = RRRDyad(
            anchor1=places[P], anchor2=places[Q], distance1=p, distance2=q, x=x, y=y
        )
    linkage = Linkage([shaft, pivot, crank, *(places[name] for name, *_ in DYADS)])
    linkage.set_input_velocity(crank, omega=RATE)
    linkage.compile()
    return linkage


measure_turn(leg, -1, worst_error, *map(int, sys.argv[1:3]))
