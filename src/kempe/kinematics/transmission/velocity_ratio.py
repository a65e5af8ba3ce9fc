"""Velocity ratios: how fast one measure changes while another does."""

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.kinematics.observe.observation import observe_gauge
from kempe.kinematics.observe.relative_motion import AT_REST
from kempe.measures import Gauge
from kempe.results import Motion

FloatArray = NDArray[np.float64]


def velocity_ratio(layout: Layout, motion: Motion, output: Gauge, input: Gauge) -> FloatArray:
    """d output / d input (n,), in the output's unit per unit of the input.

    i = s_out' / s_in'

    Infinite where the input has come to an end of its range and the output moves on. Where both
    stand still it is the ratio of their accelerations, which is its limit; NaN where that says
    nothing either.
    """
    _, out, out_rate = observe_gauge(layout, motion, output)
    _, into, into_rate = observe_gauge(layout, motion, input)
    out_rests, into_rests = _rests(out), _rests(into)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(out_rests & into_rests, out_rate / into_rate, out / into)
    ratio[into_rests & ~out_rests] = np.inf
    return ratio


def _rests(rate: FloatArray) -> NDArray[np.bool_]:
    """Where a rate is nought, beside what it usually is."""
    size = np.abs(rate)
    rests: NDArray[np.bool_] = size <= AT_REST * (np.median(size) if len(size) else 0.0)
    return rests


def mechanical_advantage(layout: Layout, motion: Motion, output: Gauge, input: Gauge) -> FloatArray:
    """F_out / F_in (n,) of a mechanism that neither stores nor loses power.

    F_out s_out' = F_in s_in',  so  F_out / F_in = s_in' / s_out'

    F is the force along a length or the torque along an angle. It is infinite in a toggle
    position, where the output has come to an end of its range.
    """
    return velocity_ratio(layout, motion, input, output)
