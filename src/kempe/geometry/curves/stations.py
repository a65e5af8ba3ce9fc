"""Curves that are given by the points they pass, one after the other."""

import itertools
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber
from kempe.geometry.curves.pieces import AbstractPiecewise
from kempe.geometry.curves.point_arguments import Place, Places, places


@dataclass(frozen=True)
class AbstractStations(AbstractPiecewise):
    """A curve from point to point; a closed one comes back to the first."""

    points: Places  # m
    closed: bool = False

    called: ClassVar[str]  # in a message

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", places(self.points, 3 if self.closed else 2))
        for k, (a, b) in enumerate(itertools.pairwise(self._stations)):
            if a == b:
                raise BadNumber(
                    f"points {k + 1} and {k + 2} of the {self.called} lie in one place, {a}: leave"
                    " one out.",
                    place=k,
                )

    @property
    def _stations(self) -> Places:
        first: Place = self.points[0]
        return (*self.points, first) if self.closed else self.points

    @property
    def _breaks(self) -> NDArray[np.float64]:
        """How far along the chords every station lies, from 0."""
        chords = [math.dist(a, b) for a, b in itertools.pairwise(self._stations)]
        return np.concatenate([[0.0], np.cumsum(chords)])
