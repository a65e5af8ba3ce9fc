"""Bodies that move, traced: their frames and velocities, and how markers on them move."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from kempe.algebra import Expression
from kempe.compile.layout.charts import AbstractChart
from kempe.geometry import Pose, Twist, Vector


@final
@dataclass(frozen=True, slots=True)
class MovingBody:
    """A body's traced frame and velocities; `first` is the number of its first velocity."""

    frame: Sequence[Expression]
    v: Sequence[Expression]
    first: int


def marker_motion(
    chart: AbstractChart, X_BM: Pose, body: MovingBody | None, zero: Expression
) -> tuple[Pose, Twist]:
    """X_WM of a marker on a body, None for the ground, and its twist in world axes."""
    if body is None:
        still = Vector(zero, zero, zero)
        return X_BM, Twist(still, still)
    X_WB, V = chart.pose(body.frame), chart.twist(body.frame, body.v)
    X_WM = X_WB @ X_BM
    return X_WM, Twist(V.at(X_WM.position - X_WB.position), V.w)
