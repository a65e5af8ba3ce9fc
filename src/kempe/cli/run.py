"""`kempe run`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kempe.cli.motion import motion_of

if TYPE_CHECKING:
    from kempe.front import Trajectory

ANSWER_IS_NO = 1  # exit code: the sweep ended early


def run(
    what: Annotated[
        str,
        typer.Argument(
            help="A model file (.yaml, .json), a Python file that defines `mechanism`, a name of"
            " the gallery, or a saved .npz.",
            metavar="FILE|NAME",
        ),
    ],
    *,
    until: Annotated[
        str | None, typer.Option(help="End time, such as 1 or '500 ms'; what the file says, or 1.")
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(help="Steps; one sample more is written. What the file says, or 360."),
    ] = None,
    over: Annotated[
        str | None, typer.Option(help="Sweep a measure instead: 'crank.angle, 0, 360 deg'.")
    ] = None,
    through: Annotated[
        list[str] | None,
        typer.Option(
            help="How to go on from dead points: momentum, or 'branch 2'; given again, one each."
        ),
    ] = None,
    free: Annotated[
        str | None,
        typer.Option(
            help="Freedoms that no drive holds: refuse, or nearest (move the least). What the file"
            " says, or refuse."
        ),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o",
            "--output",
            help="Write .csv, .json, .npz, .parquet, .txt (the report), .svg or .html; may be"
            " given again.",
        ),
    ] = None,
    trace: Annotated[
        list[str] | None, typer.Option(help="A point whose path is drawn, such as coupler.P.")
    ] = None,
    unit: Annotated[
        list[str] | None,
        typer.Option(help="A unit of tables and of the report, such as mm or deg; SI if omitted."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Sweep a mechanism as its file or the options ask, and say in words what it did.

    Example: kempe run four_bar --until 1 -o motion.csv -o motion.html --trace coupler.P
    """
    from kempe.front.endings import refuse_unwritable
    from kempe.front.export import ENDINGS, write

    for path in output or []:
        refuse_unwritable(path, ENDINGS, "a motion")
    trajectory, asked = motion_of(what, until, steps, over, through or (), free)
    points = tuple(trace or asked.trace)
    written = [
        str(write(trajectory, path, trace=points, units=tuple(unit or ())))
        for path in output or map(Path, asked.outputs)
    ]
    outcome = trajectory.outcome
    if as_json:
        print(json.dumps(_facts(trajectory, written)))
    else:
        print(trajectory.summary(units=tuple(unit or ())))
        for file in written:
            print(f"wrote {file}")
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
        "counts": trajectory.motion.counts,
        "step_control": asdict(trajectory.motion.control),
        "model": trajectory.provenance.model,
        "names": list(trajectory.names),
        "written": written,
    }
