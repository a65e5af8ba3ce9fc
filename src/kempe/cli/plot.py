"""`kempe plot`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from kempe.cli.motion import motion_of

ANSWER_IS_NO = 1  # exit code: the sweep ended early; what there is was plotted


def plot(
    what: Annotated[
        str,
        typer.Argument(
            help="A model file (.yaml, .json), a Python file that defines `mechanism`, a name of"
            " the gallery, or a saved .npz.",
            metavar="FILE|NAME",
        ),
    ],
    quantities: Annotated[
        list[str],
        typer.Argument(help="What to plot, such as rocker.angle or coupler.P.", metavar="QUANTITY"),
    ],
    *,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The .png, .svg or .pdf to write.")
    ] = Path("plot.png"),
    against: Annotated[str, typer.Option(help="The quantity of the horizontal axis.")] = "t",
    rate: Annotated[bool, typer.Option("--rate", help="Plot rates of change too.")] = False,
    acceleration: Annotated[
        bool, typer.Option("--acceleration", help="Plot accelerations too.")
    ] = False,
    until: Annotated[
        str | None, typer.Option(help="End time, such as 1 or '500 ms'; what the file says, or 1.")
    ] = None,
    steps: Annotated[
        int | None, typer.Option(help="Steps of the sweep; what the file says, or 360.")
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
    unit: Annotated[
        list[str] | None, typer.Option(help="A unit of the axes, such as cm or rad.")
    ] = None,
    title: Annotated[
        str | None, typer.Option(help="Written above; the mechanism's name if omitted.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Plot quantities of a motion over time, or against another quantity.

    Example: kempe plot four_bar rocker.angle --rate -o rocker.png
    """
    from kempe.front.endings import refuse_unwritable
    from kempe.front.plots import ENDINGS, write_plot

    refuse_unwritable(output, ENDINGS, "a plot")
    trajectory, _ = motion_of(what, until, steps, over, through or (), free)
    figure = trajectory.plot(
        *quantities,
        against=against,
        rate=rate,
        acceleration=acceleration,
        units=unit or (),
        title=title,
    )
    path, outcome = write_plot(figure, output), trajectory.outcome
    if as_json:
        facts = {"written": str(path), "outcome": outcome.name, "samples": len(trajectory)}
        print(json.dumps(facts))
    else:
        if not outcome.is_done:
            print(outcome)
        print(f"wrote {path}")
    return 0 if outcome.is_done else ANSWER_IS_NO
