"""Options that the commands of the certified search share, and how their answers are told."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from kempe.cli.motion import given_once
from kempe.cli.terminal import progress
from kempe.errors import ModelError

if TYPE_CHECKING:
    from kempe.motion import Effort, Progress
    from kempe.results.maps.assemblies import Assemblies
    from kempe.results.maps.motion_map import MotionMap, SingularPlace

Seconds = Annotated[float, typer.Option("--seconds", help="How long to search at most.")]
Threads = Annotated[int, typer.Option("--threads", help="How many threads search.")]
Boxes = Annotated[int, typer.Option("--boxes", help="How many boxes to look at, at most.")]
Memory = Annotated[float, typer.Option("--memory", help="How many bytes to use, at most.")]
Resolution = Annotated[
    float, typer.Option("--resolution", help="Below this size a place counts as unresolved.")
]


def held_values(texts: list[str]) -> dict[str, float | str]:
    """{"crank.angle": "60 deg"} from "crank.angle=60 deg"."""
    held: list[tuple[str, float | str]] = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise ModelError(f"--held {text!r} is no measure and value, such as crank.angle=60deg.")
        held.append((name.strip(), _number(value.strip())))
    return given_once(held, "--held")


def limit_ranges(texts: list[str]) -> dict[str, tuple[float | str, float | str]]:
    """{"guide.displacement": (0.0, "80 mm")} from "guide.displacement=0..80 mm"."""
    limits: list[tuple[str, tuple[float | str, float | str]]] = []
    for text in texts:
        name, _, ends = text.partition("=")
        low, dots, high = ends.partition("..")
        if not dots or not name.strip() or not low.strip() or not high.strip():
            raise ModelError(
                f"--limit {text!r} is no measure and range, such as guide.displacement=0..80mm."
            )
        limits.append((name.strip(), (_number(low.strip()), _number(high.strip()))))
    return given_once(limits, "--limit")


def effort_of(*, watch: bool, **limits: float) -> "Effort":
    """The effort that the options allow; with `watch` the search tells how far it has come."""
    from kempe.motion import Effort

    return Effort(**limits, progress=_show if watch else None)  # type: ignore[arg-type]


def facts(answer: "MotionMap | Assemblies") -> dict[str, Any]:
    """What both kinds of answers have in common, as JSON."""
    return {
        "name": answer.name,
        "outcome": str(answer.outcome),
        "message": answer.message,
        "unknowns": list(answer.unknowns),
        "counts": answer.counts,
        "unsearched": {"boxes": answer.unsearched.boxes, "share": answer.unsearched.share},
        "within": answer.within,
        "singular": [_place(place) for place in answer.singular],
    }


def _place(place: "SingularPlace") -> dict[str, Any]:
    return {
        "size": place.size,
        "boxes": place.boxes,
        "branches": [list(b) for b in place.branches],
        "singular_value": place.singular_value,
        "width": place.width,
        "freedom": place.freedom,
        "movers": list(place.movers),
        "q": place.q.tolist(),
    }


def _show(so_far: "Progress") -> None:
    if so_far.seconds > 1.0:
        boxes = f"{so_far.components} components, {so_far.boxes} boxes"
        progress(f"{boxes}, {so_far.seconds:.0f} s ")


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
