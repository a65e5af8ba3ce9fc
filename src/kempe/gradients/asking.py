"""The gradient of readings, or of a function of readings, of one motion."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import BadNumber, GradientError, UnknownName, nearest_name
from kempe.gradients.build_map import DIFFERENCED, BuildMap, Slopes
from kempe.gradients.functions import Function, Values, function_slopes
from kempe.gradients.path_error import PathError
from kempe.gradients.placing import placing_of
from kempe.gradients.reading_slopes import (
    Moved,
    Read,
    Reader,
    Swept,
    exact_parts,
    plain,
    reading_of,
    slopes_of,
)
from kempe.notebook import in_cell, table_html
from kempe.readings.registry import registry_of
from kempe.readings.source import ComputedSource
from kempe.results import Motion

FloatArray = NDArray[np.float64]
ADJOINT = "of all parameters at once, by the adjoint equations, from the end to the start."
Follow = Callable[[Layout, Motion, BuildMap], Moved]  # how a simulated motion follows


@final
@dataclass(frozen=True, slots=True, eq=False)
class Gradient:
    """What was read, and its derivatives by parameters: gradient["crank"], plain arrays.

    `value` has the shape of the reading, (n,) or (n, 2 or 3), or of what the function gave;
    `values` one index more, the last, for the parameters in the order of `by`. Both in SI units
    and radians, per unit in which each parameter is given: of a length in mm it is metres per
    millimetre.
    """

    of: str
    by: tuple[str, ...]
    t: FloatArray  # (n,) s
    value: FloatArray
    values: FloatArray
    at: FloatArray  # (parameters,): their values, in the units in which they are given
    unit: str = ""  # of the value
    notes: tuple[str, ...] = ()  # what was not differentiated as a formula

    def __getitem__(self, name: str) -> FloatArray:
        """The derivative by one parameter, of the value's shape."""
        if name not in self.by:
            near = nearest_name(name, self.by)
            raise UnknownName(f"nothing was differentiated by {name!r}.{near}", name=name)
        return np.asarray(self.values[..., self.by.index(name)])

    def __len__(self) -> int:
        return len(self.by)

    def __repr__(self) -> str:
        shape = " x ".join(map(str, self.value.shape)) or "a number"
        return f"Gradient of {self.of} ({shape}) by {', '.join(self.by) or 'nothing'}"

    def _repr_html_(self) -> str:
        """What a notebook shows: by each parameter the least, the largest and the mean slope."""
        rows = []
        for k, name in enumerate(self.by):
            slopes = np.asarray(self.values[..., k], dtype=float).ravel()
            told = (slopes.min(), slopes.max(), slopes.mean()) if slopes.size else ("-",) * 3
            at = in_cell(float(self.at[k]))
            rows.append([name, at, *(in_cell(float(x)) if slopes.size else x for x in told)])
        return table_html(["by", "at", "least", "largest", "mean"], rows, repr(self))


@final
class _Listed:
    """Takes down which names a function reads, with the arrays there are."""

    def __init__(self, source: ComputedSource) -> None:
        self.source = source
        self.names: list[str] = []

    def __getitem__(self, name: str) -> Read:
        if name not in self.names:
            self.names.append(name)
        values = plain(self.source[name])
        return Read(values, np.zeros((*values.shape, 0)))


def gradient_of(
    source: ComputedSource, of: str | Function, build: BuildMap, follow: Follow | None = None
) -> Gradient:
    """The gradient of a reading or a function of readings at a motion."""
    motion, layout = source.motion, source.layout
    if not len(motion):
        raise GradientError(f"the motion has no samples: {motion.outcome.message}")
    names = _names(source, of)
    parts = {}
    if not motion.is_simulated:
        parts = exact_parts(layout.model, names, is_simulated=False)
    read = reading_of(parts, float(motion.t[0]))
    moved: Moved
    notes: tuple[str, ...]
    if motion.is_simulated:
        assert follow is not None, "who simulated knows how it began"
        moved = follow(layout, motion, build)
        notes = moved.notes
    else:
        slopes = slopes_of(build, read)
        placing = placing_of(layout, motion, read, slopes)
        moved = Swept(layout, motion, placing.forward(motion, slopes), placing.places)
        notes = _bent(slopes)
    if isinstance(of, PathError):
        by_path = moved.path_slopes(of)
        if by_path is not None:
            value = np.asarray(of({of.point: plain(source[of.point])}))
            told = (*notes, ADJOINT)
            return Gradient(
                "PathError", build.names, motion.t, value, by_path, build.home, "", told
            )
    reader = Reader(source, parts, moved, build)
    if isinstance(of, str):
        found = reader[of]
        unit = registry_of(layout.model, is_simulated=motion.is_simulated).find(of).unit
        told = notes if motion.is_simulated else (*notes, *reader.notes)
        return Gradient(
            of, build.names, motion.t, found.values, found.slopes, build.home, unit, told
        )
    value, by = function_slopes(of, reader, motion.t, build.scales, moved.late)
    called = getattr(of, "__name__", type(of).__name__)
    return Gradient(
        called, build.names, motion.t, value, by, build.home, "", (*notes, *reader.notes)
    )


def _names(source: ComputedSource, of: str | Function) -> Sequence[str]:
    if isinstance(of, str):
        return (of.strip(),)
    if not callable(of):
        raise BadNumber(
            "a gradient is of the name of a reading, such as 'coupler.P', or of a function of"
            f" readings, not of {of!r}."
        )
    listed = _Listed(source)
    of(Values(listed, source.motion.t, None, 0.0))
    return listed.names


def _bent(slopes: Slopes) -> tuple[str, ...]:
    return (DIFFERENCED.format(", ".join(slopes.bent)),) if slopes.bent else ()
