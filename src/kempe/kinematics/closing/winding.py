"""Whole turns: counted so that drives start at their values, and what is geared to them with them.

A drive that starts at 2 pi + 0.7 rad finds a body that was put at 0.7 rad where it should be, one
turn short in the count. Walking there would take the mechanism once round, and it could come back
on another branch. In the plane the angle of a body is a coordinate, and counting turns is adding
2 pi to it; in space the readings of angles are counted instead.

Every count is whole turns that a row is off by:

1. what a drive reads has turned as often as the drive says;
2. what is coupled to it has turned as often as the ratio says, as after a run from 0: the second of
   two wheels with 17 and 31 teeth has made 17 / 31 of the first one's turns, and where it stands
   follows from the parts of turns that are left;
3. a coupler that is still off by what whole turns of its hinges make is closed by those, the least
   that do, and nothing need move. Several couplers that read one hinge count it alike.

Own: small numbers of turns are all tried, those first that are least.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice, product
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.equations import Equations
from kempe.frames.networks.network import joined
from kempe.kinematics.closing.placement import body_pose, gauge_reading
from kempe.measures import Gauge
from kempe.results.state import State

FloatArray = NDArray[np.float64]
Mask = NDArray[np.bool_]

MISSING = 1e-6  # rad, or of the size: what a row of a closed mechanism is off by for want of turns
PARALLEL = 1e-9  # 1 - cosine of the angle between axes that are one
MOST_TRIED = 20_000  # numbers of turns of hinges that couplers tie together
MOST_FOUND = 16  # ways to count

# A row that changes by this much of a body's angle reads the angle itself.
WHOLE = 1e-12
MOST = 2000  # velocities beyond which turns of what is coupled are not counted
STIFF = 1e6  # weight of what counts turns over the joints, which hold anyway where it matters
FAR = 100.0  # sizes of the machine beyond which a stroke is made at once, not searched for
ROLLING = 2.0 * math.tau  # rad of a wheel, likewise
NEAR = 0.1  # of the size, or rad: what is no further off is left to the search
CLOSER = 0.5  # of the misfit that such a stroke may leave
DIFFERENCE = 1e-4  # of a turn, for the rate of a reading
RIGID = 6  # rows of a weld in space


def initial_turns(
    equations: Equations, t: float, q: FloatArray, turned: Mapping[str, float] | None = None
) -> FloatArray:
    """Where counted turns start (rad), with those that readings have `turned`, by name."""
    return Winding(equations).first(t, q, turned or {})


def has_sums(layout: Layout) -> bool:
    """Whether a joint holds a sum of measures, as a screw does."""
    return any(True in element.followed for element in layout.elements[: len(layout.model.joints)])


@final
@dataclass(frozen=True, slots=True)
class _Hinge:
    """What one whole turn changes: readings of a turn in space, or the angle of a planar body."""

    places: list[int]  # among the counted readings, or the coordinates
    turn: FloatArray  # rad, of each: negative where it is read the other way round
    plane: bool

    def turned(self, at: State, number: float) -> State:
        """A state after so many turns."""
        counted = (at.q if self.plane else at.turns).copy()
        counted[self.places] += number * self.turn
        return replace(at, q=counted) if self.plane else replace(at, turns=counted)


@final
class Winding:
    """The whole turns of one mechanism.

    Planar bodies have theirs in q, so that `wound` gives another q of the same places; those of
    readings in space are in `State.turns`.
    """

    def __init__(self, equations: Equations) -> None:
        self.equations, self.layout = equations, equations.layout
        self.model, self._at = self.layout.model, self.layout.coordinates
        self._rows = equations.program.shape.rows
        self._counted = equations.program.shape.counted
        self.gauges = [self.layout.elements[k].gauges[reading] for k, reading in self._counted]

    @cached_property
    def follows(self) -> Mask:
        """Which counted turns follow from others, so that any whole number of them may do.

        Those that couplers read, and sums of measures that joints hold.
        """
        first, elements = self.layout.first_drive, self.layout.elements
        pairs = self._counted
        return np.array([k < first and elements[k].told(0.0)[n] is None for k, n in pairs], bool)

    @cached_property
    def is_coupled(self) -> bool:
        """Whether anything turns as others do: by a coupler, or by a sum that a joint holds."""
        return bool(self.model.couplers) or has_sums(self.layout)

    def first(self, t: float, q: FloatArray, turned: Mapping[str, float]) -> FloatArray:
        """Where counted turns start: at the value their drive or joint holds them at, or as q is.

        Those of couplers are counted on from there with the drives' turns; without drives they are
        those that readings have `turned` at a start (rad, by name). Where couplers are off by whole
        turns that nothing of this counts, with those.
        """
        if not self.gauges:
            return np.zeros(0)
        raw, elements = self._readings(q), self.layout.elements
        told = [elements[k].told(t)[reading] for k, reading in self._counted]
        pairs = zip(raw, told, strict=True)
        turns = np.array([x if value is None else value for x, value in pairs], dtype=float)
        if not self.is_coupled:
            return turns
        base = State(t, self._on_first_turn(q), turns=raw)
        step = self._far_step(base)
        if step is not None:
            made = [self._rate(base.q, step, gauge) for gauge in self.gauges]
            for k, gauge in enumerate(self.gauges):
                if gauge.name in turned and not self.model.drives:
                    made[k] = turned[gauge.name] - raw[k]
            turns = np.where(self.follows, raw + _whole(np.array(made)), turns)
        return self._with_missing(State(t, q, turns=turns)).turns

    def _readings(self, q: FloatArray) -> FloatArray:
        """What is counted as poses show it, whole turns left out (rad)."""
        return np.array([gauge_reading(self.layout, q, g) for g in self.gauges], dtype=float)

    def _on_first_turn(self, q: FloatArray) -> FloatArray:
        """q with the angles of planar bodies within half a turn of 0."""
        if not self.model.plane:
            return q
        first = q.copy()
        first[self._at.angles] -= _whole(q[self._at.angles])
        return first

    # Turns that drives tell, and those that follow as far as ratios are constant.

    def begun(self, at: State) -> FloatArray:
        """q to begin a search with, on the turns and strokes that drives and couplers say."""
        q = self._meshed(replace(at, q=self._driven(at)))
        return self._stroked(replace(at, q=q)) if self.is_coupled else q

    @cached_property
    def _turning_drives(self) -> list[int]:
        """The rows of drives that turn planar bodies."""
        if not self.model.plane:
            return []
        first = self.layout.first_drive
        return [k for k, r in enumerate(self._rows) if r.element >= first and r.unit == "rad"]

    def _driven(self, at: State) -> FloatArray:
        """q with planar bodies turned by the whole turns that drives are off by."""
        drives, q = self._turning_drives, at.q
        if not drives:
            return q
        phi, entries, _ = self.equations.evaluate(q, at.t, at.turns)
        if not np.isfinite(phi[drives]).all() or not (np.abs(phi[drives]) > math.pi).any():
            return q
        counted = q.copy()
        settled: set[int] = set()  # angles that a drive before has counted
        for row in drives:
            slopes = self._angles_read(entries, row)
            off = phi[row] + sum(s * (counted[k] - q[k]) for k, s in slopes.items())
            free = [k for k in slopes if k not in settled]
            settled.update(slopes)
            if free:
                counted[free[-1]] -= float(_whole(off)) * slopes[free[-1]]
        return counted

    def _angles_read(self, entries: FloatArray, row: int) -> dict[int, float]:
        """The angles of bodies that the row reads as they are, or with their sign changed."""
        shape, angular = self.equations.program.shape, self._at.is_angular
        mine = np.flatnonzero(shape.jacobian_rows == row)
        found = {int(shape.jacobian_columns[e]): float(entries[e]) for e in mine}
        return {
            k: float(round(slope))
            for k, slope in sorted(found.items())
            if k < len(angular) and angular[k] and abs(abs(slope) - 1.0) < WHOLE
        }

    def _meshed(self, at: State) -> FloatArray:
        """q with those planar bodies turned by whole turns that couplers tie to driven ones."""
        step = self._far_step(at) if self._turning_drives and self.model.couplers else None
        if step is None:
            return at.q
        angles, counted = self._at.angles, at.q.copy()
        counted[angles] += np.where(self._is_read[angles], _whole(step[angles]), 0.0)
        return counted

    def welded(self, q: FloatArray) -> FloatArray:
        """q with planar bodies within half a turn of those that are counted and welded to them."""
        has_welds = any(len(joint.row_units) == RIGID for joint in self.model.joints)
        if not self.model.plane or not self.model.drives or not has_welds:
            return q
        root, is_read = _welds(self.layout), self._is_read
        bodies = [(root[b.name], self._at.angle_of(k)) for k, b in enumerate(self.model.moving)]
        counted = {piece: q[place] for piece, place in bodies if is_read[place]}
        found = q.copy()
        for piece, place in bodies:
            if piece in counted and not is_read[place]:
                found[place] = counted[piece] + math.remainder(q[place] - counted[piece], math.tau)
        return found

    def _stroked(self, at: State) -> FloatArray:
        """q with bodies moved at once as far as drives and couplers say, where a rack is far off.

        As far as ratios are constant: planar bodies that turn are turned by whole turns, those that
        do not are shifted. q itself where that does not bring the parts nearer.
        """
        off = self._off(at)
        if not (off[self._counts] > NEAR).any() or not np.isfinite(off).all():
            return at.q
        step = self._step(at)
        if step is None:
            return at.q
        each, angular = self._at.v_by_body(step), np.array(self.layout.chart.angular, dtype=bool)
        if not (off[self._counts] > FAR).any() and self._most_turned(step) <= ROLLING:
            return at.q
        is_turning = np.abs(each[:, angular]).max(axis=1) > math.pi
        each[np.ix_(is_turning, ~angular)] = 0.0
        whole = _whole(each[:, angular]) if self.model.plane else 0.0
        each[:, angular] = np.where(is_turning[:, None], whole, 0.0)
        moved = self.equations.program.retract(at.q, step)
        left = self._off(replace(at, q=moved))
        return moved if left.max() < CLOSER * off.max() else at.q

    @cached_property
    def _followed(self) -> list[bool | None]:
        """Whether what a row reads follows from others; None where it is no row of measures."""
        return [self.layout.elements[row.element].followed[row.place] for row in self._rows]

    @cached_property
    def _counts(self) -> Mask:
        """The rows of drives and couplers, and of measures that joints hold."""
        return np.array([followed is not None for followed in self._followed], dtype=bool)

    @cached_property
    def _is_read(self) -> Mask:
        """Which displacements (n_v,) rows that count turns change with."""
        shape = self.equations.program.shape
        read = np.zeros(self.layout.n_v, dtype=bool)
        read[shape.jacobian_columns[self._counts[shape.jacobian_rows]]] = True
        return read

    def _off(self, at: State) -> FloatArray:
        """What every row is off by, in rad and sizes of the machine."""
        phi = self.equations.evaluate(at.q, at.t, at.turns)[0]
        return np.abs(self.equations.row_weights * phi)

    def _far_step(self, at: State) -> FloatArray | None:
        """The step to where drives and couplers say, where turns may be missing on the way.

        None where nothing is as much as half a turn off, nor so far off a place that a wheel rolls
        many turns on the way.
        """
        if not self._counts.any() or self.layout.n_v > MOST:
            return None
        off = np.where(self._counts, self._off(at), 0.0)
        radians = np.array([row.unit == "rad" for row in self._rows], dtype=bool)
        if (off[radians] > math.pi).any():
            return self._step(at)
        if not (off[~radians] > NEAR).any():
            return None
        step = self._step(at)  # a rack that starts far off turns its pinion
        return step if step is not None and self._most_turned(step) > ROLLING else None

    def _step(self, at: State) -> FloatArray | None:
        """By how much everything moves (n_v,) while drives and couplers come to their values.

        As far as ratios are constant: d with J d = -phi in the rows that count turns, J d = 0 in
        those of joints. None where a formula has no value, or there are too many bodies.
        """
        phi, entries, _ = self.equations.evaluate(at.q, at.t, at.turns)
        off = np.where(self._counts, phi, 0.0)
        is_known = np.isfinite(off).all() and np.isfinite(entries).all()
        if not is_known or self.layout.n_v > MOST:
            return None
        weights = np.where(self._counts, STIFF, 1.0) * self.equations.row_weights
        scale = np.full(self.layout.n_v, self.layout.size)
        scale[self._at.bodies_v][self._at.is_angular] = 1.0
        J = self.equations.program.dense_jacobian(entries) * weights[:, None] * scale
        step = np.linalg.lstsq(J, -off * weights, rcond=None)[0]
        return np.asarray(step * scale, dtype=np.float64)

    def _most_turned(self, step: FloatArray) -> float:
        """The largest angular part of a displacement (n_v,) of bodies (rad)."""
        return float(np.abs(step[self._at.bodies_v][self._at.is_angular]).max(initial=0.0))

    def _rate(self, q: FloatArray, step: FloatArray, gauge: Gauge) -> float:
        """By how much an angle changes over the step (rad), as fast as it does at first."""
        most = self._most_turned(step)
        if most == 0.0:
            return 0.0
        share = DIFFERENCE / most
        after, before = (
            gauge_reading(self.layout, self.equations.program.retract(q, way * share * step), gauge)
            for way in (1.0, -1.0)
        )
        return math.remainder(after - before, math.tau) / (2.0 * share)

    # Turns that close couplers where bodies are.

    def otherwise(self, at: State, most: int) -> list[State]:
        """At most so many states with turns by which couplers are less open, the least first."""
        is_counted = self.model.couplers or self.gauges
        return self._tried(at)[:most] if is_counted and self._is_open(at) else []

    def _with_missing(self, at: State) -> State:
        """A state with those turns more that close the rows of couplers just where bodies are.

        It is left as it is in the plane, where angles have their turns, and where no small number
        of turns closes the rows.
        """
        if self.model.plane or not self._is_open(at):
            return at
        found = self._tried(at)[:1]
        return found[0] if found and not self._is_open(found[0]) else at

    @cached_property
    def _wound_rows(self) -> NDArray[np.intp]:
        """The rows that whole turns change, or may: in space those of couplers and sums."""
        pairs = enumerate(self._followed)
        return np.array([k for k, is_sum in pairs if self.model.plane or is_sum], dtype=np.intp)

    def _open(self, at: State) -> FloatArray:
        """What these rows are off by, with its sign."""
        phi = self.equations.evaluate(at.q, at.t, at.turns)[0]
        return np.asarray((self.equations.row_weights * phi)[self._wound_rows])

    def _is_open(self, at: State) -> bool:
        phi = self._open(at)
        return bool(np.isfinite(phi).all() and (np.abs(phi) > MISSING).any())

    def _tried(self, at: State) -> list[State]:
        """Whole turns that leave the rows less open, each group of tied hinges by itself.

        The k-th of the list takes the k-th best of every group; as far as rows are sums of turns.
        """
        phi, hinges = self._open(at), self._hinges(at.q)
        ways = np.zeros((len(phi), len(hinges)))
        for k, hinge in enumerate(hinges):
            ways[:, k] = self._open(hinge.turned(at, 1.0)) - phi
        ways[np.abs(ways) < MISSING] = 0.0
        ranked = []
        for mine in joined({int(k) for k in np.flatnonzero(way)} for way in ways if way.any()):
            rows = np.flatnonzero(ways[:, mine].any(axis=1))
            best = _best(phi[rows], ways[rows][:, mine])
            ranked += [(mine, best)] if len(best) else []
        found = []
        for k in range(min(MOST_FOUND, max((len(best) for _, best in ranked), default=0))):
            other = at
            for mine, best in ranked:
                for place, number in zip(mine, best[min(k, len(best) - 1)], strict=True):
                    other = hinges[place].turned(other, float(number)) if number else other
            found.append(other)
        return found

    def _hinges(self, q: FloatArray) -> list[_Hinge]:
        """The angles of planar bodies; in space the turns that only couplers and sums count."""
        if self.model.plane:
            angles = map(self._at.angle_of, range(self.layout.n_bodies))
            return [_Hinge([angle], np.array([math.tau]), plane=True) for angle in angles]
        found: dict[tuple[frozenset[str], type], list[int]] = {}
        for place, gauge in enumerate(self.gauges):
            pair = frozenset((gauge.I.body, gauge.J.body))
            found.setdefault((pair, type(gauge.measure)), []).append(place)
        told = [g for g, follows in zip(self.gauges, self.follows, strict=True) if not follows]
        fixed = {frozenset((gauge.I.body, gauge.J.body)) for gauge in told}
        hinges = []
        for (pair, _), places in found.items():
            first = self.gauges[places[0]]
            turn = math.tau if first.I.body == min(pair) else -math.tau
            ways = [turning_alike(self.layout, q, first, self.gauges[k]) for k in places]
            if pair not in fixed and all(ways):
                hinges.append(_Hinge(places, turn * np.array(ways), plane=False))
        return hinges

    # Turns that a reading has made.

    def of_reading(self, q: FloatArray, t: float, gauge: Gauge) -> float:
        """What whole turns add to the reading of a gauge that a drive, coupler or sum counts (rad).

        At a closed q the rows of drives and couplers are off by the turns that poses do not show.
        What is welded to a wheel, or read about the same axis as its drive, has turned as often.
        """
        if gauge.unit != "rad" or self.layout.n_v > MOST:
            return 0.0
        at = State(t, q, turns=self._readings(q))
        if not self.model.drives:
            made = self._with_missing(at).turns - at.turns
            pairs = [
                (turns, other)
                for turns, other in zip(made, self.gauges, strict=True)
                if turns and type(other.measure) is type(gauge.measure)
            ]
            found = (turns * turning_alike(self.layout, q, other, gauge) for turns, other in pairs)
            return next((float(turns) for turns in found if turns), 0.0)
        if not self._turns_along(q, gauge) or not (self._off(at)[self._counts] > MISSING).any():
            return 0.0
        step = self._step(at)
        return 0.0 if step is None else float(_whole(self._rate(q, step, gauge)))

    def _turns_along(self, q: FloatArray, gauge: Gauge) -> bool:
        """Whether a gauge reads what a coupler or drive reads, or the same about one axis."""
        coupled = [g for c in self.model.couplers for g in c.gauges]
        bodies = {gauge.I.body, gauge.J.body}
        if any(bodies == {g.I.body, g.J.body} for g in coupled):
            return True
        root = _welds(self.layout)
        pieces, mine = {root[b] for b in bodies}, _axes(self.layout, q, gauge)
        return any(
            other.unit == "rad"
            and {root[other.I.body], root[other.J.body]} == pieces
            and np.abs(np.abs(mine @ _axes(self.layout, q, other).T) - 1.0).max() < PARALLEL
            for other in (*coupled, *(drive.gauge for drive in self.model.drives))
        )


def turning_alike(layout: Layout, q: FloatArray, other: Gauge, gauge: Gauge) -> float:
    """1 where a gauge turns with the z axis of another's marker I, -1 against it, 0 otherwise."""
    if gauge.unit != "rad" or {other.I.body, other.J.body} != {gauge.I.body, gauge.J.body}:
        return 0.0
    along = float(_axes(layout, q, other)[0] @ _axes(layout, q, gauge)[0])
    if abs(along) <= 1.0 - PARALLEL:
        return 0.0
    return math.copysign(1.0, along if other.I.body == gauge.I.body else -along)


