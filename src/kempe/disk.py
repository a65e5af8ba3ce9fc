"""Files on disk: written as a whole or not at all, read only where they are plain files.

Whoever wrote a model file decides what it names, and whoever runs it decides what is touched: what
a file brings in lies below its own folder and is a regular file, never a device, a pipe, or a
link that leads elsewhere.
"""

import os
import stat
from collections.abc import Iterable
from pathlib import Path, PurePath

from kempe.errors import FileError, printable

NEW_FILE = 0o666  # before the user's mask


def replace_file(target: Path, content: bytes | Iterable[bytes]) -> Path:
    """Write a file beside its place and move it there, so that nobody ever sees half of it.

    The content may come piece by piece, so that it never stands in memory as a whole. A file that
    is replaced keeps its mode; a link is replaced, not followed; what is no regular file, such as a
    device, is left alone.
    """
    if not target.parent.is_dir():
        raise FileError(f"there is no folder {str(target.parent)!r} to write to.", path=str(target))
    import secrets

    temporary = target.parent / f".kempe-{secrets.token_hex(8)}.part"
    try:
        mode = _kept_mode(target)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        handle = os.open(temporary, flags, NEW_FILE if mode is None else 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines([content] if isinstance(content, bytes) else content)
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                os.chmod(temporary, mode)
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as trouble:
        reason = getattr(trouble, "strerror", None) or str(trouble)
        raise FileError(f"the file cannot be written: {reason}.", path=str(target)) from None
    return target


def _kept_mode(target: Path) -> int | None:
    """The mode of the file that is replaced; None where there is none yet."""
    try:
        facts = target.lstat()
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(facts.st_mode):
        return None
    if stat.S_ISDIR(facts.st_mode):
        raise FileError("the file cannot be written: a folder has that name.", path=str(target))
    if not stat.S_ISREG(facts.st_mode):
        raise FileError("the file cannot be written: this is no regular file.", path=str(target))
    return stat.S_IMODE(facts.st_mode)


def content_of(path: Path, most: int) -> bytes:
    """The bytes of a regular file of at most that many; a FileError for anything else."""
    name = str(path)
    try:
        # O_NONBLOCK: a pipe that nobody writes to must not be waited for
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode):
            os.close(handle)
            raise FileError(
                "this is no file that holds text or data, but a folder, a device or a pipe.",
                path=name,
            )
        with os.fdopen(handle, "rb") as file:
            content = None
            if facts.st_size <= most:
                content = file.read(facts.st_size + 1)  # as much as `most` would be taken at once
                if len(content) > facts.st_size:  # it has grown, or does not tell its size
                    content += file.read(most + 1 - len(content))
        if content is not None and len(content) <= most:
            return content
    except FileNotFoundError:
        raise FileError("there is no such file.", path=name) from None
    except (OSError, ValueError) as trouble:
        reason = getattr(trouble, "strerror", None) or str(trouble)
        raise FileError(f"the file cannot be read: {reason}.", path=name) from None
    size = max(facts.st_size, most + 1)
    raise FileError(
        f"such a file has at most {most / 1e6:g} MB, this one has {size / 1e6:.1f} MB.",
        path=name,
        size=size,
    )


def below(folder: Path, name: str) -> Path:
    """The path of a name that a file in `folder` gives, which must stay there or below.

    Links are followed first, so that none leads out; a FileError says what does.
    """
    other = PurePath(name)
    is_safe = bool(name) and "\0" not in name and not other.is_absolute() and not other.drive
    if is_safe and ".." not in other.parts:
        try:
            home = folder.resolve()
            target = (home / other).resolve()
        except (OSError, RuntimeError, ValueError):
            target = home = Path()  # a ring of links
        if target != home and target.is_relative_to(home):
            return folder / other
    shown = repr(name if len(name) <= 60 else f"{name[:57]}...")
    raise FileError(f"{printable(shown)} leads out of the folder of this file.")
