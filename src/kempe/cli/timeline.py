"""`kempe timeline`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from kempe.cli.motion import as_far_as_it_got, mechanism_of, refuse_idle
from kempe.cli.options import AsJson, Model
from kempe.cli.solving import Search
from kempe.cli.terminal import ProgressLine, answer, listed
from kempe.endings import PICTURES, refuse_unwritable
from kempe.errors import ModelError


def timeline(
    what: Model,
    start: Annotated[str, typer.Argument(help="From when on, such as 0s.")],
    stop: Annotated[str, typer.Argument(help="Until when, such as 2s.")],
    *,
    search: Search,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Draw a measure over time: .svg, .png or .pdf.")
    ] = None,
    plot: Annotated[str | None, typer.Option("--plot", help="The measure to draw.")] = None,
    as_json: AsJson = False,
) -> int:
    """Follow all assemblies while the drives follow their laws: when each is born, and dies.

    Example: kempe timeline planar_platform 0s 1s --picture time.svg --plot PQ.angle
    """
    if picture is None:
        refuse_idle({"plot": plot}, "nothing is drawn", "Add --picture FILE, or leave it out.")
    else:
        refuse_unwritable(picture, PICTURES, "a picture of a timeline")
        if plot is None:
            raise ModelError("--picture draws a measure over time: name it with --plot MEASURE.")
    mechanism = mechanism_of(what)
    with ProgressLine(is_wanted=not as_json) as line:
        asked = search.asked(mechanism, line)
        found = as_far_as_it_got(mechanism.timeline, start, stop, **asked)
    if picture is not None and plot is not None:
        pictures = mechanism.pictures(found)
        pictures.write(picture, pictures.plot(plot))
    told: dict[str, Any] = {}
    if as_json:
        told = {
            "name": found.name,
            "outcome": str(found.outcome),
            "during": list(found.during),
            "is_proved": found.is_proved,
            "message": found.message,
            "branches": [
                {"begins": b.begins, "ends": b.ends, "start": b.start, "stop": b.stop}
                for b in found.branches
            ],
            "events": [
                {
                    "t": e.t,
                    "radius": None if e.position is None else e.radius,
                    "kind": "birth" if e.is_birth else "death",
                    "branches": list(e.branches),
                }
                for e in found.events
            ],
        }
    is_yes = len(found) > 0 and found.outcome in ("complete", "complete_except")
    words = "\n".join(listed(str(found).splitlines(), "--json"))
    return answer(told, words, as_json=as_json, is_yes=is_yes)
