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
from kempe.cli.writing import refuse, refuse_asked, say, told, unwritten, wanted, written

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
    if as_json:
        print(json.dumps({**told(trajectory, files), **_facts(trajectory)}))
    else:
        words = trajectory.summary(units=tuple(unit or ()))
        say(words, files, unwritten(asked, write=write))
    return 0 if trajectory.outcome.is_done else ANSWER_IS_NO


def _facts(trajectory: "Trajectory") -> dict[str, object]:
    """What --json says of a sweep alone."""
    return {
        "continuations": [asdict(way) for way in trajectory.outcome.continuations],
        "passes": [asdict(passed) for passed in trajectory.passes],
        "step_control": asdict(trajectory.motion.control),
    }
