"""A trajectory as a table: named columns, and what reads or writes tables."""

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber
from kempe.export.workbook import MOST_COLUMNS, MOST_ROWS, workbook_bytes
from kempe.extras import extra
from kempe.names import refuse_no_texts
from kempe.readings.reading import Column, all_columns, chosen, named_columns
from kempe.readings.registry import is_formula, ratio_names
from kempe.readings.unit_choice import UnitChoice, unit_choice

if TYPE_CHECKING:
    import pandas
    import xarray

    from kempe.front.trajectory import Trajectory


def facts(trajectory: "Trajectory") -> dict[str, Any]:
    """Mechanism, how the run ended, redundant joints and where the numbers come from."""
    outcome = trajectory.outcome
    return {
        "mechanism": trajectory.subject.name,
        "outcome": {
            "name": outcome.name,
            "message": outcome.message,
            "advice": outcome.advice,
            "facts": dict(outcome.facts),
            "continuations": [asdict(way) for way in outcome.continuations],
        },
        "passes": [asdict(passed) for passed in trajectory.passes],
        "events": [asdict(event) for event in trajectory.events],
        "redundant": list(trajectory.redundant),
        "provenance": asdict(trajectory.provenance),
    }


FloatArray = NDArray[np.float64]
Names = tuple[str, ...]
Units = Iterable[str]


def chosen_columns(trajectory: "Trajectory", names: Names) -> list[Column]:
    """t, then the columns of the names, or all of them."""
    refuse_no_texts(names)
    t = Column("t", "s", "t", values=trajectory.t)
    found: Iterable[Column] = [c for name in names for c in named_columns(trajectory, name)]
    if not names:
        found = chosen(trajectory) if trajectory.subject.outputs else all_columns(trajectory)
    unique = {c.name: c for c in found if c.name != "t"}
    return [t, *unique.values()]


def columns(trajectory: "Trajectory", names: Names, units: Units) -> dict[str, FloatArray]:
    """Name -> values in the chosen units."""
    choice = unit_choice(units)
    return {c.name: _shown(c, choice) for c in chosen_columns(trajectory, names)}


def dataframe(trajectory: "Trajectory", names: Names, units: Units) -> "pandas.DataFrame":
    """The columns over t; units, outcome and provenance are in `attrs`."""
    pandas = extra("pandas", "data", "a data frame")
    choice = unit_choice(units)
    t, *others = chosen_columns(trajectory, names)
    index = pandas.Index(_shown(t, choice), name="t")
    frame = pandas.DataFrame({c.name: _shown(c, choice) for c in others}, index=index)
    frame.attrs |= facts(trajectory) | {"units": _units([t, *others], choice)}
    return frame  # type: ignore[no-any-return]


def dataset(trajectory: "Trajectory", names: Names, units: Units) -> "xarray.Dataset":
    """One variable for every channel and derivative: over t, and over `axis` where it has parts.

    A planar torque has the part z only, so it is a plain variable over t.
    """
    xarray = extra("xarray", "data", "a dataset")
    choice = unit_choice(units)
    t, *others = chosen_columns(trajectory, names)
    axes = "xy" if trajectory.subject.plane else "xyz"
    groups: dict[str, list[Column]] = {}
    for column in others:
        groups.setdefault(column.group, []).append(column)
    variables: dict[str, Any] = {}
    for name, parts in groups.items():
        attributes = {"units": choice.shown(parts[0].unit)}
        if [c.axis for c in parts] == list(axes):
            stacked = np.stack([_shown(c, choice) for c in parts], axis=1)
            variables[name] = (("t", "axis"), stacked, attributes)
        else:
            for column in parts:
                variables[column.name] = ("t", _shown(column, choice), attributes)
    places = {"t": ("t", _shown(t, choice), {"units": choice.shown("s")}), "axis": list(axes)}
    kept = {key: _text(value) for key, value in facts(trajectory).items()}
    return xarray.Dataset(variables, places, kept)  # type: ignore[no-any-return]


# Lines of a table that stand in memory as text at once: as text they take ten times what the
# numbers do.
LINES = 4096


