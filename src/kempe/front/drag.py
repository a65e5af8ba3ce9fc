"""A mechanism in the hand: grab a point and drag it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import measure_named, points_by_name
from kempe.errors import BadNumber
from kempe.front.parts import by_name, in_words, two_ends
from kempe.front.requests.start import Started
from kempe.front.trajectory import Trajectory
from kempe.geometry import GROUND, Marker, Pose
from kempe.kinematics.closing.placement import body_pose
from kempe.kinematics.drag.drag import Dragging, Halt, released, released_near
from kempe.kinematics.drag.pull import Limit
from kempe.kinematics.mobility.finite_motion import Released
from kempe.measures import Gauge
from kempe.outcome import DONE, Ending, Outcome
from kempe.readings.part_readings import measured_in_si
from kempe.readings.registry import registry_of
from kempe.results import Dragged, Motion
from kempe.units import factor, in_si

FARTHEST = 1e100  # m, of a target: its square is still a number

Number = float | str
Range = tuple[Number, Number]
FloatArray = NDArray[np.float64]


@final
class Drag:
    """A mechanism whose drives are let go; `to` moves it by one of its points.

    Example:
        >>> import kempe
        >>> drag = kempe.gallery.four_bar().drag()
        >>> there = drag.to("crank.end", (0.0, 5.0))  # out of reach: the crank points that way
        >>> there.outcome.name, there.position.round(6).tolist()
        ('LimitReached', [0.0, 1.0])
    """

    def __init__(
        self,
        layout: Layout,
        *,
        limits: Mapping[str, Range] | None = None,
        poses: Mapping[str, Pose] | None = None,
        start: Started | None = None,
        at: Number = 0.0,
    ) -> None:
        if poses is not None and start is not None:
            raise BadNumber("give either `poses` or `start`, not both.")
        self._layout = layout
        bounds: list[Limit] = []
        asked: Mapping[str, Any] = limits or {}
        for name, ends in by_name(asked, "limits", "(low, high)").items():
            gauge = measure_named(layout.model, name, "limit")
            low, high = two_ends(name, ends)
            limit = (gauge, self._end(low, gauge), self._end(high, gauge))
            if not limit[1] < limit[2]:
                raise BadNumber(f"the limits of {name!r}, {low} ... {high}, leave no room.")
            bounds.append(limit)
        self._dragging = Dragging(self._released(in_si(at, "s"), poses, start), bounds)
        self._stops = [self._dragging.q.copy()]
        self._ways: list[list[FloatArray]] = []  # coordinates on the way to every stop
        self._angles = {} if start is None else dict(start.angles)

    def _released(
        self, t: float, poses: Mapping[str, Pose] | None, start: Started | None
    ) -> Released:
        if start is None:
            return released(self._layout, t, poses)
        return released_near(self._layout, t, start.given(self._layout))

    @property
    def q(self) -> FloatArray:
        """The coordinates where it is now."""
        return self._dragging.q[: self._layout.n_q].copy()

    @property
    def poses(self) -> dict[str, Pose]:
        """Where the moving bodies are: X_WB by name."""
        q, layout = self._dragging.q, self._layout
        return {b.name: body_pose(layout, q, b.name) for b in layout.model.moving}

    def to(self, point: str, target: Sequence[Number]) -> Dragged:
        """Drag `point`, such as "coupler.P", to `target`, 2 or 3 world coordinates.

        Bare numbers are in the mechanism's unit of length; text carries its own ("30 mm").
        The mechanism moves in small steps on its branch, with its loops closed and its limits kept,
        so that the point follows the straight line to the target as well as it can. It stays where
        it has come to, for the next call.

        As in a hand it rests where no small move brings the point nearer, also where its branch
        would come nearer further on: what is dragged never runs away from the hand to do so. Drag
        it there in several calls, or see the whole branch by `Mechanism.motions`.
        """
        marker, goal = self._marker(point), self.target(target)
        position, halt = self._dragging.to(marker, goal)
        self._stops.append(self._dragging.q.copy())
        self._ways.append([q.copy() for q in self._dragging.trail[:-1]])
        distance = float(np.linalg.norm(goal - position))
        outcome = self._outcome(point, distance, halt)
        return Dragged(self.poses, position, distance, outcome, self._dragging.steps)

    @property
    def trajectory(self) -> Trajectory:
        """The start and where every call of `to` left it, one a second; nothing has a velocity.

        Angles have the turns that they made along the steps of every call.
        """
        n = len(self._stops)
        times, steps = [np.zeros(1)], [self._stops[0]]
        for k, (way, stop) in enumerate(zip(self._ways, self._stops[1:], strict=True)):
            times.append(np.linspace(k, k + 1.0, len(way) + 2)[1:])
            steps += [*way, stop]
        whole = self._standing(np.concatenate(times), np.array(steps))
        motion = self._standing(np.arange(n, dtype=float), np.array(self._stops))
        return Trajectory(self._layout, replace(motion, steps=whole))

    def _standing(self, t: FloatArray, q: FloatArray) -> Motion:
        still = np.zeros((len(t), self._layout.n_v))
        return Motion(t, q, still, still.copy(), DONE, angles=self._angles)

    def _marker(self, name: str) -> Marker:
        registry_of(self._layout.model, is_simulated=False).point(name, "drag", unless=GROUND)
        return points_by_name(self._layout.model)[name]

    def position(self, point: str) -> FloatArray:
        """Where `point` is now: its world coordinates (2,) or (3,), m."""
        marker = self._marker(point)
        X_WB = body_pose(self._layout, self._dragging.q, marker.body)
        place = [float(c) for c in (X_WB @ marker.pose).position]
        return np.array(place[: 2 if self._layout.model.plane else 3])

    def target(self, target: Sequence[Number]) -> FloatArray:
        """The world coordinates `target`, as `to` takes them, in an array (2,) or (3,), m."""
        size = 2 if self._layout.model.plane else 3
        if isinstance(target, str) or not isinstance(target, Iterable):
            raise BadNumber(f"a target here has {size} coordinates, it is {in_words(target)}.")
        numbers = [in_si(c, "m", self._layout.model.length_unit) for c in target]
        if len(numbers) != size:
            raise BadNumber(f"a target here has {size} coordinates, not {len(numbers)}: {target}.")
        if max(map(abs, numbers)) > FARTHEST:
            raise BadNumber(f"a target is at most {FARTHEST:g} m away, not at {target}.")
        return np.array(numbers)

    def _end(self, value: Number, gauge: Gauge) -> float:
        """An end of a range, m or rad; infinite where there is none."""
        if isinstance(value, float) and math.isinf(value):
            return value
        return measured_in_si(self._layout.model, gauge, value)

    def _outcome(self, point: str, distance: float, halt: Halt) -> Outcome:
        limits = self._dragging.on_limit
        facts: dict[str, float | int | str] = {"distance": distance, "limits": ", ".join(limits)}
        if halt is Halt.ARRIVED:
            return DONE
        if halt is Halt.LOCKED:
            text = f"{self._layout.model.name!r} cannot move at all."
            return Outcome(Ending.LOCKED, text, "Remove a joint, or loosen one.", facts)
        unit = self._layout.model.length_unit
        left = f"{point} is {distance * factor('m', unit):.6g} {unit} from its target"
        if halt is Halt.HELD:
            text = f"{left}: its joints hold it where it is, however the rest moves."
            return Outcome(Ending.LIMIT_REACHED, text, "Drag another point.", facts)
        if halt is Halt.SETTLED:
            why = ": it comes no nearer on this side."
            if limits:
                why = f": {facts['limits']} is at its limit."
            advice = "Drag it elsewhere, or a longer way round to see whether that leads nearer."
            return Outcome(Ending.LIMIT_REACHED, left + why, advice, facts)
        if halt is Halt.CROSSING:
            text = f"{left}: branches of motion cross here."
            return Outcome(Ending.BIFURCATION, text, "Drag it back, or pull another point.", facts)
        if halt is Halt.JAMMED:
            text = f"{left}: the redundant joints no longer fit together."
            return Outcome(Ending.LOCKED, text, "Check angles and lengths.", facts)
        if halt is Halt.TIRED:
            text = f"{left}: that was far to go."
            return Outcome(Ending.INTERRUPTED, text, "Drag it on from here.", facts)
        return Outcome(Ending.STEP_TOO_SMALL, f"{left}: no step is small enough.", "", facts)

    def __repr__(self) -> str:
        return f"Drag of {self._layout.model.name!r}: .to(point, target)"
