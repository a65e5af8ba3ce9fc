"""Which numbers of a model in space are known exactly, beside the doubles that rows are made of.

Places are the doubles that were given. Of a rotation those entries are known that are 0, 1 or -1,
or so within 2^-50, and then they are meant so; the others were rounded. A sum of products is known
where all of its terms are, and nothing times zero is zero. So it can be told whether a row that
vanishes in doubles vanishes: the offset of a planar loop along its common axis, for one.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

Number = Fraction | None  # None is not known
Numbers = tuple[Number, ...]

MEANT = 2.0**-50  # how far an entry of a rotation may be from 0, 1 or -1 and be meant so
ZERO, ONE = Fraction(0), Fraction(1)


def given(numbers: Iterable[float]) -> Numbers:
    """Numbers of a model as they are, those of directions near 0, 1 and -1 as they are meant."""
    return tuple(_meant(float(x)) for x in numbers)


def places(numbers: Iterable[float]) -> Numbers:
    """Lengths of a model as they are."""
    return tuple(Fraction(float(x)) for x in numbers)


def _meant(x: float) -> Fraction:
    whole = round(x)
    return Fraction(whole) if abs(x - whole) <= MEANT and abs(whole) <= 1 else Fraction(x)


def dot(a: Sequence[Number], b: Sequence[Number]) -> Number:
    """a . b, where that is known."""
    total = ZERO
    for x, y in zip(a, b, strict=True):
        if x == 0 or y == 0:
            continue
        if x is None or y is None:
            return None
        total += x * y
    return total


def plus(a: Sequence[Number], b: Sequence[Number], sign: int = 1) -> Numbers:
    """a + b, or a - b, entry by entry, where they are known."""
    return tuple(
        None if x is None or y is None else x + sign * y for x, y in zip(a, b, strict=True)
    )


def is_whole(v: Sequence[Number]) -> bool:
    """Whether a direction is one of the axes: its length is 1 then, without rounding."""
    return all(x is not None and x.denominator == 1 for x in v)


@final
@dataclass(frozen=True, slots=True)
class ExactFrame:
    """A pose as far as its numbers are known: p, and the rows of R."""

    p: Numbers
    R: tuple[Numbers, Numbers, Numbers]

    @classmethod
    def of(cls, p: Iterable[float], R: Any) -> "ExactFrame":
        """From doubles: places as they are, of rotations the entries 0, 1 and -1."""
        rows = [tuple(x if x in (0, 1, -1) else None for x in given(row)) for row in R]
        return cls(places(p), (rows[0], rows[1], rows[2]))

    @classmethod
    def about_z(cls, angle: float, along: float = 0.0) -> "ExactFrame":
        """A turn about z and a shift along it; cosines are known of quarters of a turn."""
        c, s = ((x if x in (0, 1, -1) else None) for x in given((math.cos(angle), math.sin(angle))))
        back = None if s is None else -s
        rows = ((c, back, ZERO), (s, c, ZERO), (ZERO, ZERO, ONE))
        return cls((ZERO, ZERO, Fraction(along)), rows)

    def turned(self, v: Sequence[Number]) -> Numbers:
        """R v."""
        return tuple(dot(row, v) for row in self.R)

    def point(self, p: Sequence[Number]) -> Numbers:
        """p + R v of a point v."""
        return plus(self.p, self.turned(p))

    def __matmul__(self, other: "ExactFrame") -> "ExactFrame":
        columns = [self.turned(column) for column in zip(*other.R, strict=True)]
        a, b, c = (tuple(row) for row in zip(*columns, strict=True))
        return ExactFrame(self.point(other.p), (a, b, c))

    def inverse(self) -> "ExactFrame":
        """The other way: a rotation's inverse is its transpose."""
        a, b, c = (tuple(column) for column in zip(*self.R, strict=True))
        back = ExactFrame((ZERO, ZERO, ZERO), (a, b, c))
        return ExactFrame(plus((ZERO, ZERO, ZERO), back.turned(self.p), -1), (a, b, c))

    @property
    def is_known(self) -> bool:
        """Whether all its numbers are."""
        return None not in self.p and all(None not in row for row in self.R)


HERE = ExactFrame.of((0.0, 0.0, 0.0), ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
Way = dict[str, Numbers]  # a vector as a sum of vectors of orientations, by name


@final
@dataclass(frozen=True, slots=True)
class ExactPlace:
    """Where a point is: a sum of vectors in axes of orientations, and slides along directions."""

    ways: Way
    slides: tuple[tuple[str, Numbers], ...] = ()  # orientation and direction
    is_free: bool = False  # an unknown place is among them

    def moved(self, name: str, v: Numbers, sign: int = 1) -> "ExactPlace":
        """Further by a vector of an orientation."""
        ways = dict(self.ways)
        ways[name] = plus(ways.get(name, (ZERO, ZERO, ZERO)), v, sign)
        return ExactPlace(ways, self.slides, self.is_free)

    def slid(self, name: str, axis: Numbers) -> "ExactPlace":
        """Further by any way along a direction of an orientation."""
        return ExactPlace(self.ways, (*self.slides, (name, axis)), self.is_free)

    def less(self, other: "ExactPlace") -> "ExactPlace":
        """The way from another place to this one."""
        made = ExactPlace(dict(self.ways), self.slides + other.slides, self.is_free | other.is_free)
        for name, v in other.ways.items():
            made = made.moved(name, v, -1)
        return made

    def vanishes_along(self, axis: dict[str, Numbers]) -> bool:
        """Whether it has no part along a direction, whose numbers in orientations are given.

        Numbers that are no whole ones are of rounded length: then each part must vanish.
        """
        if self.is_free:
            return False
        unknown = (None, None, None)
        parts = [dot(v, axis.get(name, unknown)) for name, v in self.ways.items()]
        if any(dot(v, axis.get(name, unknown)) != 0 for name, v in self.slides):
            return False
        if all(part == 0 for part in parts):
            return True
        known = [part for part in parts if part is not None]
        is_unit = all(is_whole(v) for v in axis.values())
        return is_unit and len(known) == len(parts) and sum(known, ZERO) == 0
