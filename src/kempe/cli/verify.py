"""`kempe verify`."""

import math
from pathlib import Path
from typing import Annotated

import typer

from kempe.cli.motion import as_far_as_it_got, mechanism_of
from kempe.cli.options import AsJson
from kempe.cli.terminal import ProgressLine, answer

MOST_SHOWN = 5  # failures


def verify(
    path: Annotated[
        Path,
        typer.Argument(
            help="A saved map of motions or surfaces, or list of assemblies (.npz).", metavar="MAP"
        ),
    ],
    *,
    model: Annotated[
        str | None,
        typer.Option(help="The mechanism that the map must be of: a gallery name or a model file."),
    ] = None,
    seconds: Annotated[
        float, typer.Option(help="After these it ends, and says what is not proved.", min=0.0)
    ] = math.inf,
    as_json: AsJson = False,
) -> int:
    """Prove a saved map again: its equations from its model, charts, ends, completeness.

    Of assemblies that each is one solution, and that there are no others.

    Example: kempe motions four_bar -o map.npz && kempe verify map.npz --model four_bar
    """
    from kempe.front.requests.motions import verify as prove
    from kempe.results.maps.map_file import read_any

    motions = read_any(path)
    of = None if model is None else mechanism_of(model)
    with ProgressLine(is_wanted=not as_json) as line:

        def tell(done: int, whole: int) -> None:
            line.show(done / whole if whole else None, f"{done:,} of {whole:,}")

        proved = as_far_as_it_got(prove, motions, of, tell, seconds=seconds)
    words = ("charts", "links", "positions", "surfaces", "failures", "unproved", "boxes", "left")
    facts = {
        "name": motions.name,
        "holds": proved.holds,
        "outcome": str(motions.outcome),
        **{word: getattr(proved, word) for word in words},
    }
    said = f"{motions.name}: said to be {motions.outcome}. {proved}"
    more = [f"  {trouble}" for trouble in proved.failures[1:MOST_SHOWN]]
    return answer(facts, said, as_json=as_json, after=more, is_yes=proved.holds)
