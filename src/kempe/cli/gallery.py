"""`kempe gallery`."""

import inspect
import json

from kempe.cli.options import AsJson


def gallery(*, as_json: AsJson = False) -> None:
    """List the mechanisms that come ready to run; those that move by their forces are marked.

    Example: kempe gallery, then kempe run four_bar -o four_bar.html
    """
    from kempe.gallery import COURSES, MECHANISMS

    entries = []
    for name, make in MECHANISMS.items():
        summary = (inspect.getdoc(make) or "").split("\n", 1)[0]
        dimensions = {p.name: p.default for p in inspect.signature(make).parameters.values()}
        moved_by = "forces" if name in COURSES else "drives"
        entries.append(
            {"name": name, "summary": summary, "moved_by": moved_by, "dimensions": dimensions}
        )
    if as_json:
        print(json.dumps(entries))
        return
    width = max(len(str(e["name"])) for e in entries)
    for entry in entries:
        mark = "*" if entry["moved_by"] == "forces" else " "
        print(f"{entry['name']:<{width}} {mark} {entry['summary']}")
    print("* moves by its masses and forces: kempe simulate NAME -o NAME.html")
