"""Forms in space: convex parts and surfaces, measured by Coal."""

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from kempe.extras import extra
from kempe.geometry.solids import ConvexPart
from kempe.interference.form import AbstractForm, Gaps

FloatArray = NDArray[np.float64]

EXACT = 1e-12  # relative, where the search of a distance or a depth ends
MOST_ITERATIONS = 512
MOST_CORNERS = 64  # of a surface, where it is asked how deep it reaches into another
FLAT = 1e-9  # of the extent: points in one plane have no hull

STILL = np.zeros((1, 3)), np.eye(3).reshape(1, 3, 3)


@final
class Piece(NamedTuple):
    """One geometry of Coal, where its frame lies in the body's, and the sphere that holds it."""

    geometry: Any
    p: FloatArray  # (3,)
    R: FloatArray  # (3, 3)
    centre: FloatArray  # (3,)
    reach: float


@final
class SpatialForm(AbstractForm):
    """Convex parts, or a surface of triangles with what it encloses.

    Source: [Gilbert1988] for the distance of convex parts, [vandenBergen2001] for how deep they
    overlap, both as Coal has them.
    """

    def __init__(
        self,
        body: str,
        name: str,
        parts: Sequence[ConvexPart],
        shell: tuple[FloatArray, bool] | None = None,
    ) -> None:
        self.body, self.name = body, name
        self.is_convex = len(parts) == 1 and shell is None
        self.parts = tuple(parts)
        self.triangles, self.is_closed = (
            shell if shell is not None else (np.zeros((0, 3, 3)), False)
        )
        self._enclose(parts)

    @cached_property
    def pieces(self) -> list[Piece]:
        """What Coal measures: one surface, or every part."""
        coal = extra("coal", "interference", "interference of bodies in space")
        if len(self.triangles):
            surface = _surface(coal, self.triangles)
            return [Piece(surface, np.zeros(3), np.eye(3), self.centre, self.reach)]
        return [_piece(coal, part) for part in self.parts]

    @property
    def witness(self) -> FloatArray:
        """A point (3,) of it."""
        return np.asarray(self.parts[0].points.mean(axis=0))

    def gaps(self, other: AbstractForm, p: FloatArray, R: FloatArray) -> Gaps:
        assert isinstance(other, SpatialForm)
        coal = extra("coal", "interference", "interference of bodies in space")
        request = _request(coal)
        rows = [_row(coal, request, self, other, p[k], R[k]) for k in range(len(p))]
        found = np.array(rows).reshape(-1, 7)
        return Gaps(found[:, 0], found[:, 1:4], found[:, 4:])

    def holds(self, point: FloatArray, within: float) -> bool:
        spot = SpatialForm("", "", [ConvexPart(point.reshape(1, 3))])
        still = np.zeros((1, 3)), np.eye(3).reshape(1, 3, 3)
        return bool(self.gaps(spot, *still).distance[0] <= within)

    def encloses(self, point: FloatArray) -> bool:
        """Whether a point (3,) lies inside of its closed surface: the triangles' solid angles.

        Source: [VanOosterom1983].
        """
        a, b, c = (self.triangles - point).transpose(1, 0, 2)
        la, lb, lc = (np.linalg.norm(x, axis=1) for x in (a, b, c))
        top = np.einsum("ti,ti->t", a, np.cross(b, c))
        low = la * lb * lc
        for u, v, length in ((a, b, lc), (b, c, la), (c, a, lb)):
            low = low + np.einsum("ti,ti->t", u, v) * length
        return bool(abs(np.arctan2(top, low).sum()) > math.pi)


def _request(coal: Any) -> Any:
    request = coal.DistanceRequest()
    request.enable_signed_distance = True
    request.gjk_tolerance = request.epa_tolerance = EXACT
    request.gjk_max_iterations = request.epa_max_iterations = MOST_ITERATIONS
    return request


def _row(
    coal: Any, request: Any, first: SpatialForm, second: SpatialForm, p: FloatArray, R: FloatArray
) -> list[float]:
    """Distance and nearest points of two forms, the second at p and R in the first's frame."""
    best = (math.inf, np.full(3, np.nan), np.full(3, np.nan))
    for b in second.pieces:
        middle = p + R @ b.centre
        there = coal.Transform3s(R @ b.R, p + R @ b.p)
        for a in first.pieces:
            if float(np.linalg.norm(middle - a.centre)) - a.reach - b.reach < best[0]:
                answer = coal.DistanceResult()
                here = coal.Transform3s(a.R, a.p)
                d = coal.distance(a.geometry, here, b.geometry, there, request, answer)
                if d < best[0]:
                    best = (d, answer.getNearestPoint1(), answer.getNearestPoint2())
    d, one, two = best
    if d > 0.0 and _is_enclosed(first, second, p, R):
        d = -d
    elif d <= 0.0 and first.is_closed and second.is_closed:
        d, one, two = min((d, one, two), _deepest_corner(first, second, p, R), key=_depth)
    return [d, *one, *two]


