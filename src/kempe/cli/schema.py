"""`kempe schema`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from kempe.cli.options import output_option


def schema(
    *,
    output: Annotated[Path | None, output_option("Write it to a file instead.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print it on one line, for programs.")
    ] = False,
) -> None:
    """Print the JSON Schema of a model file; editors complete and check files with it.

    Example: kempe schema -o kempe.schema.json
    """
    from kempe.files.schema.schema import json_schema

    text = json.dumps(json_schema(), indent=None if as_json else 2)
    if output is None:
        print(text)
        return
    from kempe.disk import replace_file

    replace_file(output, f"{text}\n".encode())
    print(f"wrote {output}")
