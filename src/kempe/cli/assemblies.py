"""`kempe assemblies`."""

import json
import math
from pathlib import Path
from typing import Annotated

import typer

from kempe.cli.motion import as_far_as_it_got, mechanism_of
from kempe.cli.options import AsJson, Held, Limit, Model
from kempe.cli.solving import (
    Boxes,
    Memory,
    Resolution,
    Seconds,
    Threads,
    effort_of,
    facts,
    held_values,
    limit_ranges,
)

ANSWER_IS_NO = 1  # exit code: it cannot be put together, or the list may not be whole


def assemblies(
    what: Model,
    *,
    held: Held = None,
    limit: Limit = None,
    at: Annotated[
        str | None, typer.Option("--at", help="The time at which the drives hold their measures.")
    ] = None,
    seconds: Seconds = 60.0,
    boxes: Boxes = 10_000_000,
    memory: Memory = 2e9,
    resolution: Resolution = 1e-6,
    threads: Threads = 1,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Draw all of them over each other: .svg.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """List every way to put a mechanism together while measures are held, certified to be all.

    Without --held the drives hold their measures as at the start. Example: kempe assemblies
    four_bar --held "crank.angle=60 deg" --json
    """
    from kempe.endings import SVG, refuse_unwritable

    if picture is not None:
        refuse_unwritable(picture, SVG, "a picture of assemblies")
    mechanism = mechanism_of(what)
    values = held_values(held or [])
    found = as_far_as_it_got(
        mechanism.assemblies,
        values,
        limits=limit_ranges(limit or []),
        at=at if at is not None or values else "0 s",
        effort=effort_of(
            watch=not as_json,
            seconds=seconds,
            boxes=boxes,
            memory=memory,
            resolution=resolution,
            threads=threads,
        ),
    )
    if picture is not None:
        pictures = mechanism.pictures(found)
        pictures.write(picture, pictures.placements())
    bodies, own = found.readings.bodies, mechanism.layout.coordinates
    told = [
        {
            "q": state.q.tolist(),
            "radius": state.radius,
            "bodies": dict(zip(bodies, own.q_by_body(state.q).tolist(), strict=True)),
        }
        for state in found
    ]
    if as_json:
        print(json.dumps({**facts(found), "states": told}))
    else:
        print(found)
        for number, state in enumerate(found):
            angles = ", ".join(
                f"{b} {math.degrees(angle):.4f} deg"
                for b, angle in zip(bodies, state.q[own.angles], strict=True)
            )
            print(f"  {number + 1}: {angles}")
    return 0 if len(found) and found.outcome in ("complete", "complete_except") else ANSWER_IS_NO
