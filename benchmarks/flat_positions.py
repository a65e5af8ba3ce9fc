"""Rows of parallelograms through their flat positions: do all of them stay on their branch?

Usage: python benchmarks/flat_positions.py [--most 40] [--every 1] [--until 4] [--json]

N parallelograms stand upright side by side, hinged in a row, and are pushed to the right. Twice a
turn all of them lie flat, where every crank could go its own way: N + 1 freedoms instead of one.
For N = 1 ... `most` and tolerances 1e-4 ... 1e-11 a run counts as passed where it ends as Done and
all cranks stayed parallel to 1e-9 rad. Exit code 1 where any did not. Source: [IFToMM] A02.
"""

import argparse
import json
import math
import sys
from dataclasses import asdict, dataclass

import numpy as np

from kempe import Builder, Inertia, Mechanism

TOLERANCES = tuple(10.0**-k for k in range(4, 12))
PARALLEL = 1e-9  # rad
ROD = Inertia(1.0, (0.5, 0.0, 0.0), np.diag([1e-4, 1.0 / 12.0, 1.0 / 12.0]))


@dataclass(frozen=True)
class Passage:
    """One run: how it ended, how far apart the cranks came, how often it had to be damped."""

    n: int
    tolerance: float
    outcome: str
    apart: float  # rad
    turned: float  # rad
    damped: int

    @property
    def passed(self) -> bool:
        """Whether it ran to its end, through flat positions, on its branch."""
        return self.outcome == "Done" and self.apart < PARALLEL and self.turned > math.pi


def parallelograms(n: int) -> Mechanism:
    """n of them in a row, upright, the first crank turning at 1 rad/s."""
    m = Builder(f"{n}-four-bar", plane=True, gravity=(0, -9.81))
    before = None
    for k in range(n + 1):
        crank = m.bar(f"crank{k}", 1.0, at=(k, 0), angle=math.pi / 2, inertia=ROD)
        m.revolute(m.ground.at(k, 0), crank.start, name=f"A{k}")
        if before is None:
            m.rate(crank.angle, -1.0)
        else:
            bar = m.bar(f"bar{k}", 1.0, at=(k - 1, 1), angle=0.0, inertia=ROD)
            m.revolute(before.end, bar.start, name=f"B{k}")
            m.revolute(bar.end, crank.end, name=f"C{k}")
        before = crank
    return m.build()


def passages(n: int, until: float) -> list[Passage]:
    """The row of n at every tolerance."""
    mechanism, found = parallelograms(n), []
    for tolerance in TOLERANCES:
        motion = mechanism.simulate(until=until, steps=round(10 * until), tolerance=tolerance)
        angles = np.array([motion[f"crank{k}.angle"].values for k in range(n + 1)])
        apart = float(np.abs(angles - angles[0]).max())
        counts, turned = motion.motion.counts, float(np.ptp(angles[0]))
        found.append(Passage(n, tolerance, motion.outcome.name, apart, turned, counts["damped"]))
    return found


def main() -> int:
    """Run the grid, say what failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--most", type=int, default=40, help="the longest row")
    parser.add_argument("--every", type=int, default=1, help="take every so-manyth length")
    parser.add_argument("--until", type=float, default=4.0, help="end time, s")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    rows = sorted({*range(1, asked.most + 1, asked.every), asked.most})
    found = [passage for n in rows for passage in passages(n, asked.until)]
    failed = [passage for passage in found if not passage.passed]
    worst = max(passage.apart for passage in found)
    if asked.json:
        facts = {"runs": len(found), "failed": [asdict(p) for p in failed], "worst_apart": worst}
        print(json.dumps(facts))
    else:
        print(f"{len(found) - len(failed)} of {len(found)} runs passed; apart {worst:.1e} rad.")
        for passage in failed:
            print(f"  {passage}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
