"""`kempe report`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from kempe.cli.motion import Sweep, mechanism_of, motion_of
from kempe.cli.options import AsJson, Model, output_option
from kempe.cli.terminal import answer
from kempe.endings import refuse_unwritable
from kempe.errors import AssemblyError, DriveError

if TYPE_CHECKING:
    from kempe.front import Trajectory


def report(
    what: Model,
    *,
    output: Annotated[
        Path | None, output_option("The .html or .pdf to write; NAME.html if omitted.")
    ] = None,
    sweep: Sweep,
    as_json: AsJson = False,
) -> int:
    """Write a report of a mechanism: its dimensions, its freedoms, how it moves, and plots.

    Example: kempe report four_bar -o four_bar.pdf
    """
    from kempe.export.mechanism_report import ENDINGS, write_mechanism_report

    target = output or Path(f"{Path(what).stem}.html")
    refuse_unwritable(target, ENDINGS, "a report")
    mechanism = mechanism_of(what)
    trajectory, why = _moved(what, sweep)
    path = str(write_mechanism_report(mechanism, trajectory, target))
    facts = {"written": path, "samples": 0 if trajectory is None else len(trajectory)}
    return answer(facts, why, as_json=as_json, written=[path])


def _moved(what: str, sweep: Sweep) -> "tuple[Trajectory | None, str]":
    """Its motion; where nothing moves it, why it is reported at rest."""
    try:
        return motion_of(what, **sweep.given())[0], ""
    except (DriveError, AssemblyError) as mistake:
        return None, f"The report has no motion: {mistake}"
