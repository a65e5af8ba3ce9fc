"""List the motions of every planar mechanism of the gallery and prove the maps again.

Mechanisms with more freedoms than one are named and left out. A map that took longer than its
seconds is proved as far as it goes.

    python tools/verify_gallery.py [NAME ...]
"""

import sys
import time

from kempe import Effort, KempeError, verify
from kempe.gallery import MECHANISMS

SECONDS = 60.0  # for each search


def main(names: list[str]) -> int:
    """Print what was found and proved; 0 where nothing failed."""
    failed = 0
    for name in names or MECHANISMS:
        mechanism = MECHANISMS[name]()
        if not mechanism.model.plane:
            continue
        try:
            found = mechanism.motions(effort=Effort(seconds=SECONDS))
        except KempeError as refusal:
            print(f"{name}: {refusal}", flush=True)
            continue
        began = time.process_time()
        proved = verify(found)
        failed += not proved.holds
        spent = time.process_time() - began
        print(f"{found} {proved} ({spent:.1f} s)", flush=True)
    print(f"{failed} maps failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
