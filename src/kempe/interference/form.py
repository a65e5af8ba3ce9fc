"""Forms: the shapes of bodies, ready to be measured against each other."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from kempe.geometry.solids import ConvexPart

FloatArray = NDArray[np.float64]


@final
class Gaps(NamedTuple):
    """Signed distances of two forms in several places, and the points that are nearest."""

    distance: FloatArray  # (m,): below 0 they overlap, by a translation of at least so much (m)
    first: FloatArray  # (m, 3): the nearest point of the first, or where it is deepest
    second: FloatArray  # (m, 3)


class AbstractForm(ABC):
    """The shape of a body in the body's frame."""

    body: str
    name: str  # such as "arm.jaw"
    centre: FloatArray  # (3,)
    reach: float  # m, about the centre
    is_convex: bool  # then depths are exact; else they are lower bounds

    def _enclose(self, parts: Sequence[ConvexPart]) -> None:
        """Centre and reach of a sphere that holds all parts."""
        corners = np.vstack([part.points for part in parts])
        self.centre = (corners.min(axis=0) + corners.max(axis=0)) / 2.0
        self.reach = max(
            float(np.linalg.norm(part.points - self.centre, axis=1).max()) + part.radius + part.rim
            for part in parts
        )

    @abstractmethod
    def gaps(self, other: "AbstractForm", p: FloatArray, R: FloatArray) -> Gaps:
        """Distances to another form whose frame lies at p (m, 3), R (m, 3, 3) in this one's."""

    @abstractmethod
    def holds(self, point: FloatArray, within: float) -> bool:
        """Whether a point (3,) of the body's frame lies in it, or no further off than that (m)."""
