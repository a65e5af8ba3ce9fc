"""Snapshots: where everything is at one moment, by name."""

import math
from collections.abc import Mapping
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.front.trajectory import Trajectory
from kempe.geometry import Pose
from kempe.kinematics.closing.poses import body_pose
from kempe.outcome import Outcome
from kempe.readings.channel import PointChannel
from kempe.results import Motion
from kempe.results.state import State

FloatArray = NDArray[np.float64]


@final
class Snapshot:
    """One position of a mechanism: snapshot["coupler.P"] or snapshot["rocker.angle"].

    Points are arrays of 2 numbers in the plane and 3 in space; all is in SI units and radians.
    `values` are the driven values at which the mechanism stands, `outcome` says whether they are
    those that were asked for.
    """

    def __init__(
        self, layout: Layout, q: FloatArray, values: Mapping[str, float], outcome: Outcome
    ) -> None:
        still = np.zeros((1, layout.n_v))
        motion = Motion(np.zeros(1), q[None, :].copy(), still, still.copy(), outcome)
        self._trajectory = Trajectory(layout, motion)
        self._values = dict(values)

    @property
    def values(self) -> dict[str, float]:
        """The driven values, by name."""
        return dict(self._values)

    @property
    def outcome(self) -> Outcome:
        """Whether the values asked for were reached, and why not."""
        return self._trajectory.outcome

    @property
    def state(self) -> State:
        """The position, as `start` of an analysis takes it: at rest."""
        return self._trajectory.state()

    @property
    def q(self) -> FloatArray:
        """The coordinates."""
        own: FloatArray = self._trajectory.motion.q[0]
        return own

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that can be read."""
        return self._trajectory.names

    def pose(self, body: str) -> Pose:
        """X_WB of a body."""
        layout = self._trajectory.layout
        layout.model.body(body)  # refuses unknown names
        return body_pose(layout, self.q, body)

    def __getitem__(self, name: str) -> float | FloatArray:
        channel = self._trajectory[name]
        if isinstance(channel, PointChannel):
            point: FloatArray = channel.position[0]
            return point
        value = float(channel.values[0])
        if channel.unit == "rad" and name in self._values:  # an angle in space: which turn?
            value += math.tau * round((self._values[name] - value) / math.tau)
        return value

    def __repr__(self) -> str:
        at = ", ".join(f"{name} = {value:.6g}" for name, value in self._values.items())
        return f"Snapshot of {self._trajectory.layout.model.name!r} at {at}: {self.outcome.name}"
