"""Mechanisms in space by the hundred: what is listed against closed forms and Newton's method.

Spherical four-bars by Grashof's rule of arcs, RSSR linkages by their quadratic, planar four-bars
in tilted planes by their planar form, arms of six hinges and platforms on six rods by Newton's
method from many starts. The cases are those of the campaigns `motions_in_space` and
`assemblies_in_space`, each kind by itself; those so near a change point that steps of the closed
form do not tell are left out.

    python tools/space_campaign.py            # all of them, some minutes
    python tools/space_campaign.py arms 200
"""

import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

assemblies: Any = importlib.import_module("tests.campaigns.assemblies_in_space")
motions: Any = importlib.import_module("tests.campaigns.motions_in_space")

Kind = tuple[Callable[[np.random.Generator], list[str]], int]

KINDS: dict[str, Kind] = {
    "spherical": (motions._spherical, 1100),
    "rssr": (motions._rssr, 1100),
    "planar": (motions._planar, 560),
    "arms": (assemblies._arm, 200),
    "platforms": (assemblies._platform, 60),
}
SEED = 17


def run(name: str, count: int) -> int:
    """So many cases of a kind; how many were wrong."""
    attempt, wrong, judged, began = KINDS[name][0], 0, [0], time.process_time()
    compare = motions._compared

    def counted(*args: Any) -> Any:
        judged[0] += all(arcs is not None for arcs in args[1].values())
        return compare(*args)

    motions._compared = counted
    for k in range(count):
        found = attempt(np.random.default_rng([SEED, k]))
        wrong += bool(found)
        for sentence in found:
            print(f"{name} {k}: {sentence}")
    motions._compared = compare
    seconds = time.process_time() - began
    print(f"{name}: {judged[0] or count} of {count} cases judged, {wrong} wrong, {seconds:.0f} s")
    return wrong


if __name__ == "__main__":
    chosen = sys.argv[1:2] or list(KINDS)
    given = int(sys.argv[2]) if len(sys.argv) > 2 else None
    sys.exit(sum(run(name, given or KINDS[name][1]) for name in chosen) > 0)
