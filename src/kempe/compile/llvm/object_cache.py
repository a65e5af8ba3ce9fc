"""Native objects kept between runs: a private folder of checked files, never in the way.

A file that is broken, foreign or half written is ignored and written anew. Nothing here raises:
where the cache cannot work it does nothing.
"""

import contextlib
import functools
import hashlib
import os
import stat
import struct
import sys
import tempfile
import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Final, final

SWITCH: Final = "KEMPE_CACHE"  # a folder, or "off"
BOUND: Final = 256 * 2**20  # bytes of all files together

_MAGIC: Final = b"kempe-cache-1\n"
_SUFFIX: Final = ".blobs"
_TEMPORARY: Final = ".part"
_STALE: Final = 3600.0  # s after which a temporary file belongs to nobody
_DIGEST: Final = hashlib.sha256().digest_size


def object_key(*parts: str) -> str:
    """A key made of texts: another one wherever any text differs."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(struct.pack("<Q", len(data)))
        digest.update(data)
    return digest.hexdigest()


def default_folder() -> Path | None:
    """Where the user's objects are kept: $KEMPE_CACHE, else the platform's place; None if off."""
    chosen = os.environ.get(SWITCH, "")
    if chosen.lower() == "off":
        return None
    if chosen:
        return Path(chosen)
    try:
        home = Path.home()
    except RuntimeError:  # a user without a home
        return None
    if sys.platform == "win32":
        return (
            Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "kempe" / "Cache"
        )
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "kempe"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "kempe"


def default_cache() -> "ObjectCache":
    """The user's cache, as the environment says now."""
    return _cache_in(default_folder())


@functools.cache
def _cache_in(folder: Path | None) -> "ObjectCache":
    return ObjectCache(folder)


@final
class ObjectCache:
    """Named blobs by key in a folder that belongs to this user alone; without a folder, nothing.

    Safe among any number of processes: files appear whole or not at all.
    """

    __slots__ = ("_bound", "_folder", "_unscanned")

    def __init__(self, folder: Path | None, bound: int = BOUND) -> None:
        self._bound = bound
        self._unscanned = 0  # bytes that may still be stored before the folder is looked through
        self._folder = folder if folder is not None and _is_private(folder) else None

    @property
    def folder(self) -> Path | None:
        """Where the files are; None where the cache is off or was refused."""
        return self._folder

    def load(self, key: str) -> dict[str, bytes] | None:
        """The blobs stored under a key; None where there are none or the file is broken."""
        if self._folder is None:
            return None
        path = self._path(self._folder, key)
        try:
            with open(path, "rb", opener=_opened) as file:
                if not _is_own(os.fstat(file.fileno())):
                    return None
                data = file.read()
            blobs = _unpacked(key, data)
            if blobs is not None:
                os.utime(path)  # the oldest used goes first
        except OSError:
            return None
        return blobs

    def store(self, key: str, blobs: Mapping[str, bytes]) -> None:
        """Keep blobs under a key, in place of what was there."""
        if self._folder is None:
            return
        data = _packed(key, blobs)
        if len(data) > self._bound:
            return
        with contextlib.suppress(OSError):
            _write_whole(self._path(self._folder, key), data)
            self._unscanned -= len(data)
            if self._unscanned < 0:
                self._unscanned = self._evict(self._folder)

    @staticmethod
    def _path(folder: Path, key: str) -> Path:
        # The key may be any text; its hash is a name that every file system takes.
        return folder / (hashlib.sha256(key.encode()).hexdigest() + _SUFFIX)

    def _evict(self, folder: Path) -> int:
        """Remove the oldest files beyond the bound, and what killed processes left.

        Returns how many bytes may be stored before the next time: as many as fit, but few enough
        that processes which share the folder hardly pass the bound together.
        """
        files: list[tuple[float, int, str]] = []
        with os.scandir(folder) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):  # another process may have removed it
                    facts = entry.stat(follow_symlinks=False)
                    if entry.name.endswith(_SUFFIX):
                        files.append((facts.st_mtime, facts.st_size, entry.path))
                    elif entry.name.endswith(_TEMPORARY) and _is_stale(facts):
                        os.unlink(entry.path)
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self._bound:
                break
            with contextlib.suppress(OSError):
                os.unlink(path)
            total -= size
        return min(self._bound - total, self._bound // 16)


def _is_private(folder: Path) -> bool:
    """Whether the folder, made if missing, is this user's alone; warns where it is not."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        facts = folder.stat()
    except OSError:
        return False  # a read-only home is nothing to warn about
    if os.name != "posix":
        return True  # a profile's folder is private by its access list
    foreign = facts.st_uid != os.geteuid()
    if not foreign and not facts.st_mode & 0o077:
        return True
    fault = "belongs to another user" if foreign else "is open to other users"
    remedy = f"set {SWITCH} to a folder of your own" if foreign else f"chmod 700 '{folder}'"
    warnings.warn(
        f"kempe: the cache folder '{folder}' {fault}, so compiled code is not kept: {remedy},"
        f" or set {SWITCH}=off.",
        RuntimeWarning,
        stacklevel=4,
    )
    return False


def _opened(path: str, flags: int) -> int:
    """Opens what stands in the file's place without waiting for it, be it a pipe or a device."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))


def _is_own(facts: os.stat_result) -> bool:
    """Whether only this user could have written the file."""
    if os.name != "posix":
        return stat.S_ISREG(facts.st_mode)
    mine = facts.st_uid == os.geteuid() and not facts.st_mode & 0o022
    return mine and stat.S_ISREG(facts.st_mode)


def _is_stale(facts: os.stat_result) -> bool:
    return time.time() - facts.st_mtime > _STALE


def _write_whole(path: Path, data: bytes) -> None:
    """Write a file that others see complete or not at all."""
    descriptor, temporary = tempfile.mkstemp(suffix=_TEMPORARY, dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _packed(key: str, blobs: Mapping[str, bytes]) -> bytes:
    """Magic, checksum of key and body, body: for each blob the lengths, the name, the bytes."""
    body = b"".join(
        struct.pack("<QQ", len(name.encode()), len(blob)) + name.encode() + blob
        for name, blob in blobs.items()
    )
    return _MAGIC + _checksum(key, body) + body


def _unpacked(key: str, data: bytes) -> dict[str, bytes] | None:
    """The blobs that `_packed` wrote under this key; None for any other bytes."""
    start = len(_MAGIC) + _DIGEST
    body = data[start:]
    if data[:start] != _MAGIC + _checksum(key, body):
        return None
    blobs: dict[str, bytes] = {}
    at = 0
    while at < len(body):
        name_length, length = struct.unpack_from("<QQ", body, at)
        middle = at + 16 + name_length
        blobs[body[at + 16 : middle].decode()] = body[middle : middle + length]
        at = middle + length
    return blobs


def _checksum(key: str, body: bytes) -> bytes:
    digest = hashlib.sha256(key.encode())
    digest.update(body)
    return digest.digest()
