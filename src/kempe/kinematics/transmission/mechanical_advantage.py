"""Mechanical advantage: how much more a mechanism exerts at its output than is put in."""

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.kinematics.transmission.velocity_ratio import velocity_ratio
from kempe.measures import Gauge
from kempe.results import Motion

FloatArray = NDArray[np.float64]


def mechanical_advantage(layout: Layout, motion: Motion, output: Gauge, input: Gauge) -> FloatArray:
    """F_out / F_in (n,) of a mechanism that neither stores nor loses power.

    F_out s_out' = F_in s_in',  so  F_out / F_in = s_in' / s_out'

    F is the force along a length or the torque along an angle. It is infinite in a toggle
    position, where the output has come to an end of its range.
    """
    return velocity_ratio(layout, motion, input, output)
