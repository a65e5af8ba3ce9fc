"""Tables of a few columns that belong to no motion: modes, equilibria along a path."""

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kempe.disk import replace_file

TABLES = (".csv", ".json")


def write_table(columns: Mapping[str, NDArray[np.float64]], path: Path) -> Path:
    """Write columns (n,) as .csv or .json by the ending, exact to the last bit."""
    ending = path.suffix.lower()
    assert ending in TABLES, ending
    if ending == ".json":
        plain = {name: [_number(x) for x in values] for name, values in columns.items()}
        return replace_file(path, json.dumps(plain).encode())
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(map(repr, values.tolist()) for values in columns.values()), strict=True))
    return replace_file(path, text.getvalue().encode())


def _number(x: float) -> float | None:
    return float(x) if np.isfinite(x) else None
