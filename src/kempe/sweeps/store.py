"""Where finished chunks are kept: in memory, or in a folder, one Parquet file for each.

The folder holds `sweep.json`, the manifest, written once before anything is computed; a file
`chunks/000012.parquet` for every finished chunk, which is written as a whole or not at all; and
one `lost/000012.parquet` for each that cannot be computed, whose rows say why. What is there is
finished: nothing else needs to be known for a sweep to go on after its process was killed.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final, final

import numpy as np

from kempe.disk import content_of, replace_file
from kempe.errors import FileError, SweepError
from kempe.extras import extra
from kempe.sweeps.table import Column, SweepTable

MANIFEST, LOCK, CHUNKS, LOST = "sweep.json", "sweep.lock", "chunks", "lost"
LARGEST_MANIFEST: Final = 16_000_000  # bytes
FORMAT: Final = 1
WORDS: Final = {  # of a manifest, as a sentence says them
    "digest": "the variants",
    "analysis": "the analysis",
    "model": "the mechanism",
    "chunk": "the size of chunks",
    "seed": "the seed",
}


class AbstractStore(ABC):
    """Tables of finished chunks, by number, and of chunks that are lost, which say why."""

    @property
    @abstractmethod
    def done(self) -> frozenset[int]:
        """The chunks that are finished."""

    @property
    @abstractmethod
    def lost(self) -> frozenset[int]:
        """The chunks that cannot be computed."""

    @abstractmethod
    def keep(self, k: int, table: SweepTable) -> None:
        """Keep the table of chunk `k`; it is finished when this returns."""

    @abstractmethod
    def lose(self, k: int, table: SweepTable) -> None:
        """Note that chunk `k` cannot be computed, with a table that says why."""

    @abstractmethod
    def table(self, k: int) -> SweepTable:
        """The table of a chunk that is finished or lost."""

    def close(self) -> None:
        """The sweep is over."""
        return None


@final
class MemoryStore(AbstractStore):
    """Tables in memory, for as long as the result lives."""

    def __init__(self) -> None:
        self.tables: dict[int, SweepTable] = {}
        self.without: dict[int, SweepTable] = {}

    @property
    def done(self) -> frozenset[int]:
        return frozenset(self.tables)

    @property
    def lost(self) -> frozenset[int]:
        return frozenset(self.without)

    def keep(self, k: int, table: SweepTable) -> None:
        self.tables[k] = table

    def lose(self, k: int, table: SweepTable) -> None:
        self.without[k] = table

    def table(self, k: int) -> SweepTable:
        return self.tables[k] if k in self.tables else self.without[k]


@final
class FolderStore(AbstractStore):
    """A folder of Parquet files; what is in it survives whatever happens to the process."""

    def __init__(self, folder: Path, manifest: Mapping[str, Any]) -> None:
        self.folder, self.manifest = folder, dict(manifest)
        self._arrow = extra("pyarrow", "data", "a sweep in a folder")
        self._parquet = extra("pyarrow.parquet", "data", "a sweep in a folder")
        self._lock: IO[bytes] | None = None
        self._done, self._lost = _numbers(folder / CHUNKS), _numbers(folder / LOST)

    @classmethod
    def begun(cls, folder: Path, manifest: Mapping[str, Any], *, resume: bool) -> "FolderStore":
        """A folder that is made for a sweep, or, on `resume`, one that holds a part of it."""
        extra("pyarrow", "data", "a sweep in a folder")
        if (folder / MANIFEST).exists():
            if not resume:
                raise SweepError(
                    f"the folder {str(folder)!r} holds a sweep: go on with resume=True (--resume),"
                    " or name another folder.",
                    folder=str(folder),
                )
            _refuse_another(folder, read_manifest(folder), manifest)
        else:
            _make(folder)
            replace_file(folder / MANIFEST, json.dumps(manifest, indent=1).encode())
        store = cls(folder, manifest)
        store._take()
        for left in folder.rglob(".kempe-*.part"):
            with suppress(OSError):  # of a process that was killed while it wrote
                left.unlink()
        for k in store._lost:  # those are tried again
            store._path(k).unlink(missing_ok=True)
        store._lost.clear()
        return store

    @property
    def done(self) -> frozenset[int]:
        return frozenset(self._done)

    @property
    def lost(self) -> frozenset[int]:
        return frozenset(self._lost)

    @property
    def paths(self) -> list[Path]:
        """The files of all chunks, in order."""
        return [self._path(k) for k in sorted(self._done | self._lost)]

    def keep(self, k: int, table: SweepTable) -> None:
        self._write(self.folder / CHUNKS, k, table)
        self._done.add(k)

    def lose(self, k: int, table: SweepTable) -> None:
        (self.folder / LOST).mkdir(exist_ok=True)
        self._write(self.folder / LOST, k, table)
        self._lost.add(k)

    def _write(self, folder: Path, k: int, table: SweepTable) -> None:
        buffer = self._arrow.BufferOutputStream()
        self._parquet.write_table(to_arrow(table), buffer)
        replace_file(folder / f"{k:06d}.parquet", buffer.getvalue().to_pybytes())

    def table(self, k: int) -> SweepTable:
        path = self._path(k)
        try:
            return from_arrow(self._parquet.read_table(path))
        except OSError as trouble:
            message = f"the chunk cannot be read: {trouble.strerror or trouble}."
            raise FileError(message, path=str(path)) from None
        except self._arrow.ArrowException as trouble:
            said = " ".join(str(trouble).split())
            message = f"this chunk is damaged ({said}): delete it, and go on with resume=True."
            raise FileError(message, path=str(path)) from None

    def close(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _path(self, k: int) -> Path:
        return self.folder / (LOST if k in self._lost else CHUNKS) / f"{k:06d}.parquet"

    def _take(self) -> None:
        """A SweepError where another process sweeps into the folder now."""
        try:
            import fcntl
        except ImportError:  # Windows: two sweeps into one folder are the user's care
            return
        try:
            self._lock = (self.folder / LOCK).open("ab")
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise SweepError(
                f"another process sweeps into the folder {str(self.folder)!r} now: wait for it, or"
                " name another folder.",
                folder=str(self.folder),
            ) from None
        except OSError as trouble:
            message = f"the folder cannot be written to: {trouble.strerror or trouble}."
            raise FileError(message, path=str(self.folder)) from None


def _numbers(folder: Path) -> set[int]:
    return {int(path.stem) for path in folder.glob("*.parquet") if path.stem.isdecimal()}


def _make(folder: Path) -> None:
    try:
        (folder / CHUNKS).mkdir(parents=True, exist_ok=True)
        if any((folder / CHUNKS).iterdir()):
            raise SweepError(
                f"the folder {str(folder)!r} holds chunks without a manifest: name another one.",
                folder=str(folder),
            )
    except OSError as trouble:
        message = f"no folder can be made there: {trouble.strerror or trouble}."
        raise FileError(message, path=str(folder)) from None


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a folder; a FileError where there is none, or a damaged one."""
    path = folder / MANIFEST
    if not path.exists():
        raise FileError("this folder holds no sweep: it has no sweep.json.", path=str(folder))
    try:
        found = json.loads(content_of(path, LARGEST_MANIFEST))
        if found["format"] != FORMAT:
            message = f"this sweep has format {found['format']}, and this kempe reads {FORMAT}."
            raise FileError(message, path=str(path))
        for word in ("size", "chunk"):
            if not isinstance(found[word], int) or found[word] < 1:
                raise ValueError(f"{word} is {found[word]!r}")
    except FileError:
        raise
    except (KeyError, TypeError, ValueError) as trouble:
        message = f"this is no manifest of a sweep, or it is damaged ({trouble})."
        raise FileError(message, path=str(path)) from None
    return dict(found)


