"""`kempe statics`."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kempe.cli.angles import refuse_bare_degrees
from kempe.cli.motion import mechanism_of, refuse_idle
from kempe.cli.options import AsJson, HeldAt, Model, output_option
from kempe.cli.terminal import answer
from kempe.errors import ModelError

if TYPE_CHECKING:
    from kempe.front import Mechanism
    from kempe.front.equilibrium import Equilibrium, EquilibriumPath

STEPS = 40
PLOTS = (".png", ".pdf")


def statics(
    what: Model,
    *,
    seek: Annotated[
        str | None,
        typer.Option(help="stable (downhill, the default) or nearest, whether it lasts or not."),
    ] = None,
    at: HeldAt = None,
    over: Annotated[
        str | None,
        typer.Option(
            help="Follow equilibria: 'spring.preload, 0, 10' or 'crank.angle, 0, 90 deg'."
        ),
    ] = None,
    steps: Annotated[int | None, typer.Option(help="Steps of --over; 40 if omitted.")] = None,
    through: Annotated[
        str | None, typer.Option(help="snap: go on where an equilibrium of --over ends.")
    ] = None,
    preload: Annotated[
        list[str] | None,
        typer.Option(
            help="A parameter to find, such as spring.preload, so that it rests as it is assembled;"
            " may be given again."
        ),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            "-c", "--column", help="What is written, such as hinge.force; may be repeated."
        ),
    ] = None,
    output: Annotated[
        list[Path] | None,
        output_option(
            "Write .svg, .csv, .json, .npz, .parquet, .xlsx, .txt; of --over .csv, .json, .png,"
            " .pdf, .html, .gif, .mp4, .webm or .glb."
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Find where a mechanism rests under its forces, and whether it stays there.

    Example: kempe statics scissor.yaml -o rest.svg --json
    """
    _refuse_endings(output or [], is_path=over is not None)
    if over is None:
        refuse_idle({"steps": steps, "through": through}, "one equilibrium is found without --over")
    else:
        idle = {"seek": seek, "at": at, "preload": preload}
        refuse_idle(idle, "a path of equilibria is followed")
    if preload:
        refuse_idle({"seek": seek}, "a preload keeps the position")
    mechanism, columns, outputs = mechanism_of(what), column or [], output or []
    if over is not None:
        return _path(mechanism, over, steps, through, columns, outputs, as_json=as_json)
    if preload:
        held = mechanism.preload(preload, at=at)
        return _one(held.equilibrium, held.values, str(held), columns, outputs, as_json=as_json)
    found = mechanism.statics(seek=seek or "stable", at=at)
    return _one(found, {}, found.report, columns, outputs, as_json=as_json)


def _refuse_endings(outputs: list[Path], *, is_path: bool) -> None:
    """An error for files that one equilibrium, or a path of them, cannot be written to."""
    from kempe.endings import refuse_unwritable
    from kempe.export.plain_tables import TABLES
    from kempe.export.writing import ENDINGS
    from kempe.pictures.animation import MOVING

    still = tuple(e for e in ENDINGS if e not in MOVING)
    known = (*TABLES, *PLOTS, *MOVING) if is_path else still
    for path in outputs:
        refuse_unwritable(path, known, "a path of equilibria" if is_path else "an equilibrium")


def _one(
    found: "Equilibrium",
    parameters: dict[str, float],
    words: str,
    columns: list[str],
    outputs: list[Path],
    *,
    as_json: bool,
) -> int:
    """Write and tell one equilibrium, and the parameters that were found for it; the exit code."""
    from kempe.export.writing import write

    written = [str(write(found.trajectory, path, columns=columns)) for path in outputs]
    facts = {**_facts(found), "parameters": parameters, "written": written}
    return answer(facts, words, as_json=as_json, written=written, is_yes=found.outcome.is_done)


def _facts(found: "Equilibrium") -> dict[str, Any]:
    outcome = found.outcome
    return {
        "outcome": outcome.name,
        "message": outcome.message,
        "advice": outcome.advice,
        "facts": outcome.facts,
        "stable": found.stable,
        "verdict": found.verdict,
        "conservative": found.found.is_conservative,
        "flutters": found.found.flutters,
        "stiffness": found.stiffness.tolist(),
        "holds": [dataclasses.asdict(hold) for hold in found.holds],
        "notes": list(found.notes),
        "q": found.state.q.tolist(),
    }


def _path(
    mechanism: "Mechanism",
    over: str,
    steps: int | None,
    through: str | None,
    columns: list[str],
    outputs: list[Path],
    *,
    as_json: bool,
) -> int:
    """Follow equilibria, write and tell them; the exit code."""
    from kempe.export.plain_tables import TABLES, write_table
    from kempe.export.plots import write_plot

    what, *ends = _over(over)
    refuse_bare_degrees(mechanism, what, "--over", *(str(end) for end in ends))
    path = mechanism.equilibria(_over(over), steps or STEPS, through=through or "")
    if not columns and any(file.suffix.lower() in (*TABLES, *PLOTS) for file in outputs):
        columns = _measures(path)
    written = []
    for file in outputs:
        ending = file.suffix.lower()
        if ending in TABLES:
            written.append(write_table(path.columns(*columns), file))
        elif ending in PLOTS:
            written.append(write_plot(path.plot(*columns), file))
        else:
            written.append(path.trajectory.animate(file))
    stable, outcome = int(path.stable.sum()), path.outcome
    words = (
        f"{len(path)} equilibria over {path.what}, {stable} of them stable."
        + "".join(f"\nIt snaps at {path.what} = {value:.9g}." for value in path.snaps)
        + ("" if outcome.is_done else f"\n{outcome}")
    )
    facts = {
        "outcome": outcome.name,
        "message": outcome.message,
        "advice": outcome.advice,
        "over": path.what,
        "values": path.values.tolist(),
        "stable": [bool(one) for one in path.stable],
        "snaps": list(path.snaps),
        "columns": {name: c.tolist() for name, c in path.columns(*columns).items()},
        "written": [str(file) for file in written],
    }
    return answer(facts, words, as_json=as_json, written=written, is_yes=outcome.is_done)


def _over(text: str) -> tuple[str, float | str, float | str]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3 or not all(parts):
        raise ModelError(
            f"--over {text!r} is no name and two values, such as 'spring.preload, 0, 10'."
        )
    ends = [_number(part) for part in parts[1:]]
    return parts[0], ends[0], ends[1]


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _measures(path: "EquilibriumPath") -> list[str]:
    """The measures of joints, where no columns are named."""
    if not len(path):
        return []
    trajectory = path.equilibria[0].trajectory
    words = ("angle", "displacement")
    names = [f"{joint.name}.{word}" for joint in trajectory.subject.joints for word in words]
    return [name for name in names if name in trajectory]
