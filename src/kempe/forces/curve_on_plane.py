"""A convex curve that touches a plane, and may lift off: an egg, the rim of a plate."""

from dataclasses import dataclass, field
from typing import final

from kempe.errors import BadNumber
from kempe.forces.cam_contact import NOWHERE, Guess, first_guess, outward, refuse_open
from kempe.forces.contact import AbstractContact, Touch
from kempe.geometry import Axis, Marker, Pose, Vector
from kempe.geometry.curves import AbstractCurve

CORRECTIONS = 3  # by Newton's method, from the first guess
TINY = 1e-30  # of a direction: keeps what lies flat from dividing by nothing


@final
@dataclass(frozen=True)
class CurveOnPlane(AbstractContact):
    """A closed convex curve in the plane x, y of J, as an edge of no thickness, on a plane of I.

    gap = (C(t) - p_WI) . n,  C'(t) . n = 0

    `normal` n is the axis of I that points out of the plane, which goes through its origin. In the
    plane it is an egg on a floor; in space the rim of a plate that rolls, slides, rocks or hops on
    its edge, not one that lies flat. Laws of the contact: `AbstractContact`.

    Own: the lowest point by Newton's method, from a series over the angle of the plane.
    """

    normal: Axis
    curve: AbstractCurve  # of J
    first: Guess = field(default=NOWHERE, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_open(self.curve, f"the edge of {self._called}", "J")
        guess = first_guess(self.curve, outward)
        if guess is None:
            raise BadNumber(
                f"the edge of {self._called} is not convex, so that it would touch a plane in two"
                " places: use a curve that bends one way, or CornersOnPlane."
            )
        object.__setattr__(self, "first", guess)

    @property
    def touching(self) -> tuple[tuple[Marker, object], ...]:
        return ((self.J, self.curve),)

    def touches(self, X_WI: Pose, X_WJ: Pose) -> list[Touch]:
        n = X_WI.axis(self.normal)
        down = X_WJ.rotation.inverse().apply(-n)
        flat = Vector(down.x, down.y, 0.0 * down.z)
        t = self.first.at(flat.x + TINY, flat.y)
        for _ in range(CORRECTIONS):
            slope, bend = (self.curve.derivative(t, k) for k in (1, 2))
            t = t - (slope @ flat) / (bend @ flat - TINY)
        C = self.curve.point(t)
        low = X_WJ.point(Vector(C.x, C.y, 0.0 * flat.z))
        gap = (low - X_WI.position) @ n
        return [Touch(gap, n, low - n * (0.5 * gap))]
