"""The legs of a simulated motion: stretches along which one set of equations holds.

Legs end where events happen, and where the acceleration of a drive's law jumps. How slopes go on
into the next leg is said by who knows what happens there; with tau how its time follows from the
parameters, and a-, a+ the accelerations on both sides,

    x_0+ = x_0- + (v- - v+) tau,   x_1+ = d v+ - a+ tau

where d v+ is how the velocities after it follow from time, place and velocities before.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import (
    accelerations_at_origins,
    to_centres,
    velocities_at_centres,
)
from kempe.compile.layout.layout import Layout
from kempe.drives import Drive
from kempe.dynamics.law_corners import interruptions
from kempe.dynamics.preparation.preparation import PreparedDynamics
from kempe.errors import GradientError
from kempe.gradients.build_map import BuildMap
from kempe.gradients.smooth_slope import smooth_slope
from kempe.kinematics.observe.observation import observe_gauge
from kempe.model import Model
from kempe.results import Motion
from kempe.results.state import State

FloatArray = NDArray[np.float64]
Prepare = Callable[[Layout], PreparedDynamics]

NEARBY = 2.0**-6  # of a step: how near something else may be
ENOUGH = 1e-6  # of what changes: a slope that is more in doubt is none


@final
@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where the program of a leg has what the motion has: arrays of places in the motion's.

    Of multipliers, those of the program's rows: -1 where the motion does not have one.
    """

    states: Sequence[int]  # of all states of forces, those that act
    multipliers: Sequence[int]
    held: Sequence[int]
    whole: int  # how many states all forces have


@final
@dataclass(frozen=True, slots=True, eq=False)
class Leg:
    """A stretch of a motion from one time (s) to another, with the equations that hold there."""

    begins: float
    ends: float
    prepared: PreparedDynamics
    places: Places
    passage: int  # by which one it was entered, counted from the motion's start
    is_corner: bool = False  # it begins where a drive's law changes over
    # It begins where laws of forces change over: which switches come to which sides.
    changes: tuple[tuple[int, float], ...] = ()


@final
@dataclass(frozen=True, slots=True, eq=False)
class Passed:
    """How slopes go over into a leg: y+ = by y + late; `by` is None where y stays as it is."""

    by: FloatArray | None  # (m, m)
    late: FloatArray  # (m, parameters)


class Course(Protocol):
    """The legs of a motion, and how the motion and its equations follow from parameters."""

    @property
    def legs(self) -> Sequence[Leg]:
        """One after the other."""

    @property
    def ends_itself(self) -> bool:
        """Whether an event ends the motion at its last sample."""

    @property
    def follows_slopes(self) -> bool:
        """Whether the equations of a leg depend on slopes before it, by numbers of its mode."""

    def first(self, k: int, s: float) -> State:
        """The start of the centres of mass where parameter k is s further, all states of forces."""

    def entered(self, leg: int, y: FloatArray) -> FloatArray:
        """The slopes (m, parameters) with which a leg begins, from those at the end of the last."""

    def passed(self, leg: int, m: int) -> Passed | None:
        """How slopes (m, parameters) go over into a leg, as a linear map; None: as they are."""

    def ended(self, y: FloatArray) -> FloatArray:
        """How the time of the last event follows from parameters, (parameters,)."""

    def variant(self, leg: int, k: int, s: float) -> PreparedDynamics:
        """The equations of a leg where parameter k is s further."""


def slope_of(f: Callable[[float], FloatArray], by: BuildMap, k: int, what: str) -> FloatArray:
    """The derivative of `what` by parameter k; a GradientError where there is none."""
    side = by.side(by.home, k)
    found = smooth_slope(f, by.step(k), side)
    if not found.doubt <= ENOUGH:  # something chooses nearby, as laws do beside their corners
        found = smooth_slope(f, NEARBY * by.step(k), side)
    if not found.doubt <= ENOUGH:
        raise GradientError(
            f"{what} has no slope by {by.names[k]!r} here: it bends, or chooses.",
            parameter=by.names[k],
        )
    return found.values


LawChange = tuple[float, int, float]  # when (s) which switch comes to which side


