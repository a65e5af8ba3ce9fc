"""Poses of bodies as plain numbers, from coordinates."""

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.geometry import Pose


def body_pose(layout: Layout, q: NDArray[np.float64], body: str) -> Pose:
    """X_WB of a body in the configuration q."""
    k = layout.body_index[body]
    if k == GROUND_INDEX:
        return Pose.identity()
    return layout.chart.placed(q[layout.coordinates.q_of(k)])
