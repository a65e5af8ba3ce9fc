"""How well a mechanism hands motion and force on, along a trajectory."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name
from kempe.errors import ModelError, UnknownName, nearest_name
from kempe.kinematics.observe.observation import observe_gauge
from kempe.kinematics.transmission.condition import Condition, condition, dead_point_distance
from kempe.kinematics.transmission.transfer import transfer
from kempe.kinematics.transmission.transmission_angle import transmission_angle
from kempe.kinematics.transmission.velocity_ratio import mechanical_advantage, velocity_ratio
from kempe.measures import Gauge
from kempe.readings.channel import ScalarChannel, Series
from kempe.results import Motion


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

    def condition(self) -> Condition:
        """Singular values of what is solved: the smallest is nought in a singular position."""
        return condition(self.layout, self.motion)

    def dead_point_distance(self, drive: str | None = None) -> Series:
        """How much farther a drive can go, by the condition's trend; infinite where it eases."""
        drives = {d.gauge.name: d.gauge for d in self.layout.model.drives}
        if not drives:
            raise ModelError(
                f"{self.layout.model.name!r} has no drive, so there is no way that one has left:"
                " look at the condition instead."
            )
        name = next(iter(drives)) if drive is None else drive
        if name not in drives:
            raise UnknownName(f"no drive acts on {name!r}.{nearest_name(name, drives)}", name=name)
        _, rate, _ = observe_gauge(self.layout, self.motion, drives[name])
        values = dead_point_distance(self.condition(), rate)
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
        out, into = self._gauge(output), self._gauge(input)
        values = velocity_ratio(self.layout, self.motion, out, into)
        return Series(values, *self._units(out, into))

    def mechanical_advantage(self, output: str, input: str) -> Series:
        """Force (or torque) along one measure by that along another, where no power is lost."""
        out, into = self._gauge(output), self._gauge(input)
        values = mechanical_advantage(self.layout, self.motion, out, into)
        return Series(values, *self._units(into, out))

    def _gauge(self, name: str) -> Gauge:
        gauges = gauges_by_name(self.layout.model)
        if name not in gauges:
            raise UnknownName(
                f"there is no measure {name!r}.{nearest_name(name, gauges)}", name=name
            )
        return gauges[name]

    def _shown(self, gauge: Gauge) -> str:
        return "rad" if gauge.unit == "rad" else self.layout.model.length_unit

    def _units(self, a: Gauge, b: Gauge) -> tuple[str, str]:
        """The unit of a quotient of two measures, as it is and as it is shown."""
        if a.unit == b.unit:
            return "", ""
        return f"{a.unit}/{b.unit}", f"{self._shown(a)}/{self._shown(b)}"
