"""`kempe names`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from kempe.cli.motion import SAVED, mechanism_of, run_of
from kempe.cli.options import AsJson, Moved, output_option
from kempe.cli.terminal import listed
from kempe.disk import replace_file
from kempe.endings import refuse_unwritable

if TYPE_CHECKING:
    from kempe.readings.reading import Reading
    from kempe.readings.registry import Registry


def names(
    what: Moved,
    *,
    output: Annotated[Path | None, output_option("Write the whole list to a .txt.")] = None,
    as_json: AsJson = False,
) -> int:
    """List every name that can be read off a motion: unit, shape of n samples, what it is.

    Words after a semicolon may follow a name: coupler.P.speed; --json lists these names, too.

    Example: kempe names four_bar
    """
    refuse_unwritable(output, (".txt",), "a list of names")
    registry = _registry(what)
    if as_json:
        facts = [
            {"name": r.name, "unit": r.unit, "shape": ["n", *r.shape], "description": r.description}
            for r in registry
        ]
        print(json.dumps(facts))
        return 0
    rows = [
        (r.name, r.unit or "-", f"(n, {r.shape[0]})" if r.shape else "(n,)", _told(r))
        for r in (*registry.channels.values(), *registry.analyses())
    ]
    lines = _aligned(rows)
    if output is not None:
        written = replace_file(output, "".join(f"{line}\n" for line in lines).encode())
        print(f"wrote {written}")
        return 0
    print("\n".join(listed(lines, "-o names.txt")))
    return 0


def _aligned(rows: list[tuple[str, str, str, str]]) -> list[str]:
    """Rows as lines, the first three columns of one width each."""
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    lines = []
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=False))
        lines.append(f"{'  '.join(cells)}  {row[3]}")
    return lines


def _told(reading: "Reading") -> str:
    """What it is, and the words that may follow its name."""
    more = [f".{part.name.removeprefix(f'{reading.name}.')}" for part in reading.parts()]
    return f"{reading.description}; {' '.join(more)}" if more else reading.description


def _registry(what: str) -> "Registry":
    """The names of a mechanism as `kempe run` moves it, or of a motion that was saved."""
    if Path(what).suffix == SAVED:
        from kempe.front import Trajectory

        return Trajectory.load(what).registry
    from kempe.readings.registry import registry_of

    mechanism = mechanism_of(what)
    is_simulated = run_of(what, mechanism).analysis == "dynamics"
    return registry_of(mechanism.model, is_simulated=is_simulated)