def csv_pieces(trajectory: "Trajectory", names: Names, units: Units) -> Iterator[bytes]:
    """A line of names, then one for every sample; where units were chosen, names say theirs.

    What cannot be read is told at once; the lines are made as they are taken.

    A bare name means SI, "t [ms]" has a unit of its own.

    What a formula without a unit makes of SI numbers is headed "2 * coupler.P.speed [SI]" then.
    """
    units = tuple(units)
    choice = unit_choice(units)
    found = chosen_columns(trajectory, names)
    outputs = {one.title for one in trajectory.subject.outputs if one.name and not one.unit}
    heads = [choice.shown(c.unit) or _unsaid(c.name, outputs) for c in found]
    titles = [
        f"{c.name} [{head}]" if units and head else c.name
        for c, head in zip(found, heads, strict=True)
    ]
    shown = [_shown(c, choice) for c in found]
    starts = range(0, len(trajectory), LINES)
    parts = ([column[k : k + LINES].tolist() for column in shown] for k in starts)
    lines = (zip(*(map(repr, column) for column in part), strict=True) for part in parts)
    return map(_csv_lines, chain([[titles]], lines))


def _csv_lines(rows: Iterable[Iterable[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def parquet_bytes(trajectory: "Trajectory", names: Names, units: Units) -> bytes:
    """Columns of doubles; each field's metadata has its unit, the schema's the facts as JSON."""
    arrow = extra("pyarrow", "data", "a Parquet file")
    parquet = extra("pyarrow.parquet", "data", "a Parquet file")
    choice = unit_choice(units)
    found = chosen_columns(trajectory, names)
    fields = [
        arrow.field(c.name, arrow.float64(), False, {"unit": choice.shown(c.unit)}) for c in found
    ]
    schema = arrow.schema(fields, {"kempe": json.dumps(facts(trajectory))})
    arrays = [arrow.array(_shown(c, choice)) for c in found]
    buffer = io.BytesIO()
    parquet.write_table(arrow.Table.from_arrays(arrays, schema=schema), buffer)
    return buffer.getvalue()


def xlsx_bytes(trajectory: "Trajectory", names: Names, units: Units) -> bytes:
    """A workbook: a sheet of numbers under names with their units, and a sheet of the facts."""
    choice = unit_choice(units)
    found = chosen_columns(trajectory, names)
    if len(trajectory) >= MOST_ROWS or len(found) > MOST_COLUMNS:
        raise BadNumber(
            f"a sheet has {MOST_ROWS:,} rows and {MOST_COLUMNS:,} columns at most, these are"
            f" {len(trajectory) + 1:,} and {len(found):,}: choose columns, or write .parquet."
        )
    shown = [(c.name, choice.shown(c.unit)) for c in found]
    heads = [f"{name} [{unit}]" if unit else name for name, unit in shown]
    rows = zip(*(_shown(c, choice).tolist() for c in found), strict=True)
    kept = [["fact", "value"], *([word, _text(x)] for word, x in facts(trajectory).items())]
    return workbook_bytes([("motion", [heads, *rows]), ("facts", kept)])


def json_bytes(trajectory: "Trajectory", names: Names, units: Units) -> bytes:
    """The facts, the units and the columns as one JSON object."""
    choice = unit_choice(units)
    found = chosen_columns(trajectory, names)
    document = facts(trajectory) | {
        "units": _units(found, choice),
        "columns": {c.name: _plain(_shown(c, choice)) for c in found},
    }
    return json.dumps(document).encode()


def _unsaid(name: str, outputs: set[str]) -> str:
    """ "SI" for a formula whose unit nobody said; "" for what has none, such as a ratio."""
    is_text = is_formula(name) and not ratio_names(name)
    return "SI" if is_text or name in outputs else ""


def _plain(values: FloatArray) -> list[float | None]:
    """Numbers as JSON knows them: what is infinite or not there is null."""
    numbers: list[float | None] = values.tolist()
    return (
        numbers
        if np.isfinite(values).all()
        else [x if x is not None and math.isfinite(x) else None for x in numbers]
    )


def _shown(column: Column, choice: UnitChoice) -> FloatArray:
    factor = choice.factor(column.unit)
    return column.values if factor == 1.0 else column.values * factor


def _units(found: Iterable[Column], choice: UnitChoice) -> dict[str, str]:
    return {c.name: choice.shown(c.unit) for c in found}


def _text(value: object) -> str:
    """Attributes of a dataset are text, so that every file format takes them."""
    return value if isinstance(value, str) else json.dumps(value)
