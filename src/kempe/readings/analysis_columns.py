"""Columns of analyses by name, so that tables and plots take them like any other.

    transmission.angle, transmission.pressure_angle   rad
    transmission.condition                            largest by smallest singular value
    transmission.dead_point_distance                  how far the first drive can still go
    d(rocker.angle)/d(crank.angle)                    a velocity ratio
    coupler.P.curvature, coupler.P.radius             1/m and m, of the path of a point
    coupler.centre.x, coupler.centre.y                m, of the instant centre against the ground
    coupler.pitch                                     m/rad, of the screw against the ground

The mechanical advantage of an output over an input is the ratio of the input by the output.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kempe.geometry import GROUND
from kempe.readings.channel import PointChannel
from kempe.readings.column import Column
from kempe.readings.column_formulas import ratio_names

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]
Reader = Callable[["Trajectory"], tuple[FloatArray, str]]  # values, SI unit


def _dead_point_distance(trajectory: "Trajectory") -> tuple[FloatArray, str]:
    series = trajectory.transmission.dead_point_distance()
    return series.values, series.unit


TRANSMISSION: dict[str, Reader] = {
    "transmission.angle": lambda t: (t.transmission.angle().values, "rad"),
    "transmission.pressure_angle": lambda t: (t.transmission.pressure_angle().values, "rad"),
    "transmission.condition": lambda t: (t.transmission.condition().number, ""),
    "transmission.dead_point_distance": _dead_point_distance,
}


def derived_column(trajectory: "Trajectory", name: str) -> Column | None:
    """The column of an analysis; None where the name means none."""
    if name in TRANSMISSION:
        return _column(name, *TRANSMISSION[name](trajectory))
    ratio = ratio_names(name)
    if ratio is not None:
        series = trajectory.transmission.velocity_ratio(*ratio)
        return _column(name, series.values, series.unit)
    head, _, word = name.rpartition(".")
    if word in ("curvature", "radius") and isinstance(_channel(trajectory, head), PointChannel):
        bend = trajectory[head].curvature
        return _column(name, *((bend.values, "1/m") if word == "curvature" else (bend.radius, "m")))
    return _of_body(trajectory, name, head, word)


def _of_body(trajectory: "Trajectory", name: str, head: str, word: str) -> Column | None:
    bodies = [GROUND, *(body.name for body in trajectory.subject.bodies)]
    if word == "pitch" and head in bodies:
        return _column(name, trajectory.relative(head).screw_axis.pitch, "m/rad")
    body = head.removesuffix(".centre")
    if head.endswith(".centre") and word in ("x", "y") and body in bodies:
        points = trajectory.relative(body).instant_centre.point
        return _column(name, points[:, "xy".index(word)], "m", word)
    return None


def _column(name: str, values: FloatArray, unit: str, axis: str = "") -> Column:
    return Column(name, unit, values, name, 0, axis, name)


def _channel(trajectory: "Trajectory", name: str) -> object:
    if name not in trajectory:
        return None
    channel: object = trajectory[name]
    return channel