def cut_at_corners(leg: Leg, drives: Sequence[Drive], laws: Sequence[LawChange]) -> list[Leg]:
    """A leg in parts that end where a drive's acceleration jumps, or a force's law changes over."""
    corners = set(corners_of(drives, leg.begins, leg.ends))
    changes: dict[float, list[tuple[int, float]]] = {}
    for t, switch, side in laws:
        if leg.begins < t < leg.ends:
            changes.setdefault(t, []).append((switch, side))
    if both := corners & set(changes):
        raise GradientError(
            f"at t = {min(both):.9g} s the laws of a drive and of a force change over at once: of"
            " that no slopes are known."
        )
    found, last = [], leg
    for t in sorted(corners | set(changes)):
        found.append(replace(last, ends=t))
        told = tuple(changes.get(t, ()))
        last = replace(leg, begins=t, is_corner=t in corners, changes=told)
    return [*found, last]


def corners_of(drives: Sequence[Drive], begins: float, ends: float) -> list[float]:
    """The times (s) between two at which the acceleration of a law jumps."""
    if not ends > begins:
        return []
    return [float(t) for t in interruptions(tuple(drives), begins, ends).stops[::2]]


def corner_slope(
    by: BuildMap, drives: Callable[[int, float], Sequence[Drive]], t: float, span: tuple[float, ...]
) -> FloatArray:
    """How the time t of a corner follows from parameters, (parameters,)."""
    found = []
    for k in range(len(by.names)):

        def moved(s: float, k: int = k) -> FloatArray:
            width = 0.5 * min(t - span[0], span[1] - t)
            stops = corners_of(drives(k, s), max(span[0], t - width), t + width)
            if len(stops) != 1:
                return np.array([np.nan])
            return np.array(stops) - t

        still = [moved(s) for s in (by.step(k), -by.step(k))]
        if all(x.size and x[0] == 0.0 for x in still):
            found.append(0.0)  # times of corners mostly do not depend on anything
        else:
            found.append(float(slope_of(moved, by, k, f"the time t = {t:.6g} s of a corner")[0]))
    return np.array(found)


def rates_of(prepared: PreparedDynamics, at: State) -> tuple[FloatArray, FloatArray]:
    """Accelerations (n_v,) and rates of the states of forces at a state of the centres of mass."""
    layout, system = prepared.equations.layout, prepared.equations.program.system
    masses = layout.mass_blocks.reshape(-1)
    numbers = layout.with_states(layout.parameters, at.states)
    moved = system.motion(numbers, masses, at.q, at.v, at.t, at.turns)
    terms = system.equations(numbers, masses, at.q, at.v, at.t, at.turns)
    return np.asarray(moved.a), np.asarray(terms.rates)


def same_rows(made: PreparedDynamics, home: PreparedDynamics, name: str, value: float) -> None:
    """A GradientError where a variant solves other rows than the mechanism itself."""
    if (made.kept, made.n_rows) != (home.kept, home.n_rows):
        raise GradientError(
            f"beside {name!r} = {value:.6g} other joints are redundant, so that the motion has no"
            " slope by it.",
            parameter=name,
        )


