"""`kempe names`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from kempe.cli.motion import SAVED, mechanism_of, run_of
from kempe.cli.options import AsJson, Moved

if TYPE_CHECKING:
    from kempe.readings.reading import Reading
    from kempe.readings.registry import Registry


def names(what: Moved, *, as_json: AsJson = False) -> int:
    """List every name that can be read off a motion: unit, shape of n samples, what it is.

    Words after a semicolon may follow a name: coupler.P.speed; --json lists these names, too.

    Example: kempe names four_bar
    """
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
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=False))
        print(f"{'  '.join(cells)}  {row[3]}")
    return 0


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
