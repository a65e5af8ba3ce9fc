"""Make the pictures of the how-to pages: each page draws its own, in the code that it shows.

Usage: tools/howto_pictures.py [PAGE ...]
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "howto"
FOLDER = ROOT / "docs" / "pictures" / "howto"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PICTURE = re.compile(r"!\[[^\]]*\]\(\.\./pictures/howto/([^)]+)\)")


def main(arguments: list[str]) -> int:
    """Run the pages and keep the pictures they show; returns the exit status."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    pages = [PAGES / f"{name}.md" for name in arguments] or sorted(PAGES.glob("*.md"))
    for page in pages:
        text = page.read_text(encoding="utf-8")
        wanted = PICTURE.findall(text)
        if wanted:
            keep(page.stem, "\n".join(BLOCK.findall(text)), wanted)
    return 0


def keep(name: str, code: str, wanted: list[str]) -> None:
    """Run a page's code in an empty folder and take its pictures from there."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / f"{name}.py"
        script.write_text(code, encoding="utf-8")
        subprocess.run([sys.executable, script.name], cwd=folder, check=True, capture_output=True)
        for picture in wanted:
            shutil.copyfile(Path(folder) / picture, FOLDER / picture)
            size = (FOLDER / picture).stat().st_size
            print(f"{picture}: {size / 1000:.1f} kB")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
