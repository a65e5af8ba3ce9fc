"""`kempe design`."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kempe.cli.motion import as_far_as_it_got, mechanism_of
from kempe.cli.options import AsJson
from kempe.cli.terminal import ProgressLine, answer
from kempe.disk import content_of
from kempe.errors import BadNumber, FileError

if TYPE_CHECKING:
    from kempe.front.design import Design
    from kempe.front.requests.design import Required, Target

KEYS = {
    *("model", "parameters", "trace", "follow", "least", "require"),
    *("until", "over", "steps", "starts", "seed"),
}
LARGEST = 1_000_000  # bytes of a file
NEEDED = ("model", "parameters")


def design(
    file: Annotated[Path, typer.Argument(help="A .yaml or .json file that says what is wanted.")],
    *,
    seconds: Annotated[float, typer.Option(help="How long to search at most.")] = 30.0,
    threads: Annotated[
        int | None, typer.Option(help="How many cores work; all if omitted.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Save the mechanism: .yaml or .json.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Lead the dimensions of a mechanism to a path or a function, and keep what is required.

    The file has `model` (a file or a name of the gallery), `parameters` with bounds, and `trace`
    or `follow`, or `least` with readings that are to be small, such as crank.angle.effort.
    Example: kempe design wish.yaml -o found.yaml
    """
    wish = _wish(file)
    beside = file.parent / str(wish["model"])
    mechanism = mechanism_of(str(beside) if beside.is_file() else str(wish["model"]))
    bounds: dict[str, Any] = {
        name: tuple(pair) for name, pair in _table(wish, "parameters").items()
    }
    span: dict[str, Any] = {"until": wish.get("until", 1.0)}
    if "over" in wish:
        span = {"over": _over(wish["over"])}
    with ProgressLine(is_wanted=not as_json) as line:
        if "least" in wish:
            found = as_far_as_it_got(
                mechanism.lessen, _least(wish), bounds, steps=wish.get("steps", 120), **span
            )
            return _answered(found, output, as_json=as_json)
        found = as_far_as_it_got(
            mechanism.design,
            bounds,
            _targets(wish),
            **span,
            steps=wish.get("steps", 120),
            require=_requirements(wish),
            starts=wish.get("starts", 2000),
            seed=wish.get("seed", 0),
            seconds=seconds,
            threads=threads,
            progress=lambda now: line.show(now.seconds / seconds, f"{now.tried:,} variants"),
        )
    return _answered(found, output, as_json=as_json)


def _answered(found: "Design", output: Path | None, *, as_json: bool) -> int:
    """Save what was found, and print it."""
    written = [found.mechanism.save(output)] if output is not None and found.is_kept else []
    facts = {
        "parameters": dict(found.parameters),
        "errors": {name: list(pair) for name, pair in found.errors.items()},
        "ended": found.ended,
        "message": found.message,
        "broken": dict(found.broken),
        "tried": found.tried,
        "in_order": found.in_order,
    }
    return answer(facts, found, as_json=as_json, written=written, is_yes=found.is_kept)


def _wish(file: Path) -> dict[str, Any]:
    """What the file holds; a FileError where it is none, or says what nobody knows."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        wish = YAML(typ="safe", pure=True).load(content_of(file, LARGEST).decode("utf-8"))
    except (OSError, UnicodeDecodeError, YAMLError) as trouble:
        raise FileError(f"{file} cannot be read: {' '.join(str(trouble).split())}.") from None
    if not isinstance(wish, dict):
        raise FileError(f"{file} holds no wish: it needs `model`, `parameters`, `trace`.")
    for name in NEEDED:
        if name not in wish:
            raise FileError(f"{file} has no `{name}`.")
    if unknown := sorted(str(name) for name in set(wish) - KEYS):
        raise FileError(f"{file} has {unknown[0]!r}, which is none of {', '.join(sorted(KEYS))}.")
    return wish


def _least(wish: Mapping[str, Any]) -> list[str]:
    """Readings that are to be small; a BadNumber where something else is asked for beside them."""
    given = wish["least"]
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadNumber("`least` has names of readings: [crank.angle.effort].")
    for name in ("trace", "follow", "require", "starts", "seed"):
        if name in wish:
            raise BadNumber(f"`{name}` has no meaning beside `least`: leave one of them out.")
    return names


def _over(given: Any) -> tuple[str, str, str]:
    if not isinstance(given, list) or len(given) != 3:
        raise BadNumber("`over` is a measure and two values: [crank.angle, 0 deg, 360 deg].")
    name, start, stop = (str(x) for x in given)
    return name, start, stop


def _table(wish: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = wish[name]
    if not isinstance(found, Mapping) or not all(isinstance(x, list) for x in found.values()):
        raise BadNumber(f"`{name}` has names, each with its bounds: {{crank: [10, 50]}}.")
    return found


def _made(kind: Any, given: Any, name: str) -> Any:
    """A target or requirement of its fields; a BadNumber where these do not fit."""
    if not isinstance(given, Mapping):
        raise BadNumber(f"`{name}` has fields, such as `point` and `points`.")
    try:
        return kind(**given)
    except TypeError as trouble:
        said = str(trouble).partition(") ")[2]
        raise BadNumber(f"`{name}` {said}.", name=name) from None


def _targets(wish: Mapping[str, Any]) -> "list[Target]":
    from kempe.synthesis import Follow, Trace

    kinds: dict[str, Any] = {"trace": Trace, "follow": Follow}
    found: list[Any] = []
    for name, kind in kinds.items():
        given = wish.get(name, [])
        found += [_made(kind, one, name) for one in (given if isinstance(given, list) else [given])]
    return found


def _requirements(wish: Mapping[str, Any]) -> "list[Required]":
    from kempe.synthesis import Apart, Between, Inside, Transmission

    kinds: dict[str, Any] = {
        "apart": Apart,
        "between": Between,
        "inside": Inside,
        "transmission": Transmission,
    }
    found: list[Any] = []
    for one in wish.get("require", []):
        if not isinstance(one, Mapping) or len(one) != 1 or next(iter(one)) not in kinds:
            raise BadNumber(f"each of `require` is one of {', '.join(kinds)} with its fields.")
        ((name, given),) = one.items()
        found.append(_made(kinds[name], given, name))
    return found
