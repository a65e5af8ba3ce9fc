"""A saved motion: channels are put together from the columns of a file."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import ModelError, UnknownName, nearest_name
from kempe.pictures.outlines import Outlines
from kempe.readings.channel import (
    Channel,
    ForceChannel,
    PointChannel,
    ScalarChannel,
    ValueChannel,
)
from kempe.readings.source import AbstractSource
from kempe.results import Motion, Provenance, Subject

FloatArray = NDArray[np.float64]
Kind = Literal["scalar", "point", "force", "effort", "value", "values"]


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

    def channel(self, t: FloatArray, table: Mapping[str, FloatArray]) -> Channel:
        """The channel, from the columns of a file."""
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

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._kept.notes)

    def channel(self, name: str) -> Channel:
        if name not in self._kept.notes:
            known = nearest_name(name, self.names)
            raise UnknownName(f"{self._kept.path} has no {name!r}.{known}", name=name)
        return self._kept.notes[name].channel(self.motion.t, self._kept.table)

    def cut(self, samples: slice, hinges: Mapping[str, float]) -> AbstractSource:
        kept = self._kept.cut(samples)
        return Recalled(replace(kept, motion=replace(kept.motion, hinges=dict(hinges))))

    def count(self) -> str:
        return self._kept.count or "The count of freedoms was not kept: see Mechanism.check()."
