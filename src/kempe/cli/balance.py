"""`kempe balance`."""

import math
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
from kempe.cli.options import AsJson, Model, Over, Steps, Until
from kempe.cli.terminal import answer


def balance(
    what: Model,
    *,
    on: Annotated[
        list[str],
        typer.Option(help='A body and the radius of its counterweight: crank="40 mm"; repeatable.'),
    ],
    length: Annotated[
        str | None, typer.Option(help="Balance the moment too, over this length, with the force.")
    ] = None,
    until: Until = None,
    steps: Steps = None,
    over: Over = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Save the mechanism: .yaml or .json.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Find counterweights with which a machine shakes its frame least.

    Example: kempe balance press.yaml --on crank="40 mm" --on rocker="60 mm" -o quiet.yaml
    """
    mechanism = mechanism_of(what)
    asked = run_of(what, mechanism)
    span: dict[str, Any] = range_of(asked, until, over)
    found = as_far_as_it_got(
        mechanism.balance,
        named_values(on, "--on", 'crank="40 mm"'),
        **span,
        steps=first_given(steps, asked.steps, STEPS),
        length=length,
    )
    written = [found.mechanism.save(output)] if output is not None else []
    facts: dict[str, Any] = {
        "counterweights": {
            name: {"mass": one.mass, "place": one.place.tolist()}
            for name, one in found.counterweights.items()
        }
    }
    for word, one in (("before", found.before), ("after", found.after)):
        sizes = (("force", one.force_size), ("moment", one.moment_size))
        facts[word] = {
            name: {"rms": math.sqrt((x**2).mean()), "most": float(x.max())} for name, x in sizes
        }
    return answer(facts, found, as_json=as_json, written=written)
