"""Bodies that are held by points on one line: they can spin about it, and nothing else notices.

A rod between two balls is the common one, a strut of two tubes that slide in each other another. No
drive of a mechanism needs to say how it spins, and none could: its spin is no coordinate of any
joint.

A body that a joint would feel turn about its point must take the others of that joint with it.
Bodies bound to each other in this way turn together, and spin idly where nothing but two points
holds them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.equations import Equations
from kempe.geometry import GROUND
from kempe.results.reports.counts import Spinner, spinning
from kempe.results.state import State

FloatArray = NDArray[np.float64]
Place = tuple[str, FloatArray]  # a body, and a point of it in its own axes (m)

DISTINCT = 1e-9  # of the size: points nearer to each other are one
ON_LINE = 1e-9  # of the size
UNCHANGED = 1e-9  # of a row, beside the size: what turning a body about a point leaves
# Turns that no joint but a ball would let pass, as vectors of rotation (rad).
TURNS = ((0.9, -0.4, 0.7), (-1.3, 0.6, 2.1))


def passive_spins(equations: Equations, at: State) -> tuple[Spinner, ...]:
    """Bodies in space, or groups, that are held by points on one line, and by nothing else.

    A group turns as one, about the two points that hold it, however its bodies move in each other.
    """
    if equations.layout.model.plane:
        return ()
    bound = _bound(equations, at)
    groups = dict.fromkeys(
        _taken_along(equations.layout, body.name, bound) for body in equations.layout.model.moving
    )
    return tuple(
        group[0] if len(group) == 1 else group
        for group in groups
        if group and _is_held_on_a_line(equations.layout, at.q, group)
    )


def spin_directions(layout: Layout, q: FloatArray, passive: Sequence[Spinner]) -> FloatArray:
    """The idle spins of these bodies and groups (k, n_v), in rad and sizes of the machine.

    All bodies of a group turn about its line, along u through its point p:  w = u  and
    v = u x (r - p),  r and v in world axes and w in those of the body. Each spin is of length 1.
    """
    at = layout.coordinates
    found = np.zeros((len(passive), layout.n_v))
    for row, spinner in zip(found, passive, strict=True):
        group = spinning((spinner,))
        p, other = (_in_world(layout, q, place) for place in _holding(layout, group)[:2])
        u = (other - p) / np.linalg.norm(other - p)
        for body in group:
            k = layout.body_index[body]
            r, a, b = _pose(layout, q, k)
            row[at.way_of(k)] = np.cross(u, r - p)
            row[at.spin_of(k)] = _rotated(a, -b, u)
    found *= layout.step_weights
    return np.asarray(found / np.linalg.norm(found, axis=1)[:, None])


def without_spins(free: FloatArray, spins: FloatArray) -> FloatArray:
    """Free motions (k, n_v) that, with these spins among them, span the same space.

    They are square to the spins and to each other.
    """
    if not len(spins) or not len(free):
        return free
    left = square_to(np.linalg.qr(free.T)[0].T, spins)
    return np.asarray(np.linalg.svd(left)[2][: len(free) - len(spins)])


def square_to(free: FloatArray, spins: FloatArray) -> FloatArray:
    """Motions (k, n_v), each less what it shares with the spins."""
    basis = np.linalg.qr(spins.T)[0]
    return np.asarray(free - (free @ basis) @ basis.T)


def _taken_along(layout: Layout, body: str, bound: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Moving bodies that must turn where this one does, in the model's order; none with ground."""
    found, new = {body}, [body]
    while new:
        for other in bound[new.pop()] - found:
            if other == GROUND:
                return ()
            found.add(other)
            new.append(other)
    return tuple(sorted(found, key=layout.body_index.__getitem__))


def _is_held_on_a_line(layout: Layout, q: FloatArray, group: tuple[str, ...]) -> bool:
    """Whether a group is held by two points, or by more that stay on a line, being of one body."""
    places = _holding(layout, group)
    if len(places) < 2 or (len(places) > 2 and len({body for body, _ in places}) > 1):
        return False
    first, *others = (_in_world(layout, q, place) for place in places)
    along = others[0] - first
    length = float(np.linalg.norm(along))
    return length > DISTINCT * layout.size and all(
        float(np.linalg.norm(np.cross(p - first, along))) <= ON_LINE * layout.size * length
        for p in others
    )


def _holding(layout: Layout, group: Sequence[str]) -> list[Place]:
    """Distinct places on bodies of a group at which elements hold it that are not all its own."""
    return _distinct(
        layout,
        (
            (marker.body, marker.position)
            for element in layout.elements
            if any(marker.body not in group for marker in element.markers)
            for marker in element.markers
            if marker.body in group
        ),
    )


