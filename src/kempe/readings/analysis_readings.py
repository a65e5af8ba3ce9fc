"""Analyses by name, so that tables and plots take them like any other.

    t                                                 s
    transmission.angle, transmission.pressure_angle   rad
    transmission.condition                            largest by smallest singular value
    transmission.dead_point_distance                  how far the first drive can still go
    d(rocker.angle)/d(crank.angle)                    a velocity ratio
    coupler.centre.x, coupler.centre.y                m, of the instant centre against the ground
    coupler.pitch                                     m/rad, of the screw against the ground

The mechanical advantage of an output over an input is the ratio of the input by the output.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kempe.readings.column import Column
from kempe.readings.reading import Reading, one_column

if TYPE_CHECKING:
    from kempe.readings.source import AbstractSource

FloatArray = NDArray[np.float64]
TRANSMISSION = {
    "angle": "transmission angle of the loop that is driven",
    "pressure_angle": "how far the transmission angle is from 90 degrees",
    "condition": "condition number: 1 is best, infinite is a dead point",
    "dead_point_distance": "how far the first drive can still go, by the trend",
}


def analyses(bodies: Iterable[str], driven: str) -> Iterator[Reading]:
    """All of these but ratios; `driven` is the unit of the first drive."""
    yield one_column(_column("t", "s"), "time", _time)
    for (word, says), unit in zip(TRANSMISSION.items(), ("rad", "rad", "", driven), strict=True):
        column = _column(f"transmission.{word}", unit)
        yield one_column(column, says, partial(_transmission, word))
    for body in bodies:
        for axis in ("x", "y"):
            column = _column(f"{body}.centre.{axis}", "m", axis)
            says = f"{axis} of the instant centre of body {body} against the ground"
            yield one_column(column, says, partial(_centre, body, "xy".index(axis)))
        says = f"pitch of the screw of body {body} against the ground"
        yield one_column(_column(f"{body}.pitch", "m/rad"), says, partial(_pitch, body))


def ratio_reading(name: str, over: Reading, under: Reading) -> Reading:
    """The velocity ratio of two measures, d(over)/d(under)."""
    unit = "" if over.unit == under.unit else f"{over.unit}/{under.unit}"
    says = f"how much {over.name} changes while {under.name} does"
    return one_column(_column(name, unit), says, partial(_ratio, over.name, under.name))


def _column(name: str, unit: str, axis: str = "") -> Column:
    return Column(name, unit, name, 0, axis, name)


def _time(source: "AbstractSource") -> FloatArray:
    return source.motion.t


def _transmission(word: str, source: "AbstractSource") -> FloatArray:
    found = getattr(source.transmission, word)()
    values: FloatArray = found.number if word == "condition" else found.values
    return values


def _ratio(over: str, under: str, source: "AbstractSource") -> FloatArray:
    return source.transmission.velocity_ratio(over, under).values


def _centre(body: str, k: int, source: "AbstractSource") -> FloatArray:
    return source.relative(body).instant_centre.point[:, k]


def _pitch(body: str, source: "AbstractSource") -> FloatArray:
    return source.relative(body).screw_axis.pitch
