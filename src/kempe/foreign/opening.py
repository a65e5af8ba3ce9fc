"""Foreign files by their endings."""

from collections.abc import Callable
from pathlib import Path

from kempe.disk import content_of
from kempe.errors import FileError
from kempe.files.syntax.source import LARGEST_FILE
from kempe.foreign.imported import Imported

Reader = Callable[[bytes, str], Imported]


def _asmt(content: bytes, path: str) -> Imported:
    from kempe.foreign.asmt.reading import read_asmt

    return read_asmt(content, path)


READERS: dict[str, Reader] = {".asmt": _asmt}
ENDINGS = tuple(READERS)


def is_foreign(path: str | Path) -> bool:
    """Whether the ending of a path is that of another program's mechanisms."""
    return Path(path).suffix.lower() in READERS


def read_foreign(path: str | Path) -> Imported:
    """The mechanism in a file of another program, with a report of what was left out of it."""
    target = Path(path)
    reader = READERS.get(target.suffix.lower())
    if reader is None:
        message = f"a mechanism of another program ends in {', '.join(ENDINGS)}."
        raise FileError(message, path=str(path))
    return reader(content_of(target, LARGEST_FILE), str(path))
