"""A curve that touches a curved surface, and may lift off: a rim in a trough, a hook on a ring."""

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from kempe.algebra.functions import first_guess_where as guessed
from kempe.algebra.functions import where
from kempe.errors import BadConnection, BadNumber
from kempe.forces.beside_surface import AbstractBeside, Edge, beside
from kempe.forces.contact import AbstractContact, Touch
from kempe.forces.instant import Instant
from kempe.geometry import Marker, Pose, Scalar, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.curves.abstract import refuse_no_curve
from kempe.geometry.number import finite
from kempe.geometry.surfaces import AbstractSurface
from kempe.units import Metres

STARTS = 64  # points of a curve of which the nearest to the surface are corrected
UNEVEN = 0.381966  # of a step, by which starts are off from where symmetries would put them


@final
@dataclass(frozen=True)
class EdgeOnSurface(AbstractContact):
    """A curve of J, as an edge or a wire of `radius` r, on a surface of I, in two places at most.

    gap = s n . (C(t) - S) - r,  n . C'(t) = 0

    S is the point of the surface nearest to C(t), n its normal there, and s is 1, or -1 with
    `inside`: J is then on the back of the surface, as a rim in a bowl or a trough. The curve
    may be any in space that closes and has no corners. Where it comes near to the surface twice, it
    touches in two places, each with the `stiffness`; of more, in the two deepest. The surface is a
    plane, a sphere, a cylinder, a cone, a torus, or one with edges that lies over a plane like a
    sheet, as a B-spline; beyond its edges, its `limits` or its tip there is no contact. Laws of the
    contact: `AbstractContact`.

    As two places run together they count as one, by what lies deep between them: of overlaps
    d_1, d_2 and the least d_3 on the way from one to the other the energy is E(d_1) + E(d_2) -
    E(d_3). So none appears or vanishes by a jump.

    What touches all along, a ring flat on a plane or level round a ball, has no such places: the
    force jumps, and the run ends as `StepTooSmall`. A disc that may lie flat is a CylinderOnPlane.

    Own: the two nearest of 64 points by comparison, from there by Newton's method along the curve;
    slopes of distances by series in the parameter.
    """

    surface: AbstractSurface  # of I
    curve: AbstractCurve  # of J
    inside: bool = False  # whether J is on the back of the surface
    radius: Metres = 0.0
    beside: AbstractBeside | None = field(default=None, init=False, repr=False, compare=False)
    size: float = field(default=0.0, init=False, repr=False, compare=False)  # m, of the curve

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "radius", finite(self.radius, f"radius of {self._called}", "m"))
        if self.radius < 0.0:
            raise BadNumber(f"radius of {self._called} is {self.radius:g} m: 0 is an edge.")
        refuse_no_curve(self._called, self.curve)
        if not isinstance(self.surface, AbstractSurface):
            raise BadConnection(
                f"{self._called} needs a surface such as SphereSurface((0, 0, 0), 0.5), not"
                f" {self.surface!r}."
            )
        if not self.curve.is_closed or len(self.curve.corners):
            raise BadNumber(
                f"the curve of {self._called} must be closed and without corners, and this"
                f" {type(self.curve).__name__.lower()} is not: use Circle, Ellipse, or a closed"
                " spline."
            )
        object.__setattr__(self, "beside", beside(self.surface))
        if self.beside is None:
            kind = type(self.surface).__name__
            raise BadNumber(
                f"{self._called} needs a plane, a sphere, a cylinder, a cone, a torus, or a surface"
                f" with edges that lies over a plane like a sheet: this {kind} bends too far or too"
                " often. Cut it into pieces, one contact for each."
            )
        points = self.curve(np.array(self._starts()))
        object.__setattr__(self, "size", 0.5 * float(np.ptp(points, axis=0).max()))

    @property
    def touching(self) -> tuple[tuple[Marker, object], ...]:
        return (self.I, self.surface), (self.J, self.curve)

    def overlaps(self, now: Instant) -> tuple[Scalar, ...]:
        return tuple(-touch.gap for touch in self.touches(*now.X)[:2])

    def touches(self, X_WI: Pose, X_WJ: Pose) -> list[Touch]:
        X_IJ = X_WI.inverse() @ X_WJ
        edge = Edge(self.curve, X_IJ, self.curve.domain.width / STARTS, self.size)
        starts, still = self._starts(), edge.still()
        gaps = [self._near(still, t) for t in starts]
        first, second, is_second = self._nearest_two(starts, gaps)
        one, two = (self._touch(X_WI, edge, t, 1.0) for t in (first, second))
        between = self._between(starts, gaps, first, second)
        ways = [self._touch(X_WI, edge, t, -1.0) for t in between]
        top = _chosen(ways[1].gap < ways[0].gap, ways[1], ways[0])
        # without a second minimum what stands for it is what is taken off again
        two = _chosen(is_second > 0.0, two, top)
        return [one, two, Touch(top.gap, top.normal, top.point, share=-1.0)]

    @property
    def _far(self) -> float:
        """A gap (m) beyond all others."""
        return 1e6 * (self.size + self.surface.size)

    def _starts(self) -> list[float]:
        """Parameters of points that are looked at."""
        domain = self.curve.domain
        step = domain.width / STARTS
        return [domain.low + (k + UNEVEN) * step for k in range(STARTS)]

    def _near(self, edge: Edge, t: float) -> Scalar:
        assert self.beside is not None
        side = -1.0 if self.inside else 1.0
        return side * self.beside.near(edge.at(t))

    def _nearest_two(
        self, starts: list[float], gaps: list[Scalar]
    ) -> tuple[Scalar, Scalar, Scalar]:
        """The two deepest of the starts that lie deeper than both beside, and 1 if there are two.

        Of two beside each other that are equally deep, the later one counts. Without a second one
        it is the first again, and -1.
        """
        far = self._far
        near = (starts[0], far), (starts[0], far)
        for k, (t, gap) in enumerate(zip(starts, gaps, strict=True)):
            low = guessed(gap < gaps[(k + 1) % len(gaps)], gap, far)
            low = guessed(gap > gaps[k - 1], far, low)
            (t1, g1), (t2, g2) = near
            t2, g2 = guessed(low < g2, t, t2), guessed(low < g2, low, g2)
            is_first = low < g1
            t2, g2 = guessed(is_first, t1, t2), guessed(is_first, g1, g2)
            near = (guessed(is_first, t, t1), guessed(is_first, low, g1)), (t2, g2)
        (t1, _), (t2, g2) = near
        are_two = g2 < 0.5 * far
        return t1, guessed(are_two, t2, t1), guessed(are_two, 1.0, -1.0)

    def _between(
        self, starts: list[float], gaps: list[Scalar], first: Scalar, second: Scalar
    ) -> list[Scalar]:
        """The starts that lie farthest out on each way from one place to the other."""
        low, high = guessed(first < second, first, second), guessed(first < second, second, first)
        found = []
        for within_them in (True, False):
            far: tuple[Scalar, Scalar] = (starts[0], -self._far)
            for t, gap in zip(starts, gaps, strict=True):
                none = -self._far
                inner = guessed(t > low, guessed(t < high, 1.0, -1.0), -1.0)
                seen = guessed((inner if within_them else -inner) > 0.0, gap, none)
                further = seen > far[1]
                far = guessed(further, t, far[0]), guessed(further, seen, far[1])
            found.append(far[0])
        return found

    def _touch(self, X_WI: Pose, edge: Edge, t: Scalar, way: float) -> Touch:
        """The place near `t` where the gap is least, or with a `way` of -1 the most."""
        assert self.beside is not None
        side = -1.0 if self.inside else 1.0
        foot = self.beside.nearest(edge, t, side * way)
        n, gap = foot.normal * side, side * foot.distance - self.radius
        if foot.over is not None:
            gap = where(foot.over > 0.0, gap, self.size + 0.0 * gap)
        middle = foot.point - n * (self.radius + 0.5 * gap)
        return Touch(gap, X_WI.rotation.apply(n), X_WI.point(middle))


def _chosen(condition: Any, yes: Touch, no: Touch) -> Touch:
    """One of two places; which one makes no difference where it changes."""
    normal, point = (
        Vector(*(guessed(condition, x, y) for x, y in zip(a, b, strict=True)))
        for a, b in ((yes.normal, no.normal), (yes.point, no.point))
    )
    return Touch(guessed(condition, yes.gap, no.gap), normal, point)
