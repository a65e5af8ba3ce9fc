"""Slopes of anything that is read of a motion, by parameters.

Points and measures, their rates and accelerations, are differentiated as traced. Any other reading
is an explicit formula of the motion and of the model's numbers: it is read along the exact slopes
of both, and differentiated there by differences of order eight.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Protocol, final

import numpy as np
from numpy.typing import NDArray

from kempe.batch.numbers import Reading
from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name, points_by_name
from kempe.errors import GradientError
from kempe.gradients.build_map import BuildMap, Slopes
from kempe.gradients.path_error import PathError
from kempe.gradients.placing import Placed
from kempe.gradients.smooth_slope import smooth_slope
from kempe.model import Model
from kempe.readings.channel import (
    Channel,
    PointChannel,
)
from kempe.readings.registry import registry_of
from kempe.readings.source import ComputedSource
from kempe.results import Motion

FloatArray = NDArray[np.float64]

KINK: Final = 1e-6  # what differences of two orders may be off, of the largest change
ALONG = "{} was differentiated along the exact slopes of the motion by differences of order eight."


@final
@dataclass(frozen=True, slots=True)
class Exact:
    """A name that is a part of a point or measure: which, of which order, which of its axes."""

    channel: str
    order: int
    axis: int | None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """What a name means along a motion: values (n, ...) and slopes (n, ..., parameters), SI."""

    values: FloatArray
    slopes: FloatArray


class Moved(Protocol):
    """How a motion and what was read of it follow from parameters."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not differentiated as a formula, in words."""

    @property
    def placed(self) -> Placed:
        """The slopes that are exact."""

    @property
    def places(self) -> Mapping[str, slice]:
        """Where each name stands among the scalars."""

    @property
    def late(self) -> FloatArray | None:
        """How the times of samples follow, (n, parameters); None where they do not."""

    def motion(self, k: int, s: float) -> Motion:
        """The motion along its slope by parameter k, s further."""

    def path_slopes(self, error: PathError) -> FloatArray | None:
        """How a path's error follows from all parameters at once; None where that is not known."""


def exact_parts(model: Model, names: Sequence[str], *, is_simulated: bool) -> dict[str, Exact]:
    """Those of the names that are points, measures, or columns of these."""
    known = {*points_by_name(model), *gauges_by_name(model)}
    found: dict[str, Exact] = {}
    registry = registry_of(model, is_simulated=is_simulated)
    for name in names:
        if name in known:
            found[name] = Exact(name, 0, None)
            continue
        column = registry.find(name).column
        if column is not None and column.channel in known:
            axis = "xyz".index(column.axis) if column.axis else None
            found[name] = Exact(column.channel, column.order, axis)
    return found


def plain(channel: Channel) -> FloatArray:
    """The values (n, ...) of a channel; of a point its places."""
    if isinstance(channel, PointChannel):
        return channel.position
    return channel.values


