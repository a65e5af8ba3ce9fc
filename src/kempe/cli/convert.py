"""`kempe convert`."""

from pathlib import Path
from typing import Annotated

import typer

from kempe.cli.motion import mechanism_of
from kempe.cli.options import AsJson
from kempe.cli.terminal import answer

ENDINGS = ".yaml, .yml, .json, .dxf, .asmt, .urdf, or .xml (MJCF)"
MOST = 40  # lines of a report; --json has all


def convert(
    source: Annotated[
        str, typer.Argument(help="A model file, a Python file, or a name of the gallery.")
    ],
    target: Annotated[Path | None, typer.Argument(help=f"The file to write: {ENDINGS}.")] = None,
    *,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The file to write, as an option.")
    ] = None,
    flat: Annotated[
        bool, typer.Option(help="Work out parameters, units and what is used or merged.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Write a mechanism in another format; nothing is lost but comments, or it is listed.

    Example: kempe convert four_bar.yaml -o four_bar.dxf
    """
    from kempe.errors import ModelError
    from kempe.files.documents.writer import write_model
    from kempe.foreign.exporting import is_written

    if (target is None) is (output is None):
        raise ModelError("name one file to write: `kempe convert four_bar four_bar.dxf`.")
    target = target or output or Path()
    mechanism = mechanism_of(source)
    if is_written(target):
        report = mechanism.export(target)
        facts = {"written": str(target), "export": report.facts()}
        words = report.text(MOST) if report.left_out or report.notes else ""
        return answer(facts, words, as_json=as_json, written=[target])
    path = write_model(mechanism.model, target) if flat else mechanism.save(target)
    return answer({"written": str(path)}, "", as_json=as_json, written=[path])
