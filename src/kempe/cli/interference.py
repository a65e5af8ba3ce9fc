"""`kempe interference`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kempe.cli.motion import Sweep, motion_of
from kempe.cli.options import AsJson, Model, output_option
from kempe.cli.terminal import answer
from kempe.endings import refuse_unwritable

if TYPE_CHECKING:
    from kempe.front import Trajectory
    from kempe.results.interference import Interference

TABLES = (".csv",)
PLOTS = (".png", ".pdf")
PICTURES = (".svg",)


def interference(
    what: Model,
    *,
    between: Annotated[
        list[str] | None,
        typer.Option(help="A body or a shape to look at; may be repeated. All if omitted."),
    ] = None,
    joined: Annotated[
        bool, typer.Option("--joined", help="Look at shapes that meet in a joint, too.")
    ] = False,
    margin: Annotated[
        str, typer.Option(help="What comes nearer counts as touching, such as '2 mm'.")
    ] = "0",
    tolerance: Annotated[
        str | None,
        typer.Option(help="No touch deeper than this is missed; 1e-5 of the shapes if omitted."),
    ] = None,
    output: Annotated[
        list[Path] | None,
        output_option(
            "Write a table (.csv), a plot of the gaps (.png, .pdf) or a picture where they are"
            " deepest (.svg); may be repeated."
        ),
    ] = None,
    sweep: Sweep,
    as_json: AsJson = False,
) -> int:
    """Say which shapes of bodies touch along a motion, when, how deep and where; 1 if any do.

    Example: kempe interference gripper --margin "1 mm" -o gaps.png
    """
    for path in output or []:
        refuse_unwritable(path, (*TABLES, *PLOTS, *PICTURES), "interference")
    trajectory, _ = motion_of(what, **sweep.given())
    found = trajectory.interference(
        between=between or (), joined=joined, margin=margin, tolerance=tolerance
    )
    written = [str(_write(trajectory, found, path)) for path in output or []]
    outcome = trajectory.outcome
    return answer(
        {**found.facts(), "outcome": outcome.name, "written": written},
        found if outcome.is_done else f"{found}\n{outcome}",
        as_json=as_json,
        written=written,
        is_yes=found.is_clear and outcome.is_done,
    )


def _write(trajectory: "Trajectory", found: "Interference", path: Path) -> Path:
    from kempe.disk import replace_file
    from kempe.export.interference_plots import gap_figure
    from kempe.export.plots import write_plot
    from kempe.pictures.interference_picture import interference_svg

    ending = path.suffix.lower()
    if ending in PLOTS:
        return write_plot(gap_figure(found), path)
    if ending in PICTURES:
        return replace_file(path, interference_svg(trajectory, found).encode())
    rows = found.table()
    heads = ["first", "second", "gap", "at", "start", "end", "depth"]
    lines = [",".join(heads)]
    for row in rows:
        cells = ("" if row[head] is None else row[head] for head in heads)
        lines.append(",".join(f'"{c}"' if isinstance(c, str) and c else str(c) for c in cells))
    return replace_file(path, ("\n".join(lines) + "\n").encode())
