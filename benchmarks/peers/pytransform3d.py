"""A chain of frames in pytransform3d: python -m peers.pytransform3d FRAMES QUERIES.

Prints one JSON line. Its transforms map from a frame to another; it knows no velocities.
"""

import json
import sys
import time
from importlib.metadata import version

import numpy as np
from pytransform3d.transform_manager import TransformManager
from yardsticks.chain import end_of_chain, link, pairs


def main(frames: int, queries: int) -> None:
    step = np.eye(4)
    step[:3, 3], step[:3, :3] = link()
    manager = TransformManager(check=False)
    for k in range(1, frames):
        manager.add_transform(f"f{k}", f"f{k - 1}", step)
    asked = pairs(frames, queries)
    manager.get_transform(f"f{frames - 1}", "f0")  # what it prepares is prepared
    began = time.process_time()
    for frame, seen_from in asked:
        manager.get_transform(frame, seen_from)
    seconds = (time.process_time() - began) / queries
    end = manager.get_transform(f"f{frames - 1}", "f0")
    measured = {
        "who": f"pytransform3d {version('pytransform3d')}",
        "seconds": seconds,
        "error": float(np.abs(end[:3, 3] - end_of_chain(frames)).max()),
    }
    print(json.dumps(measured))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
