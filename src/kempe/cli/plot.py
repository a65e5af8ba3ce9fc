"""`kempe plot`."""

from pathlib import Path
from typing import Annotated

import typer

from kempe.cli.motion import Sweep, answer_of_motion, motion_of
from kempe.cli.options import AsJson, Dark, Moved, output_option
from kempe.endings import refuse_unwritable


def plot(
    what: Moved,
    quantities: Annotated[
        list[str],
        typer.Argument(help="What to plot, such as rocker.angle or coupler.P.", metavar="QUANTITY"),
    ],
    *,
    output: Annotated[Path, output_option("The .png, .svg or .pdf to write.")] = Path("plot.png"),
    against: Annotated[str, typer.Option(help="The quantity of the horizontal axis.")] = "t",
    rate: Annotated[bool, typer.Option("--rate", help="Plot rates of change too.")] = False,
    acceleration: Annotated[
        bool, typer.Option("--acceleration", help="Plot accelerations too.")
    ] = False,
    sweep: Sweep,
    unit: Annotated[
        list[str] | None, typer.Option(help="A unit of the axes, such as cm or rad.")
    ] = None,
    title: Annotated[
        str | None, typer.Option(help="Written above; the mechanism's name if omitted.")
    ] = None,
    dark: Dark = False,
    as_json: AsJson = False,
) -> int:
    """Plot quantities of a motion over time, or against another quantity.

    Example: kempe plot four_bar rocker.angle --rate -o rocker.png
    """
    from kempe.export.plots import ENDINGS, write_plot

    refuse_unwritable(output, ENDINGS, "a plot")
    trajectory, _ = motion_of(what, **sweep.given())
    figure = trajectory.plot(
        *quantities,
        against=against,
        rate=rate,
        acceleration=acceleration,
        units=unit or (),
        title=title,
        dark=dark,
    )
    path, facts = str(write_plot(figure, output)), {"samples": len(trajectory)}
    return answer_of_motion(trajectory, facts, "", path, as_json=as_json)
