"""The planar figures of Barton, Shragai and Elber, with dimensions of our own.

The figures carry no dimensions; those here are chosen so that the point of each shows. Figure 1e
is `moving_triangle`.
"""

import cmath
import itertools
import math
from collections.abc import Callable

from kempe.drives import Harmonic
from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch import dyad, entry, swing, xy
from kempe.geometry import GROUND, Marker, Z
from kempe.geometry.curves import AbstractCurve, BSpline, Circle, Ellipse, Line
from kempe.measures import Bearing, Gauge

SWAY = 0.2  # rad: how far a drive goes that may not go round
HOOK = ((2.2, 2.6), (3.0, 3.6), (4.2, 3.8), (5.2, 3.0), (6.2, 3.4), (7.0, 2.4))


@entry
def barton_piston(*, radius: float = 1.0, length: float = 2.0, start: float = 1.0) -> Mechanism:
    """Point P runs along a line, point Q along a circle, and a bar keeps them apart.

    Two unknowns, the parameters of line and circle, and one constraint: a piston.

    Source: [Barton] fig. 1a.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.barton_piston().motions())
        piston: 2 loops - complete.
    """
    m = Builder("piston", plane=True)
    q = cmath.rect(radius, start)
    p = q.real + _root(length**2 - q.imag**2, "the bar is shorter than the circle is high")
    reach = 1.5 * (radius + length)
    P = m.point("P", at=(p, 0.0), on=Line((0.0, 0.0), (1.0, 0.0), limits=(-reach, reach)))
    Q = m.point("Q", at=(q.real, q.imag), on=Circle((0.0, 0.0), radius))
    m.stick("bar", P, Q, length)
    m.drive(_bearing(0j, Q), start=start, rpm=60)
    return m.build()


@entry
def barton_chain(*, arm: float = 2.0, link: float = 2.2, ground: float = 4.0) -> Mechanism:
    """Three free points and four bars between two anchors: two freedoms, one too many.

    Six unknowns and four constraints: `count()` says that it is underconstrained before anything
    is solved.

    Source: [Barton] fig. 1b.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.barton_chain().count().freedom)
        2
    """
    m = Builder("four-bar chain", plane=True)
    _, P, _, R = _chain(m, arm, link, ground)
    swing(m, _bearing(0j, P), math.pi / 3, SWAY)
    slower = Harmonic(amplitude=SWAY, frequency=0.5, mean=2.0 * math.pi / 3)
    m.drive(_bearing(complex(ground), R), slower)
    return m.build()


@entry
def barton_well_defined(
    *, arm: float = 2.0, link: float = 2.4, ground: float = 4.0, radius: float = 0.5
) -> Mechanism:
    """The chain of figure 1b with one bar more, which takes its middle point round: one freedom.

    Source: [Barton] fig. 1c.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.barton_well_defined().motions())
        well-defined chain: 4 loops - complete.
    """
    m = Builder("well-defined chain", plane=True)
    centre = complex(0.5 * ground, 3.0)
    _, _, Q, _ = _chain(m, arm, link, ground, centre + radius)
    m.stick("fifth", m.ground.at(centre.real, centre.imag), Q, radius)
    m.drive(_bearing(centre, Q), rpm=60)
    return m.build()


@entry
def barton_two_tracks(
    *, first: float = 2.5, second: float = 2.2, angle: float = 1.8, start: float = 0.6
) -> Mechanism:
    """P on a circle and Q on an ellipse carry R by two bars that keep their angle.

    Source: [Barton] fig. 1d.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.barton_two_tracks().motions())
        two tracks: 4 loops - complete.
    """
    m = Builder("two tracks", plane=True)
    circle, ellipse = Circle((0.0, 0.0), 1.0), Ellipse((4.0, 0.0), (1.5, 0.0), (0.0, 0.8))
    apart = math.sqrt(first**2 + second**2 - 2.0 * first * second * math.cos(angle))
    p = cmath.rect(1.0, start)
    q = _on(ellipse, lambda z: abs(z - p) - apart)
    r = dyad(p, q, first, second)
    P, Q = m.point("P", at=xy(p), on=circle), m.point("Q", at=xy(q), on=ellipse)
    R = m.point("R", at=xy(r))
    left, right = m.stick("PR", R, P, first), m.stick("QR", R, Q, second)
    left.angle_to(right, angle, name="angle")
    swing(m, _bearing(0j, P), start, SWAY)
    return m.build()


