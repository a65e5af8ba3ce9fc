"""How bodies in space are turned: by the directions that joints share.

A hinge's axis is one direction of both its bodies. A body that has two directions e1 and e2, not
parallel, is described by them: any vector of it is a e1 + b e2 + c e1 x e2 with numbers a, b, c.
So a loop of hinges has its axes for unknowns, and a row e1 . e2 = cos for every body: no body
repeats what its neighbours say. A body about an axis that stands still has a cosine and a sine.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.geometry import GROUND, Vector
from kempe.motion.equations.exact_numbers import LEAST
from kempe.motion.equations.exactness import Numbers, dot, is_whole
from kempe.motion.equations.rewriting import ROOM
from kempe.motion.equations.system import FullSystem

FloatArray = NDArray[np.float64]

PARALLEL = 1e-12  # sine below which two directions of a body are one
LEAST_SINE = 0.3  # of directions that describe a body well
TINY = 2.0**-46  # of the size of 1: what products of rounded numbers leave of a zero


def snapped(numbers: FloatArray) -> FloatArray:
    """Numbers of the size of 1, zeros and ones exact where only rounding keeps them from it."""
    made = np.where(np.abs(numbers) < TINY, 0.0, numbers)
    whole = np.round(made)
    return np.where(np.abs(made - whole) < TINY, whole, made)


def plain(v: FloatArray) -> Vector:
    """A vector of plain numbers."""
    return Vector(*(float(c) for c in v))


def combined(terms: Iterable[tuple[float, Vector]]) -> Vector:
    """A sum of multiples, those of zero left out."""
    kept = [(c, v) for c, v in terms if c != 0.0]
    parts = [v if c == 1.0 else v * c for c, v in kept]
    return sum(parts[1:], parts[0]) if parts else Vector(0.0, 0.0, 0.0)


@final
@dataclass(slots=True, eq=False)
class Direction:
    """A unit vector that belongs to one or more orientations, with its numbers in each."""

    coordinates: dict[str, FloatArray]
    value: Vector | None = None  # in the world, once that is written
    constant: FloatArray | None = None
    exact: dict[str, Numbers] = field(default_factory=dict)  # the same, as far as it is known
    source: str = ""  # the joint that it is of

    @property
    def is_shared(self) -> bool:
        """Whether it tells one orientation something of another."""
        return len(self.coordinates) > 1


@final
@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """Three vectors of an orientation, by their numbers in it (columns) and in the world."""

    own: FloatArray  # (3, 3)
    world: tuple[Vector, Vector, Vector]

    def vector(self, v: FloatArray) -> Vector:
        """A vector of the orientation, in the world."""
        numbers = snapped(np.asarray(np.linalg.solve(self.own, v), dtype=np.float64))
        return combined(zip(numbers.tolist(), self.world, strict=True))


@final
@dataclass(slots=True, eq=False)
class Orientations:
    """All orientations of a model, while they are written."""

    equations: FullSystem
    names: Sequence[str]  # of those that are not the ground's
    directions: list[Direction]
    flat: dict[str, FloatArray] = field(default_factory=dict)  # points on rods, by orientation
    bases: dict[str, Basis] = field(default_factory=dict)
    forms: set[str] = field(default_factory=set)

    def write(self, frame: FloatArray) -> None:
        """Unknowns and rows of all, the ground's axes being the columns of `frame`."""
        self.directions, apart = merged(self.directions)
        for source, gap in apart:
            if gap > PARALLEL:
                self.equations.equate(self.equations.number(gap), source)
            else:
                self.equations.doubt(source, gap)
        ground = Basis(np.eye(3), tuple(plain(c) for c in snapped(frame).T))  # type: ignore[arg-type]
        self.bases[GROUND] = ground
        for direction in self.directions:
            if GROUND in direction.coordinates:
                direction.constant = snapped(frame @ direction.coordinates[GROUND])
                direction.value = plain(direction.constant)
        left = list(self.names)
        layers = self._layers()
        while left:
            name = min(left, key=lambda n: (-min(2, len(self._known(n))), layers.get(n, math.inf)))
            left.remove(name)
            self._describe(name)

    def vector(self, name: str, v: FloatArray) -> Vector:
        """A vector of an orientation in the world."""
        return self.bases[name].vector(v)

    def _layers(self) -> dict[str, int]:
        """How many shared directions lie between an orientation and the ground."""
        found, reached = {GROUND: 0}, [GROUND]
        for name in reached:
            for d in self.directions:
                if name in d.coordinates:
                    for other in d.coordinates:
                        if other not in found:
                            found[other] = found[name] + 1
                            reached.append(other)
        return found

    def _known(self, name: str) -> list[Direction]:
        mine = [d for d in self.directions if name in d.coordinates]
        return [d for d in mine if d.value is not None]

    def _describe(self, name: str) -> None:
        known = self._known(name)
        if len(known) >= 2:
            self._closed(name, known)
        elif len(known) == 1 and known[0].constant is not None:
            self._circle(name, known[0])
        else:
            self._open(name, known)
        for d in self.directions:
            if name in d.coordinates and d.value is None:
                d.value = self.vector(name, d.coordinates[name])

    def _circle(self, name: str, about: Direction) -> None:
        """A turn about an axis that stands still: x = c x0 + s y0, y = c y0 - s x0."""
        self.forms.add("cosine and sine about an axis that stands still")
        assert about.constant is not None
        e, axis = self.equations, about.constant
        c, s = (e.unknown(f"{name}.{part}", -ROOM, ROOM) for part in "cs")
        e.equate(c * c + s * s - 1.0, name)
        x0, y0 = (plain(v) for v in square_to(axis))
        x, y = x0 * c + y0 * s, y0 * c - x0 * s
        mine = about.coordinates[name]
        own = np.column_stack([*square_to(mine), mine])
        self.bases[name] = Basis(own, (x, y, plain(axis)))

    def _closed(self, name: str, known: list[Direction]) -> None:
        """Two or more directions are told by other bodies: rows that they fit this one."""
        pairs = itertools.combinations(known, 2)
        first, second = max(pairs, key=lambda pair: _sine(name, *pair))
        self._pair(name, first, second)
        a, b = first.coordinates[name], second.coordinates[name]
        for third in known:
            if third in (first, second):
                continue
            c = third.coordinates[name]
            for one in (first, second):
                self._at_angle(name, one, third)
            volume = float(np.cross(a, b) @ c)
            e1, e2, e3 = (_value(d) for d in (first, second, third))
            if abs(volume) > PARALLEL:
                side = e1.cross(e2) @ e3
                self.equations.keep_positive(side if volume > 0.0 else -side, name)

    def _open(self, name: str, known: list[Direction]) -> None:
        """One direction is told or none: a second one is unknown, or two are."""
        new = [d for d in self.directions if name in d.coordinates and d.value is None]
        new.sort(key=lambda d: not d.is_shared)
        chosen = known[:1]
        for d in new:
            if len(chosen) < 2 and all(_sine(name, d, c) >= LEAST_SINE for c in chosen):
                chosen.append(d)
        while len(chosen) < 2:
            mine = [c.coordinates[name] for c in chosen]
            own = Direction({name: self._own(name, mine)})
            self.directions.append(own)
            chosen.append(own)
        self.forms.add("directions of axes and bodies")
        for k, d in enumerate(chosen):
            if d.value is None:
                word = f"{name}.{'uv'[k]}"
                d.value = Vector(*(self.equations.unknown(word + i, -ROOM, ROOM) for i in "xyz"))
                self.equations.equate(d.value.square - 1.0, name)
        self._pair(name, chosen[0], chosen[1])

    def _own(self, name: str, known: list[FloatArray]) -> FloatArray:
        """A direction in the plane of a body's rods, square to what is known of the body."""
        points = self.flat.get(name, np.zeros((0, 3)))
        axes = np.linalg.svd(np.vstack([points, np.zeros((3, 3))]))[2]
        for axis in axes:
            left = axis - sum((known_ * (known_ @ axis) for known_ in known), np.zeros(3))
            if np.linalg.norm(left) > 0.5:
                return snapped(left / np.linalg.norm(left))
        return square_to(known[0])[0]

    def _pair(self, name: str, first: Direction, second: Direction) -> None:
        """The basis e1, e2, e1 x e2, and the row that keeps their angle."""
        self._at_angle(name, first, second)
        a, b = first.coordinates[name], second.coordinates[name]
        e1, e2 = _value(first), _value(second)
        across = e1.cross(e2)
        own = np.column_stack([a, b, np.cross(a, b)])
        points = self.flat.get(name)
        if points is not None and len(points):
            parts = snapped(np.linalg.solve(own, (points / max(np.abs(points).max(), 1e-300)).T))
            if np.abs(parts[2]).max() > 0.0:
                across = self._across(name, own, e1, e2, across)
        self.bases[name] = Basis(own, (e1, e2, across))

    def _across(self, name: str, own: FloatArray, e1: Vector, e2: Vector, w: Vector) -> Vector:
        """e1 x e2 as unknowns of their own: rows that square it then stay of second degree."""
        e = self.equations
        made = Vector(*(e.unknown(f"{name}.w{i}", -ROOM, ROOM) for i in "xyz"))
        for mine, there in zip(made, w, strict=True):
            e.equate(mine - there, name)
        e.imply(made @ e1, name)
        e.imply(made @ e2, name)
        e.imply(made.square - float(own[:, 2] @ own[:, 2]), name)
        return made

    def _at_angle(self, name: str, first: Direction, second: Direction) -> None:
        cosine = snapped(np.array([first.coordinates[name] @ second.coordinates[name]]))
        row: Any = _value(first) @ _value(second) - float(cosine[0])
        if isinstance(row, float) and abs(row) <= LEAST:  # both stand still
            if not _is_exact_angle(name, first, second):
                self.equations.doubt(first.source or second.source or name, abs(row))
            return
        self.equations.equate(_traced(self.equations, row), name)


