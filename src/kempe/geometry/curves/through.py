"""A smooth curve through points."""

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber
from kempe.geometry.curves.pieces import AbstractPiecewise, Pieces
from kempe.geometry.curves.point_arguments import Places, places


@final
@dataclass(frozen=True)
class Through(AbstractPiecewise):
    """The cubic spline through points, parametrised by the chords between them (m).

    Its second derivative is continuous; the ends are not-a-knot, or a closed curve has none.

    Source: [deBoor] ch. IV, chord lengths as parameters.
    """

    points: Places  # m
    closed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", places(self.points, 3 if self.closed else 2))
        for k, (a, b) in enumerate(itertools.pairwise(self._stations)):
            if a == b:
                raise BadNumber(
                    f"points {k + 1} and {k + 2} of the curve lie in one place, {a}: leave one"
                    " out.",
                    place=k,
                )
        breaks = self._breaks
        if not (np.isfinite(breaks).all() and (np.diff(breaks) > 0.0).all()):
            raise BadNumber("points of the curve are so near or so far that their way has no sum.")

    @property
    def _breaks(self) -> NDArray[np.float64]:
        """How far along the chords every station lies, from 0."""
        chords = [math.dist(a, b) for a, b in itertools.pairwise(self._stations)]
        return np.concatenate([[0.0], np.cumsum(chords)])

    @property
    def _stations(self) -> tuple[tuple[float, ...], ...]:
        return (*self.points, self.points[0]) if self.closed else self.points

    @cached_property
    def bezier(self) -> Pieces:
        from scipy.interpolate import CubicSpline

        stations = np.array(self._stations)
        breaks = self._breaks
        ends: Literal["periodic", "not-a-knot"] = "periodic" if self.closed else "not-a-knot"
        slopes = CubicSpline(breaks, stations, bc_type=ends)(breaks, 1)
        h = np.diff(breaks)[:, None] / 3.0
        controls = np.ones((len(breaks) - 1, 4, 4))
        controls[:, 0, :3], controls[:, 3, :3] = stations[:-1], stations[1:]
        controls[:, 1, :3] = stations[:-1] + h * slopes[:-1]
        controls[:, 2, :3] = stations[1:] - h * slopes[1:]
        return Pieces(breaks, controls, False, self.closed)