@final
class SmoothCourse:
    """A motion on which nothing happens, but that laws of drives may change over."""

    def __init__(
        self,
        layout: Layout,
        motion: Motion,
        by: BuildMap,
        prepared: PreparedDynamics,
        make: Prepare,
    ) -> None:
        self.by, self.prepared, self._make = by, prepared, make
        self._made: dict[tuple[int, float], PreparedDynamics] = {}
        n_states = len(prepared.equations.program.shape.states)
        order = [int(row) for row in prepared.row_order]
        places = Places(range(n_states), order, [-1] * len(order), n_states)
        whole = Leg(float(motion.t[0]), float(motion.t[-1]), prepared, places, 0)
        self.legs = cut_at_corners(whole, layout.model.drives, motion.law_changes)
        self._corners = corner_flows(motion, self.legs)

    @property
    def ends_itself(self) -> bool:
        return False

    @property
    def follows_slopes(self) -> bool:
        return False

    def first(self, k: int, s: float) -> State:
        return self.variant(0, k, s).start

    def variant(self, leg: int, k: int, s: float) -> PreparedDynamics:
        if not s:
            return self.prepared
        if (k, s) not in self._made:
            made = self._make(self.by.layout(self.by.home, k, s))
            same_rows(made, self.prepared, self.by.names[k], float(self.by.home[k]))
            self._made[k, s] = made
        return self._made[k, s]

    def entered(self, leg: int, y: FloatArray) -> FloatArray:
        if not self.legs[leg].is_corner:
            return y
        return over_corner(self.by, self.legs, leg, self._corners[leg], self._drives, y)

    def passed(self, leg: int, m: int) -> Passed | None:
        if not self.legs[leg].is_corner:
            return None
        return Passed(None, self.entered(leg, np.zeros((m, len(self.by.names)))))

    def ended(self, y: FloatArray) -> FloatArray:
        raise AssertionError("nothing ends this motion but the time that was asked for")

    def _drives(self, leg: int, k: int, s: float) -> Sequence[Drive]:
        return self.by.layout(self.by.home, k, s).model.drives


def corner_flows(motion: Motion, legs: Sequence[Leg]) -> dict[int, FloatArray]:
    """What dy/dt loses at the corners with which legs begin, (m,) by the number of the leg."""
    corners = [number for number, leg in enumerate(legs) if leg.is_corner]
    if not corners:
        return {}
    assert motion.again is not None
    times = [float(motion.t[0]), *(legs[number].begins for number in corners)]
    run, found = motion.again.at(np.array(times)), {}
    if len(run) != len(times):
        raise GradientError(f"the motion cannot be repeated: {run.outcome.message}")
    for sample, number in enumerate(corners, start=1):
        leg = legs[number]
        at = states_along(leg.prepared, leg.places, run)[sample]
        a, rates = rates_of(leg.prepared, at)
        later = replace(at, t=float(np.nextafter(np.nextafter(at.t, np.inf), np.inf)))
        a_after, rates_after = rates_of(leg.prepared, later)
        lost = np.zeros(motion.states.shape[1] if motion.states.ndim == 2 else 0)
        lost[list(leg.places.states)] = rates - rates_after
        found[number] = np.concatenate([np.zeros(len(a)), a - a_after, lost])
    return found


def over_corner(
    by: BuildMap,
    legs: Sequence[Leg],
    leg: int,
    jump: FloatArray,
    drives: Callable[[int, int, float], Sequence[Drive]],
    y: FloatArray,
) -> FloatArray:
    """Slopes after a corner: what dy/dt loses there, times how its time follows."""
    here = legs[leg]

    def moved(k: int, s: float) -> Sequence[Drive]:
        return drives(leg, k, s)

    span = (legs[leg - 1].begins, here.ends)
    return y + np.outer(jump, corner_slope(by, moved, here.begins, span))


def centred(model: Model, motion: Motion) -> Motion:
    """The motion of the centres of mass."""
    a = 2.0 * motion.a - accelerations_at_origins(model, motion.q, motion.v, motion.a)
    return replace(
        motion,
        q=to_centres(model, motion.q),
        v=velocities_at_centres(model, motion.q, motion.v),
        a=a,
        again=None,
    )


def states_along(prepared: PreparedDynamics, places: Places, motion: Motion) -> list[State]:
    """The states of the centres of mass at all samples, as the equations of a leg take them."""
    here = centred(prepared.equations.layout.model, motion)
    layout, shape = prepared.equations.layout, prepared.equations.program.shape
    gauges = [layout.layout.elements[e].gauges[r] for e, r in shape.counted]
    gauges += [layout.forces[f].force.gauges[r] for f, r in shape.force_counted]
    read = [observe_gauge(layout.layout, here, gauge)[0] for gauge in gauges]
    turns = np.array(read).reshape(len(gauges), len(here)).T
    held = motion.states.reshape(len(motion), -1)[:, list(places.states)]
    moments = zip(motion.t.tolist(), here.q, here.v, turns, held, strict=True)
    return [State(t, q, v, last, states=own) for t, q, v, last, own in moments]