@entry
def barton_stuck(*, radius: float = 1.0, start: float = 0.7) -> Mechanism:
    """Three points on three curves and three bars between them: nothing is left to move.

    Three unknowns and three constraints: only finitely many placements.

    Source: [Barton] fig. 1f.

    Examples:
        >>> import kempe
        >>> len(kempe.gallery.barton_stuck().assemblies()) > 0
        True
    """
    m = Builder("three tracks", plane=True)
    circle, ellipse = Circle((0.0, 0.0), radius), Ellipse((4.0, 0.0), (1.5, 0.0), (0.0, 0.8))
    hook = BSpline(HOOK)
    p, q = cmath.rect(radius, start), complex(*ellipse(2.0)[:2])
    r = complex(*hook(1.3)[:2])
    P, Q = m.point("P", at=xy(p), on=circle), m.point("Q", at=xy(q), on=ellipse)
    R = m.point("R", at=xy(r), on=hook)
    m.stick("PQ", P, Q, abs(p - q))
    m.stick("QR", Q, R, abs(q - r))
    m.stick("RP", R, P, abs(r - p))
    return m.build()


@entry
def barton_stretching_bar(
    *, arm: float = 1.0, ground: float = 5.0, radius: float = 0.6, start: float = 1.2
) -> Mechanism:
    """Two arms carry the ends of a bar that stretches and always touches a circle.

    Source: [Barton] fig. 2a.

    Examples:
        >>> import kempe
        >>> kempe.gallery.barton_stretching_bar().motions().outcome
        <Promise.COMPLETE: 'complete'>
    """
    m = Builder("stretching bar", plane=True)
    centre, other = complex(0.5 * ground), complex(ground)
    p = cmath.rect(arm, start)
    to_centre = centre - p
    along = to_centre / abs(to_centre) * cmath.rect(1.0, math.asin(_share(radius, abs(to_centre))))
    q = _line_meets_circle(p, along, other, arm)
    P, Q = m.point("P", at=xy(p)), m.point("Q", at=xy(q))
    m.stick("left", m.ground.at(0.0, 0.0), P, arm)
    m.stick("right", m.ground.at(ground, 0.0), Q, arm)
    m.stick("bar", P, Q).tangent_to(Circle((centre.real, centre.imag), radius), name="touch")
    swing(m, _bearing(0j, P), start, 0.1)
    return m.build()


@entry
def barton_tangent(*, radius: float = 1.2, start: float = 1.2) -> Mechanism:
    """A bar that stretches touches a B-spline; its ends run along a line and a circle.

    Source: [Barton] fig. 3a.

    Examples:
        >>> import kempe
        >>> kempe.gallery.barton_tangent().motions().outcome
        <Promise.COMPLETE: 'complete'>
    """
    m = Builder("tangent bar", plane=True)
    hook, centre = BSpline(HOOK), 9.0 + 2.5j
    touch, way = complex(*hook(start)[:2]), complex(*hook(start, 1)[:2])
    p = touch - way * touch.real / way.real
    q = _line_meets_circle(touch, way / abs(way), centre, radius)
    line = Line((0.0, 0.0), (0.0, 1.0), limits=(-8.0, 12.0))
    P = m.point("P", at=xy(p), on=line)
    Q = m.point("Q", at=xy(q), on=Circle((centre.real, centre.imag), radius))
    m.stick("bar", P, Q).tangent_to(hook, name="touch")
    swing(m, _bearing(centre, Q), cmath.phase(q - centre), 0.1)
    return m.build()


