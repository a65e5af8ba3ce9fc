"""Asking a mechanism for its circuits and branches, and for a way from one position to another."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import measure_named
from kempe.errors import BadNumber, KempeError
from kempe.front.circuits import Branch, Circuit, Circuits, MotionPath, message_of
from kempe.front.position import CertifiedAssembly
from kempe.front.requests.motions import HELD, Question, along, follow
from kempe.front.trajectory import Trajectory
from kempe.motion import Effort
from kempe.names import refuse_no_texts
from kempe.results.maps.certificate import Promise
from kempe.results.maps.component import Component
from kempe.results.maps.connected import Leg, Spot, connected, is_closed_off, shortest
from kempe.results.maps.motion_map import MotionMap
from kempe.results.state import State

FloatArray = NDArray[np.float64]
Turn = tuple[float, float]  # length along a component, and the measure there

STEP = 0.02  # between samples, in the space of unknowns
WHOLE = (Promise.COMPLETE, Promise.COMPLETE_EXCEPT)
STILL = 1e-9  # rad or sizes of the machine: a measure that changes by less stands still


def circuits_of(question: Question, measures: Sequence[str], effort: Effort | None) -> Circuits:
    """All circuits, and their branches for measures; those of the drives where none are named."""
    layout = question.layout
    refuse_no_texts(measures)
    names = list(dict.fromkeys(measures)) or [drive.gauge.name for drive in layout.model.drives]
    for name in names:
        measure_named(layout.model, name, HELD)
    motions = question.curves(effort)
    lines = [_Line(layout, component) for component in motions.components]
    found: dict[int, list[Branch]] = {k: [] for k in range(len(lines))}
    proved: list[str] = []
    unproved: list[str] = []
    for name in names:
        turns = _turning_points(question, name, effort, motions, lines)
        (unproved if turns is None else proved).append(name)
        for k, line in enumerate(lines):
            found[k] += _branches(line, name, None if turns is None else turns[k])
    circuits = tuple(
        Circuit(
            number,
            members,
            sum(motions.components[k].closed for k in members),
            is_closed_off(motions, members),
            tuple(branch for k in members for branch in found[k]),
        )
        for number, members in enumerate(connected(motions))
    )
    return Circuits(motions, circuits, tuple(proved), tuple(unproved))


def path_between(
    question: Question, start: State, goal: State, effort: Effort | None, step: float
) -> MotionPath:
    """A way from one position to another, along the components of all motions."""
    layout, motions = question.layout, question.curves(effort)
    ends = []
    for state, word in ((start, "starts"), (goal, "ends")):
        if not hasattr(state, "q"):
            raise BadNumber(f"where the path {word} is a position, not {repr(state)[:60]}.")
        number = motions.component_of(state.q)
        if number is None and motions.outcome is Promise.COMPLETE:
            raise BadNumber(
                f"where the path {word} is no position of {layout.model.name!r}: its joints are"
                " open there, or something held or limited is not kept. Take an assembly of this"
                " mechanism, with the same held measures and limits."
            )
        ends.append(number)
    one, other = ends
    if one is None or other is None:
        where = "start" if one is None else "goal"
        message = f"The {where} lies on no listed component: {motions.message}".rstrip()
        return MotionPath(motions, one, other, None, math.nan, (), None, message)
    lines = {k: _Line(layout, motions.components[k]) for k in {one, other}}
    spots = (Spot(one, lines[one].at(start.q)), Spot(other, lines[other].at(goal.q)))
    way = shortest(motions, *spots)
    if way is None:
        closed = any(
            is_closed_off(motions, members)
            for members in connected(motions)
            if one in members or other in members
        )
        message = message_of(motions, (one, other), closed=closed)
        return MotionPath(
            motions, one, other, False if closed else None, math.nan, (), None, message
        )
    legs, through = way
    trajectory = _driven(layout, motions, legs, (start.q, goal.q), step)
    length = sum(leg.length for leg in legs)
    message = f"A way of length {length:.4g} leads there"
    if through:
        message += f", through {len(through)} singular place{'s' * (len(through) > 1)}"
    return MotionPath(motions, one, other, True, length, tuple(through), trajectory, message + ".")


def _turning_points(
    question: Question, name: str, effort: Effort | None, motions: MotionMap, lines: "list[_Line]"
) -> list[list[Turn]] | None:
    """Where on every component a measure turns back; None if not all are known."""
    if motions.outcome not in WHOLE:
        return None
    try:
        found = question.turning_points(name, effort)
    except KempeError:  # what is written for a search of motions is not always for one of these
        return None
    if found.outcome not in WHOLE:
        return None
    places: list[list[Turn]] = [[] for _ in lines]
    for state in found.states:
        number = motions.component_of(state.q)
        if number is not None:
            value = CertifiedAssembly.of(question.layout, state)[name]
            places[number].append((lines[number].at(state.q), float(value)))
    return [sorted(lengths) for lengths in places]


def _branches(line: "_Line", name: str, turns: list[Turn] | None) -> list[Branch]:
    """Stretches between places where a measure turns back, told from samples if None."""
    channel = line.trajectory[name]
    values, t = np.asarray(channel.values), np.asarray(line.trajectory.t)
    unit = "m" if channel.unit == "m" else "rad"
    size = line.layout.size if unit == "m" else 1.0
    if turns is None:
        turns = _sampled_turns(t, values, closed=line.component.closed)

    def branch(low: float, high: float, *, round_: bool = False) -> Branch:
        return Branch(line.component.number, name, min(low, high), max(low, high), round_, unit)

    if not np.ptp(values) > STILL * size:
        return [branch(float(values[0]), float(values[0]))]
    near = np.interp([length for length, _ in turns], t, values)
    whole = math.tau * (unit == "rad")  # angles are counted on along the samples
    at = [v + whole * round((n - v) / math.tau) for (_, v), n in zip(turns, near, strict=True)]
    if not line.component.closed:
        stops = [float(values[0]), *at, float(values[-1])]
    elif not turns:
        return [branch(float(values[0]), float(values[-1]), round_=True)]
    else:  # from the last turning point over the beginning of the loop to the first
        stops = [*at, at[0] + float(values[-1] - values[0])]
    return [branch(a, b) for a, b in pairwise(stops)]


def _sampled_turns(t: FloatArray, values: FloatArray, *, closed: bool) -> list[Turn]:
    """Where samples turn back; where a loop closes, too."""
    rising = np.sign(np.diff(values))
    places = list(np.flatnonzero(rising[:-1] * rising[1:] < 0) + 1)
    if closed and len(rising) and rising[0] * rising[-1] < 0:
        places = [np.intp(0), *places]
    return [(float(t[k]), float(values[k])) for k in places]


@final
class _Line:
    """A component as a line of samples, and where on it positions lie."""

    def __init__(self, layout: Layout, component: Component) -> None:
        self.layout, self.component = layout, component
        self.trajectory = follow(layout, component, STEP)
        self._points = turn_free(layout, self.trajectory.motion.q)

    def at(self, q: FloatArray) -> float:
        """The length along it of the position nearest to one."""
        p, points, t = turn_free(self.layout, q[None])[0], self._points, self.trajectory.t
        if len(points) < 2:
            return 0.0
        way = np.diff(points, axis=0)
        square = np.maximum((way * way).sum(axis=1), 1e-300)
        share = (((p - points[:-1]) * way).sum(axis=1) / square).clip(0.0, 1.0)
        off = np.linalg.norm(points[:-1] + share[:, None] * way - p, axis=1)
        k = int(off.argmin())
        return float(t[k] + share[k] * (t[k + 1] - t[k]))


def turn_free(layout: Layout, q: FloatArray) -> FloatArray:
    """Places in sizes of the machine, and turns in numbers that no whole turn changes, (k, n)."""
    at = layout.coordinates
    places = at.places(q).reshape(len(q), -1) / layout.size
    turns = at.turns(q)
    if at.chart.is_flat:
        angles = turns.reshape(len(q), -1)
        return np.column_stack([places, np.cos(angles), np.sin(angles)])
    products = (turns[..., :, None] * turns[..., None, :]).reshape(len(q), -1)
    return np.column_stack([places, products])


def _driven(
    layout: Layout,
    motions: MotionMap,
    legs: list[Leg],
    ends: tuple[FloatArray, FloatArray],
    step: float,
) -> Trajectory:
    """The trajectory along legs, from the first position given to the second."""
    lengths, positions, gone = [0.0], [ends[0]], 0.0
    for leg in legs:
        component = motions.components[leg.component]
        samples = component.sample(step)
        t, q = samples.length, samples.q
        if component.closed:  # a stretch may begin before the loop does, or end after
            t = np.concatenate([t - component.length, t, t + component.length])
            q = np.concatenate([q, q, q])
        low, high = sorted((leg.low, leg.high))
        inside = np.flatnonzero((t > low) & (t < high))
        if leg.low > leg.high:
            inside = inside[::-1]
        lengths += [gone + abs(float(t[k]) - leg.low) for k in inside]
        positions += [q[k] for k in inside]
        gone += leg.length
    lengths.append(max(gone, lengths[-1]))
    positions.append(ends[1])
    t, q = np.array(lengths), np.array(positions)
    kept = np.append(True, np.diff(t) > 0.0)  # a way of no length is one position
    return along(layout, t[kept], in_step(layout, q)[kept])


def in_step(layout: Layout, q: FloatArray) -> FloatArray:
    """Positions whose angles are counted on from one to the next; quaternions on one side."""
    at, q = layout.coordinates, q.copy()
    if at.chart.is_flat:
        q[:, at.angles] = np.unwrap(q[:, at.angles], axis=0)
        return q
    turns = at.turns(q)
    agree = np.sign((turns[1:] * turns[:-1]).sum(axis=-1))
    turns[1:] *= np.cumprod(np.where(agree < 0, -1.0, 1.0), axis=0)[..., None]
    return q
