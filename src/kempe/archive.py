"""Results in files: a ZIP of NumPy arrays and one JSON header, read within stated limits.

What a file says of itself is checked before memory is spent on it: sizes of members, shapes of
arrays, kinds of numbers. Nothing in such a file is code.
"""

import io
import json
import os
import stat
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kempe.errors import FileError

HEADER = "kempe.json"
SMALL = 128_000_000  # bytes that a file may unpack to, however well it is packed
MOST_PACKED = 20  # times its size on disk that a larger one may unpack to
LARGEST_HEADER = 16_000_000  # bytes
MOST_MEMBERS = 100_000
LONGEST_NPY_HEADER = 10_000  # bytes, as numpy itself allows

Arrays = dict[str, NDArray[Any]]
T = TypeVar("T")


def read_archive(path: Path, kinds: str = "f") -> tuple[Any, Arrays]:
    """The header and the arrays of a file; `kinds` are NumPy's letters for numbers it may hold.

    A FileError where the file cannot be read or unpacks to too much; a ValueError, KeyError or
    whatever a damaged one leads to otherwise.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode):
            raise FileError("this is no file that holds data.", path=str(path))
        with zipfile.ZipFile(file) as archive:
            _refuse_bomb(archive, facts.st_size, path)
            header = json.loads(archive.read(HEADER))
            names = [name for name in archive.namelist() if name.endswith(".npy")]
            arrays = {name.removesuffix(".npy"): _array(archive, name, kinds) for name in names}
    return header, arrays


def read_saved(path: Path, what: str, make: Callable[[Any, Arrays], T], kinds: str = "f") -> T:
    """What `make` gives of the header and the arrays; a FileError where that is no `what`."""
    try:
        return make(*read_archive(path, kinds))
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError("there is no such file.", path=str(path)) from None
    except OSError as trouble:
        message = f"the file cannot be read: {trouble.strerror or trouble}."
        raise FileError(message, path=str(path)) from None
    except Exception as trouble:  # whatever a damaged archive, array or header leads to
        said = (str(trouble).splitlines() or [""])[0] or type(trouble).__name__
        message = f"this is no {what} that kempe saved, or it is damaged ({said})."
        raise FileError(message, path=str(path)) from None


def archive_bytes(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The file; the same header and arrays give the same bytes.

    What unpacks to more than a small file may is stored as it is, so that it can be read again.
    """
    is_small = sum(array.nbytes for array in arrays.values()) < SMALL // 2
    kind = zipfile.ZIP_DEFLATED if is_small else zipfile.ZIP_STORED
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", kind) as archive:
        archive.writestr(_member(HEADER, zipfile.ZIP_DEFLATED), json.dumps(header).encode())
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(_member(f"{name}.npy", kind), content.getvalue())
    return buffer.getvalue()


def _member(name: str, kind: int) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name)  # without a date, so that equal results give equal files
    member.compress_type = kind
    return member


def _refuse_bomb(archive: zipfile.ZipFile, size: int, path: Path) -> None:
    members = archive.infolist()
    if len(members) > MOST_MEMBERS or len({m.filename for m in members}) != len(members):
        raise ValueError(f"{len(members)} members, too many or of one name")
    whole = sum(member.file_size for member in members)
    header = next((m.file_size for m in members if m.filename == HEADER), 0)
    if whole > max(SMALL, MOST_PACKED * size) or header > LARGEST_HEADER:
        raise FileError(
            f"this file of {size / 1e6:.1f} MB unpacks to {whole / 1e6:.0f} MB, more than"
            f" {SMALL / 1e6:.0f} MB and {MOST_PACKED} times its size: it is not read.",
            path=str(path),
            size=whole,
        )


def _array(archive: zipfile.ZipFile, name: str, kinds: str) -> NDArray[Any]:
    content = archive.read(name)
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    if version != (1, 0):
        raise ValueError(f"{name} is an array of format {version}")
    shape, by_columns, dtype = np.lib.format.read_array_header_1_0(
        stream, max_header_size=LONGEST_NPY_HEADER
    )
    if dtype.kind not in kinds or dtype.hasobject or dtype.byteorder == ">":
        raise ValueError(f"{name} is an array of {dtype}")
    count = 1
    for length in shape:
        count *= length
    start = stream.tell()
    if min(shape, default=0) < 0 or count * dtype.itemsize != len(content) - start:
        raise ValueError(f"{name} has the shape {shape} and {len(content) - start} bytes")
    array = np.frombuffer(content, dtype, count, start)
    return array.reshape(shape, order="F" if by_columns else "C").copy()
