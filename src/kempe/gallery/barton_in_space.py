"""The figures in space of Barton, Shragai and Elber, with dimensions of our own.

The figures carry no dimensions: those here are read off one placement on a surface with hills, so
that every one of them goes together as it is built.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch import entry, swing
from kempe.gallery.sketch_in_space import triple
from kempe.geometry import GROUND, Marker, Z
from kempe.geometry.curves import BSpline
from kempe.geometry.surfaces import BSplineSurface, PlaneSurface, TorusSurface
from kempe.joints import PointFromSurface
from kempe.measures import Bearing, Gauge

Triple = tuple[float, float, float]
SIDE = 4.0  # m, of the square that the surface stands on
HEIGHTS = ((0.0, 0.6, -0.4, 0.2), (0.5, 1.4, 0.9, -0.3), (-0.2, 0.7, 1.6, 0.6), (0.3, -0.5, 0.4, 0))
TOUCH = 0.3  # rad: where about the ring a face first touches it
UPRIGHT = 0.01  # cosine of a face's slope: steeper ones do not lie above every place
SWAY = 0.05  # rad: how far a drive goes about the placement


@entry
def barton_surface_five_bars(
    *, hill: float = 0.6, depth: float = 0.8, spread: float = 0.2
) -> Mechanism:
    """Three points on a freeform surface, a triangle of bars, held by two bars to two anchors.

    Six unknowns, two parameters of the surface for every point, and five lengths: one freedom.
    `hill` is a factor of the surface's heights, `depth` (m) how far the anchors lie below it, and
    `spread` the share of its sides between the points.

    Source: [Barton] fig. 5.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.barton_surface_five_bars().motions())
        five bars on a surface: 1 loop, 1 arc - complete.
    """
    m, sheet = Builder("five bars on a surface"), _sheet(hill)
    low, high = 0.5 - spread, 0.5 + spread
    places = {"P": (low, 0.4), "Q": (0.5, 0.4 + spread), "R": (high, 0.4)}
    P, Q, R = (_point_on(m, name, sheet, uv) for name, uv in places.items())
    at = {name: sheet(*uv) for name, uv in places.items()}
    left, right = (1.0, 1.0, -depth), (3.0, 1.0, -depth)
    m.stick("PQ", P, Q, _apart(at["P"], at["Q"]))
    m.stick("QR", Q, R, _apart(at["Q"], at["R"]))
    m.stick("RP", R, P, _apart(at["R"], at["P"]))
    m.stick("left", m.ground.at(*left), P, _apart(left, at["P"]))
    m.stick("right", m.ground.at(*right), R, _apart(right, at["R"]))
    _sway(m, left, P, at["P"])
    return m.build()


@entry
def barton_tangent_face(*, ring: float = 1.0, tube: float = 0.35, steep: float = 0.8) -> Mechanism:
    """A face of two bars and a side that stretches, which always touches a ring.

    A bar from an anchor leads P round on a level plane, a second one leads Q from there on another
    one, and the plane through the anchor, P and Q touches the surface of the ring: four
    coordinates, two lengths and the touch. The `ring` (m) lies flat, its `tube` (m) is thinner;
    `steep` (rad) is how far about the tube the face first touches it.

    Source: [Barton] fig. 2b.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.barton_tangent_face().count().freedom)
        1
    """
    m, torus = Builder("tangent face"), TorusSurface((0.0, 0.0, 0.0), ring, tube)
    place, n = torus(TOUCH, steep), torus.unit_normal(TOUCH, steep)
    if abs(n[2]) < UPRIGHT:
        raise BadNumber(
            f"barton_tangent_face: at steep = {steep:g} rad the face is upright: 0 < steep < pi."
        )

    def on_face(x: float, y: float) -> Triple:
        """The place of the first face above x and y."""
        return x, y, float(place[2] - (n[0] * (x - place[0]) + n[1] * (y - place[1])) / n[2])

    anchor, p, q = on_face(-2.0, -1.0), on_face(0.5, -1.5), on_face(0.5, 2.0)
    P = m.point("P", at=p, on=PlaneSurface((0.0, 0.0, p[2])))
    Q = m.point("Q", at=q, on=PlaneSurface((0.0, 0.0, q[2])))
    sides = (_apart(anchor, p), _apart(p, q), None)
    face = m.face("face", [m.ground.at(*anchor), P, Q], sides)
    face.tangent_to(torus, name="touch")
    _sway(m, anchor, P, p)
    return m.build()


@entry
def barton_offset_point(*, hill: float = 0.6, distance: float = 0.3) -> Mechanism:
    """A point that keeps its distance from a surface, led round by a bar.

    Two unknowns, the parameters of the foot on the surface, and one length. `distance` (m) counts
    along the surface's normal, `hill` is a factor of its heights.

    Source: [Barton] fig. 3b.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.barton_offset_point().motions())
        point off a surface: 1 loop - complete.
    """
    m, sheet = Builder("point off a surface"), _sheet(hill)
    foot = (0.35, 0.5)
    p = triple(sheet(*foot) + distance * sheet.unit_normal(*foot))
    anchor = (2.2, 2.0, 1.0)
    P = m.point("P", at=p)
    m.add(PointFromSurface(Marker(GROUND), Marker("P"), surface=sheet, length=distance), "gap")
    m.stick("bar", m.ground.at(*anchor), P, _apart(anchor, p))
    _sway(m, anchor, P, p)
    return m.build()


@entry
def barton_triangle_on_tracks(*, hill: float = 0.6, height: float = 1.5) -> Mechanism:
    """A rigid triangle with two vertices on two curves and the third on a surface below.

    Four unknowns, a parameter for each curve and two of the surface, and three lengths. The curves
    lie `height` (m) above the ground, `hill` is a factor of the surface's heights.

    Source: [Barton] fig. 6.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.barton_triangle_on_tracks().motions())
        triangle on tracks: 1 loop - complete.
    """
    m, sheet = Builder("triangle on tracks"), _sheet(hill)
    tracks = {
        "blue": BSpline(_raised(((0.0, 0.4), (1.0, 1.2), (2.4, 0.2), (4.0, 1.0)), height)),
        "yellow": BSpline(_raised(((0.2, 3.4), (1.6, 2.6), (2.6, 3.8), (3.8, 3.0)), height)),
    }
    starts = {"blue": 0.45, "yellow": 0.5}
    at = {name: track(starts[name]) for name, track in tracks.items()}
    blue, yellow = (m.point(n, at=triple(at[n]), on=track) for n, track in tracks.items())
    green = _point_on(m, "green", sheet, (0.55, 0.5))
    foot = sheet(0.55, 0.5)
    m.stick("top", blue, yellow, _apart(at["blue"], at["yellow"]))
    m.stick("front", blue, green, _apart(at["blue"], foot))
    m.stick("back", yellow, green, _apart(at["yellow"], foot))
    _sway(m, (2.0, 8.0, height), blue, at["blue"])
    return m.build()


@entry
def barton_triangle_on_surface(*, hill: float = 0.6, height: float = 1.8) -> Mechanism:
    """A rigid triangle with two vertices on one surface and one on a curve above, and a leash.

    Five unknowns and four lengths: those of the triangle, and of a bar from an anchor to one of the
    points on the surface. The curve lies `height` (m) above the ground.

    Source: [Barton] fig. 7.

    Examples:
        >>> import kempe
        >>> print(kempe.gallery.barton_triangle_on_surface().motions())
        triangle on a surface: 2 loops - complete.
    """
    m, sheet = Builder("triangle on a surface"), _sheet(hill)
    track = BSpline(_raised(((0.0, 1.0), (1.4, 2.6), (2.6, 1.4), (4.0, 2.6)), height))
    top = track(0.5)
    blue = m.point("blue", at=triple(top), on=track)
    places = {"magenta": (0.3, 0.35), "yellow": (0.45, 0.7)}
    magenta, yellow = (_point_on(m, name, sheet, uv) for name, uv in places.items())
    at = {name: sheet(*uv) for name, uv in places.items()}
    white = (0.0, 2.0, 0.8)
    m.stick("base", magenta, yellow, _apart(at["magenta"], at["yellow"]))
    m.stick("front", blue, magenta, _apart(top, at["magenta"]))
    m.stick("back", blue, yellow, _apart(top, at["yellow"]))
    m.stick("leash", m.ground.at(*white), yellow, _apart(white, at["yellow"]))
    _sway(m, (2.0, 8.0, height), blue, top)
    return m.build()


def _sheet(hill: float) -> BSplineSurface:
    """A bicubic patch over a square; its parameters go from 0 to 1."""
    count = len(HEIGHTS) - 1
    rows = (
        tuple((SIDE * i / count, SIDE * j / count, hill * z) for j, z in enumerate(row))
        for i, row in enumerate(HEIGHTS)
    )
    return BSplineSurface(tuple(rows))


def _point_on(m: Builder, name: str, sheet: BSplineSurface, uv: tuple[float, float]) -> BodyPart:
    return m.point(name, at=triple(sheet(*uv)), on=sheet)


def _raised(points: Sequence[tuple[float, float]], height: float) -> tuple[Triple, ...]:
    return tuple((x, y, height) for x, y in points)


def _apart(p: ArrayLike, q: ArrayLike) -> float:
    return float(np.linalg.norm(np.subtract(p, q)))


def _sway(m: Builder, anchor: Triple, point: BodyPart, at: ArrayLike) -> None:
    """Drive the direction in which a point is seen from above an anchor, to and fro."""
    x, y, _ = np.subtract(at, anchor)
    gauge = Gauge(f"{point.name}.bearing", Bearing(Z), Marker(GROUND, anchor), Marker(point.name))
    swing(m, gauge, float(np.arctan2(y, x)), SWAY)
