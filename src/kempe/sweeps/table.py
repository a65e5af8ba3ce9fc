"""What is found of some variants: columns of equal length, one row for each variant."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

NUMBER, OUTCOME, MESSAGE = "number", "outcome", "message"
RESERVED: Final = (NUMBER, OUTCOME, MESSAGE)
DONE, LOST, RAISED, REFUSED = "Done", "Lost", "Raised", "Refused"
Column = NDArray[Any]


@final
@dataclass(frozen=True, slots=True, eq=False)
class SweepTable:
    """Columns by name: the number of every variant, its parameters, what was read, its outcome.

    A number that is missing is NaN, a text "", a curve (n, samples) NaN from where it ended; the
    outcome and the message say why.
    """

    columns: Mapping[str, Column]

    def __len__(self) -> int:
        return len(self.columns[NUMBER])

    @classmethod
    def of(
        cls,
        first: int,
        parameters: Mapping[str, Column],
        found: Mapping[str, Column],
        outcomes: Sequence[str],
        messages: Sequence[str],
    ) -> "SweepTable":
        """The table of variants from number `first` on."""
        return cls(
            {
                NUMBER: first + np.arange(len(outcomes), dtype=np.int64),
                **parameters,
                **found,
                OUTCOME: np.array(outcomes, dtype=object),
                MESSAGE: np.array(messages, dtype=object),
            }
        )

    @classmethod
    def lost(cls, first: int, parameters: Mapping[str, Column], why: str) -> "SweepTable":
        """A table that says of every variant why nothing is known of it."""
        count = len(next(iter(parameters.values())))
        return cls.of(first, parameters, {}, [LOST] * count, [why] * count)


def joined(tables: Sequence[SweepTable]) -> SweepTable:
    """All rows, tables one after the other; what one of them lacks is missing in its rows."""
    names: dict[str, Column] = {}
    for table in tables:
        for name, column in table.columns.items():
            names.setdefault(name, column)
    last = [name for name in (OUTCOME, MESSAGE) if name in names]
    order = [name for name in names if name not in last] + last
    return SweepTable(
        {name: _column([t.columns.get(name) for t in tables], tables) for name in order}
    )


def _column(parts: Sequence[Column | None], tables: Sequence[SweepTable]) -> Column:
    there = [part for part in parts if part is not None]
    kinds = {(part.dtype, part.shape[1:]) for part in there}
    if len(there) == len(parts) and len(kinds) == 1:
        return np.concatenate(there)
    if all(p.dtype.kind in "fiub" and p.ndim == there[0].ndim for p in there):
        widest = max((p.shape[1:] for p in there), default=())
        filled = []
        for part, table in zip(parts, tables, strict=True):
            whole = np.full((len(table), *widest), np.nan)
            if part is not None:
                whole[(slice(None), *(slice(0, n) for n in part.shape[1:]))] = part
            filled.append(whole)
        return np.concatenate(filled)
    rows: list[Any] = []
    for part, table in zip(parts, tables, strict=True):
        rows += [""] * len(table) if part is None else list(part)
    found = np.empty(len(rows), dtype=object)
    found[:] = rows
    return found


def columns_of_rows(rows: Sequence[Mapping[str, Any]]) -> dict[str, Column]:
    """Columns of rows that may lack some of them: numbers, texts, or curves of numbers."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: _of_values([row.get(name) for row in rows]) for name in names}


def _of_values(values: Sequence[Any]) -> Column:
    there = [x for x in values if x is not None]
    if any(isinstance(x, str) for x in there):
        found = np.empty(len(values), dtype=object)
        found[:] = ["" if x is None else str(x) for x in values]
        return found
    sizes = [np.shape(x)[0] if np.ndim(x) else 0 for x in there]
    if there and len(there) == len(values) and not any(sizes):
        plain = np.array(there)
        if plain.dtype.kind in "biu":
            return plain.astype(bool if plain.dtype.kind == "b" else np.int64)
    width = max(sizes, default=0)
    if not any(np.ndim(x) for x in there):
        return np.array([np.nan if x is None else float(x) for x in values])
    curves = np.full((len(values), width), np.nan)
    for k, x in enumerate(values):
        if x is not None:
            row = np.asarray(x, dtype=np.float64).reshape(-1)
            curves[k, : len(row)] = row
    return curves