@entry
def barton_converter(
    *, length: float = 3.5, radius: float = 1.0, angle: float = math.pi / 6, start: float = 2.0
) -> Mechanism:
    """A point on a line drives one on a circle, and by an angle one on a B-spline.

    Four points and three bars: blue on a horizontal line, yellow on a circle, pink fixed, white on
    a B-spline. The first bar is fixed, the other two stretch and keep their angle at pink.

    Source: [Barton] fig. 4.

    Examples:
        >>> import kempe
        >>> kempe.gallery.barton_converter().motions().outcome
        <Promise.COMPLETE: 'complete'>
    """
    m = Builder("motion converter", plane=True)
    spline = BSpline(((1.2, 5.0), (2.0, 6.0), (3.5, 5.2), (4.5, 6.2), (6.0, 5.6), (7.0, 6.4)))
    pink = 3.0 + 3.5j
    yellow = cmath.rect(radius, start)
    blue = yellow.real + _root(
        length**2 - (yellow.imag + 2.0) ** 2, "the first bar does not reach the line"
    )
    turned = (yellow - pink) * cmath.rect(1.0, angle - math.pi)
    white = _on(spline, lambda z: ((z - pink) * turned.conjugate()).imag)
    reach = 1.5 * (radius + length)
    line = Line((0.0, -2.0), (1.0, 0.0), limits=(-reach, reach))
    B = m.point("blue", at=(blue, -2.0), on=line)
    Y = m.point("yellow", at=xy(yellow), on=Circle((0.0, 0.0), radius))
    W = m.point("white", at=xy(white), on=spline)
    fixed = m.ground.at(pink.real, pink.imag)
    m.stick("first", B, Y, length)
    second, third = m.stick("second", Y, fixed), m.stick("third", fixed, W)
    second.angle_to(third, angle, name="angle")
    swing(m, _bearing(0j, Y), start, 0.1)
    return m.build()


def _chain(
    m: Builder, arm: float, link: float, ground: float, middle: complex | None = None
) -> tuple[BodyPart, BodyPart, BodyPart, BodyPart]:
    """Anchors and the points P, Q and R of four bars between them."""
    if middle is None:
        p, r = cmath.rect(arm, math.pi / 3), ground + cmath.rect(arm, 2.0 * math.pi / 3)
        q = dyad(p, r, link, link)
    else:
        q = middle
        p, r = dyad(0j, q, arm, link), dyad(q, complex(ground), link, arm)
    P, Q, R = (m.point(n, at=xy(z)) for n, z in (("P", p), ("Q", q), ("R", r)))
    m.stick("first", m.ground.at(0.0, 0.0), P, arm)
    m.stick("second", P, Q, link)
    m.stick("third", Q, R, link)
    m.stick("fourth", m.ground.at(ground, 0.0), R, arm)
    return m.ground, P, Q, R


def _bearing(centre: complex, point: BodyPart) -> Gauge:
    """The direction in which a point is seen from a centre."""
    seen_from = Marker(GROUND, (centre.real, centre.imag, 0.0))
    return Gauge(f"{point.name}.bearing", Bearing(Z), seen_from, Marker(point.name))


def _line_meets_circle(p: complex, along: complex, centre: complex, radius: float) -> complex:
    """The far point of the line through p (along a unit vector) on a circle."""
    foot = ((centre - p) * along.conjugate()).real
    height = ((centre - p) * along.conjugate()).imag
    return p + along * (foot + _root(radius**2 - height**2, "the line misses the circle"))


def _root(square: float, trouble: str) -> float:
    if not square >= 0.0:
        raise BadNumber(f"{trouble}: change a dimension.")
    return math.sqrt(square)


def _share(part: float, whole: float) -> float:
    if not 0.0 < part < whole:
        raise BadNumber(f"a radius of {part:g} m does not lie between 0 and {whole:g} m.")
    return part / whole


def _on(curve: AbstractCurve, off: Callable[[complex], float]) -> complex:
    """The first point of a curve where a function of points changes its sign."""
    from scipy.optimize import brentq

    def value(t: float) -> float:
        return off(complex(*curve(t)[:2]))

    steps = 400
    places = [curve.domain.low + curve.domain.width * k / steps for k in range(steps + 1)]
    for a, b in itertools.pairwise(places):
        if value(a) * value(b) <= 0.0:
            return complex(*curve(brentq(value, a, b, xtol=1e-15, rtol=1e-15))[:2])
    raise BadNumber("the curve does not go there: change a dimension.")