def _distinct(layout: Layout, places: Iterable[tuple[str, Sequence[float]]]) -> list[Place]:
    """Places on bodies, one of those that are as good as the same."""
    found: list[Place] = []
    for body, position in places:
        p = np.array([float(c) for c in position])
        if not any(body == other and _is_one(layout, p, at) for other, at in found):
            found.append((body, p))
    return found


def _is_one(layout: Layout, p: FloatArray, other: FloatArray) -> bool:
    return float(np.linalg.norm(p - other)) <= DISTINCT * layout.size


def _bound(equations: Equations, at: State) -> dict[str, frozenset[str]]:
    """To each moving body the others of elements that feel it turn about the point they hold."""
    bodies = [frozenset(m.body for m in element.markers) for element in equations.layout.elements]
    mine: dict[str, list[int]] = {body.name: [] for body in equations.layout.model.moving}
    for n, others in enumerate(bodies):
        for body in others - {GROUND}:
            mine[body].append(n)
    met = {body: frozenset[str]().union(*(bodies[n] for n in ns)) for body, ns in mine.items()}
    places = [p for body, ns in mine.items() for p in _places(equations.layout, body, ns)]
    found: dict[str, frozenset[str]] = {body: frozenset() for body in mine}
    for apart in _rounds(places, met):
        felt = _felt(equations, at, apart)
        for body, point in apart:
            for n in felt.intersection(mine[body]):
                if any(
                    m.body == body
                    and _is_one(equations.layout, point, np.array(m.position, dtype=float))
                    for m in equations.layout.elements[n].markers
                ):
                    found[body] |= bodies[n] - {body}
    return found


def _places(layout: Layout, body: str, elements: Sequence[int]) -> list[Place]:
    """Distinct places of markers of some elements on a body."""
    markers = (m for n in elements for m in layout.elements[n].markers)
    return _distinct(layout, ((m.body, m.position) for m in markers if m.body == body))


def _rounds(
    places: Sequence[Place], met: Mapping[str, frozenset[str]]
) -> Iterator[tuple[Place, ...]]:
    """All places, sorted so that no element meets two bodies of those given together."""
    left = list(places)
    while left:
        taken: list[Place] = []
        later: list[Place] = []
        touched: set[str] = set()
        for place in left:
            if place[0] in touched:
                later.append(place)
            else:
                taken.append(place)
                touched |= met[place[0]]
        yield tuple(taken)
        left = later


def _felt(equations: Equations, at: State, apart: Sequence[Place]) -> set[int]:
    """Elements whose rows change where bodies are turned about points of their own."""
    elements = np.array([row.element for row in equations.program.shape.rows], dtype=np.intp)
    before = equations.evaluate(at.q, at.t, at.turns)[0]
    found: set[int] = set()
    for turn in TURNS:
        q = at.q.copy()
        for place in apart:
            _turn_about(equations.layout, q, place, np.array(turn))
        after = equations.evaluate(q, at.t, at.turns)[0]
        is_felt = ~(np.abs(after - before) <= UNCHANGED * max(equations.layout.size, 1.0))
        found.update(elements[is_felt].tolist())
    return found


def _turn_about(layout: Layout, q: FloatArray, place: Place, turn: FloatArray) -> None:
    """Turn a body in q about a point of its own, in body axes."""
    body, point = place
    angle = float(np.linalg.norm(turn))
    w, v = np.cos(angle / 2.0), np.sin(angle / 2.0) * turn / angle
    k = layout.body_index[body]
    _, a, b = _pose(layout, q, k)
    held = _in_world(layout, q, place)
    c, d = a * w - b @ v, a * v + w * b + np.cross(b, v)
    q[layout.coordinates.q_of(k)] = (*(held - _rotated(c, d, point)), c, *d)


def _in_world(layout: Layout, q: FloatArray, place: Place) -> FloatArray:
    """Where a point of a body is (m)."""
    body, point = place
    r, a, b = _pose(layout, q, layout.body_index[body])
    return np.asarray(r + _rotated(a, b, point))


def _pose(layout: Layout, q: FloatArray, k: int) -> tuple[FloatArray, float, FloatArray]:
    """Place (m) and unit quaternion, its real part first, of body k."""
    turn = q[layout.coordinates.turn_of(k)]
    return q[layout.coordinates.place_of(k)], float(turn[0]), turn[1:]


def _rotated(w: float, v: FloatArray, x: FloatArray) -> FloatArray:
    """x turned by the unit quaternion (w, v)."""
    crossed = np.cross(v, x)
    return np.asarray(x + 2.0 * w * crossed + 2.0 * np.cross(v, crossed))
