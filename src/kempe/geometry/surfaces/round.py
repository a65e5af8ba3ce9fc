"""What surfaces share that lie about an axis."""

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry import Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.curves.abstract import Direction, Domain, Point, across, point_of
from kempe.geometry.number import Floats
from kempe.geometry.surfaces.abstract import AbstractSurface
from kempe.units import Metres

#: How far from the foot of a perpendicular (m, and a share) the nearest point may lie: roundings.
AROUND = 1e-6
ENDLESS = Domain(-float("inf"), float("inf"))


class AbstractRoundSurface(AbstractSurface):
    """A surface about an axis through `centre`: u (rad) turns about it, from x towards y."""

    centre: Point
    axis: Direction

    def __post_init__(self) -> None:
        word = type(self).__name__.removesuffix("Surface").lower()
        object.__setattr__(self, "centre", point_of(self.centre, f"the centre of a {word}"))
        across(self.axis)

    def seen(self, p: Vector) -> tuple[Vector, Vector, Vector, Vector]:
        """The arm (m) from the centre to a point `p`, and the unit vectors x, y and z = axis."""
        x, y, z = across(self.axis)
        return p - Vector(*self.centre), x, y, z


def about_foot(curve: AbstractCurve, place: Floats, reach: float) -> Domain:
    """The domain of a `curve`; of a straight line without ends what is near a `place`.

    That is `reach` (m) to both sides of the foot of the perpendicular.
    """
    domain = curve.domain
    if domain.is_bounded:
        return domain
    foot, speed = foot_on_line(curve, place)
    room = reach / speed + AROUND * (1.0 + abs(foot))
    return Domain(max(domain.low, foot - room), min(domain.high, foot + room))


def foot_on_line(curve: AbstractCurve, place: Floats) -> tuple[float, float]:
    """Where on a straight line a perpendicular from a `place` (m) meets it, and its speed (m)."""
    start, way = curve(0.0), curve(0.0, 1)
    foot = float((place - start) @ way) / float(way @ way)
    inside = min(max(foot, curve.domain.low), curve.domain.high)
    return inside, float(np.linalg.norm(way))


def between(limits: tuple[Metres, Metres] | None) -> Domain:
    """The domain (m) between two `limits`; without any it has no end."""
    if limits is None:
        return ENDLESS
    low, high = (float(e) for e in limits)
    if not low < high:
        raise BadNumber(
            f"limits go from the lower to the higher: these go from {low:g} to {high:g} m."
        )
    return Domain(low, high)
