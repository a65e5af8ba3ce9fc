"""Where results can be written to, known before anything is computed."""

from collections.abc import Sequence
from pathlib import Path

from kempe.errors import FileError

PICTURES = (".svg", ".png", ".pdf")  # that stand still
# Endings that say what is in a file of results.
RESULTS = (
    ".csv",
    ".parquet",
    ".npz",
    ".json",
    ".svg",
    ".html",
    ".gif",
    ".mp4",
    ".webm",
    ".glb",
    ".dxf",
    ".png",
    ".pdf",
    ".yaml",
    ".xlsx",
)


def refuse_unwritable(path: Path | None, endings: Sequence[str], what: str) -> None:
    """A FileError where a path, if there is one, has none of these endings or no folder."""
    if path is None:
        return
    if path.suffix.lower() not in endings:
        raise FileError(f"{what} is written to {', '.join(endings)}.", path=str(path))
    if not path.parent.is_dir():
        raise FileError(f"there is no folder {str(path.parent)!r} to write to.", path=str(path))


def refuse_foreign(path: Path, ending: str, what: str) -> None:
    """A FileError where the ending says another kind of result than this one."""
    found = path.suffix.lower()
    if found != ending and found in RESULTS:
        raise FileError(f"{what} is written to {ending}, and {found} is no such.", path=str(path))