def _refuse_another(folder: Path, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """A SweepError where the sweep in a folder is not the one that is asked for."""
    other = [told for word, told in WORDS.items() if old.get(word) != new.get(word)]
    if other:
        raise SweepError(
            f"the folder {str(folder)!r} holds another sweep: {' and '.join(other)} differ. Ask for"
            " the same one to go on with it, or name another folder.",
            folder=str(folder),
        )


def to_arrow(table: SweepTable) -> Any:
    """A table of Arrow: curves are lists, a number that is missing is null."""
    arrow = extra("pyarrow", "data", "a table of Arrow")
    arrays = {}
    for name, column in table.columns.items():
        if column.ndim > 1:
            flat = arrow.array(np.ascontiguousarray(column).reshape(-1))
            arrays[name] = arrow.FixedSizeListArray.from_arrays(flat, column.shape[1])
        elif column.dtype.kind == "O":
            arrays[name] = arrow.array([str(x) for x in column], type=arrow.string())
        else:
            arrays[name] = arrow.array(column, from_pandas=True)
    return arrow.table(arrays)


def from_arrow(found: Any) -> SweepTable:
    """A table of what Arrow holds."""
    columns: dict[str, Column] = {}
    for name, column in zip(found.column_names, found.columns, strict=True):
        kind = str(column.type)
        if kind.startswith("fixed_size_list"):
            flat = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
            columns[name] = np.asarray(flat).reshape(len(column), -1)
        elif kind == "string":
            texts = np.empty(len(column), dtype=object)
            texts[:] = ["" if x is None else x for x in column.to_pylist()]
            columns[name] = texts
        else:
            columns[name] = column.to_numpy()
    return SweepTable(columns)
