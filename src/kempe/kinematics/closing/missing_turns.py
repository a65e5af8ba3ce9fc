"""Whole turns that poses do not show, and that couplers ask for.

A hinge that has turned once looks as one that has not. A coupler counts: where its row is off by
what a whole turn of a hinge makes, the hinge has turned, and nothing need move. Several couplers
that read one hinge count it alike, and what a drive holds is counted by the drive.

Own: small numbers of turns are all tried, those first that are least.
"""

import math
from dataclasses import dataclass
from itertools import combinations, islice, product
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.elements import CouplerElement, DriveElement, JointElement
from kempe.compile.layout.layout import Layout
from kempe.equations import Equations
from kempe.geometry import Marker
from kempe.kinematics.closing.poses import body_pose
from kempe.measures import Gauge

FloatArray = NDArray[np.float64]

MISSING = 1e-6  # rad, or of the size: what a row of a closed mechanism is off by for want of turns
PARALLEL = 1e-9  # 1 - cosine of the angle between axes that are one
MOST_TRIED = 20_000  # numbers of turns of hinges that couplers tie together
MOST_FOUND = 16  # ways to count


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
    """The same turns with those more that close the rows of couplers just where bodies are.

    The same in the plane, where angles have their turns, and where no small number does.
    """
    at = Counted(q, turns)
    if equations.layout.model.plane or not _is_open(equations, t, at):
        return turns
    for found in _tried(equations, t, at)[:1]:
        if not _is_open(equations, t, found):
            return found.turns
    return turns


def turned_otherwise(equations: Equations, t: float, at: Counted, most: int) -> list[Counted]:
    """The same poses with turns by which the rows of couplers are less open, the least first.

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
