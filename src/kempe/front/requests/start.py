"""What an analysis can be started from: any state or assembly, or poses by body."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name
from kempe.drives import Drive
from kempe.errors import BadNumber, UnknownName, nearest_name
from kempe.front.trajectory import Trajectory
from kempe.geometry import GROUND, Pose, Vector
from kempe.kinematics.closing.placement import Given, Guesses, body_pose, given_of
from kempe.measures import Gauge
from kempe.model import Body, Model
from kempe.results.state import FloatArray, State

Start = State | Trajectory | Mapping[str, Pose]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Started:
    """Poses to start from, velocities where there are any, and turns that poses do not show."""

    poses: Mapping[str, Pose]
    v: FloatArray | None = None  # (n_v,) of a motion
    angles: Mapping[str, float] = field(default_factory=dict)  # rad, readings that have turned
    states: FloatArray | None = None  # of forces, where the start tells them
    acted: tuple[str, ...] = ()  # latches, releases and switches before it, the last one last
    notes: tuple[str, ...] = ()  # what of the start is forgotten

    def given(self, layout: Layout) -> Given:
        """The poses and turns, as the search for a start takes them."""
        return replace(given_of(layout, Guesses(self.poses)), turned=self.angles)

    def undriven(self, layout: Layout, t: float = 0.0) -> dict[str, float]:
        """Readings (rad) that have turned, but for those between bodies that a drive turns.

        Where at time t a drive is on another turn than the start, what couplers read is left out as
        well: it has turned as often as the drive says.
        """
        drives, couplers = layout.model.drives, layout.model.couplers
        told = [drive.gauge for drive in drives]
        if any(self._is_elsewhere(drive, t) for drive in drives):
            told += [gauge for coupler in couplers for gauge in coupler.gauges]
        return self.apart_from(layout, told)

    def _is_elsewhere(self, drive: Drive, t: float) -> bool:
        """Whether a drive is half a turn or more away from what its measure reads at the start."""
        read = self.angles.get(drive.gauge.name)
        return read is not None and abs(float(drive.law.value(t)) - read) > math.pi

    def apart_from(self, layout: Layout, gauges: Iterable[Gauge]) -> dict[str, float]:
        """Readings (rad) that have turned, but for those between bodies that gauges are between."""
        known, told = gauges_by_name(layout.model), [{g.I.body, g.J.body} for g in gauges]
        pairs = {name: {known[name].I.body, known[name].J.body} for name in self.angles}
        return {name: angle for name, angle in self.angles.items() if pairs[name] not in told}

    def told(self, layout: Layout, t: float) -> dict[str, Any]:
        """What a simulation from time t on is told of this start, beside the velocities."""
        return {
            "given": self.given(layout),
            "angles": self.undriven(layout, t),
            "states": self.states,
            "acted": self.acted,
        }

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
    is_moving = len(v) == layout.n_v and (bool(np.any(v)) or _was_simulated(at))
    known = gauges_by_name(layout.model)
    angles = {name: angle for name, angle in at.angles.items() if name in known}
    acted = _acted(at)
    known_events = {event.name for event in layout.model.events}
    return Started(
        poses,
        v if is_moving else None,
        angles,
        _states(layout.model, at),
        tuple(name for name in acted if name in known_events),
        _forgotten(layout.model.name, [name for name in acted if name not in known_events]),
    )


def _was_simulated(at: State) -> bool:
    """Whether a start is of a simulation, so that standing still is what it does."""
    trajectory = getattr(at, "trajectory", None)
    return isinstance(trajectory, Trajectory) and bool(trajectory.motion.recipe.methods)


def _acted(at: State) -> tuple[str, ...]:
    """The latches, releases and switches that had acted when a start was reached."""
    trajectory = getattr(at, "trajectory", None)
    return trajectory.motion.acted_by_now if isinstance(trajectory, Trajectory) else ()


def _forgotten(who: str, events: list[str]) -> tuple[str, ...]:
    """What is said where a start was reached after events that the model does not have."""
    if not events:
        return ()
    names = ", ".join(map(repr, events))
    return (
        f"the start was reached after {names}, which {who!r} does not have: what was latched,"
        " released or switched there is as at the beginning",
    )


def _states(model: Model, at: State) -> FloatArray | None:
    """The states of forces that a start has; a BadNumber where those are of other forces."""
    wanted = sum(len(force.states) for force in model.forces)
    if not len(at.states):
        return None
    if len(at.states) != wanted:
        raise BadNumber(
            f"the start has {len(at.states)} states of forces and {model.name!r} has {wanted}: it"
            " is of another mechanism."
        )
    return at.states


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
