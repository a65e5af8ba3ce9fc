"""`kempe circuits`."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from kempe.cli.motion import as_far_as_it_got, mechanism_of
from kempe.cli.options import AsJson, Model
from kempe.cli.solving import Search, facts, is_whole
from kempe.cli.terminal import ProgressLine, answer


def circuits(
    what: Model,
    measure: Annotated[
        list[str] | None, typer.Argument(help="Measures, such as rocker.angle; those of drives.")
    ] = None,
    *,
    search: Search,
    as_json: AsJson = False,
) -> int:
    """Say what a mechanism can reach without being taken apart, and how far each drive leads there.

    Example: kempe circuits jansen --json
    """
    mechanism = mechanism_of(what)
    with ProgressLine(is_wanted=not as_json) as line:
        asked = search.asked(mechanism, line)
        found = as_far_as_it_got(mechanism.circuits, *(measure or ()), **asked)
    told: dict[str, Any] = {}
    if as_json:
        told = {
            **facts(found.motions),
            "proved": list(found.proved),
            "unproved": list(found.unproved),
            "circuits": [asdict(circuit) for circuit in found.circuits],
        }
    return answer(told, str(found), as_json=as_json, is_yes=is_whole(found.motions))
