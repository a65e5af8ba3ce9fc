"""`kempe verify`."""

import json
import math
from pathlib import Path
from typing import Annotated

import typer

from kempe.cli.motion import as_far_as_it_got, mechanism_of
from kempe.cli.options import AsJson
from kempe.cli.terminal import progress

MOST_SHOWN = 5  # failures
ANSWER_IS_NO = 1  # exit code: something in the map does not hold


def verify(
    path: Annotated[Path, typer.Argument(help="A saved motion map (.npz).", metavar="MAP")],
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
    """Prove a saved motion map again: its equations from its model, charts, ends, completeness.

    Example: kempe motions four_bar -o map.npz && kempe verify map.npz --model four_bar
    """
    from kempe.front.requests.motions import verify as prove
    from kempe.results.maps.motion_map import MotionMap

    def tell(done: int, whole: int) -> None:
        progress(f"{done} of {whole} ")

    motions = MotionMap.load(path)
    of = None if model is None else mechanism_of(model)
    proved = as_far_as_it_got(prove, motions, of, tell, seconds=seconds)
    if as_json:
        facts = {
            "charts": proved.charts,
            "links": proved.links,
            "failures": proved.failures,
            "unproved": proved.unproved,
            "boxes": proved.boxes,
            "outcome": str(motions.outcome),
            "left": proved.left,
        }
        print(json.dumps({"name": motions.name, "holds": proved.holds, **facts}))
    else:
        print(f"{motions.name}: said to be {motions.outcome}. {proved}")
        for trouble in proved.failures[1:MOST_SHOWN]:
            print(f"  {trouble}")
    return 0 if proved.holds else ANSWER_IS_NO
