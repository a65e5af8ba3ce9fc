"""`kempe version`."""

import json
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def version(*, as_json: AsJson = False) -> None:
    """Say which version this is.

    Example: kempe version
    """
    from kempe import __version__

    print(json.dumps({"version": __version__}) if as_json else f"kempe {__version__}")
