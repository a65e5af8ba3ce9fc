"""Writing the files that commands with a motion are asked for."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kempe.files.documents.document import Run
    from kempe.front import Mechanism, Trajectory


def refuse(output: Sequence[Path] | None) -> None:
    """A FileError where a file has an ending that no motion is written to."""
    from kempe.endings import refuse_unwritable
    from kempe.export.writing import ENDINGS

    for path in output or []:
        refuse_unwritable(path, ENDINGS, "a motion")


def refuse_columns(mechanism: "Mechanism", columns: Sequence[str], *, is_simulated: bool) -> None:
    """UnknownName where a column is none, before anything is computed."""
    from kempe.model import Output
    from kempe.readings.registry import refuse_unknown_outputs

    wanted = [Output(name) for name in columns]
    refuse_unknown_outputs(mechanism.model, wanted, is_simulated=is_simulated)


def refuse_asked(
    mechanism: "Mechanism",
    asked: "Run",
    *,
    write: bool,
    trace: Sequence[str] | None,
    units: Sequence[str] | None,
) -> None:
    """A KempeError where a file, a traced point or a unit is none, before anything is computed."""
    from kempe.pictures.animation import refuse_untraceable
    from kempe.readings.unit_choice import unit_choice
    from kempe.results.subject import subject_of

    wanted((), asked, write=write)
    unit_choice(tuple(units or ()))
    refuse_untraceable(subject_of(mechanism.layout), trace or asked.trace)


def wanted(output: Sequence[Path] | None, asked: "Run", *, write: bool) -> list[Path]:
    """The files to write: those the user names, and with `write` those the model file asks for.

    A model file writes nothing by itself, and never outside the folder where it is run.
    """
    from kempe.disk import below

    paths = [*(output or ()), *(below(Path(), name) for name in asked.outputs if write)]
    refuse(paths)
    return list(dict.fromkeys(paths))


def unwritten(asked: "Run", *, write: bool) -> str:
    """What to say of files that a model file asks for and that were not asked of the command."""
    if write or not asked.outputs:
        return ""
    return f"The file asks for {', '.join(asked.outputs)}: add --write to have them written."


def written(
    trajectory: "Trajectory",
    paths: Sequence[Path],
    asked: "Run",
    *,
    trace: Sequence[str] | None,
    units: Sequence[str] | None,
    columns: Sequence[str] | None,
) -> list[str]:
    """The names of the files, once they are written."""
    from kempe.export.writing import write

    points = tuple(trace or asked.trace)
    shown = {"units": tuple(units or ()), "columns": tuple(columns or ())}
    return [str(write(trajectory, path, trace=points, **shown)) for path in paths]


def told(trajectory: "Trajectory", files: list[str]) -> dict[str, object]:
    """What --json says of every motion, swept or simulated, and of the files written of it."""
    outcome = trajectory.outcome
    return {
        "outcome": outcome.name,
        "message": outcome.message,
        "advice": outcome.advice,
        "facts": outcome.facts,
        "samples": len(trajectory),
        "t": [float(trajectory.t[k]) for k in (0, -1)] if len(trajectory) else [],
        "redundant": list(trajectory.redundant),
        "notes": list(trajectory.notes),
        "counts": trajectory.motion.counts,
        "model": trajectory.provenance.model,
        "names": list(trajectory.names),
        "written": files,
    }


def say(text: str, files: list[str], left: str) -> None:
    """Print what a motion did, the files that were written and those that were left."""
    print(text)
    for file in files:
        print(f"wrote {file}")
    if left:
        print(left)
