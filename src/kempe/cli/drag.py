"""`kempe drag`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kempe.cli.motion import finite, mechanism_of, pose_facts
from kempe.cli.options import AsJson, Model, output_option
from kempe.cli.solving import limit_ranges
from kempe.cli.terminal import answer
from kempe.endings import PICTURES, refuse_unwritable
from kempe.errors import BadNumber

if TYPE_CHECKING:
    from kempe.front.drag import Drag
    from kempe.results import Dragged

STOPS = 24  # on the way, for the picture


def drag(
    what: Model,
    point: Annotated[str, typer.Argument(help="The point to pull, such as coupler.P.")],
    *,
    to: Annotated[str, typer.Option(help="Where to, such as '1.2, -0.8' or '120 mm, 80 mm'.")],
    limit: Annotated[
        list[str] | None,
        typer.Option(help="A range a measure is kept in: 'rocker.angle=60 deg..120 deg'."),
    ] = None,
    output: Annotated[
        Path | None,
        output_option("Draw the way: .svg, .png, .pdf, .html, .gif, .mp4, .webm or .glb."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Let the drives go and pull a point to a target, on the branch, with every loop closed.

    Example: kempe drag four_bar coupler.P --to "1, 2" -o pulled.svg
    """
    from kempe.pictures.animation import MOVING

    refuse_unwritable(output, (*PICTURES, *MOVING), "a picture")
    mechanism = mechanism_of(what)
    hand = mechanism.drag(limits=limit_ranges(mechanism, limit))
    there = _pulled(hand, point, to, STOPS if output is not None else 1)
    if output is not None:
        _draw(hand, point, output)
    return answer(
        _facts(there),
        _words(point, there),
        as_json=as_json,
        written=[output] if output is not None else (),
        is_yes=there.outcome.is_done,
    )


def _draw(hand: "Drag", point: str, output: Path) -> None:
    """The last position with those on the way behind it, or a page that plays the way."""
    from kempe.export.svg_pages import write_picture
    from kempe.pictures.animation import MOVING, picture, write_animation

    way = hand.trajectory
    if output.suffix.lower() in MOVING:
        write_animation(way, output, trace=(point,))
        return
    write_picture(output, picture(way, index=len(way) - 1, trace=(point,)))


def _pulled(hand: "Drag", point: str, target: str, stops: int) -> "Dragged":
    """Where the last of several stops on a straight line has led."""
    goal = hand.target([_coordinate(part) for part in target.split(",")])
    start = hand.position(point)
    for k in range(1, stops):
        hand.to(point, [f"{c!r} m" for c in (start + (goal - start) * k / stops).tolist()])
    return hand.to(point, [f"{c!r} m" for c in goal.tolist()])


def _coordinate(text: str) -> float | str:
    if not text.strip():
        raise BadNumber("a coordinate of the target is empty: write it as '1.2, 0.8'.")
    try:
        return float(text)
    except ValueError:
        return text.strip()


def _words(point: str, there: "Dragged") -> str:
    lines = [f"{point} is at ({', '.join(f'{c:.6g}' for c in there.position.tolist())}) m."]
    if not there.outcome.is_done:
        lines.append(f"{there.outcome.name}: {there.outcome.message} {there.outcome.advice}")
    return "\n".join(lines)


def _facts(there: "Dragged") -> dict[str, object]:
    return {
        "outcome": there.outcome.name,
        "message": there.outcome.message,
        "position": there.position.tolist(),
        "distance": there.distance,
        "facts": finite(there.outcome.facts),
        "bodies": {body: pose_facts(X_WB) for body, X_WB in there.poses.items()},
    }
