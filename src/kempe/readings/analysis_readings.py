"""Analyses of a trajectory: how it hands motion on, how bodies move against each other.

Each is read by name as well, so that tables and plots take it like any other:

    t                                                 s
    transmission.angle, transmission.pressure_angle   rad
    transmission.condition                            largest by smallest singular value
    transmission.dead_point_distance                  how far the first drive can still go
    d(rocker.angle)/d(crank.angle)                    a velocity ratio
    coupler.centre.x, coupler.centre.y                m, of the instant centre against the ground
    coupler.pitch                                     m/rad, of the screw against the ground

The mechanical advantage of an output over an input is the ratio of the input by the output.
"""

import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import measure_named
from kempe.errors import KempeError, ModelError, UnknownName, nearest_name
from kempe.kinematics.observe.observation import observe_gauge
from kempe.kinematics.observe.relative_motion import (
    Centrodes,
    InstantCentre,
    RelativeMotion,
    ScrewAxis,
    centrodes,
    instant_centre,
    screw_axis,
)
from kempe.kinematics.transmission.condition import Condition, condition, dead_point_distance
from kempe.kinematics.transmission.transfer import (
    mechanical_advantage,
    transfer,
    transmission_angle,
    velocity_ratio,
)
from kempe.measures import Gauge
from kempe.notebook import in_cell, table_html, text_html
from kempe.outcome import Ending
from kempe.readings.channel import ScalarChannel, Series
from kempe.readings.reading import Column, Reading, one_column
from kempe.results import Motion

if TYPE_CHECKING:
    from kempe.readings.source import AbstractSource


@final
@dataclass(frozen=True, slots=True, eq=False)
class Transmission:
    """Condition, transmission angles and ratios of a trajectory.

    Example:
        >>> import kempe
        >>> turn = kempe.gallery.four_bar().kinematics(until=1.0)
        >>> print(turn.transmission.angle().min("deg"), turn.transmission.angle().max("deg"))
        54.31 deg 100.3 deg
    """

    layout: Layout
    motion: Motion

    def __repr__(self) -> str:
        return (
            f"Transmission of {self.layout.model.name!r}, {len(self.motion)} samples: .angle(),"
            " .velocity_ratio(...), .condition()"
        )

    def _repr_html_(self) -> str:
        """What a notebook shows: the condition, and the transmission angle where a loop has one."""
        condition = self.condition().number
        rows = [["condition", in_cell(float(condition.min())), in_cell(float(condition.max()))]]
        with suppress(KempeError):
            mu = self.angle()
            rows.append([mu.name, str(mu.min()), str(mu.max())])
        return table_html(["", "min", "max"], rows, repr(self))

    def condition(self) -> Condition:
        """Singular values of what is solved: the smallest is nought in a singular position."""
        return condition(self.layout, self.motion)

    def dead_point_distance(self, drive: str | None = None) -> Series:
        """How much farther a drive can go, by the condition's trend; infinite where it eases.

        Never more than the way to the dead point of this drive that ended the run, if one did.
        """
        drives = {d.gauge.name: d.gauge for d in self.layout.model.drives}
        if not drives:
            raise ModelError(
                f"{self.layout.model.name!r} has no drive, so there is no way that one has left:"
                " look at the condition instead."
            )
        name = next(iter(drives)) if drive is None else drive
        if name not in drives:
            raise UnknownName(f"no drive acts on {name!r}.{nearest_name(name, drives)}", name=name)
        value, rate, _ = observe_gauge(self.layout, self.motion, drives[name])
        outcome, known = self.motion.outcome, None
        is_dead = outcome.ending is Ending.DEAD_POINT and not self.motion.passes
        if is_dead and outcome.facts.get("drive") == name:
            known = np.abs(float(outcome.facts["value"]) - value)
        values = dead_point_distance(self.condition(), rate, known)
        return Series(values, drives[name].unit, self._shown(drives[name]))

    def angle(
        self, output: str | None = None, *, input: str | None = None, base: str | None = None
    ) -> ScalarChannel:
        """The transmission angle of a loop: 90 degrees is best, 0 or 180 a dead point.

        Bodies are given by name where there is a choice: the input is the driven body, the base
        the one it is driven against.
        """
        loop = transfer(self.layout.model, input, output, base)
        values = transmission_angle(self.layout, self.motion, loop)
        name = f"transmission angle of {loop}"
        return ScalarChannel(name, self.motion.t, *values, unit="rad", shown="deg")

    def pressure_angle(
        self, output: str | None = None, *, input: str | None = None, base: str | None = None
    ) -> Series:
        """How far the transmission angle is from 90 degrees."""
        mu = self.angle(output, input=input, base=base)
        return Series(np.abs(0.5 * math.pi - mu.values), "rad", "deg")

    def velocity_ratio(self, output: str, input: str) -> Series:
        """How much one measure changes while another does, by their names: d output / d input."""
        out, into = (measure_named(self.layout.model, name) for name in (output, input))
        values = velocity_ratio(self.layout, self.motion, out, into)
        return Series(values, *self._units(out, into))

    def mechanical_advantage(self, output: str, input: str) -> Series:
        """Force (or torque) along one measure by that along another, where no power is lost."""
        out, into = (measure_named(self.layout.model, name) for name in (output, input))
        values = mechanical_advantage(self.layout, self.motion, out, into)
        return Series(values, *self._units(into, out))

    def _shown(self, gauge: Gauge) -> str:
        return "rad" if gauge.unit == "rad" else self.layout.model.length_unit

    def _units(self, a: Gauge, b: Gauge) -> tuple[str, str]:
        """The unit of a quotient of two measures, as it is and as it is shown."""
        if a.unit == b.unit:
            return "", ""
        return f"{a.unit}/{b.unit}", f"{self._shown(a)}/{self._shown(b)}"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Relative:
    """What the motion of one body against another looks like, sample by sample, in SI units.

    Example:
        >>> import kempe
        >>> turn = kempe.gallery.four_bar().kinematics(until=1.0)
        >>> turn.relative("crank", "coupler").instant_centre.point.shape  # their common hinge
        (361, 2)
    """

    motion: RelativeMotion  # poses and twists

    def __repr__(self) -> str:
        words = [w for w in dir(type(self)) if not w.startswith("_") and w != "motion"]
        return f"Relative motion, {len(self.motion.t)} samples: .{', .'.join(words)}"

    def _repr_html_(self) -> str:
        """What a notebook shows: what it is, and what can be asked of it."""
        return text_html(repr(self))

    @property
    def instant_centre(self) -> InstantCentre:
        """The point about which the body turns, in the plane."""
        return instant_centre(self.motion)

    @property
    def centrodes(self) -> Centrodes:
        """The curves that roll on each other: the instant centre's paths in both bodies."""
        return centrodes(self.motion)

    @property
    def screw_axis(self) -> ScrewAxis:
        """The line about which the body turns and along which it slides."""
        return screw_axis(self.motion)


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
