"""Files on disk: a file is there as a whole or not at all."""

import os
import tempfile
from pathlib import Path

from kempe.errors import FileError


def replace_file(target: Path, content: bytes) -> Path:
    """Write a file beside its place and move it there, so that nobody ever sees half of it."""
    if not target.parent.is_dir():
        raise FileError(f"there is no folder {str(target.parent)!r} to write to.", path=str(target))
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.chmod(temporary, 0o644)
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as trouble:
        message = f"the file cannot be written: {trouble.strerror or trouble}."
        raise FileError(message, path=str(target)) from None
    return target
