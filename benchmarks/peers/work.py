"""Work and precision: runs of a peer over the trials, measured alike for all of them.

A run builds its model and returns CPU seconds of the solve call alone, and what was looked at.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Run = Callable[[], tuple[float, Any]]
LONG = 0.5  # s: runs that take longer are not repeated


def clocked(solve: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of one call, and what it returned."""
    began = time.process_time()
    found = solve()
    return time.process_time() - began, found


def measure(who: str, runs: Iterator[tuple[str, str, Run]]) -> None:
    """Prints one line of JSON; the exact looks and the number of repeats come from stdin."""
    given = json.load(sys.stdin)
    found = []
    for case, how, run in runs:
        if case not in given["exact"]:
            continue
        exact = np.array(given["exact"][case])
        try:
            seconds, looks = run()
            for _ in range(given["repeats"] - 1):
                if seconds > LONG:
                    break
                seconds = min(seconds, run()[0])
        except Exception as fault:  # a peer that cannot do one case may do the others
            found.append({"case": case, "how": how, "fault": str(fault)[:200]})
            continue
        error = float(np.abs(np.reshape(looks, exact.shape) - exact).max())
        if np.isfinite(error):
            found.append({"case": case, "how": how, "seconds": seconds, "error": error})
    print(json.dumps({"who": who, "runs": found}))


def cannot() -> tuple[float, Any]:
    """Stands for a case that a peer cannot express; the words of its setting say why."""
    raise NotImplementedError


def runge_kutta(f: Any, q: Any, v: Any, h: float, steps: int, every: int = 0) -> list[Any]:
    """Positions at the end, or after every so many steps: what a user writes around a library.

    The classical method of order four for q'' = f(q, q').
    """
    seen = []
    for k in range(1, steps + 1):
        a1 = f(q, v)
        v2 = v + h / 2 * a1
        a2 = f(q + h / 2 * v, v2)
        v3 = v + h / 2 * a2
        a3 = f(q + h / 2 * v2, v3)
        v4 = v + h * a3
        a4 = f(q + h * v3, v4)
        q = q + h / 6 * (v + 2 * v2 + 2 * v3 + v4)
        v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        if every and k % every == 0:
            seen.append(q)
    return seen or [q]
