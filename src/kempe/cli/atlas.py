"""`kempe atlas`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, final

import typer

from kempe.cli.motion import as_far_as_it_got
from kempe.cli.options import AsJson
from kempe.cli.terminal import ProgressLine, answer
from kempe.errors import BadNumber, FileError


@final
class Doing(StrEnum):
    """What is done with an atlas."""

    BUILD = "build"
    FIND = "find"


def atlas(
    what: Annotated[Doing, typer.Argument(help="`build` one, or `find` a curve in it.")],
    curve: Annotated[
        Path | None, typer.Argument(help="A .csv of places x, y round a closed curve.")
    ] = None,
    *,
    count: Annotated[int, typer.Option(help="How many linkages: drawn, or found.")] = 0,
    kinds: Annotated[
        list[str] | None,
        typer.Option("--kind", help="four-bar, slider-crank, six-bar; all if omitted. Repeatable."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Which are drawn.")] = 0,
    file: Annotated[
        Path | None,
        typer.Option(
            "--atlas",
            help="A .parquet file, or a folder, where building goes on; the user's own if omitted.",
        ),
    ] = None,
    units: Annotated[str, typer.Option(help="Units of the curve.")] = "mm",
    refine: Annotated[
        bool, typer.Option("--refine", help="Lead the nearest on to draw the curve more nearly.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Save the best: .yaml or .json.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Keep an atlas of curves, and find the linkages that draw one like yours.

    In a folder an atlas may have millions; a build that was stopped goes on where it was.
    Example: kempe atlas find sketch.csv --refine -o found.yaml
    """
    from kempe.synthesis.atlas import COUNT, Atlas, default_path, opened
    from kempe.synthesis.linkages import LINKAGES

    if what is Doing.BUILD:
        path = file or default_path()
        folder = None if path.suffix == ".parquet" else path
        how: dict[str, Any] = {"kinds": kinds or list(LINKAGES), "seed": seed, "folder": folder}
        with ProgressLine(is_wanted=not as_json) as line:
            made = as_far_as_it_got(Atlas.build, count or COUNT, **how, progress=line.show)
        if folder is None:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            made.save(path)
        facts = {"curves": len(made), **made.counts, "file": str(path)}
        return answer(facts, made, as_json=as_json, written=[path])
    if curve is None:
        raise BadNumber("`kempe atlas find` needs the file of a curve: places x, y, one a line.")
    places = _places(curve)
    with ProgressLine(is_wanted=not as_json) as line:
        known = Atlas.load(file) if file is not None else opened(progress=line.show)
    found = known.find(places, count or 5, units=units)
    rows = [
        {"kind": f.kind, "number": f.number, "distance": f.distance, **f.mechanism.parameters}
        for f in found
    ]
    words = [f"{k}: {f.kind} {f.number}, {f.distance:.4f} away" for k, f in enumerate(found, 1)]
    best, refined = found[0].mechanism, None
    if refine:
        design = as_far_as_it_got(found[0].refined)
        best = design.mechanism
        refined = {"parameters": dict(design.parameters), "errors": dict(design.errors)}
        words.append(str(design))
    written = [best.save(output)] if output is not None else []
    facts = {"curves": len(known), "found": rows, "refined": refined}
    return answer(facts, "\n".join(words), as_json=as_json, written=written)


def _places(path: Path) -> list[tuple[float, float]]:
    """Places of a .csv file, a line of words at its head left out."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as trouble:
        raise FileError(f"{path} cannot be read: {trouble}.") from None
    found = []
    for number, line in enumerate(lines, start=1):
        parts = line.replace(";", ",").split(",")
        try:
            found.append((float(parts[0]), float(parts[1])))
        except (ValueError, IndexError):
            if line.strip() and number > 1:
                raise FileError(f"{path}: line {number} is no place x, y: {line[:40]!r}.") from None
    return found
