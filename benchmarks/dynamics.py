"""How fast dynamics is: CPU time to reach an error, against what peers took for it.

`kempe bench dynamics` prints what `measure` reports. All times are CPU seconds of one thread, of
the solve alone, the least of several repeats, all taken in one run. Peers were timed on another
machine; their times are scaled by what the floor in C takes here and took there.
"""

import os
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, final

from yardsticks.fresh import ONE_THREAD
from yardsticks.report import Report, ratio

os.environ.update(ONE_THREAD)  # before NumPy is imported

import numpy as np
from yardsticks.clock import least_seconds
from yardsticks.floor import floors
from yardsticks.forces import CASES, Case, chain

from kempe.dynamics.preparation import PreparedDynamics, prepare
from kempe.dynamics.simulation import integrated

FLOOR_THERE = 0.082e-6  # s a step of the four-bar in C, where the peers were timed
FLOOR_STEPS = 3600
TOLERANCES = tuple(10.0 ** (-k / 2) for k in range(4, 25))
EXACT = 1e-12
GRID = 21  # times at which errors are looked at
FEW, MANY = 100, 10_000  # links over which the cost of one must stay the same


@final
@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured."""

    repeats: int = 5
    floor_repeats: int = 30
    cases: tuple[str, ...] = tuple(case.name for case in CASES)
    links: tuple[int, ...] = (FEW, MANY)


FULL = Sizes()


def measure(sizes: Sizes = FULL) -> dict[str, Any]:
    """Rows (case, who, seconds, per, error) and goals (goal, wanted, got, met)."""
    report = Report()
    slower = _slower(report, sizes)
    for case in CASES:
        if case.name in sizes.cases:
            _measure_case(report, sizes, case, slower)
    _measure_links(report, sizes)
    return {"rows": report.rows, "goals": report.goals}


def _slower(report: Report, sizes: Sizes) -> float | None:
    """How many times slower this machine is than the one where the peers were timed."""
    with tempfile.TemporaryDirectory() as folder:
        contestants = {f.level: partial(f, FLOOR_STEPS) for f in floors(Path(folder), 1e-13)}
        if not contestants:
            return None
        least = min(least_seconds(contestants, sizes.floor_repeats).values()) / FLOOR_STEPS
    report.row("four-bar", "floor in C", least, "step")
    return least / FLOOR_THERE


def _measure_case(report: Report, sizes: Sizes, case: Case, slower: float | None) -> None:
    prepared = prepare(case.make().layout, 0.0)
    grid = np.linspace(0.0, case.until, GRID)
    exact = integrated(prepared, grid, "dop853", EXACT, None)[0]["q"]
    found: dict[float, tuple[float, float]] = {}  # error -> tolerance, error
    for tolerance in TOLERANCES:
        out, facts = integrated(prepared, grid, "dop853", tolerance, None)
        error = float(np.abs(out["q"] - exact).max()) if facts["samples"] == GRID else np.inf
        for bound in case.peers:
            if error <= bound and bound not in found:
                found[bound] = (tolerance, error)
        if len(found) == len(case.peers):
            break
    for bound, there in case.peers.items():
        goal = f"{case.name} to {bound:g}: times faster than the fastest peer"
        peer = None if slower is None else there * slower
        report.row(case.name, f"fastest peer, scaled, to {bound:g}", peer, "run", bound)
        if bound not in found:
            report.at_least(goal, case.wanted, None, "the error was not reached")
            continue
        tolerance, error = found[bound]
        seconds = _seconds(prepared, case.until, tolerance, sizes.repeats)
        report.row(case.name, f"kempe, tolerance {tolerance:.2g}", seconds, "run", error)
        report.at_least(goal, case.wanted, ratio(peer, seconds), "no compiler for the floor")


def _seconds(prepared: PreparedDynamics, until: float, tolerance: float, repeats: int) -> float:
    """CPU time of the solve, with the last sample as its only output."""
    ends = np.array([0.0, until])
    run = partial(integrated, prepared, ends, "dop853", tolerance, None)
    return least_seconds({"kempe": run}, repeats)["kempe"]


def _measure_links(report: Report, sizes: Sizes) -> None:
    """Cost of an evaluation a body, over chains of few and of many links."""
    costs = []
    for n in sizes.links:
        prepared = prepare(chain(n).layout, 0.0)
        ends = np.array([0.0, 0.05])
        _, facts = integrated(prepared, ends, "dop853", 1e-4, None)
        seconds = _seconds(prepared, 0.05, 1e-4, sizes.repeats)
        costs.append(seconds / facts["evaluations"] / n)
        report.row(f"chain of {n} links", "kempe", costs[-1], "body and evaluation")
    if len(costs) > 1:
        report.at_most("cost of a body, many links over few", 1.5, costs[-1] / costs[0])


if __name__ == "__main__":
    for part in measure().values():
        print(*part, sep="\n")
