"""Promise: `circuits` says what can be reached, how far a drive leads, and `path` finds the way.

A crank with one or two dyads behind it: bars between hinges, or a bar to a slider; four-bars,
slider-cranks and six-bars, at times between limits. Every dyad closes in two ways, told by a sign.

Oracle: the crank's circle in a few thousand steps, each dyad by the cut of two circles (or of a
circle and a line) in NumPy. Where a dyad ceases to close, its two ways meet; so all curves are put
together in their order, and counted, and walked.
"""

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import kempe as kp

Array = NDArray[np.float64]

CASES = 8
STEPS = 6000  # of the crank's circle
ANGLE = 8e-3  # rad: some steps of the circle; dead points lie between two of them
CLOSED = 1e-9  # of a loop of bars with a size of 1
LONGER = 0.01  # of a way: steps of 0.02 cut its corners, and so do those of the circle


@dataclass
class Dyad:
    """A bar from a point P to a hinge, there a second one to a pivot, or a slider along a line."""

    first: float
    second: float  # length of the second bar; of a slider how far its line is from the pivot
    pivot: Array
    along: float  # rad, of the line; NaN where there is none

    def closed(self, P: Array, sign: int) -> tuple[Array, Array]:
        """Where the hinge lies for each of P (n, 2), and how much room it has (< 0: it is open)."""
        away = P - self.pivot
        if math.isnan(self.along):
            gap = np.hypot(away[:, 0], away[:, 1])
            x = (gap**2 + self.second**2 - self.first**2) / (2.0 * gap)
            room = self.second**2 - x**2
            y = sign * np.sqrt(np.maximum(room, 0.0))
            e = away / gap[:, None]
            n = np.column_stack([-e[:, 1], e[:, 0]])
            return self.pivot + x[:, None] * e + y[:, None] * n, room
        e = np.array([math.cos(self.along), math.sin(self.along)])
        n = np.array([-e[1], e[0]])
        off = away @ n - self.second
        room = self.first**2 - off**2
        x = away @ e + sign * np.sqrt(np.maximum(room, 0.0))
        return self.pivot + x[:, None] * e + self.second * n, room


@dataclass
class Machine:
    """A crank of length 1, dyads in a row, and limits of a measure."""

    dyads: list[Dyad]
    leg: Array  # the second dyad's start in the axes of the first one's first bar
    limit: tuple[str, float, float] | None

    def readings(self, turn: Array, signs: tuple[int, ...]) -> tuple[dict[str, Array], Array]:
        """Angles of all bars (n,) by name, and the rooms (k, n) of the dyads."""
        P = np.column_stack([np.cos(turn), np.sin(turn)])
        found, rooms = {"crank.angle": turn}, []
        for k, (dyad, sign) in enumerate(zip(self.dyads, signs, strict=True)):
            hinge, room = dyad.closed(P, sign)
            bar = np.arctan2(*(hinge - P).T[::-1])
            found[f"rod{k}.angle"] = bar
            if math.isnan(dyad.along):
                found[f"arm{k}.angle"] = np.arctan2(*(hinge - dyad.pivot).T[::-1])
            else:
                e = np.array([math.cos(dyad.along), math.sin(dyad.along)])
                found[f"guide{k}.displacement"] = (hinge - dyad.pivot) @ e
            c, s = np.cos(bar), np.sin(bar)
            P = P + np.column_stack(
                [c * self.leg[0] - s * self.leg[1], s * self.leg[0] + c * self.leg[1]]
            )
            rooms.append(room)
        return found, np.array(rooms)


def within(values: Array, name: str, low: float, high: float) -> NDArray[np.bool_]:
    """Whether each value lies between the limits; an angle in any of its turns."""
    if name.endswith("angle"):
        return (values - low) % (2 * np.pi) <= high - low
    return (low <= values) & (values <= high)


@dataclass
class Run:
    """A stretch of the crank's circle with one way to close: rows of steps, and what ends it."""

    signs: tuple[int, ...]
    rows: NDArray[np.int64]
    ends: tuple[int | None, int | None]  # dyads that cease to close; None at a limit
    round: bool


