"""The time series in an ASMT file: what its own program computed, for comparison.

`TimeSeries`, then rows Number and Time, then blocks `<Kind>Series /full/name` of 18 rows for a
body and 6 or more for a joint, motion or force. The first column, `Input`, is what stood there
before assembly; times begin with the second.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import FileError
from kempe.files.syntax.source import shown

FloatArray = NDArray[np.float64]
Wanted = Mapping[str, tuple[str, ...]]  # a quantity -> its three rows

BODY = {
    "position": ("X", "Y", "Z"),
    "bryant": ("Bryantx", "Bryanty", "Bryantz"),
    "velocity": ("VX", "VY", "VZ"),
    "spin": ("OmegaX", "OmegaY", "OmegaZ"),
    "acceleration": ("AX", "AY", "AZ"),
    "angular_acceleration": ("AlphaX", "AlphaY", "AlphaZ"),
}
CONNECTOR = {"force": ("FXonI", "FYonI", "FZonI"), "torque": ("TXonI", "TYonI", "TZonI")}
ACCELERATIONS = ("acceleration", "angular_acceleration")
MOST_NUMBERS = 5_000_000
LOCKED = 1e-9  # cosine of the middle angle below which the outer ones are one turn


@final
@dataclass(frozen=True, slots=True, eq=False)
class BodySeries:
    """Samples (n, 3) of a body's origin and turn in world axes: m, rad, s."""

    position: FloatArray
    bryant: FloatArray  # R = Rx Ry Rz, rad
    velocity: FloatArray
    spin: FloatArray
    acceleration: FloatArray
    angular_acceleration: FloatArray

    @property
    def rotation(self) -> FloatArray:
        """R_WB (n, 3, 3) = Rx(a) Ry(b) Rz(c) of the Bryant angles."""
        R = np.tile(np.eye(3), (len(self.bryant), 1, 1))
        for axis in range(3):
            c, s = np.cos(self.bryant[:, axis]), np.sin(self.bryant[:, axis])
            turn = np.tile(np.eye(3), (len(c), 1, 1))
            i, j = (axis + 1) % 3, (axis + 2) % 3
            turn[:, i, i], turn[:, j, j], turn[:, i, j], turn[:, j, i] = c, c, -s, s
            R = R @ turn
        return R


@final
@dataclass(frozen=True, slots=True, eq=False)
class ConnectorSeries:
    """Samples (n, 3) of what a joint, motion or force does to the body of its marker I.

    Force (N) and torque (N m) about the origin of marker I, in world axes; the body of J feels the
    opposite, at the same place.
    """

    force: FloatArray
    torque: FloatArray


@final
@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """The time series of a file: times (n,) in s, bodies and connectors by their name in kempe.

    What a file gives for the moment before assembly, its column Input, is not among them.
    """

    t: FloatArray
    bodies: Mapping[str, BodySeries] = field(default_factory=dict)
    connectors: Mapping[str, ConnectorSeries] = field(default_factory=dict)


def bryant_angles(R: FloatArray) -> FloatArray:
    """The Bryant angles (n, 3) in rad of matrices (n, 3, 3): R = Rx(a) Ry(b) Rz(c).

    Where Ry turns by a quarter the other two turn about one axis, and c is 0.
    """
    b = np.arcsin(np.clip(R[:, 0, 2], -1.0, 1.0))
    is_locked = np.hypot(R[:, 0, 0], R[:, 0, 1]) < LOCKED
    a = np.where(is_locked, np.arctan2(R[:, 2, 1], R[:, 1, 1]), np.arctan2(-R[:, 1, 2], R[:, 2, 2]))
    c = np.where(is_locked, 0.0, np.arctan2(-R[:, 0, 1], R[:, 0, 0]))
    return np.column_stack([a, b, c])


def series_lines(results: Results, names: Mapping[str, str]) -> list[str]:
    """The time series of bodies as lines of a file; `names` are their full names there.

    The column Input, of the moment before, holds the first sample without accelerations.
    """
    n = len(results.t)
    lines = ["TimeSeries", "\t".join(["Number", "Input", *map(str, range(1, n + 1))])]
    lines.append("\t".join(["Time", "Input", *(repr(float(t)) for t in results.t)]))
    for body, series in results.bodies.items():
        lines.append(f"PartSeries\t{names[body]}")
        for word, labels in BODY.items():
            rows = np.asarray(getattr(series, word), dtype=np.float64).T
            for label, values in zip(labels, rows, strict=True):
                before = 0.0 if word in ACCELERATIONS else float(values[0])
                lines.append("\t".join([label, repr(before), *(repr(float(v)) for v in values)]))
    return lines


@final
@dataclass(slots=True)
class _Block:
    name: str
    line: int
    rows: dict[str, FloatArray] = field(default_factory=dict)


def results_of(
    lines: tuple[tuple[int, str], ...],
    parts: Mapping[str, str],
    others: Mapping[str, str],
    path: str,
) -> Results | None:
    """The series in numbered lines; of `parts` and `others` by full names, with those in kempe."""
    if not lines:
        return None
    reader = _Reader(path)
    for number, line in lines:
        reader.read(number, line)
    if reader.t is None:
        raise FileError("the time series have no row of times.", path=path, line=lines[0][0])
    bodies: dict[str, BodySeries] = {}
    connectors: dict[str, ConnectorSeries] = {}
    for block in reader.blocks:
        if "X" in block.rows and block.name in parts:
            bodies[parts[block.name]] = BodySeries(**reader.columns(block, BODY))
        elif "FXonI" in block.rows and block.name in others:
            connectors[others[block.name]] = ConnectorSeries(**reader.columns(block, CONNECTOR))
    return Results(reader.t, bodies, connectors)


@final
class _Reader:
    """Reads rows one after another."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.t: FloatArray | None = None
        self.blocks: list[_Block] = []
        self.count = 0

    def read(self, number: int, line: str) -> None:
        """One row: times, the head of a block, or a row of the block."""
        head, *words = line.split()
        if head.endswith("Series") and line.partition("Series")[2].strip().startswith("/"):
            self.blocks.append(_Block(line.partition("Series")[2].strip(), number))
        elif head == "Number":
            return
        elif head == "Time":
            self.t = self._numbers(words[1:], number)
        elif self.t is None or not self.blocks:
            self._refuse(number, f"{shown(head)} stands before any series.")
        else:
            values = self._numbers(words, number)
            if len(values) != len(self.t) + 1:
                n = len(self.t)
                self._refuse(number, f"{n} times need {n + 1} values, here are {len(values)}.")
            self.blocks[-1].rows[head] = values[1:]

    def columns(self, block: _Block, wanted: Wanted) -> dict[str, FloatArray]:
        """Three rows each as samples (n, 3)."""
        found = {}
        for word, rows in wanted.items():
            for row in rows:
                if row not in block.rows:
                    self._refuse(block.line, f"the series of {shown(block.name)} lacks its {row}.")
            found[word] = np.column_stack([block.rows[row] for row in rows])
        return found

    def _numbers(self, words: list[str], number: int) -> FloatArray:
        self.count += len(words)
        if self.count > MOST_NUMBERS:
            self._refuse(number, f"the time series have more than {MOST_NUMBERS} numbers.")
        try:
            values = np.array([float(word) for word in words], dtype=np.float64)
        except ValueError:
            bad = next(word for word in words if not _is_number(word))
            self._refuse(number, f"{shown(bad)} is no number.")
        if not np.isfinite(values).all():
            self._refuse(number, "a value is not finite.")
        return values

    def _refuse(self, number: int, message: str) -> NoReturn:
        raise FileError(message, path=self.path, line=number)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
