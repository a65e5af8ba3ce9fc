"""`kempe simulate`."""

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from kempe.cli.motion import (
    STEPS,
    TOLERANCE,
    UNTIL,
    as_far_as_it_got,
    mechanism_of,
    run_of,
)
from kempe.cli.options import AsJson, Columns, Model, Outputs, Steps, Trace, Units, Until, Write
from kempe.cli.terminal import progress
from kempe.cli.writing import (
    refuse,
    refuse_asked,
    refuse_columns,
    say,
    told,
    unwritten,
    wanted,
    written,
)

if TYPE_CHECKING:
    from kempe.front import Trajectory

ANSWER_IS_NO = 1  # exit code: the run ended early


def simulate(
    what: Model,
    *,
    until: Until = None,
    steps: Steps = None,
    method: Annotated[
        str, typer.Option(help="auto, dop853 (order 8) or tsit5 (order 5).")
    ] = "auto",
    tolerance: Annotated[
        float | None,
        typer.Option(help="Error of a step that is accepted; what the file says, or 1e-8."),
    ] = None,
    output: Outputs = None,
    write: Write = False,
    column: Columns = None,
    trace: Trace = None,
    unit: Units = None,
    as_json: AsJson = False,
) -> int:
    """Move a mechanism by its forces, and say how it went.

    Example: kempe simulate double_pendulum.yaml --until 10 -o motion.csv -o motion.html
    """
    from kempe.units import in_si

    refuse(output)
    mechanism = mechanism_of(what)
    refuse_columns(mechanism, column or (), is_simulated=True)
    asked = run_of(what, mechanism)
    refuse_asked(mechanism, asked, write=write, trace=trace, units=unit)
    paths = wanted(output, asked, write=write)
    end = next(end for end in (until, asked.until, UNTIL) if end is not None)
    trajectory = as_far_as_it_got(
        mechanism.simulate,
        until=end,
        steps=steps if steps is not None else asked.steps or STEPS,
        method=method,
        tolerance=tolerance if tolerance is not None else asked.tolerance or TOLERANCE,
        progress=None if as_json else _progress(in_si(end, "s")),
    )
    files = written(trajectory, paths, asked, trace=trace, units=unit, columns=column)
    if as_json:
        print(json.dumps({**told(trajectory, files), **_facts(trajectory)}))
    else:
        say(_words(trajectory, unit), files, unwritten(asked, write=write))
    return 0 if trajectory.outcome.is_done else ANSWER_IS_NO


def _words(trajectory: "Trajectory", units: list[str] | None) -> str:
    """The summary of a run, and what it cost."""
    words, counts = trajectory.summary(units=tuple(units or ())), trajectory.motion.counts
    if not len(trajectory):
        return words
    damped = f", {counts['damped']} of them damped" if counts["damped"] else ""
    return f"{words}\n{counts['steps']} steps, {counts['evaluations']} evaluations{damped}."


def _facts(trajectory: "Trajectory") -> dict[str, object]:
    """What --json says of a simulation alone."""
    return {
        "method": trajectory.motion.recipe.method,
        "energy_change": _change(trajectory.energy.total) if len(trajectory) else 0.0,
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
        progress(f"{text:<48}")

    return shown
