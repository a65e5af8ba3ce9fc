"""Options that the commands of the certified search share, and how their answers are told."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, final

import typer

from kempe.cli.motion import given_once
from kempe.cli.terminal import progress
from kempe.errors import ModelError

if TYPE_CHECKING:
    from kempe.motion import Progress
    from kempe.results.maps.assemblies import Assemblies
    from kempe.results.maps.motion_map import MotionMap, SingularPlace

Limit = Annotated[
    list[str] | None, typer.Option("--limit", help="MEASURE=LOW..HIGH it stays between.")
]


@final
@dataclass(frozen=True, slots=True)
class Search:
    """What is searched, and with how much effort."""

    held: Annotated[
        list[str] | None, typer.Option("--held", help="MEASURE=VALUE that stays as it is.")
    ] = None
    limit: Limit = None
    seconds: Annotated[float, typer.Option(help="How long to search at most.")] = 60.0
    boxes: Annotated[int, typer.Option(help="How many boxes to look at, at most.")] = 10_000_000
    memory: Annotated[float, typer.Option(help="How many bytes to use, at most.")] = 2e9
    resolution: Annotated[
        float, typer.Option(help="Below this size a place counts as unresolved.")
    ] = 1e-6
    threads: Annotated[int, typer.Option(help="How many threads search.")] = 1

    def asked(self, *, watch: bool) -> dict[str, Any]:
        """As a mechanism takes it; with `watch` the search tells how far it has come."""
        from kempe.motion import Effort

        words = ("seconds", "boxes", "memory", "resolution", "threads")
        effort = Effort(
            **{word: getattr(self, word) for word in words}, progress=_show if watch else None
        )
        limits = limit_ranges(self.limit or [])
        return {"held": held_values(self.held or []), "limits": limits, "effort": effort}


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


def is_whole(answer: "MotionMap | Assemblies") -> bool:
    """Whether something was found and nothing else can be."""
    return len(answer) > 0 and answer.outcome in ("complete", "complete_except")


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
    plain = ("size", "boxes", "branches", "singular_value", "width", "freedom", "movers")
    return {**{word: getattr(place, word) for word in plain}, "q": place.q.tolist()}


def _show(so_far: "Progress") -> None:
    if so_far.seconds > 1.0:
        boxes = f"{so_far.components} components, {so_far.boxes} boxes"
        progress(f"{boxes}, {so_far.seconds:.0f} s ")


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
