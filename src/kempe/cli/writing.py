"""Writing the files that commands with a motion are asked for."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, final

import typer

from kempe.cli.options import output_option
from kempe.cli.terminal import answer
from kempe.endings import refuse_unwritable

if TYPE_CHECKING:
    from kempe.files.documents.run import Run
    from kempe.front import Mechanism, Trajectory


@final
@dataclass(frozen=True, slots=True)
class Files:
    """What is written of a motion, and how."""

    output: Annotated[
        list[Path] | None,
        output_option(
            "Write .csv, .json, .npz, .parquet, .xlsx, .txt (the report), .svg, .png, .pdf, .dxf,"
            " .asmt, .html, .gif, .mp4, .webm or .glb; may be given again."
        ),
    ] = None
    write: Annotated[
        bool,
        typer.Option(
            "--write", help="Write the files that the model file asks for (run: outputs)."
        ),
    ] = False
    column: Annotated[
        list[str] | None,
        typer.Option(
            "-c",
            "--column",
            help="A column of tables: a part (rod), a name (hinge.force) or a formula"
            " ('2 * spring.length'); may be given again. What the file says, or all.",
        ),
    ] = None
    trace: Annotated[
        list[str] | None, typer.Option(help="A point whose path is drawn, such as coupler.P.")
    ] = None
    unit: Annotated[
        list[str] | None,
        typer.Option(help="A unit of tables and of the report, such as mm or deg; SI if omitted."),
    ] = None

    def refuse(self, mechanism: "Mechanism", asked: "Run", *, is_simulated: bool) -> None:
        """A KempeError where a file, a column, a traced point or a unit is none, before solving."""
        from kempe.geometry import GROUND
        from kempe.model import Output
        from kempe.readings.registry import refuse_unknown_outputs, registry_of
        from kempe.readings.unit_choice import unit_choice

        wanted = [Output(name) for name in self.column or ()]
        refuse_unknown_outputs(mechanism.model, wanted, is_simulated=is_simulated)
        self.paths(asked)
        unit_choice(tuple(self.unit or ()))
        registry = registry_of(mechanism.model, is_simulated=is_simulated)
        for name in self.trace or asked.trace:
            registry.point(name, "trace", unless=GROUND)

    def paths(self, asked: "Run | None" = None) -> list[Path]:
        """The files to write: those the user names, and with `write` those the model file asks for.

        A model file writes nothing by itself, and never outside the folder where it is run. A
        FileError where a file has an ending that no motion is written to.
        """
        from kempe.disk import below
        from kempe.export.writing import ENDINGS

        theirs = asked.outputs if asked is not None and self.write else ()
        paths = [*(self.output or ()), *(below(Path(), name) for name in theirs)]
        for path in paths:
            refuse_unwritable(path, ENDINGS, "a motion")
        return list(dict.fromkeys(paths))

    def written(self, trajectory: "Trajectory", asked: "Run") -> list[str]:
        """The names of the files, once they are written."""
        from kempe.export.writing import write

        points = tuple(self.trace or asked.trace)
        shown = {"units": tuple(self.unit or ()), "columns": tuple(self.column or ())}
        paths = self.paths(asked)
        return [str(write(trajectory, path, trace=points, **shown)) for path in paths]

    def answer(
        self,
        trajectory: "Trajectory",
        asked: "Run",
        facts: Mapping[str, object],
        words: str,
        *,
        as_json: bool,
    ) -> int:
        """Write the files, and say what the motion was and what else is known; the exit code."""
        before = trajectory.notes
        outcome, written = trajectory.outcome, self.written(trajectory, asked)
        after = [f"Note: {note}." for note in trajectory.notes if note not in before]
        every_motion = {
            "outcome": outcome.name,
            "message": outcome.message,
            "advice": outcome.advice,
            "facts": outcome.facts,
            "samples": len(trajectory),
            "t": [float(trajectory.t[k]) for k in (0, -1)] if len(trajectory) else [],
            "redundant": list(trajectory.redundant),
            "notes": list(trajectory.notes),
            "events": [asdict(event) for event in trajectory.events],
            "counts": trajectory.motion.counts,
            "model": trajectory.provenance.model,
            "names": list(trajectory.names),
            "written": written,
        }
        if asked.outputs and not self.write:
            files = ", ".join(asked.outputs)
            after.append(f"The file asks for {files}: add --write to have them written.")
        return answer(
            {**every_motion, **facts},
            words,
            as_json=as_json,
            written=written,
            after=after,
            is_yes=outcome.is_done,
        )
