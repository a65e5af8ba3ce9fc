"""`kempe motions`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
from kempe.errors import ModelError

if TYPE_CHECKING:
    from kempe.results.component import Component

ANSWER_IS_NO = 1  # exit code: it cannot be put together, or the list may not be whole


def motions(
    what: Model,
    *,
    held: Held = None,
    limit: Limit = None,
    step: Annotated[
        float | None, typer.Option("--step", help="Also list positions this far apart (JSON).")
    ] = None,
    seconds: Seconds = 60.0,
    boxes: Boxes = 10_000_000,
    memory: Memory = 2e9,
    resolution: Resolution = 1e-6,
    threads: Threads = 1,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Save the map to an .npz file.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", help="Draw it: .svg, or a component as .html or .gif."),
    ] = None,
    path_of: Annotated[
        str | None, typer.Option("--path", help="The point whose paths to draw.")
    ] = None,
    plot: Annotated[
        tuple[str, str] | None,
        typer.Option("--plot", help="A measure, and another to plot against."),
    ] = None,
    shown: Annotated[int, typer.Option("--component", min=1, help="The one to draw, from 1.")] = 1,
    placements: Annotated[int, typer.Option("--placements", min=1, help="How many to draw.")] = 60,
    as_json: AsJson = False,
) -> int:
    """List every way a mechanism can move: loops and arcs, certified to be all of them.

    Example: kempe motions four_bar --picture paths.svg --path coupler.P
    """
    from kempe.endings import refuse_unwritable
    from kempe.pictures.animation import MOVING

    if output is not None:
        refuse_unwritable(output, (".npz",), "a motion map")
    if picture is not None:
        refuse_unwritable(picture, (".svg", *MOVING), "a picture of motions")
    mechanism = mechanism_of(what)
    found = as_far_as_it_got(
        mechanism.motions,
        held_values(held or []),
        limits=limit_ranges(limit or []),
        effort=effort_of(
            watch=not as_json,
            seconds=seconds,
            boxes=boxes,
            memory=memory,
            resolution=resolution,
            threads=threads,
        ),
    )
    if output is not None:
        found.save(output)
    if picture is not None:
        if shown > len(found.components):
            count = len(found.components)
            raise ModelError(f"there is no component {shown} to draw: it has {count}, from 1 on.")
        pictures = mechanism.pictures(found)
        if picture.suffix.lower() in MOVING:
            pictures.animate(picture, shown - 1, trace=path_of)
        elif path_of is not None:
            pictures.write(picture, pictures.path(path_of))
        elif plot is not None:
            pictures.write(picture, pictures.plot(plot[0], against=plot[1]))
        else:
            pictures.write(picture, pictures.placements(shown - 1, placements))
    if as_json:
        components = [_told(c, step) for c in found.components]
        print(json.dumps({**facts(found), "components": components}))
    else:
        print(found)
        for component in found.components:
            ends = " to ".join(e.limit or e.kind for e in component.ends)
            kind = "loop" if component.closed else f"arc from {ends}"
            print(f"  {component.number + 1}: {kind}, length {component.length:.4g}")
        for place in found.singular:
            print(f"  {place}")
    whole = found.outcome in ("complete", "complete_except")
    return 0 if found.components and whole else ANSWER_IS_NO


def _told(component: "Component", step: float | None) -> dict[str, Any]:
    told: dict[str, Any] = {
        "closed": component.closed,
        "length": component.length,
        "charts": len(component.charts["h"]),
        "ends": [
            {"kind": e.kind, "limit": e.limit, "place": e.place, "q": e.q.tolist()}
            for e in component.ends
        ],
    }
    if step is not None:
        samples = component.sample(step)
        told["samples"] = {"q": samples.q.tolist(), "radius": samples.radius.tolist()}
    return told
