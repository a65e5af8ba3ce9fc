"""The table of a sweep as a file: rows for people and spreadsheets, columns for programs."""

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kempe.disk import replace_file
from kempe.endings import refuse_unwritable
from kempe.errors import ModelError
from kempe.extras import extra

if TYPE_CHECKING:
    from kempe.front.sweep import Sweep

TABLES = (".csv", ".parquet")
PLOTS = (".png", ".svg", ".pdf")
ENDINGS = (*TABLES, *PLOTS)


def write_sweep(sweep: "Sweep", path: Path) -> Path:
    """Write the table, or a scatter matrix of its numbers, by the ending of `path` (ENDINGS)."""
    refuse_unwritable(path, ENDINGS, "a sweep")
    ending = path.suffix.lower()
    if ending == ".csv":
        return replace_file(path, csv_bytes(sweep))
    if ending == ".parquet":
        arrow = extra("pyarrow", "data", "a Parquet file")
        buffer = arrow.BufferOutputStream()
        extra("pyarrow.parquet", "data", "a Parquet file").write_table(sweep.to_arrow(), buffer)
        return replace_file(path, buffer.getvalue().to_pybytes())
    from kempe.export.plots import picture_bytes

    return replace_file(path, picture_bytes(sweep.plot_scatter(), ending))


def csv_bytes(sweep: "Sweep") -> bytes:
    """Rows with a head; a number that is missing is empty, with every digit otherwise."""
    columns = sweep.table.columns
    curves = [name for name, column in columns.items() if column.ndim > 1]
    if curves:
        raise ModelError(
            f"{curves[0]!r} is a curve of {columns[curves[0]].shape[1]} samples, which no .csv"
            f" holds in a cell: write .parquet, or read a number, such as 'max({curves[0]})'."
        )
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    lists = [column.tolist() for column in columns.values()]
    for row in zip(*lists, strict=True):
        writer.writerow(["" if isinstance(x, float) and np.isnan(x) else x for x in row])
    return buffer.getvalue().encode()
