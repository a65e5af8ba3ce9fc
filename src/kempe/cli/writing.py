"""Writing the files that commands with a motion are asked for."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kempe.files.document import Run
    from kempe.front import Mechanism, Trajectory


def refuse(output: Sequence[Path] | None) -> None:
    """A FileError where a file has an ending that no motion is written to."""
    from kempe.front.endings import refuse_unwritable
    from kempe.front.export import ENDINGS

    for path in output or []:
        refuse_unwritable(path, ENDINGS, "a motion")


def refuse_columns(mechanism: "Mechanism", columns: Sequence[str], *, is_simulated: bool) -> None:
    """UnknownName where a column is none, before anything is computed."""
    from kempe.front.outputs import refuse_unknown_outputs
    from kempe.model import Output

    wanted = [Output(name) for name in columns]
    refuse_unknown_outputs(mechanism.model, wanted, is_simulated=is_simulated)


def written(
    trajectory: "Trajectory",
    output: Sequence[Path] | None,
    asked: "Run",
    *,
    trace: Sequence[str] | None,
    units: Sequence[str] | None,
    columns: Sequence[str] | None,
) -> list[str]:
    """The files written: those of the options, else those that the model file asks for."""
    from kempe.front.export import write
    from kempe.front.outputs import expanded

    points = tuple(trace or asked.trace)
    names = [n for name in columns or () for n in expanded(trajectory, name)]
    return [
        str(write(trajectory, path, trace=points, units=tuple(units or ()), columns=names))
        for path in output or map(Path, asked.outputs)
    ]
