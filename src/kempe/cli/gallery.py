"""`kempe gallery`."""

import inspect
import json
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print a JSON list.")]


def gallery(*, as_json: AsJson = False) -> None:
    """List the mechanisms that come ready to run.

    Example: kempe gallery, then kempe run four_bar -o four_bar.html
    """
    from kempe.gallery import MECHANISMS

    entries = []
    for name, make in MECHANISMS.items():
        summary = (inspect.getdoc(make) or "").split("\n", 1)[0]
        dimensions = {p.name: p.default for p in inspect.signature(make).parameters.values()}
        entries.append({"name": name, "summary": summary, "dimensions": dimensions})
    if as_json:
        print(json.dumps(entries))
        return
    width = max(len(str(e["name"])) for e in entries)
    for entry in entries:
        print(f"{entry['name']:<{width}}  {entry['summary']}")
