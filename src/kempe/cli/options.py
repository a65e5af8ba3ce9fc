"""Arguments and options that several commands have in common, each said once."""

from pathlib import Path
from typing import Annotated

import typer

_SOURCES = "A model file (.yaml, .json), a Python file that defines `mechanism`"

Model = Annotated[
    str, typer.Argument(help=f"{_SOURCES}, or a name of the gallery.", metavar="FILE|NAME")
]
Moved = Annotated[
    str,
    typer.Argument(
        help=f"{_SOURCES}, a name of the gallery, or a saved .npz.", metavar="FILE|NAME"
    ),
]
Until = Annotated[
    str | None, typer.Option(help="End time, such as 1 or '500 ms'; what the file says, or 1.")
]
Steps = Annotated[
    int | None, typer.Option(help="Steps; one sample more is written. What the file says, or 360.")
]
Over = Annotated[
    str | None, typer.Option(help="Sweep a measure instead: 'crank.angle, 0, 360 deg'.")
]
Through = Annotated[
    list[str] | None,
    typer.Option(
        help="How to go on from dead points: momentum, or 'branch 2'; given again, one each."
    ),
]
Free = Annotated[
    str | None,
    typer.Option(
        help="Freedoms that no drive holds: refuse, or nearest (move the least). What the file"
        " says, or refuse."
    ),
]
Outputs = Annotated[
    list[Path] | None,
    typer.Option(
        "-o",
        "--output",
        help="Write .csv, .json, .npz, .parquet, .txt (the report), .svg, .html or .gif; may"
        " be given again.",
    ),
]
Write = Annotated[
    bool,
    typer.Option("--write", help="Write the files that the model file asks for (run: outputs)."),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "-c",
        "--column",
        help="A column of tables: a part (rod), a name (hinge.force) or a formula"
        " ('2 * spring.length'); may be given again. What the file says, or all.",
    ),
]
Trace = Annotated[
    list[str] | None, typer.Option(help="A point whose path is drawn, such as coupler.P.")
]
Units = Annotated[
    list[str] | None,
    typer.Option(help="A unit of tables and of the report, such as mm or deg; SI if omitted."),
]
Held = Annotated[
    list[str] | None, typer.Option("--held", help="MEASURE=VALUE that stays as it is.")
]
Limit = Annotated[
    list[str] | None, typer.Option("--limit", help="MEASURE=LOW..HIGH it stays between.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
