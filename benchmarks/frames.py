"""How fast rotations and frames are, against the libraries people use for them today.

`kempe bench frames` prints what `measure` reports. All times are CPU seconds of one thread, the
least of several repeats, the contestants taking turns in one run.
"""

import os
from collections.abc import Callable
from typing import Any

from yardsticks.fresh import ONE_THREAD
from yardsticks.report import Report

os.environ.update(ONE_THREAD)  # before NumPy is imported

from yardsticks.clock import keep_memory
from yardsticks.frames import measure_long_chain, measure_queries, measure_states
from yardsticks.rotations import measure_rotations

#: Each adds its rows and goals to the report; the number says how much is measured, 1 is all.
PARTS: tuple[Callable[[Report, float], None], ...] = (
    measure_rotations,
    measure_states,
    measure_queries,
    measure_long_chain,
)


def measure(share: float = 1.0) -> dict[str, Any]:
    """Rows (case, who, seconds, per, error) and goals (goal, wanted, got, met)."""
    report = Report()
    keep_memory()
    for part in PARTS:
        part(report, share)
    return {"rows": report.rows, "goals": report.goals}
