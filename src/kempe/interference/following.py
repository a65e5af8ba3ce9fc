"""A motion followed between its samples: it is made again where these tell too little.

Poses at samples do not tell whether a body went round in between. Velocities and accelerations do,
where it turns by less than a radian; where it turns further, where what they foretell of the middle
of a step is not so, or where a drive may do in a step what its ends do not show, there are more
steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.native import native_tape
from kempe.compile.layout.layout import Layout
from kempe.drives import AbstractLaw
from kempe.geometry import Marker, Pose
from kempe.interference.curves import Jet, cubic_middle, quintic_middle
from kempe.interference.form import AbstractForm
from kempe.kinematics.laws.drive_laws import law_jumps
from kempe.kinematics.observe.observation import observe
from kempe.kinematics.observe.relative_motion import matrices, skew_part
from kempe.results import Motion

FloatArray = NDArray[np.float64]
Mask = NDArray[np.bool_]

GOAL = (
    1e-9  # of the largest shape's reach: how far the middle of a step may lie off what is foretold
)
FAR = 1.0  # rad: a body that turns further in a step may have gone any way
NEAR = 0.2  # rad in a step that is aimed at
LOST = 0.01  # of the reach: what is further off than that is not followed at all
HIDDEN = 1e-6  # rad, or of the machine's size: a drive that may go so much further than is seen
ORDER = 6  # of the error of a quintic through places, velocities and accelerations
MOST_PARTS = 64  # of a step in one round
ROUNDS = 10
SHORTEST = 1e-10  # of the whole time: no step is divided below
BESIDE = 1e-9  # of the whole time: how near to a corner its two sides are looked at
LEAST_STEPS = 128  # of a simulation: forces may do between two samples what these do not show
LAW_STEPS = 20_000  # of a drive's law, at most
MOST_NUMBERS = 4_000_000  # coordinates of all samples: 100 MB with their rates


@final
@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """A motion and the steps (k,) in which it is known: each from a sample to a later one.

    In a step with a `middle`, that sample lies between its ends; -1: there is none.
    """

    motion: Motion
    first: NDArray[np.intp]
    middle: NDArray[np.intp]
    last: NDArray[np.intp]
    is_known: Mask


def followed(layout: Layout, motion: Motion, forms: Sequence[AbstractForm]) -> Followed:
    """The motion with as many samples as tell where these forms are in between, and which do not.

    Every second sample is foretold from its neighbours; where the motion can be made again, it is,
    until that is right.
    """
    path = _Path(layout, forms)
    own = motion if motion.steps is None else motion.steps
    found = _in_twos(own)
    off, is_near = path.judged(found)
    is_known = is_near & (off <= LOST * path.reach)
    if motion.again is None or motion.steps is not None:
        return _with(found, is_known)
    hidden = _hidden(layout, own.t[found.first], own.t[found.last])
    is_good = is_near & (off <= path.goal(motion)) & ~hidden & (found.middle >= 0)
    found = _with(found, is_known & ~hidden)
    is_dense = not motion.is_simulated or len(found.first) >= LEAST_STEPS
    if is_dense and is_good.all():
        return found
    return _made_again(layout, motion, path, found)


def _made_again(layout: Layout, motion: Motion, path: "_Path", found: Followed) -> Followed:
    """A motion made again at more and more times, until every middle is where it was foretold."""
    assert motion.again is not None
    goal, whole = path.goal(motion), float(motion.t[-1] - motion.t[0])
    times = _with_corners(layout, motion)
    for _ in range(ROUNDS):
        wanted = np.union1d(times, (times[1:] + times[:-1]) / 2.0)
        if len(wanted) * motion.q.shape[1] > MOST_NUMBERS:
            break
        finer = motion.again.at(wanted)
        if len(finer) != len(wanted):
            break  # it has ended before
        found = _in_twos(finer)
        off, is_near = path.judged(found)
        h = np.diff(times)
        hidden = _hidden(layout, times[:-1], times[1:])
        found = _with(found, is_near & (off <= LOST * path.reach) & ~hidden)
        parts = path.parts(found, off, goal)
        parts[hidden] = np.maximum(parts[hidden], 2)
        parts[(h <= SHORTEST * whole) | (is_near & (off <= goal) & ~hidden)] = 1
        if (parts == 1).all():
            break
        times = _divided(times, parts)
    return found


def _in_twos(motion: Motion) -> Followed:
    """Every second sample an end of a step, those between them its middle."""
    first = np.arange(0, len(motion) - 1, 2)
    last = np.minimum(first + 2, len(motion) - 1)
    middle = np.where(last - first == 2, first + 1, -1)
    return Followed(motion, first, middle, last, np.ones(len(first), dtype=bool))


def _with(found: Followed, is_known: Mask) -> Followed:
    return Followed(found.motion, found.first, found.middle, found.last, is_known)


def _divided(times: FloatArray, parts: NDArray[np.intp]) -> FloatArray:
    """Every step in as many parts."""
    new = [np.linspace(a, b, n + 1)[:-1] for a, b, n in zip(times, times[1:], parts, strict=False)]
    return np.unique(np.append(np.concatenate(new), times[-1]))


def _with_corners(layout: Layout, motion: Motion) -> FloatArray:
    """The samples' times, and those on both sides of corners: of events, passes and laws."""
    start, end = float(motion.t[0]), float(motion.t[-1])
    laws = [drive.law for drive in layout.model.drives]
    corners = [*(e.t for e in motion.events), *(p.t for p in motion.passes)]
    corners += [jump.after for law in laws for jump in law_jumps(law, start, end)]
    beside = BESIDE * (end - start)
    # not evenly: in the middle of such a step would be the corner itself, which may have no speed
    sides = np.array([[c - beside, c + 2.0 * beside] for c in corners]).reshape(-1)
    times = np.union1d(motion.t, sides[(sides > start) & (sides < end)])
    if motion.is_simulated:
        times = np.union1d(times, np.linspace(start, end, LEAST_STEPS + 1))
    return _lawful(layout, times)


