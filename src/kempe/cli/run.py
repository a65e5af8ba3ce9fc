"""`kempe run`."""

import json
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from kempe.cli.motion import motion_of
from kempe.cli.options import (
    AsJson,
    Columns,
    Free,
    Moved,
    Outputs,
    Over,
    Steps,
    Through,
    Trace,
    Units,
    Until,
    Write,
)
from kempe.cli.writing import refuse, refuse_asked, unwritten, wanted, written

if TYPE_CHECKING:
    from kempe.front import Trajectory

ANSWER_IS_NO = 1  # exit code: the sweep ended early


def run(
    what: Moved,
    *,
    until: Until = None,
    steps: Steps = None,
    over: Over = None,
    through: Through = None,
    free: Free = None,
    output: Outputs = None,
    write: Write = False,
    column: Columns = None,
    trace: Trace = None,
    unit: Units = None,
    as_json: AsJson = False,
) -> int:
    """Sweep a mechanism as its file or the options ask, and say in words what it did.

    Example: kempe run four_bar --until 1 -o motion.csv -o motion.html --trace coupler.P
    """
    refuse(output)
    ready = partial(refuse_asked, write=write, trace=trace, units=unit)
    trajectory, asked = motion_of(
        what, until, steps, over, through or (), free, column or (), ready
    )
    paths = wanted(output, asked, write=write)
    files = written(trajectory, paths, asked, trace=trace, units=unit, columns=column)
    outcome = trajectory.outcome
    if as_json:
        print(json.dumps(_facts(trajectory, files)))
    else:
        print(trajectory.summary(units=tuple(unit or ())))
        for file in files:
            print(f"wrote {file}")
        if left := unwritten(asked, write=write):
            print(left)
    return 0 if outcome.is_done else ANSWER_IS_NO


def _facts(trajectory: "Trajectory", written: list[str]) -> dict[str, object]:
    outcome = trajectory.outcome
    return {
        "outcome": outcome.name,
        "message": outcome.message,
        "advice": outcome.advice,
        "facts": outcome.facts,
        "continuations": [asdict(way) for way in outcome.continuations],
        "passes": [asdict(passed) for passed in trajectory.passes],
        "samples": len(trajectory),
        "t": [float(trajectory.t[k]) for k in (0, -1)] if len(trajectory) else [],
        "redundant": list(trajectory.redundant),
        "notes": list(trajectory.notes),
        "counts": trajectory.motion.counts,
        "step_control": asdict(trajectory.motion.control),
        "model": trajectory.provenance.model,
        "names": list(trajectory.names),
        "written": written,
    }