def runs_of(machine: Machine, turn: Array) -> list[Run]:
    """All stretches for all signs."""
    runs = []
    for signs in itertools.product((-1, 1), repeat=len(machine.dyads)):
        found, rooms = machine.readings(turn, signs)
        closes = (rooms > 0.0).all(axis=0)
        fine = closes.copy()
        if machine.limit:
            name, low, high = machine.limit
            fine &= within(found[name], name, low, high)
        if fine.all():
            runs.append(Run(signs, np.arange(len(turn)), (None, None), True))
            continue
        starts = np.flatnonzero(fine & ~np.roll(fine, 1))
        for start in starts:
            count = 1
            while fine[(start + count) % len(turn)]:
                count += 1
            rows = (start + np.arange(count)) % len(turn)
            ends = tuple(
                None if closes[k] else int(np.argmin(rooms[:, k]))
                for k in ((start - 1) % len(turn), (start + count) % len(turn))
            )
            runs.append(Run(signs, rows, (ends[0], ends[1]), False))
    return runs


@dataclass
class Curve:
    """A component: runs in order, each forwards or backwards; closed or not."""

    pieces: list[tuple[Run, bool]]
    closed: bool


def curves_of(runs: list[Run]) -> list[Curve] | None:
    """Runs put together where a dyad's two ways meet; None where that does not fit."""

    def beside(number: int, end: int) -> tuple[int, int] | None:
        run = runs[number]
        dyad = run.ends[end]
        assert dyad is not None
        signs = tuple(-s if k == dyad else s for k, s in enumerate(run.signs))
        edge = run.rows[0 if end == 0 else -1]
        for k, other in enumerate(runs):
            meets = other.rows[0 if end == 0 else -1] == edge
            if other.signs == signs and other.ends[end] == dyad and meets:
                return k, end
        return None

    curves, left = [], set(range(len(runs)))
    while left:
        first = min(left, key=lambda n: (None not in runs[n].ends, n))
        if runs[first].round:
            left.remove(first)
            curves.append(Curve([(runs[first], True)], True))
            continue
        enter = 0 if runs[first].ends[0] is None or runs[first].ends[1] is not None else 1
        pieces, number, closed = [], first, False
        while True:
            left.discard(number)
            pieces.append((runs[number], enter == 0))
            if runs[number].ends[1 - enter] is None:
                break
            step = beside(number, 1 - enter)
            if step is None:
                return None
            number, enter = step
            if number == first:
                closed = True
                break
            if number not in left:
                return None
        curves.append(Curve(pieces, closed))
    return curves


def walked(machine: Machine, turn: Array, curve: Curve) -> dict[str, Array]:
    """Angles and slides along a curve in its order, angles made continuous."""
    parts: dict[str, list[Array]] = {}
    for run, forwards in curve.pieces:
        rows = run.rows if forwards else run.rows[::-1]
        for name, values in machine.readings(turn, run.signs)[0].items():
            parts.setdefault(name, []).append(values[rows])
    joined = {name: np.concatenate(some) for name, some in parts.items()}
    return {
        name: np.unwrap(values) if name.endswith("angle") else values
        for name, values in joined.items()
    }


def stretches(values: Array, closed: bool, is_angle: bool) -> list[tuple[float, float, float]]:
    """Low and high of each stretch on which values rise or fall, and how well its ends are known.

    Between two steps a value like the root of what is left at a dead point goes on by 2.4 times
    the last step at the most.
    """
    if closed:
        around = values[0] - values[-1]
        gap = math.remainder(around, math.tau) if is_angle else around
        values = np.append(values, values[-1] + gap)
    steps = np.sign(np.diff(values))
    steps = steps[steps != 0] if (steps != 0).all() else np.where(steps == 0, 1, steps)
    corners = [k + 1 for k in range(len(steps) - 1) if steps[k] != steps[k + 1]]
    if closed and corners:
        if steps[0] != steps[-1]:
            corners = [0, *corners]
        places = values[corners]
        pairs = list(
            zip(places, np.append(places[1:], places[0] + values[-1] - values[0]), strict=True)
        )
        edges = [*corners, corners[0]]
    else:
        edges = [0, *corners, len(values) - 1]
        pairs = [(values[a], values[b]) for a, b in itertools.pairwise(edges)]
    sizes = np.abs(np.diff(values))
    near = [float(sizes[max(0, k - 2) : k + 2].max()) for k in edges]
    slack = [3.0 * max(a, b) for a, b in itertools.pairwise(near)]
    return [(min(p), max(p), much) for p, much in zip(pairs, slack, strict=True)]


