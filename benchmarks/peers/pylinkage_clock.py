"""One turn of a linkage in pylinkage, clocked and compared with the closed form."""

import json
import time
from collections.abc import Callable
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray
from pylinkage import Linkage
from yardsticks.clock import keep_memory

Array = NDArray[np.float64]


def measure_turn(
    build: Callable[[int], Linkage],
    joint: int,
    worst_error: Callable[[Array, Array, Array, Array], float],
    steps: int,
    repeats: int,
) -> None:
    """Prints one JSON line: CPU seconds a step, and the error of one joint over the turn."""
    keep_memory()
    build(steps).step_fast_with_kinematics(10)  # numba compiles
    least = float("inf")
    for _ in range(repeats):
        linkage = build(steps)
        began = time.process_time()
        p, v, a = linkage.step_fast_with_kinematics(steps)
        least = min(least, time.process_time() - began)
    t = np.arange(1, steps + 1) / steps  # the first sample is after one step
    measured = {
        "who": f"pylinkage {version('pylinkage')} (numba)",
        "seconds": least / steps,
        "error": worst_error(t, p[:, joint], v[:, joint], a[:, joint]),
    }
    print(json.dumps(measured))
