"""Shapes: what a body occupies, for whoever asks whether bodies touch."""

from dataclasses import dataclass, field
from typing import final

from kempe.errors import ModelError
from kempe.geometry import Pose
from kempe.geometry.solids import AbstractSolid
from kempe.names import refuse_unreadable


@final
@dataclass(frozen=True, slots=True)
class BodyShape:
    """A solid on a body, under a name: "arm.jaw". It has no mass; that is the body's inertia."""

    name: str
    solid: AbstractSolid
    at: Pose = field(default_factory=Pose.identity)  # X_BS, of the solid's frame in the body's

    def __post_init__(self) -> None:
        refuse_unreadable(self.name, "no shape")
        if not self.name or "." in self.name:
            raise ModelError(f"a shape's name has letters and no dot, this one is {self.name!r}.")
        if not isinstance(self.solid, AbstractSolid):
            raise ModelError(
                f"shape {self.name!r} is {self.solid!r}: give a solid, such as Cuboid((1, 1, 1))."
            )
