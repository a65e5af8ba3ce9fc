"""Straight stretches from point to point."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, final

import numpy as np

from kempe.geometry.curves.pieces import AbstractStations, Pieces


@final
@dataclass(frozen=True)
class Polyline(AbstractStations):
    """Straight stretches from point to point; t is the way gone along them (m)."""

    called: ClassVar[str] = "polyline"

    @cached_property
    def bezier(self) -> Pieces:
        ends, breaks = self._stations, self._breaks
        controls = np.ones((len(breaks) - 1, 2, 4))
        controls[:, 0, :3], controls[:, 1, :3] = ends[:-1], ends[1:]
        return Pieces(breaks, controls, False, self.closed)