Measured = tuple[float, FloatArray, FloatArray]


def _depth(found: Measured) -> float:
    return found[0]


def _deepest_corner(
    first: SpatialForm, second: SpatialForm, p: FloatArray, R: FloatArray
) -> Measured:
    """How deep a corner of one closed surface lies inside of the other, which it must leave.

    Of many corners some are looked at, evenly: it is a lower bound of the depth either way.
    """
    best: Measured = (0.0, np.full(3, np.nan), np.full(3, np.nan))
    for outer, inner, q, Q in ((first, second, p, R), (second, first, -R.T @ p, R.T)):
        corners = np.unique(inner.triangles.reshape(-1, 3), axis=0)
        corners = q + corners[:: -(-len(corners) // MOST_CORNERS)] @ Q.T
        for corner in corners[np.linalg.norm(corners - outer.centre, axis=1) < outer.reach]:
            if outer.encloses(corner):
                gap = outer.gaps(SpatialForm("", "", [ConvexPart(corner.reshape(1, 3))]), *STILL)
                if gap.distance[0] < best[0]:
                    foot = gap.first[0]
                    found = (corner, foot) if outer is second else (foot, corner)
                    at = [x if outer is first else p + R @ x for x in found]
                    best = (float(gap.distance[0]), at[0], at[1])
    return best


def _is_enclosed(first: SpatialForm, second: SpatialForm, p: FloatArray, R: FloatArray) -> bool:
    """Whether surfaces that do not meet lie one inside of the other."""
    if first.is_closed and first.encloses(p + R @ second.witness):
        return True
    return second.is_closed and second.encloses(R.T @ (first.witness - p))


def _piece(coal: Any, part: ConvexPart) -> Piece:
    """The geometry of a convex part."""
    points, centre = part.points, part.centre
    p, R = np.zeros(3), np.eye(3)
    if len(points) == 1:
        geometry, p = coal.Sphere(part.radius), points[0]
    elif len(points) == 2:
        way = points[1] - points[0]
        long = float(np.linalg.norm(way))
        p, R = points.mean(axis=0), _with_z(way / long)
        round_bar = coal.Cylinder(part.rim, long) if part.rim else None
        geometry = round_bar or coal.Capsule(part.radius, long)
    elif _is_flat(points):
        geometry = _surface(coal, _fan(points))
    else:
        geometry = _hull(coal, points)
    return Piece(geometry, p, R, centre, part.reach)


def _with_z(z: FloatArray) -> FloatArray:
    """A rotation (3, 3) with that z axis."""
    x = np.cross(z, np.eye(3)[int(np.abs(z).argmin())])
    x = x / np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def _is_flat(points: FloatArray) -> bool:
    sizes = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return bool(sizes[-1] <= FLAT * sizes[0])


def _fan(points: FloatArray) -> FloatArray:
    """Triangles (n - 2, 3, 3) of the convex polygon of points (n, 3) in one plane."""
    middle = points.mean(axis=0)
    axes = np.linalg.svd(points - middle)[2]
    x, y = (points - middle) @ axes[0], (points - middle) @ axes[1]
    round_it = points[np.argsort(np.arctan2(y, x))]
    pairs = pairwise(round_it[1:])
    return np.array([[round_it[0], a, b] for a, b in pairs])


def _model(coal: Any, points: FloatArray, faces: NDArray[Any]) -> Any:
    """A surface of numbered triangles."""
    places, numbers = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for point in points:
        places.append(np.array(point))
    for face in faces.tolist():
        numbers.append(coal.Triangle(*face))
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(faces), len(points))
    model.addSubModel(places, numbers)
    model.endModel()
    return model


def _surface(coal: Any, triangles: FloatArray) -> Any:
    """A surface (t, 3, 3), with what finds near triangles quickly."""
    return _model(coal, triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))


def _hull(coal: Any, points: FloatArray) -> Any:
    """The convex hull of points that do not lie in one plane."""
    from scipy.spatial import ConvexHull

    found = ConvexHull(points)
    numbers = {int(old): new for new, old in enumerate(found.vertices)}
    faces = np.array([[numbers[int(k)] for k in face] for face in found.simplices])
    model = _model(coal, points[found.vertices], faces)
    model.buildConvexRepresentation(False)
    return model.convex
