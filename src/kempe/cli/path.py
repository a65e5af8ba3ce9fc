"""`kempe path`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kempe.cli.motion import as_far_as_it_got, mechanism_of
from kempe.cli.options import AsJson, Model, output_option
from kempe.cli.solving import Search, held_values
from kempe.cli.terminal import ProgressLine, answer
from kempe.endings import refuse_unwritable
from kempe.errors import BadNumber

if TYPE_CHECKING:
    from kempe.front import Mechanism
    from kempe.results.maps.assemblies import Assemblies, CertifiedState


def path(
    what: Model,
    first: Annotated[str, typer.Argument(help="MEASURE=VALUE at the start: crank.angle=60deg.")],
    last: Annotated[str, typer.Argument(help="MEASURE=VALUE at the end.")],
    *,
    start: Annotated[
        int, typer.Option("--from", min=1, help="Which assembly at the start, from 1.")
    ] = 1,
    goal: Annotated[int, typer.Option("--to", min=1, help="Which assembly at the end.")] = 1,
    search: Search,
    output: Annotated[
        Path | None,
        output_option("Write the way: .html, .gif, .mp4, .webm, .glb, .csv, .json, .npz, .svg."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Say whether a mechanism can go from one assembly to another as it is, and show the way.

    Assemblies are numbered as `kempe assemblies` lists them. Example: kempe path four_bar
    "crank.angle=60 deg" "crank.angle=200 deg" --to 2 -o way.html
    """
    from kempe.export.writing import ENDINGS, write

    refuse_unwritable(output, ENDINGS, "a way")
    mechanism = mechanism_of(what)
    with ProgressLine(is_wanted=not as_json) as line:
        asked, ends = search.asked(mechanism, line), []
        for text, number in ((first, start), (last, goal)):
            held = {"held": _also(mechanism, asked, text)}
            found = as_far_as_it_got(mechanism.assemblies, **{**asked, **held})
            ends.append(_one_of(found, number, text))
        way = as_far_as_it_got(mechanism.path, *ends, **asked)
    if output is not None and way.trajectory is not None:
        write(way.trajectory, output)
    told = {
        "is_possible": way.is_possible,
        "message": way.message,
        "components": [way.start, way.goal],
        "length": way.length if way.is_possible else None,
        "through": list(way.through),
        "q": way.trajectory.motion.q.tolist() if way.trajectory is not None else [],
    }
    written = [output] if output is not None and way.trajectory is not None else []
    return answer(told, str(way), as_json=as_json, written=written, is_yes=way.is_possible is True)


def _also(mechanism: "Mechanism", asked: dict[str, Any], text: str) -> dict[str, Any]:
    """What is held all along, and at one end of the way."""
    return {**asked["held"], **held_values(mechanism, [text])}


def _one_of(found: "Assemblies", number: int, text: str) -> "CertifiedState":
    if number > len(found):
        how_many = f"{len(found)} assembl{'y' if len(found) == 1 else 'ies'}"
        raise BadNumber(f"there is no assembly {number} at {text}: there are {how_many} there.")
    return found[number - 1]
