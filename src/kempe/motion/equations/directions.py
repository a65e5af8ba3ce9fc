"""Bars that change their length, each as a length and a direction: B = A + r w, |w| = 1.

A word that is said of a bar's line sees its direction alone. Written with w instead of the vector
from end to end it is regular where the bar is short, and needs no denominator. (r, w) and the
vector are one to one where r > 0; the bounds of r say which bars have a direction.
"""

from typing import final

from kempe.algebra import Expression
from kempe.algebra.expression import lifted
from kempe.constraints import AbstractBarConstraint
from kempe.geometry import Marker, Pose, Vector
from kempe.motion.equations.system import Equations

# Cosine and sine never leave [-1, 1]; a little room keeps their turning points off the edge.
ROOM = 1.125
# A bar shorter than this share of the machine's size (a power of two) has no direction.
SHORTEST = 2.0**-20

Place = tuple[str, tuple[float, ...]]  # a body and a point of it


def place_of(marker: Marker) -> Place:
    """Where a bar starts or ends: markers at one point of one body are one place."""
    return marker.body, tuple(float(e) for e in marker.position)


@final
class Directions:
    """The directions of a mechanism's bars, while its equations are written."""

    def __init__(self, equations: Equations, scale: float) -> None:
        self.equations, self.scale = equations, scale
        self.known: dict[tuple[Place, Place], Vector] = {}

    def put_into(
        self,
        own: AbstractBarConstraint,
        X: list[Pose],
        markers: tuple[Marker, ...],
        source: str,
    ) -> tuple[AbstractBarConstraint, list[Vector]]:
        """The constraint and its bars' vectors: a flexible one has its direction, and length 1.

        Bars that are part of one body cannot vanish, and stay as they are.
        """
        vectors = own.vectors(*X)
        if not own.sees_lines:
            return own, vectors
        lengths = {}
        for k, bar in enumerate(own.bars):
            start, end = markers[bar.start], markers[bar.end]
            if own.is_flexible(bar) and start.body != end.body:
                ends = place_of(start), place_of(end)
                vectors[k] = self._along(ends, vectors[k], f"{source}.{bar.length}", source)
                lengths[bar.length] = self.equations.number(self.scale)
        return own.with_lengths(lengths), vectors

    def _along(self, ends: tuple[Place, Place], u: Vector, name: str, source: str) -> Vector:
        """w, as long as the machine's unit, of a bar with the vector u."""
        if ends in self.known:
            return self.known[ends]
        if ends[::-1] in self.known:
            return -self.known[ends[::-1]]
        e, unit = self.equations, self.equations.number(self.scale)
        r = e.unknown(f"{name}.length", SHORTEST, is_limit=True)
        c, s = (e.unknown(f"{name}.{part}", -ROOM, ROOM) for part in "cs")
        x, y = (lifted(e.graph, part) / unit for part in (u.x, u.y))
        e.equate(x - r * c, source)
        e.equate(y - r * s, source)
        e.equate(c * c + s * s - e.number(1.0), source)
        e.imply(r * r - (x * x + y * y), source)
        e.imply(x * s - y * c, source)
        zero: Expression = e.number(0.0)
        self.known[ends] = Vector(self.scale * c, self.scale * s, zero)
        return self.known[ends]
