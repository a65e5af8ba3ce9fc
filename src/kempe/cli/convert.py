"""`kempe convert`."""

from pathlib import Path
from typing import Annotated

import typer

from kempe.cli.motion import mechanism_of
from kempe.cli.options import AsJson
from kempe.cli.terminal import answer


def convert(
    source: Annotated[
        str, typer.Argument(help="A model file, a Python file, or a name of the gallery.")
    ],
    target: Annotated[
        Path, typer.Argument(help="The file to write: .yaml, .yml, .json, .urdf, or .xml (MJCF).")
    ],
    *,
    flat: Annotated[
        bool, typer.Option(help="Work out parameters, units and what is used or merged.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Write a mechanism in another format; nothing is lost but comments, or it is listed.

    Example: kempe convert four_bar.yaml four_bar.json
    """
    from kempe.files.documents.writer import write_model
    from kempe.foreign.exporting import is_written

    mechanism = mechanism_of(source)
    if is_written(target):
        report = mechanism.export(target)
        facts = {"written": str(target), "export": report.facts()}
        words = report.text() if report.left_out else ""
        return answer(facts, words, as_json=as_json, written=[target])
    path = write_model(mechanism.model, target) if flat else mechanism.save(target)
    return answer({"written": str(path)}, "", as_json=as_json, written=[path])
