"""Whole turns: counted so that drives start at their values, and what is geared to them with them.

A drive that starts at 2 pi + 0.7 rad finds a body that was put at 0.7 rad where it should be, one
turn short in the count. In the plane the angle of a body is a coordinate, and counting turns is
adding 2 pi to it. Walking there would take the mechanism once round, and it could come back on
another branch. In space the readings of angles are counted instead.

What is coupled to a driven angle has turned as often as the ratio says, as after a run from 0: the
second of two wheels with 17 and 31 teeth has made 17 / 31 of the first one's turns, and where it
stands follows from the parts of turns that are left.

A hinge that has turned once looks as one that has not. A coupler counts: where its row is off by
what a whole turn of a hinge makes, the hinge has turned, and nothing need move. Several couplers
that read one hinge count it alike, and what a drive holds is counted by the drive.

Own: small numbers of turns are all tried, those first that are least.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.elements import CouplerElement, DriveElement, JointElement
from kempe.compile.layout.layout import Layout
from kempe.equations import Equations
from kempe.geometry import Marker, Pose
from kempe.kinematics.closing.placement import body_pose
from kempe.measures import Gauge

FloatArray = NDArray[np.float64]

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
ROUNDINGS = 8.0  # of every term of a row, in units of its last place


@final
@dataclass(frozen=True, slots=True)
class Counted:
    """A configuration with its whole turns: those of planar bodies are in q."""

    q: FloatArray
    turns: FloatArray


@final
@dataclass(frozen=True, slots=True)
class _Hinge:
    """What one whole turn changes: readings of a turn in space, or the angle of a planar body."""

    places: tuple[int, ...]  # among the counted readings, or the coordinates
    signs: tuple[float, ...]  # -1 where it is read the other way round
    plane: bool

    def turned(self, at: Counted, number: float) -> Counted:
        more = math.tau * number * np.array(self.signs)
        q, turns = at.q.copy(), at.turns.copy()
        (q if self.plane else turns)[list(self.places)] += more
        return Counted(q, turns)


def with_missing_turns(
    equations: Equations, t: float, q: FloatArray, turns: FloatArray
) -> FloatArray:
    """Counted turns with those more that close the rows of couplers just where bodies are.

    They are left as they are in the plane, where angles have their turns, and where no small number
    of turns closes the rows.
    """
    at = Counted(q, turns)
    if equations.layout.model.plane or not _is_open(equations, t, at):
        return turns
    for found in _tried(equations, t, at)[:1]:
        if not _is_open(equations, t, found):
            return found.turns
    return turns


def turned_otherwise(equations: Equations, t: float, at: Counted, most: int) -> list[Counted]:
    """Configurations with turns by which the rows of couplers are less open, the least first.

    At most so many.
    """
    is_counted = equations.layout.model.couplers or len(at.turns)
    if not is_counted or not _is_open(equations, t, at):
        return []
    return _tried(equations, t, at)[:most]


def _rows(equations: Equations) -> tuple[NDArray[np.intp], FloatArray]:
    """The rows that whole turns change, or may: in space those of couplers and sums of measures."""
    joints = len(equations.layout.model.joints)
    rows = equations.program.shape.rows
    mine = [
        k
        for k, r in enumerate(rows)
        if equations.layout.model.plane
        or joints <= r.element < equations.layout.first_drive
        or _is_sum(equations.layout, r.element, r.place)
    ]
    weights = [1.0 / equations.layout.size if rows[k].unit == "m" else 1.0 for k in mine]
    return np.array(mine, dtype=np.intp), np.array(weights)


def _is_sum(layout: Layout, number: int, place: int) -> bool:
    element = layout.elements[number]
    if not isinstance(element, JointElement):
        return False
    held = place - len(element.joint.row_units)
    return held >= 0 and len(element.held[held].measures) > 1


def _phi(equations: Equations, t: float, at: Counted) -> FloatArray:
    """These rows, weighted."""
    rows, weights = _rows(equations)
    phi = equations.evaluate(at.q, t, at.turns)[0]
    return np.asarray(weights * phi[rows])


def _is_open(equations: Equations, t: float, at: Counted) -> bool:
    phi = _phi(equations, t, at)
    return bool(np.isfinite(phi).all() and (np.abs(phi) > MISSING).any())


def _tried(equations: Equations, t: float, at: Counted) -> list[Counted]:
    """Whole turns that leave the rows less open, each group of tied hinges by itself.

    The k-th of the list takes the k-th best of every group; as far as rows are sums of turns.
    """
    phi = _phi(equations, t, at)
    hinges = _angles(equations.layout) if equations.layout.model.plane else _hinges(equations, at.q)
    ways = np.zeros((len(phi), len(hinges)))
    for k, hinge in enumerate(hinges):
        ways[:, k] = _phi(equations, t, hinge.turned(at, 1.0)) - phi
    ways[np.abs(ways) < MISSING] = 0.0
    ranked = [
        (mine, _best(phi[rows], ways[np.ix_(rows, mine)]))
        for rows, mine in _groups(ways)
        if np.abs(phi[rows]).max() > MISSING
    ]
    ranked = [(mine, best) for mine, best in ranked if len(best)]
    found = []
    for k in range(max((len(best) for _, best in ranked), default=0)):
        other = at
        for mine, best in ranked:
            for place, number in zip(mine, best[min(k, len(best) - 1)], strict=True):
                other = hinges[place].turned(other, float(number)) if number else other
        found.append(other)
        if len(found) == MOST_FOUND:
            break
    return found


def _groups(ways: FloatArray) -> list[tuple[list[int], list[int]]]:
    """Rows and hinges that hang together."""
    groups: list[tuple[set[int], set[int]]] = []
    for row, way in enumerate(ways):
        rows, mine = {row}, {int(k) for k in np.flatnonzero(way)}
        apart = []
        for others in groups:
            if others[1] & mine:
                rows, mine = rows | others[0], mine | others[1]
            else:
                apart.append(others)
        groups = [*apart, (rows, mine)]
    return [(sorted(rows), sorted(mine)) for rows, mine in groups if mine]


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


def _hinges(equations: Equations, q: FloatArray) -> list[_Hinge]:
    """The turns that only couplers and sums count."""
    found: dict[tuple[frozenset[str], str], list[tuple[int, float, FloatArray]]] = {}
    fixed = set()
    for place, (number, reading) in enumerate(equations.program.shape.counted):
        I, J = _markers(equations.layout, number, reading)
        pair = frozenset((I.body, J.body))
        if not _is_free(equations.layout, number, reading):
            fixed.add(pair)
        axis = np.array(
            list((body_pose(equations.layout, q, I.body) @ I.pose).rotation.z), dtype=float
        )
        way = 1.0 if I.body == min(pair) else -1.0
        kind = _kind(equations.layout, number, reading)
        found.setdefault((pair, kind), []).append((place, way, axis))
    hinges = []
    for (pair, _), readings in found.items():
        along = [float(axis @ readings[0][2]) for _, _, axis in readings]
        if pair not in fixed and min(abs(x) for x in along) > 1.0 - PARALLEL:
            signs = tuple(
                way * math.copysign(1.0, x) for (_, way, _), x in zip(readings, along, strict=True)
            )
            places = tuple(place for place, _, _ in readings)
            hinges.append(_Hinge(places, signs, plane=False))
    return hinges


def _angles(layout: Layout) -> list[_Hinge]:
    """The angles of planar bodies."""
    at = layout.coordinates
    return [_Hinge((at.angle_of(k),), (1.0,), plane=True) for k in range(layout.n_bodies)]


def turns_alike(equations: Equations, q: FloatArray, made: FloatArray, gauge: Gauge) -> float:
    """What a gauge has turned where counted readings have made whole turns: those of its hinge."""
    layout, kind = equations.layout, type(gauge.measure).__name__
    for turned, (number, reading) in zip(made, equations.program.shape.counted, strict=True):
        if turned and kind == _kind(layout, number, reading):
            way = turning_alike(layout, q, _markers(layout, number, reading), gauge)
            if way:
                return float(turned) * way
    return 0.0


def turning_alike(
    layout: Layout, q: FloatArray, markers: tuple[Marker, Marker], gauge: Gauge
) -> float:
    """1 where a gauge turns with the z axes of two markers, -1 against them, 0 otherwise."""
    I, J = markers
    if gauge.unit != "rad" or {I.body, J.body} != {gauge.I.body, gauge.J.body}:
        return 0.0
    axes = [(body_pose(layout, q, m.body) @ m.pose).rotation.z for m in (I, gauge.I)]
    along = float(axes[0] @ axes[1])
    if abs(along) <= 1.0 - PARALLEL:
        return 0.0
    return math.copysign(1.0, along if I.body == gauge.I.body else -along)


def _is_free(layout: Layout, number: int, reading: int) -> bool:
    element = layout.elements[number]
    if isinstance(element, JointElement):
        sizes = [len(held.measures) for held in element.held for _ in held.measures]
        return sizes[reading] > 1
    return not isinstance(element, DriveElement)


def _kind(layout: Layout, number: int, reading: int) -> str:
    """What is measured, in a word."""
    element = layout.elements[number]
    if isinstance(element, CouplerElement):
        return type(element.coupler.gauges[reading].measure).__name__
    if isinstance(element, JointElement):
        return type([m for held in element.held for m in held.measures][reading]).__name__
    return ""


def _markers(layout: Layout, number: int, reading: int) -> tuple[Marker, Marker]:
    element = layout.elements[number]
    if isinstance(element, CouplerElement):
        gauge = element.coupler.gauges[reading]
        return gauge.I, gauge.J
    return element.markers[0], element.markers[1]


def initial_turns(equations: Equations, t: float, q: FloatArray) -> FloatArray:
    """Where counted turns start: at the value their drive or joint holds them at, or as q is.

    Those of couplers are counted on from there with the drives' turns; and where couplers are off
    by whole turns that no drive counts, with those.
    """
    counted = equations.program.shape.counted
    if not counted:
        return np.zeros(0)
    numbers = {number for number, _ in counted}
    poses = {number: _frames(equations.layout, q, number) for number in numbers}
    held = {k: equations.layout.elements[k].first_turns(t, X) for k, X in poses.items()}
    turns = np.array([held[number][reading] for number, reading in counted], dtype=float)
    if not equations.layout.model.couplers and not has_sums(equations.layout):
        return turns
    base = _on_first_turn(equations.layout, q)
    shown = {k: equations.layout.elements[k].readings(X) for k, X in poses.items()}
    raw = np.array([shown[number][reading] for number, reading in counted], dtype=float)
    step = _counting_step(equations, base, t, raw)
    if step is None:
        return with_missing_turns(equations, t, q, turns)
    follows = followed_turns(equations)
    rates = _rates(equations, base, counted, step)
    turns = np.where(follows, raw + math.tau * np.round(rates / math.tau), turns)
    if not equations.layout.model.drives:
        turns = _as_at_start(equations, turns, raw)
    return with_missing_turns(equations, t, q, turns)


def _as_at_start(equations: Equations, turns: FloatArray, raw: FloatArray) -> FloatArray:
    """Turns that couplers and joints count, with the whole turns that a start has told of them."""
    turns = turns.copy()
    for k, (number, reading) in enumerate(equations.program.shape.counted):
        angle = equations.layout.turned.get(_name(equations.layout, number, reading))
        if angle is not None:
            turns[k] = raw[k] + math.tau * round((angle - raw[k]) / math.tau)
    return turns


def _name(layout: Layout, number: int, reading: int) -> str:
    """By what name something that a coupler or a joint counts is read."""
    element = layout.elements[number]
    if isinstance(element, CouplerElement):
        return element.coupler.gauges[reading].name
    if isinstance(element, JointElement):
        word = [m.word for held in element.held for m in held.measures][reading]
        return f"{layout.model.joints[number].name}.{word}"
    return ""


def wound(equations: Equations, q: FloatArray, t: float, last: FloatArray) -> FloatArray:
    """q with bodies turned by whole turns, none of which changes where anything is."""
    rows = equations.program.shape.rows
    drives = [
        k
        for k, r in enumerate(rows)
        if r.element >= equations.layout.first_drive and r.unit == "rad"
    ]
    if not equations.layout.model.plane or not drives:
        return q
    phi, entries, _ = equations.evaluate(q, t, last)
    if not np.isfinite(phi[drives]).all():
        return q
    if not (np.abs(phi[drives]) > math.pi).any():
        return _meshed(equations, q, t, last) if equations.layout.model.couplers else q
    counted = q.copy()
    settled: set[int] = set()  # angles that a drive before has counted
    for row in drives:
        slopes = _angles_read(equations, entries, row)
        off = phi[row] + sum(s * (counted[k] - q[k]) for k, s in slopes.items())
        turns = round(float(off) / math.tau)
        free = [k for k in slopes if k not in settled]
        settled.update(slopes)
        if turns and free:
            counted[free[-1]] -= math.tau * turns * slopes[free[-1]]
    return _meshed(equations, counted, t, last) if equations.layout.model.couplers else counted


def stroked(equations: Equations, q: FloatArray, t: float, last: FloatArray) -> FloatArray:
    """q with bodies moved at once as far as drives and couplers say, where a rack starts far off.

    As far as ratios are constant: planar bodies that turn are turned by whole turns, those that do
    not are shifted. q itself where that does not bring the parts nearer.
    """
    counting = _counting_rows(equations)
    rows = np.array(
        [
            1.0 / equations.layout.size if r.unit == "m" else 1.0
            for r in equations.program.shape.rows
        ]
    )
    off = np.abs(rows * equations.evaluate(q, t, last)[0])
    if (
        equations.layout.n_v > MOST
        or not (off[counting] > NEAR).any()
        or not np.isfinite(off).all()
    ):
        return q
    step = _solved(equations, q, t, last)
    angular = np.array(equations.layout.chart.angular, dtype=bool)
    if step is None:
        return q
    each = equations.layout.coordinates.v_by_body(step)
    most = float(np.abs(each[:, angular]).max(initial=0.0))
    if not (off[counting] > FAR).any() and most <= ROLLING:
        return q
    is_turning = np.abs(each[:, angular]).max(axis=1) > math.pi
    each[np.ix_(is_turning, ~angular)] = 0.0
    whole = (
        math.tau * np.round(each[:, angular] / math.tau) if equations.layout.model.plane else 0.0
    )
    each[:, angular] = np.where(is_turning[:, None], whole, 0.0)
    moved = equations.program.retract(q, step)
    left = np.abs(rows * equations.evaluate(moved, t, last)[0])
    return moved if left.max() < CLOSER * off.max() else q


def turns_of_reading(equations: Equations, q: FloatArray, t: float, gauge: Gauge) -> float:
    """What whole turns add to the reading of a gauge in space that a drive, coupler or sum counts.

    At a closed q the rows of drives and couplers are off by the turns that poses do not show. What
    is welded to a wheel, or read about the same axis as its drive, has turned as often.
    """
    layout, program = equations.layout, equations.program
    if gauge.unit != "rad" or layout.n_v > MOST:
        return 0.0
    if not layout.model.drives and not followed_turns(equations).any():
        return 0.0
    numbers = sorted({number for number, _ in program.shape.counted})
    shown = {k: layout.elements[k].readings(_frames(layout, q, k)) for k in numbers}
    raw = np.array([shown[k][reading] for k, reading in program.shape.counted], dtype=float)
    if not layout.model.drives:
        made = with_missing_turns(equations, t, q, raw) - raw
        return turns_alike(equations, q, made, gauge)
    if not _turns_along(layout, q, gauge):
        return 0.0
    counting, rows = _counting_rows(equations), equations.row_weights
    phi = equations.evaluate(q, t, raw)[0]
    if not (np.abs(rows * phi)[counting] > MISSING).any():
        return 0.0
    step = _solved(equations, q, t, raw)
    if step is None:
        return 0.0

    def reading(at: FloatArray) -> float:
        X_WI, X_WJ = (body_pose(equations.layout, at, m.body) @ m.pose for m in (gauge.I, gauge.J))
        return float(gauge.measure.number(X_WI, X_WJ))

    rate = _rate(equations, q, step, reading)
    return math.tau * round(rate / math.tau)


def _turns_along(layout: Layout, q: FloatArray, gauge: Gauge) -> bool:
    """Whether a gauge reads what a coupler or a drive reads, or the same about the same axis."""
    bodies = {gauge.I.body, gauge.J.body}
    if any(bodies == {g.I.body, g.J.body} for c in layout.model.couplers for g in c.gauges):
        return True
    root = _welds(layout)
    gauges = [g for c in layout.model.couplers for g in c.gauges]
    gauges += [drive.gauge for drive in layout.model.drives]

    def axes(one: Gauge) -> FloatArray:
        X = [body_pose(layout, q, m.body) @ m.pose for m in (one.I, one.J)]
        return np.array([list(pose.rotation.z) for pose in X], dtype=float)

    mine = axes(gauge)
    for other in gauges:
        if other.unit != "rad" or {root[other.I.body], root[other.J.body]} != {
            root[b] for b in bodies
        }:
            continue
        if np.abs(np.abs(mine @ axes(other).T) - 1.0).max() < PARALLEL:
            return True
    return False


def _welds(layout: Layout) -> dict[str, str]:
    """For every body one that it is welded to, the same for all of a group; itself if to none."""
    lead = {name: name for name in layout.body_index}

    def root(name: str) -> str:
        while lead[name] != name:
            lead[name] = lead[lead[name]]
            name = lead[name]
        return name

    for joint in layout.model.joints:
        if len(joint.row_units) == RIGID and len(joint.markers) == 2:
            lead[root(joint.J.body)] = root(joint.I.body)
    return {name: root(name) for name in lead}


def rounding_of_rows(
    equations: Equations, q: FloatArray, last: FloatArray, entries: FloatArray
) -> FloatArray:
    """What rounding leaves in every row because bodies have turned often or are far off: rad, or m.

    An angle of 1e6 turns is known to 1e-9 rad, a place at 1e6 m to 1e-10 m, and so is what depends
    on them.
    """
    layout, shape, at = equations.layout, equations.program.shape, equations.layout.coordinates
    turned = float(np.abs(last).max(initial=0.0))
    sizes = np.zeros(layout.n_v)
    if layout.model.plane:
        sizes[at.angles] = np.abs(q[at.angles]) + turned
    else:
        sizes[at.bodies_v][at.is_angular] = turned
    sizes[at.bodies_v][~at.is_angular] = np.abs(at.places(q)).ravel()
    terms = np.abs(entries) * sizes[shape.jacobian_columns]
    summed = np.bincount(shape.jacobian_rows, terms, len(shape.rows))
    return np.asarray(ROUNDINGS * np.finfo(float).eps * summed, dtype=np.float64)


def _meshed(equations: Equations, q: FloatArray, t: float, last: FloatArray) -> FloatArray:
    """q with those planar bodies turned by whole turns that couplers tie to driven ones."""
    step = _counting_step(equations, q, t, last)
    if step is None:
        return q
    angles = equations.layout.coordinates.angles
    shape, counting = equations.program.shape, _counting_rows(equations)
    read = np.zeros(equations.layout.n_v, dtype=bool)
    read[shape.jacobian_columns[counting[shape.jacobian_rows]]] = True
    turns = np.where(read[angles], np.round(step[angles] / math.tau), 0.0)
    counted = q.copy()
    counted[angles] += math.tau * turns
    return counted


def welded(equations: Equations, q: FloatArray) -> FloatArray:
    """q with planar bodies within half a turn of those that are counted and welded to them."""
    has_welds = any(len(j.row_units) == RIGID for j in equations.layout.model.joints)
    if not equations.layout.model.plane or not equations.layout.model.drives or not has_welds:
        return q
    shape, counting = equations.program.shape, _counting_rows(equations)
    read = np.zeros(equations.layout.n_v, dtype=bool)
    read[shape.jacobian_columns[counting[shape.jacobian_rows]]] = True
    root, at = _welds(equations.layout), equations.layout.coordinates
    places = {name: at.angle_of(k) for name, k in equations.layout.body_index.items()}
    moving = [body.name for body in equations.layout.model.moving]
    counted = {root[name]: q[places[name]] for name in moving if read[places[name]]}
    found = q.copy()
    for name in moving:
        if root[name] in counted and not read[places[name]]:
            beside = counted[root[name]]
            found[places[name]] = beside + math.remainder(q[places[name]] - beside, math.tau)
    return found


def _counting_step(
    equations: Equations, q: FloatArray, t: float, last: FloatArray
) -> FloatArray | None:
    """By how much everything moves (n_v,) while drives and couplers come from q to their values.

    As far as ratios are constant: d with J d = -phi in the rows that count turns, J d = 0 in those
    of joints. None where nothing is as much as half a turn off, so that no turn is missing, nor so
    far off a place that a wheel rolls many turns on the way.
    """
    counting = _counting_rows(equations)
    if not counting.any() or equations.layout.n_v > MOST:
        return None
    phi, entries, _ = equations.evaluate(q, t, last)
    off = np.where(counting, phi, 0.0)
    if not (np.isfinite(off).all() and np.isfinite(entries).all()):
        return None
    radians = np.array([row.unit == "rad" for row in equations.program.shape.rows], dtype=bool)
    if (np.abs(off[radians]) > math.pi).any():
        return _solved(equations, q, t, last)
    if not (np.abs(off[~radians]) > NEAR * equations.layout.size).any():
        return None
    step = _solved(equations, q, t, last)  # a rack that starts far off turns its pinion
    return step if step is not None and _most_turned(equations, step) > ROLLING else None


def _most_turned(equations: Equations, step: FloatArray) -> float:
    """The largest angular part of a displacement (n_v,) of bodies (rad)."""
    at = equations.layout.coordinates
    return float(np.abs(step[at.bodies_v][at.is_angular]).max(initial=0.0))


def _solved(equations: Equations, q: FloatArray, t: float, last: FloatArray) -> FloatArray | None:
    """d (n_v,) with J d = -phi in the rows that count turns, J d = 0 in those of joints."""
    counting = _counting_rows(equations)
    phi, entries, _ = equations.evaluate(q, t, last)
    off = np.where(counting, phi, 0.0)
    if not (np.isfinite(off).all() and np.isfinite(entries).all()):
        return None
    metres = np.array(
        [
            1.0 / equations.layout.size if r.unit == "m" else 1.0
            for r in equations.program.shape.rows
        ]
    )
    weights = np.where(counting, STIFF, 1.0) * metres
    at = equations.layout.coordinates
    scale = np.full(equations.layout.n_v, equations.layout.size)
    scale[at.bodies_v][at.is_angular] = 1.0
    J = equations.program.dense_jacobian(entries) * weights[:, None] * scale
    step = np.linalg.lstsq(J, -off * weights, rcond=None)[0]
    return np.asarray(step * scale, dtype=np.float64)


def _counting_rows(equations: Equations) -> NDArray[np.bool_]:
    """The rows of drives and couplers, and of sums of measures that joints hold."""
    first = len(equations.layout.model.joints)
    return np.array(
        [
            r.element >= first or r.place >= _plain_rows(equations.layout.elements[r.element])
            for r in equations.program.shape.rows
        ],
        dtype=bool,
    )


def _plain_rows(element: object) -> int:
    """How many rows of an element in space are none of a measure."""
    assert isinstance(element, JointElement)
    return len(element.joint.row_units)


def _follows(layout: Layout, number: int) -> bool:
    """Whether the turns of an element follow from those of others: of couplers and sums."""
    element = layout.elements[number]
    if isinstance(element, JointElement):
        return any(len(held.measures) > 1 for held in element.held)
    return number < layout.first_drive


def followed_turns(equations: Equations) -> NDArray[np.bool_]:
    """Which counted turns follow from others, so that any whole number of them may do."""
    return np.array(
        [_follows(equations.layout, k) for k, _ in equations.program.shape.counted], dtype=bool
    )


def has_sums(layout: Layout) -> bool:
    """Whether a joint holds a sum of measures, as a screw does."""
    return any(_follows(layout, k) for k in range(len(layout.model.joints)))


def _frames(layout: Layout, q: FloatArray, number: int) -> list[Pose]:
    markers = layout.elements[number].markers
    return [body_pose(layout, q, m.body) @ m.pose for m in markers]


def _on_first_turn(layout: Layout, q: FloatArray) -> FloatArray:
    """q with the angles of planar bodies within half a turn of 0."""
    if not layout.model.plane:
        return q
    first, angles = q.copy(), layout.coordinates.angles
    first[angles] -= math.tau * np.round(q[angles] / math.tau)
    return first


def _rates(
    equations: Equations,
    q: FloatArray,
    counted: Sequence[tuple[int, int]],
    step: FloatArray,
) -> FloatArray:
    """By how much each counted reading changes over the step (rad), as fast as it does at first."""

    def reading(number: int, place: int) -> Callable[[FloatArray], float]:
        return lambda x: equations.layout.elements[number].readings(
            _frames(equations.layout, x, number)
        )[place]

    return np.array([_rate(equations, q, step, reading(*one)) for one in counted])


def _rate(
    equations: Equations,
    q: FloatArray,
    step: FloatArray,
    reading: Callable[[FloatArray], float],
) -> float:
    """By how much an angle changes over the step (rad), as fast as it does at first."""
    most = _most_turned(equations, step)
    if most == 0.0:
        return 0.0
    share = DIFFERENCE / most
    after, before = (
        reading(equations.program.retract(q, way * share * step)) for way in (1.0, -1.0)
    )
    return math.remainder(after - before, math.tau) / (2.0 * share)


def _angles_read(equations: Equations, entries: FloatArray, row: int) -> dict[int, float]:
    """The angles of bodies that the row reads as they are, or with their sign changed."""
    angular = equations.layout.coordinates.is_angular
    mine = np.flatnonzero(equations.program.shape.jacobian_rows == row)
    found = {int(equations.program.shape.jacobian_columns[e]): float(entries[e]) for e in mine}
    return {
        k: float(round(slope))
        for k, slope in sorted(found.items())
        if k < len(angular) and angular[k] and abs(abs(slope) - 1.0) < WHOLE
    }
