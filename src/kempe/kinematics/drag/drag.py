"""Dragging a point: the mechanism follows as well as its loops and limits allow.

The target moves from the point's place to where it is wanted in strides, along a straight line. For
every stride, a few steps of damped least squares among the configurations that close all loops:

    minimise |p(q) - target|^2 + damping |d|^2   over displacements d with J d = 0

Steps are accepted as in a sweep: corrections halve the misfit and stay near, and the smallest
singular value of J, followed along its own direction, keeps its sign and half its size. Nor does
the point pass a fold, where it would turn back: what is dragged into a dead point and out again is
on the side it came from.

Source: [Wampler] for damped least squares; damping and acceptance: Own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.equations import equations_of
from kempe.errors import UnknownName, nearest_name
from kempe.geometry import Marker, Pose
from kempe.kinematics.check.assembly import assemble
from kempe.kinematics.closing.placement import Given, coordinates
from kempe.kinematics.drag.closed_loops import ClosedLoops, LoopState
from kempe.kinematics.drag.pull import ON_LIMIT, Answers, Hold, Limit, Limits, Pull, Trail, pull
from kempe.kinematics.mobility.finite_motion import Released, released_at
from kempe.kinematics.observe.observation import Gradient

FloatArray = NDArray[np.float64]

# Lengths in sizes of the machine, angles in radians:
CLOSED = 1e-12  # misfit of closed loops
WATCHED = 1e-9  # misfit that rows which repeat others may show
ARRIVED = 1e-10  # distance from the target
STRIDE = 0.1  # the target moves on by this at a time
LARGEST_STEP = 0.2
SMALLEST_STEP = 1e-6  # a step that is refused at this size ends the drag
SETTLED = 1e-11  # a step that would be shorter is not worth making
AT_FOLD, ON_FOLD = 0.05, 1e-7  # answers so weak that a fold is at hand, or reached
OVER_FOLD = np.array([1.0, 4.0, 16.0])  # steps, in sizes of that answer, that may lead back
KICK = 0.05  # how far a rest that may be a summit is left, to try
# As in a sweep: a correction halves the misfit, and stays near where the step pointed.
CONTRACTION, NEIGHBOURHOOD, ALWAYS_NEAR = 0.5, 0.25, 1e-3
MOST_CORRECTIONS = 10
EXACTLY = 0.1  # of what counts as standing on a limit: how well a step lands there
# The weakest direction may lose half its strength in a step; at this share of the best ever seen
# the ways to move are about to cross.
WEAKER, CROSSING = 0.5, 1e-3
CLOSE_TO_CROSSING = 1e-4  # a step that is refused at this size for a crossing ends the drag
MOST_STRIDES, STEPS_A_STRIDE, MOST_STEPS = 40, 3, 80


def released(layout: Layout, t: float, poses: Mapping[str, Pose] | None = None) -> Released:
    """The mechanism as its drives hold it at time t, or as near to given poses as it closes."""
    if poses is None:
        q = assemble(equations_of(layout), t).q
    else:
        for body in layout.model.moving:
            if body.name not in poses:
                raise UnknownName(
                    f"no pose is given for body {body.name!r}.{nearest_name(body.name, poses)}"
                )
        q = coordinates(layout, poses)
    return released_at(layout, q, t)


def released_near(layout: Layout, t: float, given: Given) -> Released:
    """The mechanism with its drives let go, put together as near as possible to given poses."""
    equations = equations_of(Layout(replace(layout.model, drives=())))
    return Released(equations, assemble(equations, t, given))


@final
class Halt(Enum):
    """Why a drag, or a step of it, ended."""

    ARRIVED = "arrived"
    SETTLED = "settled"  # as near as it can get
    REFUSED = "refused"  # no step is small enough
    FOLDED = "folded"  # the point turns back here: a dead point, a stretched arm
    CROSSING = "crossing"  # ways to move cross here
    JAMMED = "jammed"  # rows that repeat others no longer hold
    LOCKED = "locked"  # nothing can move
    HELD = "held"  # the point cannot move, though other parts can
    TIRED = "tired"  # enough steps for one drag


@final
class Dragging:
    """A released mechanism and where it stands; `to` moves it."""

    def __init__(self, released: Released, limits: Sequence[Limit] = ()) -> None:
        self._layout = released.equations.layout
        self._given = (released.start, tuple(limits))
        self._loops = ClosedLoops(released)
        self._limits = Limits(self._layout, limits, self._loops.scale)
        self._place = self._loops.place(released.start.q, released.start.turns)
        self._limited, _ = self._limits.read(self._place.q, None)
        self._limits.refuse_start(self._limited)
        self._strongest = self._loops.weakness(self._place).sigma
        self._points: dict[Marker, Gradient] = {}
        self._fold: tuple[LoopState, Marker, FloatArray] | None = None  # met there, by such a step
        self.steps = 0  # made in the last drag
        self.trail: list[FloatArray] = []  # coordinates after every one of them that was kept

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: where it stands; what is compiled is compiled anew."""
        made = ("_loops", "_limits", "_points")
        return {name: value for name, value in self.__dict__.items() if name not in made}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        start, limits = self._given
        self._loops = ClosedLoops(Released(equations_of(self._layout), start))
        self._limits = Limits(self._layout, limits, self._loops.scale)
        self._limits.read(self._place.q, None)
        self._points = {}

    @property
    def q(self) -> FloatArray:
        """The coordinates."""
        return self._place.q

    @property
    def on_limit(self) -> tuple[str, ...]:
        """The limited measures that stand on a limit."""
        room = np.minimum(self._limited - self._limits.low, self._limits.high - self._limited)
        return tuple(n for n, r in zip(self._limits.names, room, strict=True) if r <= ON_LIMIT)

    def to(self, point: Marker, target: FloatArray) -> tuple[FloatArray, Halt]:
        """Drag a point towards a target (m): where it has come to (m), and why it ended there."""
        self.steps, self.trail = 0, []
        hold, goal = self._grip(point, self._place), target / self._layout.size
        halt = Halt.LOCKED
        if self._loops.freedom:
            hold, halt = self._follow(point, hold, goal)
            self._place, self._limited = hold.place, hold.limited
            self.trail = [] if hold.trail is None else hold.trail.forwards()
        return hold.p * self._layout.size, halt

    def _follow(self, point: Marker, hold: Hold, goal: FloatArray) -> tuple[Hold, Halt]:
        start, way = hold.p, goal - hold.p
        strides = min(MOST_STRIDES, int(np.linalg.norm(way) / STRIDE) + 1)
        for k in range(1, strides):
            aim = start + way * (k / strides)
            hold, halt = self._approach(point, hold, aim, STEPS_A_STRIDE)
            hold = self._unfolded(point, hold)
            if halt in (Halt.CROSSING, Halt.JAMMED):
                return hold, halt
        before = self.steps
        hold, halt = self._approach(point, hold, goal, MOST_STEPS)
        hold = self._unfolded(point, hold)
        is_at_rest = halt is Halt.SETTLED and not self._is_blocked(point, hold)
        if is_at_rest and self.steps == before:  # else it went downhill to get there
            return self._beyond_summit(point, hold, goal)
        return hold, halt

    def _approach(
        self, point: Marker, hold: Hold, goal: FloatArray, most: int
    ) -> tuple[Hold, Halt]:
        """Steps towards the goal until it is reached, or no step brings the point nearer."""
        last, largest = None, LARGEST_STEP
        for _ in range(most):
            if np.linalg.norm(goal - hold.p) <= ARRIVED:
                return hold, Halt.ARRIVED
            step = pull(self._loops, self._limits, hold, goal, last)
            if _length(step.d) <= SETTLED:
                return hold, Halt.SETTLED
            step = step.shortened(min(1.0, largest / _length(step.d)))
            found = self._nearer(point, hold, goal, step)
            if isinstance(found, Halt):
                return hold, found
            hold, last = found
            largest = min(LARGEST_STEP, 2.0 * _length(last.d))
            self.steps += 1
        return hold, Halt.TIRED

    def _nearer(
        self, point: Marker, hold: Hold, goal: FloatArray, step: Pull
    ) -> tuple[Hold, Pull] | Halt:
        """As much of a step as is accepted and brings the point nearer, and where it leads to."""
        if self._is_blocked(point, hold, step.d):
            return Halt.SETTLED
        distance = np.linalg.norm(goal - hold.p)
        while True:
            found = self._attempt(point, hold, step.d, step.held)
            if isinstance(found, Hold) and np.linalg.norm(goal - found.p) < distance:
                return found, step
            if found is Halt.CROSSING and _length(step.d) <= CLOSE_TO_CROSSING:
                return found
            if _length(step.d) <= SMALLEST_STEP:
                if found is Halt.FOLDED:
                    self._fold = hold.place, point, step.d
                    return Halt.SETTLED
                return Halt.SETTLED if isinstance(found, Hold) else found
            step = step.shortened(0.5)

    def _attempt(
        self, point: Marker, hold: Hold, d: FloatArray, held: tuple[int, ...]
    ) -> Hold | Halt:
        """One step on the branch and within the limits, or why not."""
        trial = self._loops.moved(hold.place, d)
        room = NEIGHBOURHOOD * _length(d) + ALWAYS_NEAR
        before = np.inf
        for _ in range(MOST_CORRECTIONS):
            values, L = self._limits.read(trial.q, hold.limited)
            held = self._limits.kept(values, held)
            gap = self._limits.gap(values, held)
            astray = float(np.abs(gap).max(initial=0.0))
            if trial.misfit <= CLOSED and astray <= EXACTLY * ON_LIMIT:
                return self._accepted(point, hold, trial)
            worst = max(trial.misfit, astray)
            if not worst <= CONTRACTION * before:
                return Halt.REFUSED
            before = worst
            c = self._loops.correction(trial, L[list(held)], gap)
            room -= _length(c)
            if not room >= 0.0:
                return Halt.REFUSED
            trial = self._loops.moved(trial, c)
        return Halt.REFUSED

    def _accepted(self, point: Marker, hold: Hold, trial: LoopState) -> Hold | Halt:
        """The trial as a hold, where it is on the branch."""
        if np.abs(trial.spare).max(initial=0.0) > WATCHED:
            return Halt.JAMMED
        strength, before = self._loops.strength(trial, hold.weakness), hold.weakness.sigma
        if strength < WEAKER * before or strength < min(CROSSING * self._strongest, before):
            return Halt.CROSSING
        found = self._grip(point, trial, hold.limited)
        folds = not hold.answers.is_on_same_side(found.X)
        if len(found.answers.s) < len(hold.answers.s):  # right in a fold: no side any more
            return Halt.FOLDED
        if self._loops.freedom == 1 and (folds or found.answers.weakest < ON_FOLD):
            return Halt.FOLDED
        trail = Trail(trial.q, hold.trail)
        return replace(found, is_folded=hold.is_folded != folds, trail=trail)

    def _is_blocked(self, point: Marker, hold: Hold, d: FloatArray | None = None) -> bool:
        """Whether a fold of the point is known to lie right before it, in the way of a step."""
        if self._fold is None or self._fold[0] is not hold.place or self._fold[1] != point:
            return False
        return d is None or float(self._fold[2] @ d) > 0.0

    def _unfolded(self, point: Marker, hold: Hold) -> Hold:
        """Back over a fold that was overshot: a stretched arm keeps its elbow on its side."""
        weak = hold.answers.weakest if len(hold.answers.s) == self._loops.freedom else np.inf
        if not hold.is_folded or weak > AT_FOLD:
            return replace(hold, is_folded=False)
        way = hold.answers.W[-1] / _length(hold.answers.W[-1])
        for length in max(weak, SMALLEST_STEP) * OVER_FOLD:
            for step in (length * way, -length * way):
                found = self._attempt(point, hold, step, ())
                if isinstance(found, Hold) and not found.is_folded:
                    return found
        return replace(hold, is_folded=False)

    def _beyond_summit(self, point: Marker, hold: Hold, goal: FloatArray) -> tuple[Hold, Halt]:
        """Where a rest is no nearest place but a summit: the valley beyond it.

        A point that answers no push, neither here nor a kick to either side, is held.
        """
        scattered = np.sqrt(2.0) * np.arange(1, len(self._loops.scale) + 1) % 1.0 - 0.5
        way = self._loops.let_through(hold.place, scattered[None])[0]
        deaf = 0
        for kick in (KICK, -KICK):
            found = self._attempt(point, hold, way * (kick / _length(way)), ())
            if isinstance(found, Hold):
                deaf += not (len(hold.answers.s) or len(found.answers.s))
                lower, halt = self._approach(point, found, goal, MOST_STEPS)
                if np.linalg.norm(goal - lower.p) < np.linalg.norm(goal - hold.p) - ARRIVED:
                    return lower, halt
        return hold, Halt.SETTLED if deaf < 2 else Halt.HELD

    def _grip(self, point: Marker, place: LoopState, near: FloatArray | None = None) -> Hold:
        """The point and the limited measures at a place."""
        if point not in self._points:
            n = 2 if self._layout.model.plane else 3
            self._points[point] = Gradient(self._layout, [point], lambda X: list(X[0].position)[:n])
        size, scale = self._layout.size, self._loops.scale
        p, G = self._points[point](place.q)
        values, L = self._limits.read(place.q, self._limited if near is None else near)
        weakness = self._loops.weakness(place)
        self._strongest = max(self._strongest, weakness.sigma)
        G = G * scale / size
        X = self._loops.let_through(place, G)
        answers = Answers.of(X, G, self._loops.freedom)
        return Hold(place, weakness, p / size, G, X, answers, values, L)


def _length(d: FloatArray) -> float:
    """The largest displacement of a body."""
    return float(np.abs(d).max(initial=0.0))
