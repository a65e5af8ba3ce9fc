"""A Bezier curve."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

from kempe.errors import BadNumber
from kempe.geometry.curves.abstract import Numbers, Points, points_of
from kempe.geometry.curves.pieces import (
    AbstractPiecewise,
    Pieces,
    bspline_pieces,
    checked_weights,
)


@final
@dataclass(frozen=True)
class Bezier(AbstractPiecewise):
    """A Bezier curve by its control points, with weights a rational one.

    C(t) = sum w_j P_j B_j(t) / sum w_j B_j(t),  0 <= t <= 1

    Source: [PieglTiller] eq. 1.7 and 1.15.
    """

    points: Points  # m
    weights: Numbers = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", points_of(self.points, 2))
        if len(self.points) > 16:
            raise BadNumber(f"a Bezier curve has 16 points or fewer, this one {len(self.points)}.")
        object.__setattr__(self, "weights", checked_weights(self.weights, len(self.points)))

    @cached_property
    def bezier(self) -> Pieces:
        n = len(self.points) - 1
        knots = (*(0.0,) * (n + 1), *(1.0,) * (n + 1))
        return bspline_pieces(self.points, self.weights, n, knots, False)
