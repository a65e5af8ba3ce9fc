"""Parts let go at a moment."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self, final

from kempe.errors import ModelError
from kempe.events.abstract import AbstractMoment


@final
@dataclass(frozen=True)
class Release(AbstractMoment):
    """Joints, couplers, drives, forces or stops are let go where an expression passes zero.

    Velocities stay as they are; accelerations and reactions change at once. A drive goes by its
    own name or by that of its measure.

    Example: Release("arm.angle - 2.1", parts=("hook",)), the sling of a trebuchet
    """

    parts: tuple[str, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        self._named("parts")
        if not self.parts:
            raise ModelError(f"{self.called} lets nothing go: name `parts`.")

    @property
    def mentioned(self) -> tuple[str, ...]:
        return self.parts

    def renamed(self, name: Callable[[str], str], text: Callable[[str], str]) -> Self:
        return replace(super().renamed(name, text), parts=tuple(map(name, self.parts)))
