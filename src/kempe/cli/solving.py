"""Options that the commands of the certified search share, and how their answers are told."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, final

import typer

from kempe.cli.angles import refuse_bare_degrees
from kempe.cli.motion import named_values
from kempe.cli.terminal import ProgressLine, in_time
from kempe.errors import ModelError

if TYPE_CHECKING:
    from kempe.front import Mechanism
    from kempe.motion import Progress
    from kempe.results.maps.assemblies import Assemblies
    from kempe.results.maps.motion_map import MotionMap, SingularPlace
    from kempe.results.maps.surface_map import SurfaceMap

LIMIT = "guide.displacement=0..80mm"  # how one is written
Limit = Annotated[
    list[str] | None, typer.Option("--limit", help="MEASURE=LOW..HIGH it stays between.")
]


@final
@dataclass(frozen=True, slots=True)
class Search:
    """What is searched, and with how much effort."""

    held: Annotated[
        list[str] | None,
        typer.Option("--held", "--hold", help="MEASURE=VALUE that stays as it is."),
    ] = None
    limit: Limit = None
    seconds: Annotated[float, typer.Option(help="How long to search at most.")] = 60.0
    boxes: Annotated[int, typer.Option(help="How many boxes to look at, at most.")] = 10_000_000
    memory: Annotated[float, typer.Option(help="How many bytes to use, at most.")] = 2e9
    resolution: Annotated[
        float, typer.Option(help="Below this size a place counts as unresolved.")
    ] = 1e-6
    threads: Annotated[int, typer.Option(help="How many threads search.")] = 1

    def asked(self, mechanism: "Mechanism", line: ProgressLine) -> dict[str, Any]:
        """As a mechanism takes it; the search tells on the line how far it has come."""
        from kempe.motion import Effort

        words = ("seconds", "boxes", "memory", "resolution", "threads")
        effort = Effort(
            **{word: getattr(self, word) for word in words}, progress=_shown(line, self.seconds)
        )
        return {
            "held": held_values(mechanism, self.held),
            "limits": limit_ranges(mechanism, self.limit),
            "effort": effort,
        }


def held_values(mechanism: "Mechanism", texts: list[str] | None) -> dict[str, float | str]:
    """{"crank.angle": "60 deg"} from "crank.angle=60 deg"."""
    named = named_values(texts, "--held", "crank.angle=60deg")
    for name, text in named.items():
        refuse_bare_degrees(mechanism, name, "--held", text)
    return {name: _number(text) for name, text in named.items()}


def limit_ranges(
    mechanism: "Mechanism", texts: list[str] | None
) -> dict[str, tuple[float | str, float | str]]:
    """{"guide.displacement": (0.0, "80 mm")} from "guide.displacement=0..80 mm"."""
    limits: dict[str, tuple[float | str, float | str]] = {}
    for name, ends in named_values(texts, "--limit", LIMIT).items():
        low, _, high = (end.strip() for end in ends.partition(".."))
        if not (low and high):
            raise ModelError(f"--limit {name}={ends} is no measure and range, such as {LIMIT}.")
        refuse_bare_degrees(mechanism, name, "--limit", low, high)
        limits[name] = (_number(low), _number(high))
    return limits


def is_whole(answer: "MotionMap | SurfaceMap | Assemblies") -> bool:
    """Whether something was found and nothing else can be."""
    return len(answer) > 0 and answer.outcome in ("complete", "complete_except")


def facts(answer: "MotionMap | SurfaceMap | Assemblies") -> dict[str, Any]:
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


def _shown(line: ProgressLine, seconds: float) -> "Callable[[Progress], None]":
    """Says how much was found; how long it takes is not known, but that it ends after `seconds`."""

    def show(so_far: "Progress") -> None:
        found = f"{so_far.components:,} components, {so_far.boxes:,} boxes looked at"
        line.show(None, f"{found}, at most {in_time(seconds)} in all")

    return show


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
