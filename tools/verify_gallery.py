"""List all motions of every planar mechanism of the gallery, prove the maps again, tell the price.

Mechanisms with more freedoms than one are named and left out. A map that took longer than its
seconds is proved as far as it goes. Times are CPU seconds of this process, the least of a few
repeats; the search includes writing down the equations of a fresh mechanism, as the proof does.

    python tools/verify_gallery.py [NAME ...]
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from kempe import Effort, KempeError, verify
from kempe.gallery import MECHANISMS
from kempe.results.motion_map import MotionMap

SECONDS = 60.0  # for each search
PROOF_SECONDS = 600.0  # for each proof
MOST = 20.0  # times the search that a proof may cost
SHORT, LONG = 0.3, 5.0  # CPU seconds: what takes longer is done twice, or once
REPEATS = 5
Answer = TypeVar("Answer")


def main(names: list[str]) -> int:
    """Print what was found and proved; 0 where nothing failed and nothing took too long."""
    failed, slow = 0, list[str]()
    verify(MECHANISMS["barton_piston"]().motions())  # imports are no part of a price
    for name in names or MECHANISMS:
        if not MECHANISMS[name]().model.plane:
            continue
        try:
            found, search = _timed(partial(_searched, name))
        except KempeError as refusal:
            print(f"{name}: refused, {str(refusal).splitlines()[0]}", flush=True)
            continue
        proved, price = _timed(partial(verify, found, seconds=PROOF_SECONDS))
        failed += bool(proved.failures)
        slow += [name] if price > MOST * search else []
        print(
            f"{name}: {found.outcome}, search {search:.4f} s, proof {price:.3f} s,"
            f" {price / search:.1f} times. {proved}",
            flush=True,
        )
    print(f"{failed} maps failed; more than {MOST:g} times: {', '.join(slow) or 'none'}")
    return 1 if failed or slow else 0


def _searched(name: str) -> MotionMap:
    return MECHANISMS[name]().motions(effort=Effort(seconds=SECONDS))


def _timed(ask: Callable[[], Answer]) -> tuple[Answer, float]:
    """An answer, and the least CPU time of a few repeats."""
    least = float("inf")
    for k in range(REPEATS):
        began = time.process_time()
        answer = ask()
        least = min(least, time.process_time() - began)
        if (k and least > SHORT) or least > LONG:
            break
    return answer, least


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
