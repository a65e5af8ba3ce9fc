"""Poses of bodies as plain numbers, from coordinates."""

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.geometry import Pose, Rotation, Vector
from kempe.measures import Gauge


def body_pose(layout: Layout, q: NDArray[np.float64], body: str) -> Pose:
    """X_WB of a body in the configuration q."""
    k = layout.body_index[body]
    if k == GROUND_INDEX:
        return Pose.identity()
    own = [float(x) for x in q[k * layout.chart.n_q : (k + 1) * layout.chart.n_q]]
    if layout.model.plane:
        return Pose(Vector(own[0], own[1], 0.0), Rotation.planar(own[2]))
    norm = float(np.linalg.norm(own[3:]))
    return Pose(Vector(*own[:3]), Rotation.from_quaternion([x / norm for x in own[3:]]))


def gauge_reading(layout: Layout, q: NDArray[np.float64], gauge: Gauge) -> float:
    """What a gauge reads (m or rad) in the configuration q, whole turns left out."""
    X = [body_pose(layout, q, m.body) @ m.pose for m in (gauge.I, gauge.J)]
    return gauge.measure.number(*X)
