"""`kempe transmission`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kempe.cli.motion import Sweep, answer_of_motion, motion_of
from kempe.cli.options import AsJson, Model, output_option
from kempe.endings import refuse_unwritable

if TYPE_CHECKING:
    from kempe.front import Trajectory


def transmission(
    what: Model,
    *,
    to: Annotated[
        str | None,
        typer.Option(help="The body that is pushed, where the drive moves several loops."),
    ] = None,
    ratio: Annotated[
        list[str] | None,
        typer.Option(
            help="A velocity ratio, such as d(rocker.angle)/d(crank.angle); may be repeated."
        ),
    ] = None,
    output: Annotated[
        list[Path] | None,
        output_option("Write a table (.csv, .json, .parquet) or a plot (.png, .svg)."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="The quantity of a plot's horizontal axis; t if omitted.")
    ] = None,
    sweep: Sweep,
    as_json: AsJson = False,
) -> int:
    """Say how well a mechanism hands motion on: transmission angle, ratios, dead points.

    Example: kempe transmission four_bar --ratio "d(rocker.angle)/d(crank.angle)" -o angle.png
    """
    from kempe.export.summary import transmitted

    for path in output or []:
        refuse_unwritable(path, (*TABLES, *PLOTS), "an analysis")
    trajectory, _ = motion_of(what, **sweep.given())
    found = transmitted(trajectory, to, ratio or ())
    angle = ["transmission.angle"] if found.angle is not None and to is None else []
    names = [*angle, *(ratio or ()), "transmission.condition"]
    written = [str(_write(trajectory, path, names, against or "t")) for path in output or []]
    return answer_of_motion(trajectory, found.facts(), str(found), written, as_json=as_json)


TABLES = (".csv", ".json", ".parquet")
PLOTS = (".png", ".svg", ".pdf")


def _write(trajectory: "Trajectory", path: Path, names: list[str], against: str) -> Path:
    from kempe.export.plots import write_plot
    from kempe.export.writing import write

    if path.suffix.lower() in PLOTS:
        return write_plot(trajectory.plot(*names, against=against), path)
    return write(trajectory, path, columns=names)
