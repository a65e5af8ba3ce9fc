"""Where a trajectory reads from: a motion that was just computed, or a file."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from kempe.compile.layout.layout import Layout
from kempe.pictures.outlines import Outlines
from kempe.readings.channel import Channel
from kempe.results import Motion, Provenance, Subject


class AbstractSource(ABC):
    """A motion with names: channels by name, and what is known of the mechanism."""

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
    def names(self) -> tuple[str, ...]:
        """Everything that can be read."""

    @abstractmethod
    def channel(self, name: str) -> Channel:
        """One of the names; UnknownName where there is no such thing."""

    @abstractmethod
    def cut(self, samples: slice, hinges: Mapping[str, float]) -> "AbstractSource":
        """Some samples; `hinges` are angles (rad) of joints in space at the first of them."""

    @abstractmethod
    def count(self) -> str:
        """Degrees of freedom counted joint by joint, in words."""