def machine_of(rng: np.random.Generator) -> Machine:
    """A random one that has positions at all."""
    while True:
        dyads = []
        for _ in range(int(rng.integers(1, 3))):
            is_slider = rng.random() < 0.3
            pivot = rng.uniform(-3.0, 3.0, 2)
            first = float(rng.uniform(0.6, 3.5))
            second = float(rng.uniform(-1.0, 1.0) if is_slider else rng.uniform(0.6, 3.5))
            along = float(rng.uniform(-3.0, 3.0)) if is_slider else math.nan
            dyads.append(Dyad(first, second, pivot, along))
        machine = Machine(dyads, rng.uniform(-1.5, 1.5, 2), None)
        turn = np.linspace(0.0, 2.0 * np.pi, 300, endpoint=False)
        found, rooms = machine.readings(turn, (1,) * len(dyads))
        fine = (rooms > 0).all(axis=0)
        if fine.sum() > 30:
            if rng.random() < 0.4:
                name = str(rng.choice(sorted(found)))
                values = found[name][fine]
                low = float(rng.choice(values)) - float(rng.uniform(0, 0.3))
                machine.limit = (name, low, low + float(rng.uniform(0.3, 3.0)))
            return machine


def built(machine: Machine) -> kp.Mechanism:
    """The same of kempe."""
    m = kp.Builder("dyads", plane=True)
    crank = m.bar("crank", 1.0)
    m.revolute(m.ground.at(0, 0), crank.start)
    place = crank.end
    for k, dyad in enumerate(machine.dyads):
        rod = m.bar(f"rod{k}", dyad.first, points={"leg": tuple(machine.leg)})
        m.revolute(place, rod.start)
        if math.isnan(dyad.along):
            arm = m.bar(f"arm{k}", dyad.second)
            m.revolute(rod.end, arm.end)
            m.revolute(arm.start, m.ground.at(*dyad.pivot))
        else:
            e = np.array([math.cos(dyad.along), math.sin(dyad.along)])
            foot = dyad.pivot + dyad.second * np.array([-e[1], e[0]])
            block = m.body(f"block{k}")
            m.prismatic(m.ground.at(*foot), block.at(0, 0), along=tuple(e), name=f"guide{k}")
            m.revolute(rod.end, block.at(0, 0))
        place = rod.at(*machine.leg)
    m.drive(crank.angle, rpm=10)
    return m.build()


def attempt(rng: np.random.Generator) -> list[str]:
    """What is wrong with the circuits of one machine, and with the ways between some positions."""
    machine = machine_of(rng)
    turn = np.linspace(0.0, 2.0 * np.pi, STEPS, endpoint=False) + 1e-4
    rough = curves_of(runs_of(machine, turn[::4]))
    curves = curves_of(runs_of(machine, turn))
    if rough is None or curves is None or len(rough) != len(curves):
        return []  # so near to meeting that steps do not tell
    if min(sum(len(run.rows) for run, _ in curve.pieces) for curve in curves) < 40:
        return []
    model = built(machine)
    limits: Any = {machine.limit[0]: machine.limit[1:]} if machine.limit else None
    angle = "crank.angle"
    others = [name for name in walked(machine, turn, curves[0]) if name != angle]
    other = str(rng.choice(others))
    found = model.circuits(angle, other, limits=limits)
    case = f"{machine}"
    if found.motions.outcome != "complete":
        return [f"outcome {found.motions.outcome}, {len(curves)} curves expected: {case}"]
    if len(found) != len(curves):
        return [f"{len(found)} circuits instead of {len(curves)}: {case}"]
    wrong = judged_branches(machine, turn, curves, found, (angle, other))
    wrong += judged_ways(rng, machine, turn, curves, model, limits)
    return [f"{fault}: {case}" for fault in wrong]


def judged_branches(
    machine: Machine, turn: Array, curves: list[Curve], found: Any, names: tuple[str, ...]
) -> list[str]:
    """Whether the ranges of every measure over all circuits are those of the curves."""
    wrong = []
    if sorted(c.closed for c in curves) != sorted(
        bool(found.motions.components[n].closed) for one in found.circuits for n in one.components
    ):
        wrong.append("loops and arcs are not those of the curves")
    for name in names:
        is_angle = name.endswith("angle")
        mine = [
            pair
            for curve in curves
            for pair in stretches(walked(machine, turn, curve)[name], curve.closed, is_angle)
            if pair[1] - pair[0] > 2 * ANGLE
        ]
        theirs = [
            (b.low, b.high)
            for one in found.circuits
            for b in one.branches
            if b.measure == name and b.high - b.low > 2 * ANGLE
        ]
        if len(mine) != len(theirs):
            wrong.append(
                f"{len(theirs)} branches of {name} instead of {len(mine)}: {mine} {theirs}"
            )
            continue
        for low, high, slack in mine:
            round_about = is_angle and abs(high - low) > 2 * np.pi - 2 * ANGLE
            shifts = [2 * np.pi * k for k in range(-4, 5)] if is_angle else [0.0]
            fits = any(
                (round_about or abs(a + shift - low) < 3 * ANGLE + slack)
                and abs(b - a - (high - low)) < 6 * ANGLE + 2.0 * slack
                for a, b in theirs
                for shift in shifts
            )
            if not fits:
                wrong.append(f"no branch of {name} from {low} to {high}: {theirs}")
    return wrong


