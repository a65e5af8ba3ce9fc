"""Shapes: what a body occupies, for pictures, for its mass, and for whether bodies touch."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import final

from kempe.errors import ModelError
from kempe.geometry import Inertia, Pose
from kempe.geometry.number import positive
from kempe.geometry.solids import AbstractSolid
from kempe.names import refuse_unreadable


@final
@dataclass(frozen=True, slots=True)
class BodyShape:
    """A solid on a body, under a name: "arm.jaw"; with a density it says what the body weighs.

    A body's inertia is the sum of those of its shapes that have a density, unless it is given.
    """

    name: str
    solid: AbstractSolid
    at: Pose = field(default_factory=Pose.identity)  # X_BS, of the solid's frame in the body's
    density: float | None = None  # kg/m^3; None: it has no mass of its own

    def __post_init__(self) -> None:
        refuse_unreadable(self.name, "no shape")
        if not self.name or "." in self.name:
            raise ModelError(f"a shape's name has letters and no dot, this one is {self.name!r}.")
        if not isinstance(self.solid, AbstractSolid):
            raise ModelError(
                f"shape {self.name!r} is {self.solid!r}: give a solid, such as Cuboid((1, 1, 1))."
            )
        if self.density is not None:
            density = positive(self.density, f"the density of shape {self.name!r}", "kg/m^3")
            object.__setattr__(self, "density", density)

    @property
    def inertia(self) -> Inertia | None:
        """Its mass properties in the body's frame; None without a density."""
        if self.density is None:
            return None
        return self.solid.inertia(density=self.density, at=self.at)


def inertia_of(shapes: Iterable[BodyShape]) -> Inertia | None:
    """The mass properties of all shapes that have a density, as one; None where none has."""
    found = None
    for shape in shapes:
        mine = shape.inertia
        if mine is not None:
            found = mine if found is None else found + mine
    return found
