"""Poses of bodies as plain numbers, from coordinates."""

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.geometry import Pose
from kempe.measures import Gauge


def body_pose(layout: Layout, q: NDArray[np.float64], body: str) -> Pose:
    """X_WB of a body in the configuration q."""
    k = layout.body_index[body]
    if k == GROUND_INDEX:
        return Pose.identity()
    return layout.chart.placed(q[layout.coordinates.q_of(k)])


def gauge_reading(layout: Layout, q: NDArray[np.float64], gauge: Gauge) -> float:
    """What a gauge reads (m or rad) in the configuration q, whole turns left out."""
    X = [body_pose(layout, q, m.body) @ m.pose for m in (gauge.I, gauge.J)]
    return gauge.measure.number(*X)
