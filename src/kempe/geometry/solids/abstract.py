"""What every solid is: a volume, a centroid and how its mass lies around it."""

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry import Inertia, Pose, Rotation, Vector
from kempe.geometry.number import Floats, finite, positive
from kempe.geometry.solids.convex_part import ConvexPart
from kempe.geometry.solids.facets import Facets, hull_facets, joined

if TYPE_CHECKING:
    from kempe.geometry.solids.mesh import Mesh

HERE = Pose.identity()


class AbstractSolid(ABC):
    """A body of one material, in a frame of its own."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]  # the names of the fields

    def __post_init__(self) -> None:
        """Every field is a length, positive, in m or as text with a unit."""
        kind = re.sub(r"(?<!^)(?=[A-Z])", " ", type(self).__name__).lower()
        for name in self.__match_args__:
            value = positive(getattr(self, name), f"the {name} of a {kind}", "m")
            object.__setattr__(self, name, value)

    @property
    @abstractmethod
    def volume(self) -> float:
        """Its volume (m^3); 0 where it has none."""

    @property
    def centroid(self) -> Floats:
        """Its centre (3,) in its frame (m)."""
        return np.zeros(3)

    @property
    @abstractmethod
    def gyration(self) -> Floats:
        """Its inertia tensor (3, 3) about the centroid for a mass of 1 (m^2)."""

    @property
    @abstractmethod
    def convex_parts(self) -> tuple[ConvexPart, ...]:
        """Convex parts that make it up, in its frame: what distances are measured to."""

    @property
    def profile(self) -> "tuple[Floats, float] | None":
        """Its outline (n, 2) in the plane z = 0 and its thickness along z (m), half on either side,
        where it is an outline extruded; else None.
        """
        return None

    @property
    def shell(self) -> "Mesh | None":
        """Its surface, where it is known by that and by no convex parts; else None."""
        return None

    @property
    def facets(self) -> "Facets | None":
        """Its surface as flat faces, for pictures; None where it has none."""
        parts = [hull_facets(part.points) for part in self.convex_parts]
        found = [part for part in parts if part is not None]
        return joined(found) if found else None

    def on_bar(self, length: float) -> Pose:
        """Where its frame lies on a bar of that length (m) along x, if nobody says otherwise."""
        return HERE

    def inertia(
        self,
        *,
        mass: float | str | None = None,
        density: float | str | None = None,
        at: Pose = HERE,
    ) -> Inertia:
        """Mass properties, from a mass (kg) or a density (kg/m^3), with the solid's frame at `at`.

        m = density V,  I = m K  about the centroid
        """
        if (mass is None) == (density is None):
            raise BadNumber("a solid's mass follows from `mass` or from `density`: give one.")
        if mass is None:
            if self.volume == 0.0:
                raise BadNumber(f"{type(self).__name__} has no volume: give its mass.")
            kilograms = finite(density, "the density", "kg/m^3") * self.volume
        else:
            kilograms = finite(mass, "the mass", "kg")
        return Inertia(kilograms, self.centroid, kilograms * self.gyration).seen_from(at)


def along_bar(length: float) -> Pose:
    """Half way along a bar (m), with z along it: where what is round about z lies."""
    return Pose(Vector(length / 2.0, 0.0, 0.0), Rotation.with_z((1.0, 0.0, 0.0)))


def amid_bar(length: float) -> Pose:
    """Half way along a bar (m), turned as it is."""
    return Pose(Vector(length / 2.0, 0.0, 0.0), HERE.rotation)
