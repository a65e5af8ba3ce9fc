"""Assemblies: one position of a mechanism, as near to a wish as its loops close."""

from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.front.trajectory import Trajectory
from kempe.geometry import Pose
from kempe.kinematics.closing.nearest import Nearest
from kempe.kinematics.closing.poses import body_pose
from kempe.outcome import DONE
from kempe.readings.channel import PointChannel, ScalarChannel
from kempe.results import Motion

FloatArray = NDArray[np.float64]
Moved = tuple[float, float]  # m and rad


@final
class Assembly:
    """A mechanism put together: assembly["coupler.P"], assembly.rate("rocker.angle").

    Points are arrays of 2 numbers in the plane and 3 in space; all is in SI units and radians.
    """

    def __init__(
        self,
        layout: Layout,
        found: Nearest,
        v: FloatArray,
        t: float,
        *,
        freedom: int,
        notes: tuple[str, ...] = (),
        hinges: dict[str, float] | None = None,
    ) -> None:
        motion = Motion(
            np.array([t]),
            found.at.q[None].copy(),
            v[None].copy(),
            np.zeros((1, len(v))),
            DONE,
            notes=notes,
            hinges=hinges or {},
        )
        self._trajectory = Trajectory(layout, motion)
        self._found, self._freedom = found, freedom

    @property
    def trajectory(self) -> Trajectory:
        """The position as a trajectory of one sample, with everything that can be read off it."""
        return self._trajectory

    @property
    def notes(self) -> tuple[str, ...]:
        """What is further from where it was wished than a rough wish says, in words."""
        return self._trajectory.notes

    @property
    def residual(self) -> float:
        """The largest misfit left, lengths in sizes of the machine, angles in rad."""
        return self._found.at.residual

    @property
    def freedom(self) -> int:
        """How many ways to move the search had to come near to the wish."""
        return self._freedom

    @property
    def poses(self) -> dict[str, Pose]:
        """X_WB of every moving body: can be given as `near` to another assembly, or to a drag."""
        layout, q = self._trajectory.layout, self._trajectory.motion.q[0]
        return {b.name: body_pose(layout, q, b.name) for b in layout.model.moving}

    @property
    def moved(self) -> dict[str, Moved]:
        """How far (m) and by what angle (rad) every body is from where it was wished."""
        layout, d = self._trajectory.layout, self._found.moved
        at = layout.coordinates
        return {
            body.name: (
                float(np.linalg.norm(d[at.way_of(k)])),
                float(np.linalg.norm(d[at.spin_of(k)])),
            )
            for k, body in enumerate(layout.model.moving)
        }

    def __getitem__(self, name: str) -> float | FloatArray:
        """A point or a measure by its name."""
        channel = self._trajectory[name]
        if isinstance(channel, PointChannel):
            point: FloatArray = channel.position[0]
            return point
        return float(channel.values[0])

    def rate(self, name: str) -> float | FloatArray:
        """The velocity of a point (m/s), or how fast a measure changes (m/s, rad/s)."""
        channel = self._trajectory[name]
        if isinstance(channel, PointChannel):
            velocity: FloatArray = channel.velocity[0]
            return velocity
        assert isinstance(channel, ScalarChannel)
        return float(channel.rate[0])

    def svg(self) -> str:
        """A picture of it."""
        from kempe.pictures.animation import picture

        return picture(self._trajectory)

    def _repr_html_(self) -> str:
        return f"<div>{self.svg()}</div>"

    def __repr__(self) -> str:
        furthest = max(self.moved.items(), key=lambda item: item[1], default=None)
        far = ""
        if furthest is not None:
            name, (way, turn) = furthest
            far = f", {name!r} moved most: {way:.3g} m and {turn:.3g} rad"
        return f"Assembly of {self._trajectory.subject.name!r}{far}"
