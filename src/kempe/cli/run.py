"""`kempe run`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kempe.cli.opening import opened
from kempe.errors import ModelError

if TYPE_CHECKING:
    from kempe.front import Mechanism, Trajectory

STEPS = 360
ANSWER_IS_NO = 1  # exit code: the sweep ended early


def run(
    what: Annotated[
        str,
        typer.Argument(
            help="A model file (.yaml, .json), a Python file that defines `mechanism`, or a name"
            " of the gallery.",
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
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o", "--output", help="Write .csv, .json, .npz, .svg or .html; may be given again."
        ),
    ] = None,
    trace: Annotated[
        list[str] | None, typer.Option(help="A point whose path is drawn, such as coupler.P.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Sweep a mechanism and say how it went; write the motion where asked.

    Example: kempe run four_bar --until 1 -o motion.csv -o motion.html --trace coupler.P
    """
    from kempe.front.export import write

    mechanism = opened(what)
    asked = mechanism.document.run if mechanism.document else None
    trajectory = _swept(mechanism, until, steps, over)
    points = tuple(trace or (asked.trace if asked else ()))
    paths = output or [Path(name) for name in (asked.outputs if asked else ())]
    written = [str(write(trajectory, path, trace=points)) for path in paths]
    outcome = trajectory.outcome
    if as_json:
        print(json.dumps(_facts(trajectory, written)))
    else:
        end = f" up to t = {trajectory.t[-1]:g} s" if len(trajectory) else ""
        print(f"{mechanism.name}: {len(trajectory)} samples{end}.")
        print(outcome)
        for path in written:
            print(f"wrote {path}")
    return 0 if outcome.is_done else ANSWER_IS_NO


def _swept(
    mechanism: "Mechanism", until: str | None, steps: int | None, over: str | None
) -> "Trajectory":
    """The sweep that the options ask for, else the one that the file asks for."""
    asked = mechanism.document.run if mechanism.document else None
    count = steps or (asked.steps if asked else None) or STEPS
    if over is not None:
        return mechanism.kinematics(over=_over(over), steps=count)
    if until is None and asked is not None and asked.over is not None:
        return mechanism.kinematics(over=asked.over, steps=count)
    end = until or (asked.until if asked else None) or "1"
    return mechanism.kinematics(until=end, steps=count)


def _facts(trajectory: "Trajectory", written: list[str]) -> dict[str, object]:
    outcome = trajectory.outcome
    return {
        "outcome": outcome.name,
        "message": outcome.message,
        "advice": outcome.advice,
        "facts": outcome.facts,
        "samples": len(trajectory),
        "t": [float(trajectory.t[k]) for k in (0, -1)] if len(trajectory) else [],
        "redundant": list(trajectory.redundant),
        "counts": trajectory.motion.counts,
        "names": list(trajectory.names),
        "written": written,
    }


def _over(text: str) -> tuple[str, str, str]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3:
        raise ModelError(
            f"--over {text!r} is not a measure and two values, such as 'crank.angle, 0, 360 deg'."
        )
    return parts[0], parts[1], parts[2]
