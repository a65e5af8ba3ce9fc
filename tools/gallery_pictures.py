"""Draw every entry of the gallery: docs/pictures/gallery/NAME.svg, with the paths of points P.

Usage: tools/gallery_pictures.py [FOLDER] [NAME ...]
"""

import sys
from pathlib import Path

from kempe.front import Trajectory
from kempe.front.animation import picture
from kempe.gallery import MECHANISMS

FOLDER = Path(__file__).parent.parent / "docs" / "pictures" / "gallery"
STEPS = 72  # samples of one second: enough for smooth paths, few enough for small files


def main(arguments: list[str]) -> int:
    """Write the pictures; returns the exit status."""
    folder = Path(arguments[0]) if arguments else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name in arguments[1:] or MECHANISMS:
        text = drawn(MECHANISMS[name]().kinematics(until=1.0, steps=STEPS))
        (folder / f"{name}.svg").write_text(text, encoding="utf-8")
        print(f"{name}: {len(text) / 1000:.1f} kB")
    return 0


def drawn(trajectory: Trajectory) -> str:
    """The first moment of a motion as SVG, with the paths of all points called P."""
    return picture(trajectory, trace=tuple(n for n in trajectory.names if n.endswith(".P")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
