"""Write every entry of the gallery, with its default dimensions, to examples/gallery/NAME.yaml.

Those that forces move say so in their file, with how long they are let go and what is drawn.

Usage: tools/gallery_files.py [FOLDER]
"""

import argparse
import sys
from pathlib import Path

from kempe.gallery import COURSES, MECHANISMS

FOLDER = Path(__file__).parent.parent / "examples" / "gallery"


def main(arguments: list[str]) -> int:
    """Write the files; returns the exit status."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    folder = options.parse_args(arguments).folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, entry in MECHANISMS.items():
        path = entry().save(folder / f"{name}.yaml")
        if name in COURSES:
            course = COURSES[name]
            trace = f", trace: [{', '.join(course.trace)}]" if course.trace else ""
            run = f"run: {{analysis: dynamics, until: {course.until:g}{trace}}}\n"
            path.write_text(path.read_text(encoding="utf-8") + run, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
