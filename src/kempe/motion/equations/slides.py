"""Slides on guides: held, they are linear in the cosine and sine of what they slide on.

A guide says d . b = offset, d from one marker to the other. With d . a held as well, a square to b,
d itself is known in the frame of the first marker.
"""

from typing import Any, final

from kempe.algebra import Expression
from kempe.compile.layout.numbers import marker_pose
from kempe.constraints import AbstractConstraint, InPlane, OnLine
from kempe.geometry import Axis, Marker
from kempe.measures import Gauge
from kempe.motion.equations.constants import Constants
from kempe.motion.equations.system import Row

Guide = tuple[Axis, Any]  # b and the offset


@final
class Slides:
    """The guides of a system that is being written, and what is held or limited along them."""

    def __init__(self, writing: Any) -> None:
        self.writing = writing
        # By the markers of a joint: (b, offset, row).
        self.guides: dict[tuple[Marker, Marker], tuple[Axis, Any, Row]] = {}

    def place(
        self, a: Axis, markers: tuple[Marker, Marker], value: Expression, source: str
    ) -> bool:
        """Hold a slide by where it then is; False where no guide keeps it beside its axis.

        d . a = value and d . b = offset, b square to a and as long, is d = (value a + offset b) /
        a^2 as turns keep lengths: two rows that are linear in positions, cosines and sines.
        """
        found = self._guide(a, markers)
        if found is None:
            return False
        b, offset, square, row = found
        self.writing.equations.equations.remove(row)
        del self.guides[markers]
        X_WI, X_WJ = self.writing.poses(markers)
        d = X_WJ.position - X_WI.position
        to = X_WI.axis(a) * (value / square) + X_WI.axis(b) * (offset / square)
        for was, there in ((d.x, to.x), (d.y, to.y)):
            self.writing.row(self.writing.scaled(self.writing.lifted(was - there), "m"), source, ())
        return True

    def _guide(
        self, a: Axis, markers: tuple[Marker, Marker]
    ) -> tuple[Axis, Expression, Expression, Row] | None:
        """(b, offset, a^2, row) of the row d . b = offset, where b is axis a by a quarter turn."""
        if markers not in self.guides:
            return None
        b, offset, row = self.guides[markers]
        rotation = marker_pose(markers[0], self.writing.numbers(markers[0])).rotation
        (ax, ay, az), (bx, by, _) = (
            [self.writing.lifted(e) for e in rotation.axis(axis)] for axis in (a, b)
        )
        zero = Constants(self.writing.equations.graph)
        quarters = ((bx + ay, by - ax), (bx - ay, by + ax))
        if not az.is_zero or not any(all(zero(e).is_zero for e in pair) for pair in quarters):
            return None
        return b, self.writing.lifted(offset), ax * ax + ay * ay, row

    def bound(self, gauge: Gauge, a: Axis, u: Expression) -> None:
        """d^2 a^2 = (d . a)^2 + offset^2, which bounds a slide on a guide in all directions."""
        found = self._guide(a, (gauge.I, gauge.J))
        if found is None:
            return
        _, offset, square, _ = found
        X_WI, X_WJ = self.writing.poses((gauge.I, gauge.J))
        d = X_WJ.position - X_WI.position
        ends = [self.writing.scaled(self.writing.lifted(e), "m") for e in (d.x, d.y, offset)]
        self.writing.equations.imply(
            (ends[0] * ends[0] + ends[1] * ends[1]) * square - u * u - ends[2] * ends[2], gauge.name
        )


def guides_of(constraint: AbstractConstraint) -> list[Guide | None]:
    """For every row of a constraint: the axis b and the offset where it says d . b = offset."""
    if isinstance(constraint, InPlane):
        return [(constraint.n, constraint.offset)]
    if isinstance(constraint, OnLine):
        return [(axis, 0.0) for axis in constraint.a.others]
    return [None] * len(constraint.rows)
