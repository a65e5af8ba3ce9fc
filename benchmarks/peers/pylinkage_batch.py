"""Many four-bars in pylinkage's batch: python -m peers.pylinkage_batch VARIANTS STEPS REPEATS.

Prints one JSON line: CPU seconds a placement, positions of the joints alone.
"""

import json
import math
import sys
import time
from importlib.metadata import version

import numpy as np
from pylinkage import Crank, Ground, Linkage, RRRDyad
from pylinkage.bridge.solver_conversion import linkage_to_solver_data
from pylinkage.population._batch_sim import simulate_batch
from yardsticks.clock import keep_memory
from yardsticks.closed_form import COUPLER, CRANK, GROUND, ROCKER
from yardsticks.four_bars import coupler_points, lengths


def measure(variants: int, steps: int, repeats: int) -> None:
    keep_memory()
    A, D = Ground(0.0, 0.0, name="A"), Ground(GROUND, 0.0, name="D")
    crank = Crank(anchor=A, radius=CRANK, angular_velocity=2.0 * np.pi / steps)
    dyad = RRRDyad(
        anchor1=crank.output, anchor2=D, distance1=COUPLER, distance2=ROCKER, x=3.0, y=3.0
    )
    linkage = Linkage([A, D, crank, dyad])
    linkage.compile()
    template = linkage_to_solver_data(linkage)
    given = lengths(variants)
    C = _upper(given)
    constraints = given[:, [0, 1, 2]]
    places = np.zeros((variants, 4, 2))
    places[:, 1, 0] = given[:, 3]
    places[:, 2, 0] = given[:, 0]
    places[:, 3] = C
    least = math.inf
    simulate_batch(template, constraints[:2], places[:2].copy(), steps)
    for _ in range(repeats):
        began = time.process_time()
        found = simulate_batch(template, constraints, places, steps)
        least = min(least, time.process_time() - began)
    some = min(variants, 64)
    B, C = found[:some, :, 2], found[:some, :, 3]
    u = C - B
    P = B + 0.5 * (u + np.stack([-u[..., 1], u[..., 0]], axis=-1))
    error = float(np.abs(P - coupler_points(given[:some], steps)[:, 1:]).max())
    print(
        json.dumps(
            {
                "who": f"pylinkage {version('pylinkage')}, simulate_batch",
                "seconds": least / (variants * steps),
                "error": error,
            }
        )
    )


def _upper(given: np.ndarray) -> np.ndarray:
    """C of all variants with the crank at angle 0."""
    a, b, c, d = given.T
    r = d - a
    x = (b * b - c * c + r * r) / (2 * r)
    return np.stack([a + x, np.sqrt(b * b - x * x)], axis=-1)


measure(*map(int, sys.argv[1:4]))
