"""Two convex curves that touch, and may part: a cam and a round follower, two eggs, two lobes."""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from kempe.algebra.functions import sqrt, where
from kempe.errors import BadNumber
from kempe.forces.cam_contact import Guess, first_guess, outward, refuse_open
from kempe.forces.contact import AbstractContact, Touch
from kempe.geometry import Marker, Pose, Rotation, Scalar, Vector
from kempe.geometry.curves import AbstractCurve

# Of the size of both curves: what is added to their radii from one correction to the next. Without
# it the direction overshoots where a sharp nose is about to roll onto a flat side.
DAMPING = (1.0, 0.7, 0.5, 0.35, 0.25, 0.15, 0.08, 0.04, 0.0, 0.0, 0.0, 0.0)
LAST = 2  # corrections of both points for the last direction
TINY = 1e-30  # of a direction: keeps what lies flat from dividing by nothing
SIDES = 64  # of a polygon that a curve is measured by, and directions in which it is
SLENDER = 5.0  # times as long as wide: beyond, Newton's method is known to miss the place
UPRIGHT = 0.9  # of the squared cosine between both axes z: beyond it there is no contact


@final
@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A closed curve: its farthest point in a direction, nearly, its middle and half its extent."""

    first: Guess
    middle: Vector
    size: float  # m


@final
@dataclass(frozen=True)
class CurveOnCam(AbstractContact):
    """A convex curve in the plane x, y of J, as an edge, on a cam whose outline is a curve of I.

    gap = w . n,  w = p_WJ + R_WJ D(t) - p_WI - R_WI C(s),  w . tau = C'(s) . n = D'(t) . n = 0

    Both curves are closed and bend one way: `curve` C in the plane x, y of I, whose cam reaches
    along z without end, and `other` D in that of J. n is the normal that they share, in the plane
    x, y of I and out of the cam, and tau is across it.
    A curve is at most five times as long as wide (what is more slender is refused), and the axes z
    are parallel, or nearly so: leaning by more than 18 degrees they do not touch. Laws of the
    contact: `AbstractContact`.

    Own: n is turned to the line through both centres of curvature, a fixed number of times and
    damped at first; the point of each curve is that farthest along n, by Newton's method.
    """

    curve: AbstractCurve  # C, of I
    other: AbstractCurve  # D, of J
    made: tuple[Shape, ...] = field(default=(), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        ours = self._shape(self.curve, "outline", "I")
        object.__setattr__(self, "made", (ours, self._shape(self.other, "edge", "J")))

    @property
    def touching(self) -> tuple[tuple[Marker, object], ...]:
        return (self.I, self.curve), (self.J, self.other)

    def _shape(self, curve: AbstractCurve, what: str, marker: str) -> Shape:
        """What is known of a `curve` before it moves."""
        refuse_open(curve, f"the {what} of {self._called}", marker)
        guess = first_guess(curve, outward)
        if guess is None:
            raise BadNumber(
                f"the {what} of {self._called} is not convex, so that two curves would touch in"
                " two places: use a curve that bends one way, or RollerOnCam, whose cam may be"
                " hollow."
            )
        domain = curve.domain
        corners = curve(np.linspace(domain.low, domain.high, SIDES, endpoint=False))
        angles = np.linspace(0.0, math.pi, SIDES, endpoint=False)
        widths = np.ptp(corners[:, :2] @ np.array([np.cos(angles), np.sin(angles)]), axis=0)
        slender = float(widths.max() / widths.min())
        if slender > SLENDER:
            raise BadNumber(
                f"the {what} of {self._called} is at least {slender:.3g} times as long as wide:"
                f" beyond {SLENDER:g} times the place where two curves touch is not found for sure."
                " Make it rounder, or put a capsule in its place (CapsuleOnCapsule,"
                " SphereOnCapsule)."
            )
        return Shape(
            guess,
            Vector(*corners.mean(axis=0).tolist()),
            0.5 * float(np.ptp(corners, axis=0).max()),
        )

    def touches(self, X_WI: Pose, X_WJ: Pose) -> list[Touch]:
        back = X_WI.rotation.inverse()
        place, R_IJ = back.apply(X_WJ.position - X_WI.position), back @ X_WJ.rotation
        here = Rotation.identity()
        ours, theirs = self.made
        size = ours.size + theirs.size
        n = _unit(place + R_IJ.apply(theirs.middle) - ours.middle)
        down = R_IJ.inverse().apply(-n)
        s, t = ours.first.at(n.x, n.y), theirs.first.at(down.x + TINY, down.y)
        for damping in DAMPING:
            (s, r), (t, q) = _farther(self.curve, s, n, here), _farther(self.other, t, -n, R_IJ)
            w = place + _seen(self.other, 0, t, R_IJ) - _seen(self.curve, 0, s, here)
            along = w @ n
            reach = along + r + q
            reach = sqrt(reach * reach + (damping * size) ** 2 + TINY)
            n = _unit(w + n * (reach - along))
        for _ in range(LAST):
            s, t = _farther(self.curve, s, n, here)[0], _farther(self.other, t, -n, R_IJ)[0]
        gap = (place + _seen(self.other, 0, t, R_IJ) - _seen(self.curve, 0, s, here)) @ n
        upright = R_IJ.z.z
        gap = where(upright * upright - UPRIGHT > 0.0, gap, size + 0.0 * gap)
        normal = X_WI.rotation.apply(n)
        return [Touch(gap, normal, X_WJ.point(_flat(self.other.point(t))) - normal * (0.5 * gap))]


def _flat(v: Vector) -> Vector:
    return Vector(v.x, v.y, 0.0)


def _unit(v: Vector) -> Vector:
    """Its direction in the plane x, y."""
    flat = _flat(v)
    size = sqrt(flat.square + TINY)
    return Vector(flat.x / size, flat.y / size, 0.0)


def _seen(curve: AbstractCurve, order: int, t: Scalar, R: Rotation) -> Vector:
    """The derivative of that `order` of a curve that is turned by R, in the plane x, y."""
    found = curve.point(t) if order == 0 else curve.derivative(t, order)
    return _flat(R.apply(_flat(found)))


def _farther(curve: AbstractCurve, t: Scalar, n: Vector, R: Rotation) -> tuple[Scalar, Scalar]:
    """A parameter whose point lies farther along n, and the radius of curvature (m) before it.

    C' . n = 0 by Newton's method, but never by more than one: of an ellipse C' . n and C'' . n are
    sine and cosine of what is still to go. The radius is |C'|^2 / -(C'' . n).
    """
    slope, bend = _seen(curve, 1, t, R), _seen(curve, 2, t, R) @ n
    rise = slope @ n
    return t + rise / sqrt(rise * rise + bend * bend + TINY), slope.square / (TINY - bend)
