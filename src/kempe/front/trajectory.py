"""Trajectories: the answer of a sweep, by name."""

from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout import Layout
from kempe.errors import UnknownName, nearest_name
from kempe.front.channel import Channel, PointChannel, ScalarChannel
from kempe.geometry import Marker
from kempe.kinematics.observation import observe_gauge, observe_point
from kempe.model.names import gauges_by_name, points_by_name
from kempe.outcome import Outcome
from kempe.results import Motion

if TYPE_CHECKING:
    from pathlib import Path

    from kempe.kinematics.reactions import Reactions

FloatArray = NDArray[np.float64]


@final
class Trajectory:
    """Samples of a motion, read by name: trajectory["rocker.angle"], trajectory["coupler.P"].

    A body's name gives its origin, "body.point" a point on it, "body.angle" and "joint.angle" (or
    "joint.displacement") a measure; where bodies have masses, "joint.force" and "joint.torque" are
    what a joint must exert, "crank.angle.effort" what a drive must. Arrays are in SI units and
    radians.
    """

    def __init__(self, layout: Layout, motion: Motion) -> None:
        self._layout = layout
        self._motion = motion
        self._channels: dict[str, Channel] = {}
        self._reactions: Reactions | None = None  # found when first asked for

    @property
    def layout(self) -> Layout:
        """The layout of the mechanism that moved."""
        return self._layout

    @property
    def t(self) -> FloatArray:
        """Times of the samples, s."""
        return self._motion.t

    @property
    def outcome(self) -> Outcome:
        """How the sweep ended."""
        return self._motion.outcome

    @property
    def motion(self) -> Motion:
        """The raw samples: coordinates, velocities, accelerations."""
        return self._motion

    @property
    def redundant(self) -> tuple[str, ...]:
        """Joints whose rows repeat, consistently, what other joints say."""
        return self._motion.redundant

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that can be read."""
        model = self._layout.model
        return (*points_by_name(model), *gauges_by_name(model))

    def __len__(self) -> int:
        return len(self._motion)

    def __getitem__(self, name: str) -> Any:
        """The channel of that name: a ScalarChannel, PointChannel or ForceChannel.

        What it is depends on the name, so its type is left open.
        """
        if name not in self._channels:
            self._channels[name] = self._read(name)
        return self._channels[name]

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __repr__(self) -> str:
        span = f"{self.t[0]:g} ... {self.t[-1]:g} s" if len(self) else "empty"
        return (
            f"Trajectory of {self._layout.model.name!r}: {len(self)} samples, {span},"
            f" {self.outcome.name}"
        )

    def _read(self, name: str) -> Channel:
        layout, motion, model = self._layout, self._motion, self._layout.model
        point: Marker | None = points_by_name(model).get(name)
        if point is not None:
            return PointChannel(
                name, self.t, *observe_point(layout, motion, point), shown=model.length_unit
            )
        gauge = gauges_by_name(model).get(name)
        if gauge is None and name.rpartition(".")[2] in ("force", "torque", "effort"):
            from kempe.front.forces import force_channel, reactions_of

            if self._reactions is None:
                self._reactions = reactions_of(self)
            return force_channel(self, self._reactions, name)
        if gauge is None:
            raise UnknownName(
                f"there is no {name!r} to read.{nearest_name(name, self.names)}", name=name
            )
        shown = "rad" if gauge.unit == "rad" else model.length_unit
        return ScalarChannel(
            name, self.t, *observe_gauge(layout, motion, gauge), unit=gauge.unit, shown=shown
        )

    def animate(self, path: "str | Path", *, trace: str | None = None) -> "Path":
        """Write a page that plays the motion: one HTML file that needs no network."""
        from kempe.front.animation import write_animation

        return write_animation(self, path, trace=(trace,) if trace else ())
