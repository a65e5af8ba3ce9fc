"""Runs campaigns: every one of them in turn, or those named, for as long as asked."""

import argparse
import signal
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context

from tests.campaigns.judge import Campaign, every_campaign, judged

BATCH = 8  # cases a worker takes at a time
SHOWN = 20  # faults of one campaign; one cause tends to have thousands
INTERRUPTED = 130
TOLD = 60.0  # s between two words on how far it is


class Tally:
    """What a campaign has tried so far, and what was wrong."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.tried = 0
        self.faults: list[str] = []

    def add(self, cases: int, found: list[str]) -> None:
        """A batch that ended, its first faults told at once."""
        for fault in found[: max(0, SHOWN - len(self.faults))]:
            print(f"  {fault}", flush=True)
        self.faults += found
        self.tried += cases

    def __str__(self) -> str:
        return f"{self.campaign.name:28} {self.tried:8} tried {len(self.faults):6} found"


def run(tally: Tally, seconds: float, first: int, workers: int) -> bool:
    """Cases in turn for this time, or until Ctrl-C, which says False when what runs has ended."""
    end = time.monotonic() + seconds
    told, number, whole = time.monotonic(), first, True
    deaf = {"initializer": signal.signal, "initargs": (signal.SIGINT, signal.SIG_IGN)}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), **deaf) as pool:
        waiting: dict[Future[list[str]], int] = {}
        while waiting or time.monotonic() < end:
            try:
                while len(waiting) < workers and time.monotonic() < end:
                    batch = range(number, number + BATCH)
                    waiting[pool.submit(judged, tally.campaign.name, batch)] = len(batch)
                    number += BATCH
                for ended in wait(waiting, return_when=FIRST_COMPLETED).done:
                    tally.add(waiting.pop(ended), ended.result())
                if time.monotonic() > told + TOLD:
                    told = time.monotonic()
                    print(tally, file=sys.stderr, flush=True)
            except KeyboardInterrupt:
                if not whole:
                    raise
                end, whole = 0.0, False
                print("ending, when the cases that run are done", file=sys.stderr, flush=True)
    return whole


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
        tally = Tally(campaign)
        whole = run(tally, seconds, asked.first, asked.workers)
        print(tally, flush=True)
        total += len(tally.faults)
        if not whole:
            return INTERRUPTED
    return bool(total)


if __name__ == "__main__":
    sys.exit(main())
