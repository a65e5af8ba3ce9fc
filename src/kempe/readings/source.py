"""Where a trajectory reads from: a motion that was just computed, or a file."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from kempe.compile.layout.layout import Layout
from kempe.geometry import GROUND
from kempe.kinematics.observe.relative_motion import relative_motion
from kempe.kinematics.reactions.reactions import Reactions
from kempe.pictures.outlines import Outlines
from kempe.readings.channel import Channel
from kempe.readings.force_readings import reactions_of
from kempe.readings.registry import Registry
from kempe.readings.relative_readings import Relative
from kempe.readings.transmission_readings import Transmission
from kempe.results import Motion, Provenance, Subject


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
    def registry(self) -> Registry:
        """Everything that can be read."""

    @abstractmethod
    def cut(self, samples: slice, hinges: Mapping[str, float]) -> "AbstractSource":
        """Some samples; `hinges` are angles (rad) of joints in space at the first of them."""

    @abstractmethod
    def count(self) -> str:
        """Degrees of freedom counted joint by joint, in words."""

    def __getitem__(self, name: str) -> Any:
        """What a name or a formula means, computed once; UnknownName where it means nothing."""
        name = name.strip()
        if name not in self._channels:
            self._channels[name] = self.registry.find(name).read(self)
        return self._channels[name]

    @cached_property
    def reactions(self) -> Reactions:
        """What joints and drives exert; a ModelError where no body has a mass."""
        return reactions_of(self.layout, self.motion)

    @property
    def transmission(self) -> Transmission:
        """How well the motion is handed on: condition, transmission angles, ratios."""
        return Transmission(self.layout, self.motion)

    def relative(self, body: str, base: str = GROUND) -> Relative:
        """How one body moves against another: instant centre, centrodes, screw axis."""
        return Relative(relative_motion(self.layout, self.motion, body, base))
