"""Draw every entry of the gallery: docs/pictures/gallery/NAME.svg, with the paths of points P.

Usage: tools/gallery_pictures.py [FOLDER [NAME ...]]
"""

import argparse
import sys
from pathlib import Path

from kempe import MotionMap
from kempe.draw import scene_svg
from kempe.front import Mechanism, Trajectory
from kempe.gallery import COURSES, MECHANISMS
from kempe.pictures.animation import standing

FOLDER = Path(__file__).parent.parent / "docs" / "pictures" / "gallery"
STEPS = 72  # samples of one second: enough for smooth paths, few enough for small files
PATHS = 400  # samples of a simulation, whose paths wind more
MOMENT = 1 / 9  # of the motion: off the start, where links like to lie on one line
SIZE = (640, 400)  # px
PLACED = "barton_"  # points and bars: drawn as placements of their motion map
PLACEMENTS = 24
LARGEST = 56_000  # bytes of a picture that is kept
GHOSTS = 16  # bodies drawn faintly at other moments, in all
FEW = 4  # of what is let go, which strays further


def main(arguments: list[str]) -> int:
    """Write the pictures; returns the exit status."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    options.add_argument("name", nargs="*", choices=[*MECHANISMS, []])
    asked = options.parse_args(arguments)
    folder = asked.folder
    folder.mkdir(parents=True, exist_ok=True)
    for name in asked.name or MECHANISMS:
        mechanism = MECHANISMS[name]()
        if name in COURSES:
            text = let_go(name)
        elif not mechanism.model.drives:
            text = mechanism.pictures(mechanism.assemblies()).placements()
        elif name.startswith(PLACED):
            text = placed(mechanism)
        else:
            motion = mechanism.kinematics(until=1.0, steps=STEPS)
            text = drawn(motion)
            text = text if len(text) <= LARGEST else drawn(motion, (), 0)
        kept = len(text) <= LARGEST
        if kept:
            (folder / f"{name}.svg").write_text(text, encoding="utf-8")
        print(f"{name}: {len(text) / 1000:.1f} kB{'' if kept else ', too large to keep'}")
    return 0


def let_go(name: str) -> str:
    """A moment of its motion under forces, with the paths that are worth it."""
    course = COURSES[name]
    motion = MECHANISMS[name]().simulate(until=course.until, steps=PATHS)
    text = drawn(motion, course.trace, FEW)
    return text if len(text) <= LARGEST else drawn(motion, course.trace, 0)


def placed(mechanism: Mechanism) -> str:
    """The first component of a motion map, or one second of a mechanism with more freedoms."""
    if mechanism.count().freedom != 1:
        return drawn(mechanism.kinematics(until=1.0, steps=STEPS))
    found = mechanism.motions()
    assert isinstance(found, MotionMap)  # of one freedom
    pictures = mechanism.pictures(found)
    return pictures.placements(0, PLACEMENTS)


def drawn(trajectory: Trajectory, paths: tuple[str, ...] = (), most: int = GHOSTS) -> str:
    """A moment of a motion as SVG, with a few others around it and the paths of points P."""
    traced = paths or tuple(name for name in trajectory.names if name.endswith(".P"))
    scene = standing(trajectory, traced)
    n = len(scene.times)
    ghosts = min(most, GHOSTS // len(scene.bodies))
    others = range(0, n, n // ghosts) if ghosts else ()
    width, height = SIZE
    return scene_svg(scene, int(MOMENT * n), tuple(others), width=width, height=height)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
