"""Whole turns: counted so that drives start at their values, and what is geared to them with them.

A drive that starts at 2 pi + 0.7 rad finds a body that was put at 0.7 rad where it should be, one
turn short in the count. In the plane the angle of a body is a coordinate, and counting turns is
adding 2 pi to it. Walking there would take the mechanism once round, and it could come back on
another branch. In space the readings of angles are counted instead.

What is coupled to a driven angle has turned as often as the ratio says, as after a run from 0: the
second of two wheels with 17 and 31 teeth has made 17 / 31 of the first one's turns, and where it
stands follows from the parts of turns that are left.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from kempe.compile.elements import JointElement
from kempe.compile.layout import Layout
from kempe.compile.program import Program
from kempe.geometry import Pose
from kempe.kinematics.missing_turns import MISSING, PARALLEL, turns_alike, with_missing_turns
from kempe.kinematics.poses import body_pose
from kempe.measures import Gauge

FloatArray = NDArray[np.float64]

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


def initial_turns(layout: Layout, program: Program, t: float, q: FloatArray) -> FloatArray:
    """Where counted turns start: at the value their drive or joint holds them at, or as q is.

    Those of couplers are counted on from there with the drives' turns; and where couplers are off
    by whole turns that no drive counts, with those.
    """
    counted = program.shape.counted
    if not counted:
        return np.zeros(0)
    numbers = {number for number, _ in counted}
    poses = {number: _frames(layout, q, number) for number in numbers}
    held = {k: layout.elements[k].first_turns(t, X) for k, X in poses.items()}
    turns = np.array([held[number][reading] for number, reading in counted], dtype=float)
    if not layout.model.couplers and not has_sums(layout):
        return turns
    base = _on_first_turn(layout, q)
    shown = {k: layout.elements[k].readings(X) for k, X in poses.items()}
    raw = np.array([shown[number][reading] for number, reading in counted], dtype=float)
    step = _counting_step(layout, program, base, t, raw)
    if step is None:
        return with_missing_turns(layout, program, t, q, turns)
    follows = followed_turns(layout, program)
    rates = _rates(layout, program, base, counted, step)
    turns = np.where(follows, raw + math.tau * np.round(rates / math.tau), turns)
    return with_missing_turns(layout, program, t, q, turns)


def wound(
    layout: Layout, program: Program, q: FloatArray, t: float, last: FloatArray
) -> FloatArray:
    """q with bodies turned by whole turns, none of which changes where anything is."""
    rows = program.shape.rows
    drives = [k for k, r in enumerate(rows) if r.element >= layout.first_drive and r.unit == "rad"]
    if not layout.model.plane or not drives:
        return q
    phi, entries, _ = program.evaluate(layout.parameters, q, t, last)
    if not np.isfinite(phi[drives]).all():
        return q
    if not (np.abs(phi[drives]) > math.pi).any():
        return _meshed(layout, program, q, t, last) if layout.model.couplers else q
    counted = q.copy()
    settled: set[int] = set()  # angles that a drive before has counted
    for row in drives:
        slopes = _angles_read(layout, program, entries, row)
        off = phi[row] + sum(s * (counted[k] - q[k]) for k, s in slopes.items())
        turns = round(float(off) / math.tau)
        free = [k for k in slopes if k not in settled]
        settled.update(slopes)
        if turns and free:
            counted[free[-1]] -= math.tau * turns * slopes[free[-1]]
    return _meshed(layout, program, counted, t, last) if layout.model.couplers else counted


def stroked(
    layout: Layout, program: Program, q: FloatArray, t: float, last: FloatArray
) -> FloatArray:
    """q with bodies moved at once as far as drives and couplers say, where a rack starts far off.

    As far as ratios are constant: planar bodies that turn are turned by whole turns, those that do
    not are shifted. q itself where that does not bring the parts nearer.
    """
    counting = _counting_rows(layout, program)
    rows = np.array([1.0 / layout.size if r.unit == "m" else 1.0 for r in program.shape.rows])
    off = np.abs(rows * program.evaluate(layout.parameters, q, t, last)[0])
    if layout.n_v > MOST or not (off[counting] > NEAR).any() or not np.isfinite(off).all():
        return q
    step = _solved(layout, program, q, t, last)
    n, bodies = layout.chart.n_v, layout.n_bodies
    angular = np.array(layout.chart.angular, dtype=bool)
    if step is None:
        return q
    each = step[: bodies * n].reshape(bodies, n)
    most = float(np.abs(each[:, angular]).max(initial=0.0))
    if not (off[counting] > FAR).any() and most <= ROLLING:
        return q
    is_turning = np.abs(each[:, angular]).max(axis=1) > math.pi
    each[np.ix_(is_turning, ~angular)] = 0.0
    whole = math.tau * np.round(each[:, angular] / math.tau) if layout.model.plane else 0.0
    each[:, angular] = np.where(is_turning[:, None], whole, 0.0)
    moved = program.retract(q, step)
    left = np.abs(rows * program.evaluate(layout.parameters, moved, t, last)[0])
    return moved if left.max() < CLOSER * off.max() else q


def turns_of_reading(
    layout: Layout, program: Program, q: FloatArray, t: float, gauge: Gauge
) -> float:
    """What whole turns add to the reading of a gauge in space that a coupler or a sum counts.

    At a closed q the rows of drives and couplers are off by the turns that poses do not show. What
    is welded to a wheel, or read about the same axis as its drive, has turned as often.
    """
    if gauge.unit != "rad" or layout.n_v > MOST or not followed_turns(layout, program).any():
        return 0.0
    numbers = sorted({number for number, _ in program.shape.counted})
    shown = {k: layout.elements[k].readings(_frames(layout, q, k)) for k in numbers}
    raw = np.array([shown[k][reading] for k, reading in program.shape.counted], dtype=float)
    if not layout.model.drives:
        made = with_missing_turns(layout, program, t, q, raw) - raw
        return turns_alike(layout, program, q, made, gauge)
    if not _turns_along(layout, q, gauge):
        return 0.0
    counting = _counting_rows(layout, program)
    rows = np.array([1.0 / layout.size if r.unit == "m" else 1.0 for r in program.shape.rows])
    phi = program.evaluate(layout.parameters, q, t, raw)[0]
    if not (np.abs(rows * phi)[counting] > MISSING).any():
        return 0.0
    step = _solved(layout, program, q, t, raw)
    if step is None:
        return 0.0

    def reading(at: FloatArray) -> float:
        X_WI, X_WJ = (body_pose(layout, at, m.body) @ m.pose for m in (gauge.I, gauge.J))
        return float(gauge.measure.number(X_WI, X_WJ))

    rate = _rate(layout, program, q, step, reading)
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
    layout: Layout, program: Program, q: FloatArray, last: FloatArray, entries: FloatArray
) -> FloatArray:
    """What rounding leaves in every row because bodies have turned often or are far off: rad, or m.

    An angle of 1e6 turns is known to 1e-9 rad, a place at 1e6 m to 1e-10 m, and so is what depends
    on them.
    """
    shape, n, bodies = program.shape, layout.chart.n_v, layout.n_bodies
    turned = float(np.abs(last).max(initial=0.0))
    sizes = np.zeros(layout.n_v)
    if layout.model.plane:
        sizes[2 : 3 * layout.n_bodies : 3] = np.abs(q[2 : 3 * layout.n_bodies : 3])
        sizes[2 : 3 * layout.n_bodies : 3] += turned
    else:
        angular = np.tile(np.array(layout.chart.angular, dtype=bool), layout.n_bodies)
        sizes[: layout.n_bodies * n][angular] = turned
    linear = np.flatnonzero(~np.array(layout.chart.angular, dtype=bool))
    places = np.abs(q[: bodies * layout.chart.n_q].reshape(bodies, -1)[:, linear])
    sizes[: bodies * n].reshape(bodies, n)[:, linear] = places
    terms = np.abs(entries) * sizes[shape.jacobian_columns]
    summed = np.bincount(shape.jacobian_rows, terms, len(shape.rows))
    return np.asarray(ROUNDINGS * np.finfo(float).eps * summed, dtype=np.float64)


def _meshed(
    layout: Layout, program: Program, q: FloatArray, t: float, last: FloatArray
) -> FloatArray:
    """q with those planar bodies turned by whole turns that couplers tie to driven ones."""
    step = _counting_step(layout, program, q, t, last)
    if step is None:
        return q
    angles = slice(2, 3 * layout.n_bodies, 3)
    shape, counting = program.shape, _counting_rows(layout, program)
    read = np.zeros(layout.n_v, dtype=bool)
    read[shape.jacobian_columns[counting[shape.jacobian_rows]]] = True
    turns = np.where(read[angles], np.round(step[angles] / math.tau), 0.0)
    counted = q.copy()
    counted[angles] += math.tau * turns
    return counted


def welded(layout: Layout, program: Program, q: FloatArray) -> FloatArray:
    """q with planar bodies within half a turn of those that are counted and welded to them."""
    has_welds = any(len(j.row_units) == RIGID for j in layout.model.joints)
    if not layout.model.plane or not layout.model.drives or not has_welds:
        return q
    shape, counting = program.shape, _counting_rows(layout, program)
    read = np.zeros(layout.n_v, dtype=bool)
    read[shape.jacobian_columns[counting[shape.jacobian_rows]]] = True
    root, places = _welds(layout), {name: 3 * k + 2 for name, k in layout.body_index.items()}
    moving = [body.name for body in layout.model.moving]
    counted = {root[name]: q[places[name]] for name in moving if read[places[name]]}
    found = q.copy()
    for name in moving:
        if root[name] in counted and not read[places[name]]:
            beside = counted[root[name]]
            found[places[name]] = beside + math.remainder(q[places[name]] - beside, math.tau)
    return found


def _counting_step(
    layout: Layout, program: Program, q: FloatArray, t: float, last: FloatArray
) -> FloatArray | None:
    """By how much everything moves (n_v,) while drives and couplers come from q to their values.

    As far as ratios are constant: d with J d = -phi in the rows that count turns, J d = 0 in those
    of joints. None where nothing is as much as half a turn off, so that no turn is missing, nor so
    far off a place that a wheel rolls many turns on the way.
    """
    counting = _counting_rows(layout, program)
    if not counting.any() or layout.n_v > MOST:
        return None
    phi, entries, _ = program.evaluate(layout.parameters, q, t, last)
    off = np.where(counting, phi, 0.0)
    if not (np.isfinite(off).all() and np.isfinite(entries).all()):
        return None
    radians = np.array([row.unit == "rad" for row in program.shape.rows], dtype=bool)
    if (np.abs(off[radians]) > math.pi).any():
        return _solved(layout, program, q, t, last)
    if not (np.abs(off[~radians]) > NEAR * layout.size).any():
        return None
    step = _solved(layout, program, q, t, last)  # a rack that starts far off turns its pinion
    n = layout.n_bodies * layout.chart.n_v
    angular = np.tile(np.array(layout.chart.angular, dtype=bool), layout.n_bodies)
    return step if step is not None and np.abs(step[:n][angular]).max() > ROLLING else None


def _solved(
    layout: Layout, program: Program, q: FloatArray, t: float, last: FloatArray
) -> FloatArray | None:
    """d (n_v,) with J d = -phi in the rows that count turns, J d = 0 in those of joints."""
    counting = _counting_rows(layout, program)
    phi, entries, _ = program.evaluate(layout.parameters, q, t, last)
    off = np.where(counting, phi, 0.0)
    if not (np.isfinite(off).all() and np.isfinite(entries).all()):
        return None
    metres = np.array([1.0 / layout.size if r.unit == "m" else 1.0 for r in program.shape.rows])
    weights = np.where(counting, STIFF, 1.0) * metres
    n = layout.chart.n_v
    scale = np.full(layout.n_v, layout.size)
    angular = np.tile(np.array(layout.chart.angular, dtype=bool), layout.n_bodies)
    scale[: layout.n_bodies * n][angular] = 1.0
    J = program.dense_jacobian(entries) * weights[:, None] * scale
    step = np.linalg.lstsq(J, -off * weights, rcond=None)[0]
    return np.asarray(step * scale, dtype=np.float64)


def _counting_rows(layout: Layout, program: Program) -> NDArray[np.bool_]:
    """The rows of drives and couplers, and of sums of measures that joints hold."""
    first = len(layout.model.joints)
    return np.array(
        [
            r.element >= first or r.place >= _plain_rows(layout.elements[r.element])
            for r in program.shape.rows
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


def followed_turns(layout: Layout, program: Program) -> NDArray[np.bool_]:
    """Which counted turns follow from others, so that any whole number of them may do."""
    return np.array([_follows(layout, k) for k, _ in program.shape.counted], dtype=bool)


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
    first, angles = q.copy(), slice(2, 3 * layout.n_bodies, 3)
    first[angles] -= math.tau * np.round(q[angles] / math.tau)
    return first


def _rates(
    layout: Layout,
    program: Program,
    q: FloatArray,
    counted: Sequence[tuple[int, int]],
    step: FloatArray,
) -> FloatArray:
    """By how much each counted reading changes over the step (rad), as fast as it does at first."""

    def reading(number: int, place: int) -> Callable[[FloatArray], float]:
        return lambda x: layout.elements[number].readings(_frames(layout, x, number))[place]

    return np.array([_rate(layout, program, q, step, reading(*one)) for one in counted])


def _rate(
    layout: Layout,
    program: Program,
    q: FloatArray,
    step: FloatArray,
    reading: Callable[[FloatArray], float],
) -> float:
    """By how much an angle changes over the step (rad), as fast as it does at first."""
    n = layout.n_bodies * layout.chart.n_v
    angular = np.tile(np.array(layout.chart.angular, dtype=bool), layout.n_bodies)
    most = float(np.abs(step[:n][angular]).max(initial=0.0))
    if most == 0.0:
        return 0.0
    share = DIFFERENCE / most
    after, before = (reading(program.retract(q, way * share * step)) for way in (1.0, -1.0))
    return math.remainder(after - before, math.tau) / (2.0 * share)


def _angles_read(
    layout: Layout, program: Program, entries: FloatArray, row: int
) -> dict[int, float]:
    """The angles of bodies that the row reads as they are, or with their sign changed."""
    n = layout.chart.n_v
    mine = np.flatnonzero(program.shape.jacobian_rows == row)
    found = {int(program.shape.jacobian_columns[e]): float(entries[e]) for e in mine}
    return {
        k: float(round(slope))
        for k, slope in sorted(found.items())
        if k < layout.n_bodies * n and layout.chart.angular[k % n] and abs(abs(slope) - 1.0) < WHOLE
    }
