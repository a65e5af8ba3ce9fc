"""Straight stretches from point to point."""

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry.curves.pieces import AbstractPiecewise, Pieces
from kempe.geometry.curves.point_arguments import Places, places


@final
@dataclass(frozen=True)
class Polyline(AbstractPiecewise):
    """Straight stretches from point to point; t is the way gone along them (m)."""

    points: Places  # m
    closed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", places(self.points, 3 if self.closed else 2))
        for k, (a, b) in enumerate(itertools.pairwise(self._corner_points)):
            if a == b:
                raise BadNumber(
                    f"points {k + 1} and {k + 2} of the polyline lie in one place, {a}: leave one"
                    " out.",
                    place=k,
                )

    @property
    def _corner_points(self) -> tuple[tuple[float, ...], ...]:
        return (*self.points, self.points[0]) if self.closed else self.points

    @cached_property
    def bezier(self) -> Pieces:
        ends = self._corner_points
        lengths = [math.dist(a, b) for a, b in itertools.pairwise(ends)]
        breaks = np.concatenate([[0.0], np.cumsum(lengths)])
        controls = np.ones((len(lengths), 2, 4))
        controls[:, 0, :3], controls[:, 1, :3] = ends[:-1], ends[1:]
        return Pieces(breaks, controls, False, self.closed)