def _traced(equations: FullSystem, row: Any) -> Any:
    return equations.number(row) if isinstance(row, float) else row


def _value(direction: Direction) -> Vector:
    assert direction.value is not None
    return direction.value


def _sine(name: str, first: Direction, second: Direction) -> float:
    across = np.cross(first.coordinates[name], second.coordinates[name])
    return float(np.linalg.norm(across))


def square_to(axis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two directions that make a right-handed frame with an axis; of z they are x and y."""
    start = np.zeros(3)
    start[int(np.argmin(np.abs(axis)))] = 1.0
    x = start - axis * (axis @ start)
    x /= np.linalg.norm(x)
    return snapped(x), snapped(np.cross(axis, x))


def merged(directions: Sequence[Direction]) -> tuple[list[Direction], list[tuple[str, float]]]:
    """Directions, those that are parallel in some orientation made one; and what doubts that.

    Two axes that are parallel in one body and not in another: no position fits both. Where their
    numbers are not exactly the same, it is not known whether they are parallel: what they miss
    each other by is given with the joint of the second.
    """
    left = list(directions)
    off: list[tuple[str, float]] = []
    while True:
        for a, b in itertools.combinations(left, 2):
            sign = _same(a, b)
            if sign:
                off += _made_one(a, b, sign)
                left.remove(b)
                break
        else:
            return left, off


def _made_one(a: Direction, b: Direction, sign: float) -> list[tuple[str, float]]:
    """Let a have the numbers of b too; gaps where both have some that are not exactly alike."""
    off = []
    for name, v in b.coordinates.items():
        mine = a.coordinates.get(name)
        there = tuple(None if x is None else x * int(sign) for x in b.exact.get(name, (None,) * 3))
        if mine is None:
            a.coordinates[name], a.exact[name] = sign * v, there
        elif None in there or a.exact.get(name) != there:
            off.append((b.source or a.source or name, float(np.abs(mine - sign * v).max())))
    return off


def _is_exact_angle(name: str, first: Direction, second: Direction) -> bool:
    """Whether two directions that stand still are at the angle exactly that a body has them at."""
    pairs = [(d.exact.get(name), d.exact.get(GROUND)) for d in (first, second)]
    (a, A), (b, B) = pairs
    if a is None or b is None or A is None or B is None:
        return False
    return all(map(is_whole, (a, b, A, B))) and dot(a, b) == dot(A, B)


def _same(a: Direction, b: Direction) -> float:
    """1 or -1 where two directions are parallel in an orientation that has both; else 0."""
    for name in a.coordinates.keys() & b.coordinates.keys():
        if _sine(name, a, b) < PARALLEL:
            return 1.0 if a.coordinates[name] @ b.coordinates[name] > 0.0 else -1.0
    return 0.0
