"""Jansen's leg in pylinkage, compiled by numba: python -m peers.pylinkage_leg STEPS REPEATS.

Prints one JSON line.
"""

import json
import sys
import time
from importlib.metadata import version

import numpy as np
from pylinkage import Crank, Ground, Linkage, RRRDyad
from yardsticks.clock import keep_memory
from yardsticks.closed_form import RATE
from yardsticks.leg import CRANK, DYADS, PIVOT, hinges, worst_error


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


def main(steps: int, repeats: int) -> None:
    keep_memory()
    leg(steps).step_fast_with_kinematics(10)  # numba compiles
    least = float("inf")
    for _ in range(repeats):
        linkage = leg(steps)
        began = time.process_time()
        p, v, a = linkage.step_fast_with_kinematics(steps)
        least = min(least, time.process_time() - began)
    t = np.arange(1, steps + 1) / steps  # the first sample is after one step
    measured = {
        "who": f"pylinkage {version('pylinkage')} (numba)",
        "seconds": least / steps,
        "error": worst_error(t, p[:, -1], v[:, -1], a[:, -1]),
    }
    print(json.dumps(measured))


main(*map(int, sys.argv[1:3]))
