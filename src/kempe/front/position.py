"""Positions: one moment of a mechanism, by name; every analysis can start from one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self, cast, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import UnknownName
from kempe.front.trajectory import Trajectory
from kempe.geometry import Pose
from kempe.kinematics.closing.nearest import Nearest
from kempe.kinematics.closing.placement import body_pose
from kempe.outcome import DONE
from kempe.readings.channel import NO_DIRECTION, PointChannel, ScalarChannel
from kempe.results import Motion
from kempe.results.maps.assemblies import CertifiedState
from kempe.results.state import State

FloatArray = NDArray[np.float64]


class AbstractReadable:
    """One moment of a mechanism that is read by name, drawn and kept in a file."""

    __slots__ = ()

    t: float
    q: FloatArray
    trajectory: Trajectory  # of this one sample, with everything that can be read off it

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that can be read."""
        return self.trajectory.names

    @property
    def poses(self) -> dict[str, Pose]:
        """X_WB of every moving body: can be given as `near` to another assembly, or to a drag."""
        return {body.name: self.pose(body.name) for body in self.trajectory.layout.model.moving}

    def pose(self, body: str) -> Pose:
        """The pose X_WB of `body` in the world, m."""
        layout = self.trajectory.layout
        layout.model.body(body)  # refuses unknown names
        return body_pose(layout, self.q, body)

    def __getitem__(self, name: str) -> float | FloatArray:
        """What a name means here: a number, or an array (k,) of a point, a force, an orientation.

        Lengths in m, angles in rad, forces in N, all along world axes.
        """
        channel = self.trajectory[name]
        if isinstance(channel, PointChannel):
            return cast("FloatArray", channel.position[0])
        self._refuse_untold(channel)
        value: FloatArray = channel.values[0]
        return value if np.ndim(value) else float(value)

    def rate(self, name: str) -> float | FloatArray:
        """The velocity (m/s) of the point `name`, or how fast that measure changes (m/s, rad/s)."""
        channel = self.trajectory[name]
        if isinstance(channel, PointChannel):
            return cast("FloatArray", channel.velocity[0])
        if not isinstance(channel, ScalarChannel):
            raise UnknownName(
                f"{name!r} has no rate here: only points and measures have. Take a trajectory's"
                " values over time instead.",
                name=name,
            )
        self._refuse_untold(channel)
        return float(channel.rate[0])

    def _refuse_untold(self, channel: object) -> None:
        """An UnknownName where an angle has no direction here."""
        if isinstance(channel, ScalarChannel) and np.isnan(channel.values[0]):
            raise UnknownName(
                f"{channel.name!r} has no direction at t = {self.t:.6g} s: {NO_DIRECTION}",
                name=channel.name,
            )

    def svg(self) -> str:
        """A picture of it."""
        from kempe.pictures.animation import picture

        return picture(self.trajectory)

    def save(self, path: str | Path) -> Path:
        """Write it to the .npz file `path`; `Trajectory.load(path).state()` is it again."""
        return self.trajectory.save(path)

    def _repr_html_(self) -> str:
        return f"<div>{self.svg()}</div>"

    def __repr__(self) -> str:
        return f"{type(self).__name__} of {self.trajectory.subject.name!r} at t = {self.t:.6g} s"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Position(AbstractReadable, State):
    """A state that is read by name: position["coupler.P"], position.rate("rocker.angle").

    Points are arrays of 2 numbers in the plane and 3 in space; all is in SI units and radians. As a
    state it can be the `start` of any analysis.

    Example:
        >>> import kempe
        >>> turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=4)
        >>> bool(turn.at(0.5)["crank.angle"] == turn["crank.angle"].values[2])
        True
    """

    trajectory: Trajectory  # of this one sample, with everything that can be read off it

    @classmethod
    def of(cls, sample: Trajectory, **more: object) -> Self:
        """The position that a trajectory of one `sample` is, with what else a kind of it knows."""
        at = sample.motion.state(0)
        known = {"v": at.v, "turns": at.turns, "angles": at.angles, "states": at.states}
        return cls(at.t, at.q, trajectory=sample, **known, **more)  # type: ignore[arg-type]


@final
@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class CertifiedAssembly(AbstractReadable, CertifiedState):
    """One of all ways to put a mechanism together, proved: assembly["coupler.P"].

    A position, true to `radius`: it is read by name, draws itself, is kept in a file and can be the
    `start` of any analysis.

    Example:
        >>> import kempe
        >>> ways = kempe.gallery.four_bar().assemblies({"crank.angle": "60 deg"})
        >>> len(ways), ways[0]["rocker.angle"] != ways[1]["rocker.angle"]
        (2, True)
    """

    trajectory: Trajectory  # of this one sample

    @classmethod
    def of(cls, layout: Layout, at: CertifiedState) -> Self:
        """The assembly `at` of the mechanism with this `layout`, to be read by name."""
        still = np.zeros((1, layout.n_v))
        motion = Motion(np.array([at.t]), at.q[None], still, still.copy(), DONE)
        return cls(
            at.t,
            at.q,
            v=at.v,
            turns=at.turns,
            x=at.x,
            x_radius=at.x_radius,
            radius=at.radius,
            others=at.others,
            trajectory=Trajectory(layout, motion),
        )


Moved = tuple[float, float]  # m and rad


@final
@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Assembly(Position):
    """A mechanism put together: assembly["coupler.P"], assembly.rate("rocker.angle")."""

    found: Nearest
    freedom: int  # how many ways to move the search had to come near to the wish

    @property
    def notes(self) -> tuple[str, ...]:
        """What is further from where it was wished than a rough wish says, in words."""
        return self.trajectory.notes

    @property
    def residual(self) -> float:
        """The largest misfit left, lengths in sizes of the machine, angles in rad."""
        return self.found.at.residual

    @property
    def moved(self) -> dict[str, Moved]:
        """How far (m) and by what angle (rad) every body is from where it was wished."""
        layout, d = self.trajectory.layout, self.found.moved
        at = layout.coordinates
        return {
            body.name: (
                float(np.linalg.norm(d[at.way_of(k)])),
                float(np.linalg.norm(d[at.spin_of(k)])),
            )
            for k, body in enumerate(layout.model.moving)
        }

    def __repr__(self) -> str:
        furthest = max(self.moved.items(), key=lambda item: item[1], default=None)
        far = ""
        if furthest is not None:
            name, (way, turn) = furthest
            far = f", {name!r} moved most: {way:.3g} m and {turn:.3g} rad"
        return f"Assembly of {self.trajectory.subject.name!r}{far}"