def _axes(layout: Layout, q: FloatArray, gauge: Gauge) -> FloatArray:
    """The z axes of a gauge's markers in the world, (2, 3)."""
    X = [body_pose(layout, q, m.body) @ m.pose for m in (gauge.I, gauge.J)]
    return np.array([list(pose.rotation.z) for pose in X], dtype=float)


def _welds(layout: Layout) -> dict[str, str]:
    """For every body one that it is welded to, the same for all of a group; itself if to none."""
    welds = [j for j in layout.model.joints if len(j.row_units) == RIGID and len(j.markers) == 2]
    groups = joined({joint.I.body, joint.J.body} for joint in welds)
    root = {name: group[0] for group in groups for name in group}
    return {name: root.get(name, name) for name in layout.body_index}


def _best(phi: FloatArray, ways: FloatArray) -> NDArray[np.int64]:
    """Numbers of turns (k, n) that leave the rows less open than none, the best first."""
    numbers = _numbers(ways.shape[1])
    left = np.abs(phi + numbers @ ways.T).max(axis=1)
    better = np.flatnonzero(left < np.abs(phi).max() - MISSING)
    order = np.lexsort([np.abs(numbers[better]).sum(axis=1), np.round(left[better] / MISSING)])
    return np.asarray(numbers[better[order]])


def _numbers(n: int) -> NDArray[np.int64]:
    """Small numbers of turns of n hinges."""
    most = int((MOST_TRIED ** (1.0 / n) - 1.0) / 2.0)
    if most > 0:
        return np.array(list(product(range(-most, most + 1), repeat=n)))
    one = np.eye(n, dtype=np.int64)
    two = [
        a * one[i] + b * one[j]
        for i, j in islice(combinations(range(n), 2), MOST_TRIED // 4)
        for a, b in product((1, -1), repeat=2)
    ]
    return np.array([*one, *-one, *two])


def _whole(angle: Any) -> Any:
    """The whole turns nearest to angles (rad)."""
    return math.tau * np.round(angle / math.tau)
