"""Write every entry of the gallery, with its default dimensions, to examples/gallery/NAME.yaml.

Usage: tools/gallery_files.py [FOLDER]
"""

import sys
from pathlib import Path

from kempe.gallery import MECHANISMS

FOLDER = Path(__file__).parent.parent / "examples" / "gallery"


def main(arguments: list[str]) -> int:
    """Write the files; returns the exit status."""
    folder = Path(arguments[0]) if arguments else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, entry in MECHANISMS.items():
        entry().save(folder / f"{name}.yaml")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
