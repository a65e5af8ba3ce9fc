"""List all motions of every planar mechanism of the gallery, prove the maps again, tell the price.

Every planar entry gets a line with a ratio: CPU time of the proof over that of the search, both of
this process on one thread, the least of a few repeats, so that other work on the machine does not
count. The search includes writing down the equations of a fresh mechanism, as the proof does. Where
nothing can be listed (more freedoms than one) there is nothing to prove: the refusal is named. A
map that took longer than its seconds is proved as far as it goes.

The answer is 1 where a proof takes more than MOST times the search, or does not confirm its map.

    python tools/verify_gallery.py [NAME ...]
"""

import os
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
for _name in THREADS:  # before NumPy is loaded: its products of matrices on one thread, too
    os.environ[_name] = "1"

from kempe import Effort, KempeError, verify  # noqa: E402
from kempe.errors import UnsolvableKind  # noqa: E402
from kempe.gallery import MECHANISMS  # noqa: E402
from kempe.motion.verify.verification import Verification  # noqa: E402
from kempe.results.maps.certificate import Promise  # noqa: E402
from kempe.results.maps.motion_map import MotionMap  # noqa: E402

SECONDS = 60.0  # for each search
PROOF_SECONDS = 1200.0  # for each proof
MOST = 20.0  # times the search that a proof may cost
SHORT, LONG = 0.3, 5.0  # CPU seconds: what takes longer is done twice, or once
REPEATS = 5
Answer = TypeVar("Answer")


def main(names: list[str]) -> int:
    """Print what was found and proved; 0 where all is confirmed and nothing took too long."""
    unknown = [name for name in names if name not in MECHANISMS]
    if unknown:
        print(f"not in the gallery: {', '.join(unknown)}", file=sys.stderr)
        return 2
    not_confirmed, slow = list[str](), list[str]()
    verify(_searched("barton_piston"))  # imports are no part of a price
    for name in names or MECHANISMS:
        if not MECHANISMS[name]().model.plane:
            continue
        try:
            found, search = _timed(partial(_searched, name))
        except KempeError as refusal:
            print(f"{name}: refused, {str(refusal).splitlines()[0]}", flush=True)
            continue
        proved, price = _timed(partial(verify, found, seconds=PROOF_SECONDS))
        not_confirmed += [] if is_confirmed(found, proved) else [name]
        slow += [name] if price > MOST * search else []
        print(
            f"{name}: {found.outcome}, search {search:.4f} s, proof {price:.3f} s,"
            f" {price / search:.1f} times. {proved}",
            flush=True,
        )
    print(
        f"not confirmed: {', '.join(not_confirmed) or 'none'};"
        f" more than {MOST:g} times: {', '.join(slow) or 'none'}"
    )
    return 1 if not_confirmed or slow else 0


def is_confirmed(found: MotionMap, proved: Verification) -> bool:
    """Whether all that a map claims was proved again; `numerical` claims no completeness."""
    if found.outcome is Promise.NUMERICAL:
        return not proved.failures and not proved.left
    return proved.holds


def _searched(name: str) -> MotionMap:
    found = MECHANISMS[name]().motions(effort=Effort(seconds=SECONDS, threads=1))
    if not isinstance(found, MotionMap):
        raise UnsolvableKind("surfaces have no second proof but that of the tests.")
    return found


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