def judged_ways(
    rng: np.random.Generator,
    machine: Machine,
    turn: Array,
    curves: list[Curve],
    model: kp.Mechanism,
    limits: Any,
) -> list[str]:
    """Whether `path` leads from one random place to another just where a curve does."""
    places = []
    for _ in range(2):
        number = int(rng.integers(len(curves)))
        along = walked(machine, turn, curves[number])
        row = int(rng.integers(len(along["crank.angle"])))
        reading = {name: float(values[row]) for name, values in along.items()}
        held = {"crank.angle": reading["crank.angle"]}
        ways = model.assemblies(held, limits=limits)
        others = [n for n in reading if n != "crank.angle"]

        def off(
            state: Any, reading: dict[str, float] = reading, others: list[str] = others
        ) -> float:
            return max(
                abs(math.remainder(state[n] - reading[n], math.tau))
                if n.endswith("angle")
                else abs(state[n] - reading[n])
                for n in others
            )

        near = [state for state in ways if off(state) < 1e-5]
        if len(near) != 1:
            return [f"{len(near)} assemblies at {reading}"] if len(near) else [f"none at {reading}"]
        places.append((number, row, near[0]))
    (one, i, start), (two, j, goal) = places
    way = model.path(start, goal, limits=limits)
    if way.is_possible is not (one == two):
        return [f"a way is possible: {way.is_possible}, from curve {one} to {two}"]
    if not way.is_possible:
        return []
    return judged_way(
        machine,
        walked(machine, turn, curves[one]),
        curves[one].closed,
        (i, j),
        way,
        (start, goal),
        limits,
    )


def judged_way(
    machine: Machine,
    along: dict[str, Array],
    closed: bool,
    rows: tuple[int, int],
    way: Any,
    ends: tuple[Any, Any],
    limits: Any,
) -> list[str]:
    """Whether the way begins and ends where it should, closes all loops, and is the shortest."""
    wrong = []
    track = way.trajectory
    for k, end in zip((0, -1), ends, strict=True):
        for name in along:
            gap = track[name].values[k] - end[name]
            gap = math.remainder(gap, math.tau) if name.endswith("angle") else gap
            if abs(gap) > 1e-7:
                wrong.append(f"{name} is off by {gap} at end {k} of the way")
    if limits:
        ((name, (low, high)),) = limits.items()
        values = track[name].values
        if not within(values, name, low - 1e-9, high + 2e-9).all():
            wrong.append(f"the way leaves the limits of {name}")
    # along the curve: every sample beside one of the oracle's
    turns = along["crank.angle"]
    for k in range(0, len(track.t), max(1, len(track.t) // 40)):
        gaps = np.zeros(len(turns))
        for name, values in along.items():
            gap = values - track[name].values[k]
            if name.endswith("angle"):
                gap = (gap + np.pi) % (2 * np.pi) - np.pi
            gaps = np.maximum(gaps, np.abs(gap))
        if gaps.min() > 0.2:
            wrong.append(f"sample {k} of the way is {gaps.min()} beside the curve")
            break
    names = [n.rsplit(".", 1) for n in way.motions.unknowns]
    if all(f"{n}.angle" in along and w in "cs" for n, w in names):
        points = np.column_stack(
            [(np.cos if w == "c" else np.sin)(along[f"{n}.angle"]) for n, w in names]
        )
        if closed:
            points = np.vstack([points, points[:1]])
        lengths = np.concatenate(
            [[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]
        )
        direct = abs(lengths[rows[0]] - lengths[rows[1]])
        best = min(direct, lengths[-1] - direct) if closed else direct
        if abs(best - way.length) > LONGER * lengths[-1]:
            wrong.append(f"the way is {way.length} long, and the shortest {best}")
    steps = np.abs(np.diff(track["crank.angle"].values))
    if steps.max(initial=0.0) > 0.1:
        wrong.append(f"the crank jumps by {steps.max()} along the way")
    return wrong