def _lawful(layout: Layout, times: FloatArray) -> FloatArray:
    """Times so near to each other that no drive hides anything between them."""
    while len(times) < LAW_STEPS:
        hidden = _hidden(layout, times[:-1], times[1:])
        if not hidden.any():
            break
        times = np.union1d(times, (times[1:] + times[:-1])[hidden] / 2.0)
    return times


def _hidden(layout: Layout, start: FloatArray, stop: FloatArray) -> Mask:
    """In which steps (k,) some drive may do what is not seen at their ends and in the middle."""
    found = np.zeros(len(start), dtype=bool)
    for drive in layout.model.drives:
        size = 1.0 if drive.gauge.unit == "rad" else layout.size
        found |= _hidden_of(drive.law, size, start, stop)
    return found


def _hidden_of(law: AbstractLaw, size: float, start: FloatArray, stop: FloatArray) -> Mask:
    """In which steps a law's rate may be so much more than twice what is seen of it.

    Its rate is enclosed by interval arithmetic over the whole step.
    """
    graph = Graph()
    t = Expression(graph, graph.input("t"))
    one, zero = (Expression(graph, graph.constant(c)) for c in (1.0, 0.0))
    rate = zero + tangent([zero + law.value(t)], {t.node: one})[0]
    tape = record_formula([t], [rate])
    run = native_tape(tape)
    low, high = run.evaluate_intervals(start[:, None], stop[:, None], tape.outputs)
    most = np.maximum(np.abs(low[:, 0]), np.abs(high[:, 0]))
    places = np.column_stack([start, (start + stop) / 2.0, stop]).reshape(-1, 1)
    seen = run.evaluate_lanes(np.ascontiguousarray(places), tape.outputs).reshape(-1, 3)
    more = most - 2.0 * np.abs(seen).max(axis=1)
    return np.asarray(~(more * (stop - start) <= HIDDEN * size), dtype=bool)


@final
class _Path:
    """Where the bodies of some forms are along a motion, and how far they reach."""

    def __init__(self, layout: Layout, forms: Sequence[AbstractForm]) -> None:
        self.layout = layout
        self.reaches: dict[str, float] = {}
        for form in forms:
            far = float(np.linalg.norm(form.centre)) + form.reach
            self.reaches[form.body] = max(far, self.reaches.get(form.body, 0.0))
        self.reach = max(form.reach for form in forms) or max(self.reaches.values())

    def goal(self, motion: Motion) -> float:
        """How far (m) a middle may be off: no simulation is nearer than its tolerance."""
        given = motion.recipe.tolerances.get("tolerance", 0.0) if motion.is_simulated else 0.0
        return max(GOAL, given) * self.reach

    def judged(self, found: Followed) -> tuple[FloatArray, Mask]:
        """How far (m) bodies are off their foretold places in every step (k,), and which are near.

        In a step that is not near something turns too far for that to mean anything. Without a
        middle it is how far quintic and cubic differ there.
        """
        off = np.zeros(len(found.first))
        is_near = np.ones(len(found.first), dtype=bool)
        motion, is_tried = found.motion, found.middle >= 0
        h = motion.t[found.last] - motion.t[found.first]
        for body, reach in self.reaches.items():
            seen = Jet(*observe(self.layout, motion, [Marker(body)], _frame))
            ends = seen.at(found.first), seen.at(found.last)
            quintic, cubic = quintic_middle(h, *ends), cubic_middle(h, *ends)
            truth = seen.x[found.middle]
            missed = np.minimum(_size(quintic - truth, reach), _size(cubic - truth, reach))
            off = np.maximum(off, np.where(is_tried, missed, _size(quintic - cubic, reach)))
            is_near &= _turn(seen.x, seen.v, found) * h <= FAR
        return off, is_near

    def parts(self, found: Followed, off: FloatArray, goal: float) -> NDArray[np.intp]:
        """Into how many parts every step should go."""
        motion = found.motion
        h = motion.t[found.last] - motion.t[found.first]
        turn = np.zeros(len(h))
        for body in self.reaches:
            x, v, _ = observe(self.layout, motion, [Marker(body)], _frame)
            turn = np.maximum(turn, _turn(x, v, found) * h)
        by_turn = np.where(turn > FAR, np.ceil(turn / NEAR), 2.0)
        by_error = np.ceil(1.2 * (off / goal) ** (1.0 / ORDER))
        parts = np.clip(np.maximum(by_turn, by_error), 2, MOST_PARTS)
        return np.asarray(parts, dtype=np.intp)


def _frame(X: list[Pose]) -> list[Any]:
    """Place and axes of a frame, twelve numbers."""
    return [*X[0].position, *(e for k in ("x", "y", "z") for e in getattr(X[0].rotation, k))]


def _size(off: FloatArray, reach: float) -> FloatArray:
    """How far points within a reach of the origin are moved, at most, by a change of the frame."""
    return np.asarray(
        np.linalg.norm(off[:, :3], axis=1) + reach * np.linalg.norm(off[:, 3:], axis=1)
    )


def _turn(x: FloatArray, v: FloatArray, found: Followed) -> FloatArray:
    """How fast (rad/s) the frame turns in every step, by its samples."""
    speed = np.linalg.norm(skew_part(matrices(v[:, 3:]), matrices(x[:, 3:])), axis=1)
    ends = np.maximum(speed[found.first], speed[found.last])
    return np.asarray(np.maximum(ends, np.where(found.middle >= 0, speed[found.middle], 0.0)))
