"""`kempe verify`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from kempe.cli.options import AsJson
from kempe.cli.terminal import progress

ANSWER_IS_NO = 1  # exit code: something in the map does not hold


def verify(
    path: Annotated[Path, typer.Argument(help="A saved motion map (.npz).", metavar="MAP")],
    *,
    as_json: AsJson = False,
) -> int:
    """Prove every chart and link of a saved motion map again, in another arithmetic.

    Example: kempe motions four_bar -o map.npz && kempe verify map.npz
    """
    from kempe.motion.verification import verify as prove
    from kempe.results.motion_map import MotionMap

    def tell(done: int, whole: int) -> None:
        progress(f"{done} of {whole} charts ")

    motions = MotionMap.load(path)
    proved = prove(motions, tell)
    if as_json:
        facts = {
            "charts": proved.charts,
            "links": proved.links,
            "failures": proved.failures,
            "left": proved.left,
        }
        print(json.dumps({"name": motions.name, "holds": proved.holds, **facts}))
    else:
        print(f"{motions.name}: {proved}")
    return 0 if proved.holds else ANSWER_IS_NO
