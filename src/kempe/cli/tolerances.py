"""`kempe tolerances`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from kempe.cli.motion import (
    STEPS,
    as_far_as_it_got,
    first_given,
    mechanism_of,
    named_values,
    range_of,
    run_of,
)
from kempe.cli.options import AsJson, Model, Over, Steps, Until, output_option
from kempe.cli.terminal import answer
from kempe.endings import refuse_unwritable

PLOTS = (".png", ".svg", ".pdf")
OFF = 'crank=0.05, crank="0.05 mm" or crank=-0.1..0'


def tolerances(
    what: Model,
    *,
    off: Annotated[
        list[str] | None,
        typer.Option(help=f"By how much a parameter may differ: {OFF}; may be repeated."),
    ] = None,
    play: Annotated[
        list[str] | None,
        typer.Option(help='The radial clearance of a joint: B="0.1 mm"; may be repeated.'),
    ] = None,
    of: Annotated[list[str], typer.Option(help="A reading, such as coupler.P; may be repeated.")],
    count: Annotated[int, typer.Option(help="How many machines are drawn; 0 for none.")] = 1000,
    seed: Annotated[int, typer.Option(help="Which machines are drawn.")] = 0,
    spread: Annotated[
        str, typer.Option(help="How they are spread: normal (3 sigma) or uniform.")
    ] = "normal",
    until: Until = None,
    steps: Steps = None,
    over: Over = None,
    output: Annotated[
        Path | None, output_option("Write a picture of the first reading (.png, .svg, .pdf).")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Say how far readings may be off when dimensions and pins are: worst case, proved, drawn.

    Example: kempe tolerances four_bar --off crank=0.01 --play B=0.002 --of coupler.P -o off.svg
    """
    if output is not None:
        refuse_unwritable(output, PLOTS, "a plot")
    mechanism = mechanism_of(what)
    asked = run_of(what, mechanism)
    given = {name: _between(text) for name, text in named_values(off, "--off", OFF).items()}
    span: dict[str, Any] = range_of(asked, until, over)
    found = as_far_as_it_got(
        mechanism.tolerances,
        given,
        of,
        **span,
        steps=first_given(steps, asked.steps, STEPS),
        clearances=named_values(play, "--play", 'B="0.1 mm"'),
        count=count,
        seed=seed,
        spread=spread,
    )
    written = []
    if output is not None:
        from kempe.export.plots import write_plot

        written = [str(write_plot(found.plot(), output))]
    facts: dict[str, Any] = {
        "readings": {name: found[name].facts() for name in found.names},
        "drawn": dict(found.outcomes),
        "notes": list(found.notes),
    }
    return answer(facts, found, as_json=as_json, written=written)


def _between(text: str) -> str | tuple[str, str]:
    """A deviation: one text, or two of "-0.1 mm..0 mm"."""
    low, dots, high = (part.strip() for part in text.partition(".."))
    return (low, high) if dots else text