@final
class Reader:
    """Reads names of a motion with their slopes; `notes` says what was differenced."""

    def __init__(
        self, source: ComputedSource, parts: Mapping[str, Exact], moved: Moved, by: BuildMap
    ) -> None:
        self.source, self.parts, self.moved, self.by = source, parts, moved, by
        self.notes: list[str] = []
        self._known: dict[str, Read] = {}

    def __getitem__(self, name: str) -> Read:
        if name not in self._known:
            exact = self.parts.get(name)
            values = plain(self.source[name])
            slopes = self._exact(exact) if exact else self._along(name, values)
            self._refuse_without(name, values, slopes)
            self._known[name] = Read(values, slopes)
        return self._known[name]

    def _exact(self, part: Exact) -> FloatArray:
        place = self.moved.places[part.channel]
        found = self.moved.placed.read[part.order, place]  # (scalars, n, parameters)
        if part.axis is not None:
            return np.asarray(found[part.axis])
        is_point = part.channel in points_by_name(self.source.layout.model)
        return np.asarray(found.transpose(1, 0, 2) if is_point else found[0])

    def _along(self, name: str, values: FloatArray) -> FloatArray:
        columns = []
        for k in range(len(self.by.names)):
            slope = smooth_slope(
                partial(self._at, name, k), self.by.step(k), self.by.side(self.by.home, k)
            )
            if not slope.doubt <= KINK:
                raise GradientError(
                    f"{name!r} has no slope by {self.by.names[k]!r} here: it bends, or has no"
                    " value beside it.",
                    reading=name,
                    parameter=self.by.names[k],
                )
            columns.append(slope.values)
        note = ALONG.format(name)
        if note not in self.notes:
            self.notes.append(note)
        return np.stack(columns, axis=-1) if columns else np.zeros((*values.shape, 0))

    def _at(self, name: str, k: int, s: float) -> FloatArray:
        layout: Layout = self.by.layout(self.by.home, k, s)
        there = ComputedSource(layout, self.moved.motion(k, s))
        return np.asarray(plain(there[name]))

    def _refuse_without(self, name: str, values: FloatArray, slopes: FloatArray) -> None:
        if np.isfinite(values).all() and np.isfinite(slopes).all():
            return
        bad = ~np.isfinite(values) | ~np.isfinite(slopes).all(axis=-1)
        where = bad.reshape(len(bad), -1).any(axis=1)
        t = float(self.source.motion.t[int(np.flatnonzero(where)[0])])
        raise GradientError(
            f"{name!r} has no value or no slope at t = {t:.6g} s: read another name, or leave that"
            " part of the motion out.",
            reading=name,
            t=t,
        )


@final
class Swept:
    """How a swept motion follows from parameters."""

    def __init__(self, layout: Layout, motion: Motion, placed: Placed, places: Any) -> None:
        self.layout, self.swept, self._placed, self._places = layout, motion, placed, places

    @property
    def notes(self) -> tuple[str, ...]:
        return ()

    @property
    def placed(self) -> Placed:
        return self._placed

    @property
    def places(self) -> Mapping[str, slice]:
        return dict(self._places)

    @property
    def late(self) -> FloatArray | None:
        return None

    def path_slopes(self, error: PathError) -> FloatArray | None:
        return None

    def motion(self, k: int, s: float) -> Motion:
        """The motion along its slope by parameter k, s further; it cannot be run again."""
        x = s * self._placed.x[..., k]
        motion = self.swept
        return replace(
            motion,
            q=displaced(self.layout, motion.q, x[0]),
            v=motion.v + x[1],
            a=motion.a + x[2],
            again=None,
        )


def displaced(layout: Layout, q: FloatArray, x: FloatArray) -> FloatArray:
    """Coordinates (n, n_q) moved by displacements (n, n_v), to first order."""
    at, chart = layout.coordinates, layout.chart
    if chart.is_flat:
        return q + x
    moved = q.copy()
    moved[:, at.own_q] += x[:, at.own_v]
    for k in range(layout.n_bodies):
        mine, way = q[:, at.q_of(k)], x[:, at.v_of(k)]
        size = chart.n_linear
        e, turn = mine[:, size:], way[:, size:]
        # e moves by e (0, turn) / 2, the turn in axes of the body.
        scalar = -0.5 * (e[:, 1:] * turn).sum(axis=1)
        vector = 0.5 * (e[:, :1] * turn + np.cross(e[:, 1:], turn))
        new = e + np.column_stack([scalar, vector])
        new /= np.linalg.norm(new, axis=1, keepdims=True)
        moved[:, at.q_of(k)] = np.hstack([mine[:, :size] + way[:, :size], new])
    return moved


def reading_of(parts: Mapping[str, Exact], t: float) -> Reading:
    """What tapes read for these names, from time t on."""
    return Reading(tuple(dict.fromkeys(part.channel for part in parts.values())), t)


def slopes_of(by: BuildMap, read: Reading) -> Slopes:
    """Slopes of the model's numbers where the mechanism itself stands."""
    return by.slopes(by.home, read)
