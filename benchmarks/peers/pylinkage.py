"""The four-bar in pylinkage, its solver compiled by numba: python -m peers.pylinkage STEPS REPEATS.

Prints one JSON line.
"""

import json
import sys
import time
from importlib.metadata import version

import numpy as np
from pylinkage import Crank, Ground, Linkage, RRRDyad
from yardsticks.clock import keep_memory
from yardsticks.closed_form import COUPLER, CRANK, GROUND, RATE, ROCKER, hinges, worst_error


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


def main(steps: int, repeats: int) -> None:
    keep_memory()
    four_bar(steps).step_fast_with_kinematics(10)  # numba compiles
    least = float("inf")
    for _ in range(repeats):
        linkage = four_bar(steps)
        began = time.process_time()
        p, v, a = linkage.step_fast_with_kinematics(steps)
        least = min(least, time.process_time() - began)
    t = np.arange(1, steps + 1) / steps  # the first sample is after one step
    measured = {
        "who": f"pylinkage {version('pylinkage')} (numba)",
        "seconds": least / steps,
        "error": worst_error(t, p[:, 3], v[:, 3], a[:, 3]),
    }
    print(json.dumps(measured))


main(*map(int, sys.argv[1:3]))
