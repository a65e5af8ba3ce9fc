"""`kempe animate`."""

from pathlib import Path
from typing import Annotated

import typer

from kempe.cli.motion import Sweep, answer_of_motion, motion_of
from kempe.cli.options import AsJson, Moved, Tolerance, output_option
from kempe.cli.writing import Files
from kempe.endings import refuse_unwritable


def animate(
    what: Moved,
    *,
    output: Annotated[
        Path | None,
        output_option("What to write: .html plays anywhere; NAME.html if omitted."),
    ] = None,
    trace: Annotated[
        list[str] | None,
        typer.Option(help="A point whose path is drawn, such as coupler.P; may be given again."),
    ] = None,
    sweep: Sweep,
    tolerance: Tolerance = None,
    as_json: AsJson = False,
) -> int:
    """Write a moving picture of a motion: the page needs no network, and has a slider.

    Example: kempe animate four_bar --trace coupler.P -o four_bar.html
    """
    from kempe.pictures.animation import MOVING

    target = output or Path(f"{Path(what).stem}.html")
    refuse_unwritable(target, MOVING, "a moving picture")
    refuse = Files(output=[target], trace=trace).refuse
    trajectory, asked = motion_of(what, **sweep.given(), tolerance=tolerance, refuse=refuse)
    path = str(trajectory.animate(target, trace=tuple(trace or asked.trace)))
    facts = {"samples": len(trajectory)}
    return answer_of_motion(trajectory, facts, "", path, as_json=as_json)
