"""`kempe simulate`."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kempe.cli.motion import STEPS, TOLERANCE, UNTIL, mechanism_of, run_of

if TYPE_CHECKING:
    from kempe.front import Trajectory

ANSWER_IS_NO = 1  # exit code: the run ended early


def simulate(
    what: Annotated[
        str,
        typer.Argument(
            help="A model file (.yaml, .json), a Python file that defines `mechanism`, or a name of"
            " the gallery.",
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
    method: Annotated[
        str, typer.Option(help="auto, dop853 (order 8) or tsit5 (order 5).")
    ] = "auto",
    tolerance: Annotated[
        float | None,
        typer.Option(help="Error of a step that is accepted; what the file says, or 1e-8."),
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
    """Move a mechanism by its forces, and say how it went.

    Example: kempe simulate double_pendulum.yaml --until 10 -o motion.csv -o motion.html
    """
    from kempe.front.endings import refuse_unwritable
    from kempe.front.export import ENDINGS, write
    from kempe.units import in_si

    for path in output or []:
        refuse_unwritable(path, ENDINGS, "a motion")
    mechanism = mechanism_of(what)
    asked = run_of(what, mechanism)
    end = next(end for end in (until, asked.until, UNTIL) if end is not None)
    trajectory = mechanism.simulate(
        until=end,
        steps=steps if steps is not None else asked.steps or STEPS,
        method=method,
        tolerance=tolerance if tolerance is not None else asked.tolerance or TOLERANCE,
        progress=None if as_json else _progress(in_si(end, "s")),
    )
    points = tuple(trace or asked.trace)
    written = [
        str(write(trajectory, path, trace=points, units=tuple(unit or ())))
        for path in output or map(Path, asked.outputs)
    ]
    if as_json:
        print(json.dumps(_facts(trajectory, written)))
    else:
        _say(trajectory, written)
    return 0 if trajectory.outcome.is_done else ANSWER_IS_NO


def _say(trajectory: "Trajectory", written: list[str]) -> None:
    n, counts = len(trajectory), trajectory.motion.counts
    end = f" up to t = {trajectory.t[-1]:g} s" if n else ""
    print(f"{trajectory.subject.name}: {n} samples{end}.")
    if n:
        energy = trajectory.energy
        print(
            f"{counts['steps']} steps, {counts['evaluations']} evaluations; the energy balance"
            f" changes by {_change(energy.total):.2g} J of {energy.kinetic.max():.3g} J."
        )
    for note in trajectory.notes:
        print(f"note: {note}.")
    print(trajectory.outcome)
    for file in written:
        print(f"wrote {file}")


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
        "notes": list(trajectory.notes),
        "counts": trajectory.motion.counts,
        "method": trajectory.motion.recipe.method,
        "energy_change": _change(trajectory.energy.total) if len(trajectory) else 0.0,
        "model": trajectory.provenance.model,
        "names": list(trajectory.names),
        "written": written,
    }


def _change(total: "object") -> float:
    import numpy as np

    return float(np.ptp(np.asarray(total)))


def _progress(end: float) -> Callable[[float], None] | None:
    """A line on the terminal that says how far it has come; None where nobody looks."""
    if not sys.stderr.isatty():
        return None

    def shown(t: float) -> None:
        done = t >= end
        text = "" if done else f"t = {t:.4g} s of {end:.4g} s ({100.0 * t / end:.0f} %)"
        print(f"\r{text:<48}", end="\r", file=sys.stderr, flush=True)

    return shown
