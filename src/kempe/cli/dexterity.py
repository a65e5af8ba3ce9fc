"""`kempe dexterity`."""

from pathlib import Path
from typing import Annotated

import typer

from kempe.cli.motion import as_far_as_it_got, mechanism_of, named_values
from kempe.cli.options import AsJson, Model, output_option
from kempe.cli.terminal import answer
from kempe.endings import refuse_unwritable
from kempe.errors import BadNumber

PLOTS = (".png", ".svg", ".pdf")
OVER = '"shoulder.angle=-90 deg..90 deg"'


def dexterity(
    what: Model,
    *,
    of: Annotated[
        list[str], typer.Option(help="A point or measures that are moved, such as hand.P.")
    ],
    by: Annotated[
        list[str], typer.Option(help="A measure that is driven; one for each freedom. Repeatable.")
    ],
    grid: Annotated[
        list[str], typer.Option(help=f"The range of a measure: {OVER}; may be repeated.")
    ],
    count: Annotated[int, typer.Option(help="How many values of each range.")] = 41,
    length: Annotated[
        str | None, typer.Option(help='What angles are multiplied by beside lengths: "0.1 m".')
    ] = None,
    output: Annotated[
        Path | None, output_option("Write a picture of it (.png, .svg, .pdf).")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Say how well a robot moves over its workspace: manipulability, conditioning, areas.

    Example: kempe dexterity arm.yaml --of lower.end --by shoulder.angle --by elbow.angle
    --grid "shoulder.angle=-180 deg..180 deg" --grid "elbow.angle=0 deg..180 deg" -o arm.svg
    """
    if output is not None:
        refuse_unwritable(output, PLOTS, "a plot")
    mechanism = mechanism_of(what)
    over = {name: _range(name, text) for name, text in named_values(grid, "--grid", OVER).items()}
    found = as_far_as_it_got(mechanism.dexterity, of, by, over, count=count, length=length)
    written = []
    if output is not None:
        from kempe.export.plots import write_plot

        written = [str(write_plot(found.plot(), output))]
    return answer(found.facts(), found, as_json=as_json, written=written)


def _range(name: str, text: str) -> tuple[str, str]:
    low, dots, high = (part.strip() for part in text.partition(".."))
    if not dots:
        raise BadNumber(f"the range of {name!r} is {text!r}: write it as {OVER}.", name=name)
    return low, high
