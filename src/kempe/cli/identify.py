"""`kempe identify`."""

import csv
import io
import math
from pathlib import Path
from typing import Annotated, Any

import typer

from kempe.cli.motion import as_far_as_it_got, mechanism_of, named_values
from kempe.cli.options import AsJson, Model
from kempe.cli.terminal import answer
from kempe.disk import content_of
from kempe.errors import FileError, ModelError

LARGEST = 100_000_000  # bytes of a file
BETWEEN = "stiffness=100..500"


def identify(
    what: Model,
    data: Annotated[
        Path, typer.Argument(help="A .csv file: a column t (s), and readings by name, in SI.")
    ],
    *,
    find: Annotated[
        list[str], typer.Option(help=f"A parameter and its bounds: {BETWEEN}; may be repeated.")
    ],
    simulated: Annotated[
        bool, typer.Option("--simulated", help="Forces move it; else its drives do.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Save the mechanism: .yaml or .json.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Find parameters of a machine from what was measured of it, and say how well they are known.

    Points have columns such as coupler.P.x and coupler.P.y. Example: kempe identify arm.yaml
    swing.csv --find "damping=0..1" --simulated -o found.yaml
    """
    bounds = {name: _bounds(text) for name, text in named_values(find, "--find", BETWEEN).items()}
    times, measured = _table(data)
    mechanism = mechanism_of(what)
    found = as_far_as_it_got(
        mechanism.identify,
        bounds,
        measured,
        times,
        analysis="simulation" if simulated else "kinematics",
    )
    written = [found.mechanism.save(output)] if output is not None else []
    facts: dict[str, Any] = {
        "parameters": dict(found.parameters),
        "errors": {n: x if math.isfinite(x) else None for n, x in found.errors.items()},
        "correlation": found.correlation.tolist(),
        "noise": dict(found.noise),
        "unknown": [dict(one) for one in found.unknown],
        "message": found.message,
        "tried": found.tried,
    }
    is_yes = found.is_settled and not found.unknown
    return answer(facts, found, as_json=as_json, written=written, is_yes=is_yes)


def _bounds(text: str) -> tuple[float, float]:
    low, _, high = text.partition("..")
    try:
        return float(low), float(high)
    except ValueError:
        raise ModelError(f"--find {text!r} has no bounds: write them as {BETWEEN}.") from None


def _table(path: Path) -> tuple[list[float], dict[str, list[float]]]:
    """Times, and readings by name; a FileError where there are none. What is empty is NaN."""
    try:
        text = content_of(path, LARGEST).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as trouble:
        raise FileError(f"{path} cannot be read: {' '.join(str(trouble).split())}.") from None
    rows = list(csv.reader(io.StringIO(text)))
    names = [name.strip() for name in rows[0]] if rows else []
    if "t" not in names or len(names) < 2:
        raise FileError(f"{path}: its first line names the columns, t and readings: t, rod.angle.")
    if len(set(names)) < len(names):
        raise FileError(f"{path}: two columns have one name.")
    columns: dict[str, list[float]] = {name: [] for name in names}
    for number, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(names):
            raise FileError(f"{path}, line {number}: {len(row)} cells, {len(names)} columns.")
        for name, cell in zip(names, row, strict=True):
            try:
                columns[name].append(float(cell) if cell.strip() else math.nan)
            except ValueError:
                raise FileError(f"{path}, line {number}: {cell!r} is no number.") from None
    return columns.pop("t"), columns
