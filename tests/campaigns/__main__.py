"""Runs campaigns: every one of them in turn, or those named, for as long as asked."""

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.campaigns.judge import Campaign, every_campaign, judged

BATCH = 8  # cases a worker takes at a time
SHOWN = 20  # faults of one campaign; one cause tends to have thousands


def run(campaign: Campaign, seconds: float, first: int, workers: int) -> tuple[int, list[str]]:
    """How many cases were tried in this time, and what was wrong with them."""
    tried, faults = 0, []
    end = time.monotonic() + seconds
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        while time.monotonic() < end:
            numbers = range(first + tried, first + tried + BATCH * workers)
            batches = [numbers[k::workers] for k in range(workers)]
            for found in pool.map(judged, [campaign.name] * workers, batches):
                for fault in found[: max(0, SHOWN - len(faults))]:
                    print(f"  {fault}", flush=True)
                faults += found
            tried += len(numbers)
    return tried, faults


def main() -> int:
    """Prints a line per campaign and what it found; 1 where anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns", description=__doc__)
    parser.add_argument("names", nargs="*", help="campaigns to run (every one)")
    parser.add_argument("--minutes", type=float, default=5.0, help="for all of them together")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--case", type=int, help="this one case only, in this process")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()

    campaigns = every_campaign()
    unknown = sorted(set(asked.names) - campaigns.keys())
    if unknown:
        parser.error(f"no campaign {', '.join(unknown)}; there are {', '.join(campaigns)}")
    chosen = [campaigns[name] for name in asked.names or campaigns]
    if asked.case is not None:
        faults = [fault for one in chosen for fault in judged(one.name, [asked.case])]
        print("\n".join(faults) or "nothing found")
        return bool(faults)

    total = 0
    for campaign in chosen:
        seconds = 60.0 * asked.minutes / len(chosen)
        tried, faults = run(campaign, seconds, asked.first, asked.workers)
        print(f"{campaign.name:28} {tried:8} tried {len(faults):6} found", flush=True)
        total += len(faults)
    return bool(total)


if __name__ == "__main__":
    sys.exit(main())
