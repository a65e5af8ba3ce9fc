"""A smooth curve through points."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, final

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry.curves.pieces import AbstractStations, Pieces


@final
@dataclass(frozen=True)
class Through(AbstractStations):
    """The cubic spline through points, parametrised by the chords between them (m).

    Its second derivative is continuous; the ends are not-a-knot, or a closed curve has none.

    Source: [deBoor] ch. IV, chord lengths as parameters.
    """

    called: ClassVar[str] = "curve"

    def __post_init__(self) -> None:
        super().__post_init__()
        breaks = self._breaks
        if not (np.isfinite(breaks).all() and (np.diff(breaks) > 0.0).all()):
            raise BadNumber("points of the curve are so near or so far that their way has no sum.")

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
