"""Random linkages swept for a turn: no jump, every dead point in its place, the same every time.

`python benchmarks/campaign_branches.py` sweeps 10,000 four-bars, 1,000 more that all but fold
flat, and 2,000 six-bars, compares every sample with a sweep that intersects circles dyad by dyad,
prints the counts, and returns 1 where anything is wrong. The last line is a hash of every number in
every result.
"""

import argparse
import hashlib
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import numpy as np
from linkage_campaigns.dyads import SixBar
from linkage_campaigns.linkages import KINDS, four_bars, six_bars
from linkage_campaigns.narrow import narrow_four_bars
from linkage_campaigns.verdict import verdict

FOUR_BARS, NARROW_ONES, SIX_BARS = 10_000, 1_000, 2_000
NARROW = "narrow four-bar"
SEED = 1876
MOST_SHOWN = 20


def linkages(kind: str, count: int, seed: int) -> Iterator[SixBar]:
    """The first so many random linkages of a kind."""
    rng = np.random.default_rng([seed, *kind.encode()])
    endless = {"four-bar": four_bars, NARROW: narrow_four_bars}.get(kind)
    return islice(six_bars(rng, kind) if endless is None else endless(rng), count)


def campaign(four: int, narrow: int, six: int, steps: int, seed: int) -> tuple[int, str]:
    """Sweep them all and print the counts: how many are at fault, and the hash of it all."""
    share = {"four-bar": four, NARROW: narrow} | {
        kind: six // len(KINDS) + (k < six % len(KINDS)) for k, kind in enumerate(KINDS)
    }
    total, digest = 0, hashlib.sha256()
    for kind, count in share.items():
        began, outcomes, faults = time.perf_counter(), Counter[str](), 0
        worst_end, worst_place, samples = 0.0, 0.0, 0
        for k, linkage in enumerate(linkages(kind, count, seed)):
            found = verdict(linkage, steps)
            digest.update(found.digest)
            outcomes[found.outcome] += 1
            samples += found.samples
            worst_end = max(worst_end, found.located or 0.0)
            worst_place = max(worst_place, found.apart)
            if found.faults:
                faults += 1
                if total + faults <= MOST_SHOWN:
                    print(f"  {kind} {k}: {'; '.join(found.faults)}\n    {linkage}")
        endings = ", ".join(f"{n} {name}" for name, n in sorted(outcomes.items()))
        print(
            f"{kind:15} {count:6} swept, {samples} samples: {endings}; {faults} at fault;"
            f" dead points to {worst_end:.1e} rad, hinges to {worst_place:.1e} m"
            f" ({time.perf_counter() - began:.0f} s)",
            flush=True,
        )
        total += faults
    return total, digest.hexdigest()


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--four", type=int, default=FOUR_BARS, help="four-bars")
    parser.add_argument("--narrow", type=int, default=NARROW_ONES, help="four-bars nearly flat")
    parser.add_argument("--six", type=int, default=SIX_BARS, help="six-bars, of all kinds")
    parser.add_argument("--steps", type=int, default=360, help="samples of a turn")
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    faults, digest = campaign(given.four, given.narrow, given.six, given.steps, given.seed)
    print(f"{faults} at fault in all; every number hashed: {digest}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
