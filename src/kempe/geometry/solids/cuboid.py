"""A block."""

from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.geometry import Pose
from kempe.geometry.number import Floats, positive
from kempe.geometry.solids.abstract import AbstractSolid, amid_bar
from kempe.geometry.solids.convex_part import ConvexPart
from kempe.geometry.solids.facets import Facets, box
from kempe.units import Metres


@final
@dataclass(frozen=True, slots=True)
class Cuboid(AbstractSolid):
    """A block with its centre at the origin and its sides along x, y, z.

    K_xx = (b^2 + c^2) / 12  for sides a, b, c, and so on in their circle
    """

    sides: tuple[Metres, Metres, Metres]

    def __post_init__(self) -> None:
        a, b, c = (positive(side, "the side of a cuboid", "m") for side in self.sides)
        object.__setattr__(self, "sides", (a, b, c))

    @property
    def volume(self) -> float:
        a, b, c = self.sides
        return a * b * c

    @property
    def gyration(self) -> Floats:
        squares = np.square(self.sides)
        return np.diag(squares.sum() - squares) / 12.0

    @property
    def convex_parts(self) -> tuple[ConvexPart, ...]:
        corners = np.array(np.meshgrid(*([-side / 2.0, side / 2.0] for side in self.sides)))
        return (ConvexPart(corners.reshape(3, -1).T),)

    @property
    def facets(self) -> Facets | None:
        return box([side / 2.0 for side in self.sides])

    def on_bar(self, length: float) -> Pose:
        return amid_bar(length)
