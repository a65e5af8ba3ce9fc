"""A saved motion: channels are put together from the columns of a file."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import ModelError
from kempe.pictures.outlines import Outlines
from kempe.readings.analysis_readings import analyses
from kempe.readings.channel import (
    AXES,
    Channel,
    ForceChannel,
    Kind,
    PointChannel,
    ScalarChannel,
    ValueChannel,
    force_labels,
)
from kempe.readings.column import PREFIXES
from kempe.readings.reading import Reading
from kempe.readings.registry import Registry
from kempe.readings.source import AbstractSource
from kempe.results import Motion, Provenance, Subject

FloatArray = NDArray[np.float64]
# What is known of a name in a file, which keeps no mechanism.
SAYS: dict[Kind, str] = {
    "scalar": "measure",
    "point": "point",
    "force": "force or torque",
    "effort": "effort or power along a measure",
    "value": "value",
    "values": "values",
}


@final
@dataclass(frozen=True, slots=True)
class ChannelNote:
    """What a file says of one channel: its kind, its units and the columns that make it up."""

    name: str
    kind: Kind
    unit: str
    shown: str
    columns: tuple[str, ...]
    unique: tuple[bool, ...] = ()  # of a force: which components are determined
    labels: tuple[str, ...] = ()  # of several values

    def reading(self, table: Mapping[str, FloatArray]) -> Reading:
        """What the file says of it, as a readable name."""
        labels = self.labels
        if self.kind == "point":
            labels = AXES[: len(self.columns) // len(PREFIXES)]
        elif self.kind == "force":
            labels = force_labels(len(self.columns))
        read = partial(self.channel, table)
        return Reading(self.name, self.kind, self.unit, SAYS[self.kind], read, labels)

    def channel(self, table: Mapping[str, FloatArray], source: AbstractSource) -> Channel:
        """The channel, from the columns of a file."""
        t = source.motion.t
        parts = [table[name] for name in self.columns]
        if self.kind == "scalar":
            return ScalarChannel(
                self.name, t, parts[0], parts[1], parts[2], unit=self.unit, shown=self.shown
            )
        if self.kind == "point":  # x, vx, ax, y, vy, ay, ...
            r, v, a = (np.stack(parts[k::3], axis=1) for k in range(3))
            return PointChannel(self.name, t, r, v, a, shown=self.shown)
        if self.kind in ("value", "values"):
            values = parts[0] if self.kind == "value" else np.stack(parts, axis=1)
            return ValueChannel(self.name, t, values, self.unit, self.labels)
        values = np.stack(parts, axis=1) if self.kind == "force" else parts[0]
        return ForceChannel(self.name, t, values, self.unique, self.unit)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """Everything a file holds."""

    path: str
    motion: Motion
    subject: Subject
    provenance: Provenance
    outlines: Outlines
    notes: Mapping[str, ChannelNote]
    table: Mapping[str, FloatArray]
    count: str

    def cut(self, samples: slice) -> "Kept":
        """What is kept at some of the samples."""
        table = {name: column[samples].copy() for name, column in self.table.items()}
        return replace(self, motion=self.motion.cut(samples), table=table)


@final
class Recalled(AbstractSource):
    """A motion that was read from a file."""

    def __init__(self, kept: Kept) -> None:
        super().__init__()
        self._kept = kept

    @property
    def motion(self) -> Motion:
        return self._kept.motion

    @property
    def subject(self) -> Subject:
        return self._kept.subject

    @property
    def provenance(self) -> Provenance:
        return self._kept.provenance

    @property
    def layout(self) -> Layout:
        raise ModelError(
            f"{self._kept.path} keeps the motion of {self.subject.name!r} but not the mechanism:"
            " build the mechanism again to compute anything new.",
            path=self._kept.path,
        )

    @property
    def outlines(self) -> Outlines:
        return self._kept.outlines

    @cached_property
    def registry(self) -> Registry:
        bodies = [body.name for body in self.subject.bodies]
        found = list(analyses(bodies, "rad"))
        needing = [one.name for one in found if one.name != "t"]  # the mechanism is not at hand
        kept = self._kept
        channels = {name: note.reading(kept.table) for name, note in kept.notes.items()}
        return Registry(channels, found, needing, self.subject.outputs, bodies)

    def cut(self, samples: slice, hinges: Mapping[str, float]) -> AbstractSource:
        kept = self._kept.cut(samples)
        return Recalled(replace(kept, motion=replace(kept.motion, hinges=dict(hinges))))

    def count(self) -> str:
        return self._kept.count or "The count of freedoms was not kept: see Mechanism.check()."
