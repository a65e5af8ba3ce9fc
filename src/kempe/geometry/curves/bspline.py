"""A B-spline, rational or not."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

from kempe.errors import BadNumber
from kempe.geometry.curves.abstract import Numbers, Points, points_of
from kempe.geometry.curves.pieces import (
    AbstractPiecewise,
    Pieces,
    bspline_pieces,
    checked_knots,
    checked_weights,
)


@final
@dataclass(frozen=True)
class BSpline(AbstractPiecewise):
    """A B-spline by control points and knots; with weights a NURBS, exactly.

    C(t) = sum w_j P_j N_j(t) / sum w_j N_j(t)

    An open one takes count + degree + 1 knots and runs over those between the first and the last
    `degree`; without knots it starts and ends in its end points. A closed one takes count + 1
    knots, the first of them 0: point j is used again after one round.

    Source: [PieglTiller] eq. 3.1 and 4.1.
    """

    points: Points  # m
    degree: int = 3
    knots: Numbers = ()
    weights: Numbers = ()
    closed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", points_of(self.points, 2))
        knots = checked_knots(self.knots or None, len(self.points), self.degree, closed=self.closed)
        if self.closed and knots[0] != 0.0:
            raise BadNumber(f"the knots of a closed curve start at 0, these at {knots[0]:g}.")
        object.__setattr__(self, "knots", knots)
        object.__setattr__(self, "weights", checked_weights(self.weights, len(self.points)))

    @cached_property
    def bezier(self) -> Pieces:
        points, weights, knots, n = self.points, self.weights, self.knots, self.degree
        if self.closed:
            period = knots[-1] - knots[0]
            before = tuple(k - period for k in knots[-1 - n : -1])
            after = tuple(k + period for k in knots[1 : n + 1])
            knots = (*before, *knots, *after)
            points, weights = points + points[:n], weights + weights[:n]
        return bspline_pieces(points, weights, n, knots, self.closed)
