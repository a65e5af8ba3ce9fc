"""What an analysis can be started from: any state or assembly, or poses by body."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.errors import BadNumber, UnknownName, nearest_name
from kempe.front.trajectory import Trajectory
from kempe.geometry import GROUND, Pose, Vector
from kempe.kinematics.closing.placement import Given, Guesses, body_pose, given_of
from kempe.model import Body
from kempe.results.state import FloatArray, State

Start = State | Trajectory | Mapping[str, Pose]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Started:
    """Poses to start from, velocities where there are any, and turns that poses do not show."""

    poses: Mapping[str, Pose]
    v: FloatArray | None = None  # (n_v,) of a motion
    hinges: Mapping[str, float] = field(default_factory=dict)  # rad, of joints in space

    def given(self, layout: Layout) -> Given:
        """The poses, as the search for a start takes them."""
        return given_of(layout, Guesses(self.poses))

    def moving(self, layout: Layout) -> Layout:
        """The layout with these velocities to begin with, instead of those of the model."""
        if self.v is None:
            return layout
        bodies = tuple(
            b if b.name == GROUND else _moving(layout, b, self.v, self.poses[b.name])
            for b in layout.model.bodies
        )
        moved = replace(layout.model, bodies=bodies, rates=())
        return Layout(moved, layout.complete_search)


def started(layout: Layout, start: Any) -> Started | None:
    """What was given as a start, checked against the mechanism; None where nothing was."""
    if start is None:
        return None
    if isinstance(start, Mapping):
        return Started(_poses(layout, start))
    at = _state(start)
    q, v = at.q, at.v
    if len(q) not in (layout.n_q, layout.coordinates.bodies_q.stop):
        raise BadNumber(
            f"the start has {len(q)} coordinates and {layout.model.name!r} has {layout.n_q}: it is"
            " of another mechanism."
        )
    poses = {body.name: body_pose(layout, q, body.name) for body in layout.model.moving}
    is_moving = len(v) == layout.n_v and bool(np.any(v))
    hinges = {j.name: at.hinges[j.name] for j in layout.model.joints if j.name in at.hinges}
    return Started(poses, v if is_moving else None, {} if layout.model.plane else hinges)


def _state(start: Any) -> State:
    """The state that was given; of a trajectory that of its last sample."""
    if isinstance(start, State):
        return start
    trajectory = start if isinstance(start, Trajectory) else getattr(start, "trajectory", None)
    if not isinstance(trajectory, Trajectory):
        raise BadNumber(
            "a start is an assembly, a state (such as trajectory.state(10)), a trajectory, whose"
            f" last sample is taken, or poses by body, not {type(start).__name__}."
        )
    if not len(trajectory):
        raise BadNumber("this trajectory has no sample to start from.")
    return trajectory.state()


def _poses(layout: Layout, given: Mapping[Any, Any]) -> dict[str, Pose]:
    known = [body.name for body in layout.model.moving]
    for name, pose in given.items():
        if name not in known:
            near = nearest_name(str(name), known)
            raise UnknownName(f"the start names {name!r}, which is no moving body.{near}")
        if not isinstance(pose, Pose):
            raise BadNumber(f"the start of {name!r} is a Pose, not {pose!r}.")
    if not given:
        raise BadNumber("the start has no pose: name a body, or leave it out.")
    return {name: given[name] for name in known if name in given}


def _moving(layout: Layout, body: Body, v: FloatArray, X_WB: Pose) -> Body:
    """The body with its velocities among v (n_v,) to begin with."""
    k, at = layout.body_index[body.name], layout.coordinates
    way, spin = v[at.way_of(k)].tolist(), v[at.spin_of(k)].tolist()
    if layout.model.plane:
        return replace(body, velocity=(*way, 0.0), spin=(0.0, 0.0, *spin))
    wx, wy, wz = (float(c) for c in X_WB.rotation.apply(Vector(*spin)))
    return replace(body, velocity=tuple(way), spin=(wx, wy, wz))
