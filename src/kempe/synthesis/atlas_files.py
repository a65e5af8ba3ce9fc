"""Parquet files of an atlas: numbers of linkages and descriptors of their curves, as float32."""

import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.disk import content_of, replace_file
from kempe.errors import FileError
from kempe.extras import extra
from kempe.synthesis.linkages import LINKAGES

SmallArray = NDArray[np.float32]
Rows = tuple[SmallArray, SmallArray]  # numbers (rows, names of the kind), descriptors (rows, 32)

KIND: Final = "linkage"
MANIFEST: Final = "atlas.json"
LARGEST_MANIFEST: Final = 10_000  # bytes
FORMAT: Final = 1
FIRST: Final = "four-bar"  # files of earlier versions name no kind


@final
@dataclass(frozen=True, slots=True)
class AtlasFolder:
    """A folder with a manifest and a file for every part that is drawn, named by kind and number.

    A file is written as a whole or not at all: what is there is finished.
    """

    path: Path

    def begin(self, facts: Mapping[str, int]) -> None:
        """Make it, or see that it holds an atlas begun with the same `facts`."""
        manifest = self.path / MANIFEST
        if not manifest.is_file():
            try:
                self.path.mkdir(parents=True, exist_ok=True)
            except OSError as trouble:
                raise FileError(f"{self.path} cannot be made: {trouble}.") from None
            replace_file(manifest, json.dumps({"format": FORMAT, **facts}).encode())
            return
        there = self.facts()
        for name, value in facts.items():
            if there.get(name) != value:
                raise FileError(
                    f"{self.path} holds an atlas with {name} {there.get(name)!r}, not {value!r}:"
                    " name another folder, or go on with that one's."
                )

    def facts(self) -> dict[str, Any]:
        """What the manifest says; a FileError where there is none."""
        manifest = self.path / MANIFEST
        try:
            found = json.loads(content_of(manifest, LARGEST_MANIFEST).decode())
            if found["format"] == FORMAT:
                return dict(found)
            trouble = f"its format is {found['format']!r}"
        except (FileError, OSError, ValueError, KeyError, TypeError) as mistake:
            trouble = str(mistake)
        raise FileError(f"{self.path} is no folder of an atlas: {trouble}.")

    def file(self, kind: str, number: int) -> Path:
        """The file of a part."""
        return self.path / f"{kind}-{number:06d}.parquet"

    def files(self) -> list[tuple[str, Path]]:
        """All parts that are there, by kinds."""
        self.facts()
        each = [(kind, f) for kind in LINKAGES for f in sorted(self.path.glob(f"{kind}-*.parquet"))]
        return each


def written(path: Path, parts: Iterable[tuple[str, Rows]]) -> Path:
    """A Parquet file of linkages of some kinds."""
    arrow = extra("pyarrow", "data", "an atlas")
    parquet = extra("pyarrow.parquet", "data", "an atlas")
    tables = []
    for kind, (numbers, rows) in parts:
        data: dict[str, Any] = {KIND: arrow.array([kind] * len(rows)).dictionary_encode()}
        data |= {name: numbers[:, k] for k, name in enumerate(LINKAGES[kind].names)}
        data |= {f"d{k}": rows[:, k] for k in range(rows.shape[1])}
        tables.append(arrow.table(data))
    whole = arrow.concat_tables(tables, promote_options="default")
    buffer = io.BytesIO()
    parquet.write_table(whole, buffer)
    return replace_file(path, buffer.getvalue())


def _no_atlas(path: Path, trouble: Exception) -> FileError:
    if not path.exists():
        return FileError("there is no atlas there: build one first.", path=str(path))
    return FileError(
        f"this is no atlas, or it is damaged ({str(trouble).rstrip('.')}): delete it, and build"
        " again what it held.",
        path=str(path),
    )


def rows_in(path: Path) -> int:
    """How many linkages a file holds."""
    parquet = extra("pyarrow.parquet", "data", "an atlas")
    try:
        return int(parquet.ParquetFile(path).metadata.num_rows)
    except (OSError, ValueError) as trouble:
        raise _no_atlas(path, trouble) from None


def parts_in(path: Path) -> list[tuple[str, Rows]]:
    """The linkages of a file, by kinds."""
    parquet = extra("pyarrow.parquet", "data", "an atlas")
    try:
        table = parquet.ParquetFile(path).read()
        kinds = np.full(len(table), FIRST, dtype=object)
        if KIND in table.column_names:
            kinds = table.column(KIND).to_numpy(zero_copy_only=False)
        found = [name for name in table.column_names if name[:1] == "d" and name[1:].isdigit()]
        if not found:
            raise ValueError("it has no descriptors")
        each = []
        for kind in [word for word in LINKAGES if (kinds == word).any()]:
            mine = kinds == kind
            numbers, rows = (
                np.column_stack([_column(table, name)[mine] for name in names])
                for names in (LINKAGES[kind].names, found)
            )
            each.append((kind, (numbers, rows)))
    except (OSError, KeyError, ValueError) as trouble:
        raise _no_atlas(path, trouble) from None
    return each


def _column(table: Any, name: str) -> SmallArray:
    found = table.column(name).to_numpy(zero_copy_only=False)
    return np.asarray(found, dtype=np.float32)
