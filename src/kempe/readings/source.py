"""Where a trajectory reads from: a motion that was just computed, or a file."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import KempeError, ModelError
from kempe.geometry import GROUND
from kempe.kinematics.check.check import check
from kempe.kinematics.closing.placement import first_guess
from kempe.kinematics.observe.relative_motion import relative_motion
from kempe.kinematics.reactions.reactions import Reactions
from kempe.pictures.free_bodies import acting_loads
from kempe.pictures.outlines import Outlines, outlines
from kempe.readings.analysis_readings import Relative, Transmission, analyses
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
from kempe.readings.part_readings import reactions_of
from kempe.readings.reading import PREFIXES, Reading
from kempe.readings.registry import Registry, registry_of
from kempe.results import ActingLoad, Motion, Provenance, Subject
from kempe.results.provenance import provenance_of
from kempe.results.subject import subject_of

STILL = 1e-12  # of the fastest speed: far above rounding, 1e-16 of it, and no motion of a machine


class AbstractSource(ABC):
    """A motion with names: channels by name, and what is known of the mechanism."""

    def __init__(self) -> None:
        self._channels: dict[str, Channel] = {}

    @property
    @abstractmethod
    def motion(self) -> Motion:
        """The raw samples."""

    @property
    @abstractmethod
    def subject(self) -> Subject:
        """What is kept of the mechanism."""

    @property
    @abstractmethod
    def provenance(self) -> Provenance:
        """Version, model and solver."""

    @property
    @abstractmethod
    def layout(self) -> Layout:
        """The layout of the mechanism; a ModelError where only results are left of it."""

    @property
    @abstractmethod
    def outlines(self) -> Outlines:
        """What the bodies look like."""

    @property
    @abstractmethod
    def acting(self) -> tuple[ActingLoad, ...]:
        """What joints, drives, springs and weights do to bodies; nothing where that is unknown."""

    @property
    @abstractmethod
    def registry(self) -> Registry:
        """Everything that can be read."""

    @abstractmethod
    def cut(self, samples: slice, angles: Mapping[str, float]) -> "AbstractSource":
        """Some samples; `angles` (rad), by name, have turned at the first of them."""

    @abstractmethod
    def count(self) -> str:
        """Degrees of freedom counted joint by joint, in words."""

    def __getitem__(self, name: str) -> Any:
        """What a name or a formula means, computed once; UnknownName where it means nothing."""
        name = name.strip()
        if name not in self._channels:
            self._channels[name] = self.registry.find(name).read(self)
        return self._channels[name]

    @property
    def notes(self) -> tuple[str, ...]:
        """What angles that were read so far do not tell, in words."""
        read = (one for one in self._channels.values() if isinstance(one, ScalarChannel))
        return tuple(f"{one.name} has {one.note}" for one in read if one.note)

    @cached_property
    def reactions(self) -> Reactions:
        """What joints and drives exert; a ModelError where no body has a mass."""
        return reactions_of(self.layout, self.motion)

    @cached_property
    def still(self) -> float:
        """The speed (m/s) up to which a point stands still: a share of the fastest of the machine.

        Every body's origin, and what is as far from it as its own points or the machine is large,
        counts among the fastest.
        """
        subject, n = self.subject, self.motion.v.shape[0]
        if not n or not subject.bodies:
            return 0.0
        at, arms = subject.coordinates, np.full(len(subject.bodies), subject.size)
        for k, body in enumerate(subject.bodies):
            arms[k] = max(subject.size, *(math.hypot(*p) for p in body.points.values()), 0.0)
        v = self.motion.v[:, at.bodies_v].reshape(n, len(arms), at.n_each)
        way, spin = v[..., : at.chart.n_linear], v[..., at.chart.n_linear :]
        speeds = np.linalg.norm(way, axis=2) + arms * np.linalg.norm(spin, axis=2)
        return STILL * float(speeds.max())

    @property
    def transmission(self) -> Transmission:
        """How well the motion is handed on: condition, transmission angles, ratios."""
        return Transmission(self.layout, self.motion)

    def relative(self, body: str, base: str = GROUND) -> Relative:
        """How one body moves against another: instant centre, centrodes, screw axis."""
        return Relative(relative_motion(self.layout, self.motion, body, base))


@final
class ComputedSource(AbstractSource):
    """A motion and the layout of the mechanism that moved."""

    def __init__(self, layout: Layout, motion: Motion) -> None:
        super().__init__()
        self._layout = layout
        self._motion = motion

    @property
    def motion(self) -> Motion:
        return self._motion

    @property
    def layout(self) -> Layout:
        return self._layout

    def __reduce__(self) -> tuple[object, ...]:
        """What is pickled: the motion; what was read off it is read again."""
        return ComputedSource, (self._layout, self._motion)

    @cached_property
    def subject(self) -> Subject:
        return subject_of(self._layout)

    @cached_property
    def provenance(self) -> Provenance:
        return provenance_of(self._layout, self._motion)

    @cached_property
    def outlines(self) -> Outlines:
        q = self._motion.q
        return outlines(self._layout, q[0] if len(q) else first_guess(self._layout, 0, 0.0))

    @cached_property
    def acting(self) -> tuple[ActingLoad, ...]:
        try:
            reactions = self.reactions
        except KempeError:  # nothing has a mass, or the forces do not follow from the motion
            return ()
        return tuple(acting_loads(self._layout, self._motion, self.subject, reactions))

    @property
    def registry(self) -> Registry:
        motion = self._motion
        return registry_of(
            self._layout.model, is_simulated=motion.is_simulated, is_caused=motion.is_caused
        )

    def cut(self, samples: slice, angles: Mapping[str, float]) -> AbstractSource:
        motion = replace(self._motion.cut(samples), angles=angles)
        return ComputedSource(self._layout, motion)

    def count(self) -> str:
        start = float(self._motion.t[0]) if len(self._motion) else 0.0
        report = check(self._layout, start)
        return f"{report.count_table()}\n\n{report}"


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
            return PointChannel(self.name, t, r, v, a, self.shown, source.still)
        if self.kind in ("value", "values"):
            values = parts[0] if self.kind == "value" else np.stack(parts, axis=1)
            return ValueChannel(self.name, t, values, self.unit, self.labels)
        values = np.stack(parts, axis=1) if self.kind == "force" else parts[0]
        return ForceChannel(self.name, t, values, self.unique, self.unit)


@final
@dataclass(frozen=True, slots=True, eq=False)
class StoredMotion:
    """Everything a file holds."""

    path: str
    motion: Motion
    subject: Subject
    provenance: Provenance
    outlines: Outlines
    notes: Mapping[str, ChannelNote]
    table: Mapping[str, FloatArray]
    count: str
    acting: tuple[ActingLoad, ...] = ()

    def cut(self, samples: slice) -> "StoredMotion":
        """What is kept at some of the samples."""
        table = {name: column[samples].copy() for name, column in self.table.items()}
        acting = tuple(load.cut(samples) for load in self.acting)
        return replace(self, motion=self.motion.cut(samples), table=table, acting=acting)


@final
class StoredSource(AbstractSource):
    """A motion that was read from a file."""

    def __init__(self, kept: StoredMotion) -> None:
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

    @property
    def acting(self) -> tuple[ActingLoad, ...]:
        return self._kept.acting

    @cached_property
    def registry(self) -> Registry:
        bodies = [body.name for body in self.subject.bodies]
        found = list(analyses(bodies, "rad"))
        needing = [one.name for one in found if one.name != "t"]  # the mechanism is not at hand
        kept = self._kept
        channels = {name: note.reading(kept.table) for name, note in kept.notes.items()}
        return Registry(channels, found, needing, self.subject.outputs, bodies)

    def cut(self, samples: slice, angles: Mapping[str, float]) -> AbstractSource:
        kept = self._kept.cut(samples)
        return StoredSource(replace(kept, motion=replace(kept.motion, angles=angles)))

    def count(self) -> str:
        return self._kept.count or "The count of freedoms was not kept: see Mechanism.check()."
