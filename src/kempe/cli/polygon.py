"""`kempe polygon`."""

from pathlib import Path
from typing import Annotated

import typer

from kempe.cli.motion import answer_of_motion, motion_of
from kempe.cli.options import AsJson, Dark, Moved, Steps, Until, output_option
from kempe.endings import PICTURES, refuse_unwritable


def polygon(
    what: Moved,
    *,
    at: Annotated[
        str | None,
        typer.Option(help="The time of a sample, such as '0.25 s'; the first if omitted."),
    ] = None,
    acceleration: Annotated[
        bool, typer.Option("--acceleration", help="Of accelerations instead of velocities.")
    ] = False,
    output: Annotated[Path, output_option("The .svg, .png or .pdf to write.")] = Path(
        "polygon.svg"
    ),
    until: Until = None,
    steps: Steps = None,
    unit: Annotated[
        list[str] | None, typer.Option(help="A unit of the axes, such as mm or m/s.")
    ] = None,
    dark: Dark = False,
    as_json: AsJson = False,
) -> int:
    """Draw the polygon of velocities, or of accelerations, at one moment, in the plane.

    Example: kempe polygon four_bar --at "0.25 s" -o velocities.svg
    """
    from kempe.export.polygons import images

    refuse_unwritable(output, PICTURES, "a polygon")
    trajectory, _ = motion_of(what, until, steps, None)
    units = tuple(unit or ())
    drawn = trajectory.pictures
    figure = (
        drawn.accelerations(at, units=units) if acceleration else drawn.velocities(at, units=units)
    )
    path = str(drawn.write(output, figure, dark=dark))
    position = trajectory.state(0) if at is None else trajectory.at(at)
    made = images(position, "acceleration" if acceleration else "velocity")
    facts = {
        "t": position.t,
        "bodies": {
            image.body: {
                "turning": image.turning,
                "points": dict(zip(image.names, image.ends.tolist(), strict=True)),
            }
            for image in made
        },
    }
    return answer_of_motion(trajectory, facts, "", path, as_json=as_json)
