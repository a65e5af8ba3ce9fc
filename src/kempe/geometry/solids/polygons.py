"""Polygons taken apart: convex hulls, and triangles of any outline that does not cross itself."""

from itertools import pairwise

import numpy as np

from kempe.geometry.number import Floats

FLAT = 1e-12  # of the extent, squared: a corner that turns less is straight
BENT = 1.0 - 1e-9  # cosine of the angle of two faces that an edge parts


def hull(points: Floats) -> Floats:
    """The corners (m, 2) of the convex hull of (n, 2) points, counter-clockwise.

    Points on one line give its two ends, one point itself.

    Source: [Andrew1979] the monotone chain.
    """
    ordered = np.unique(np.asarray(points, dtype=float), axis=0)
    if len(ordered) < 3:
        return ordered
    extent = np.ptp(ordered, axis=0)
    small = FLAT * float(extent @ extent)

    def chain(way: Floats) -> list[Floats]:
        kept: list[Floats] = []
        for point in way:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], point) <= small:
                kept.pop()
            kept.append(point)
        return kept[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]))


def _turn(a: Floats, b: Floats, c: Floats) -> float:
    """Twice the area of a triangle, positive where it goes round counter-clockwise."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def convex_pieces(corners: Floats) -> list[Floats]:
    """Convex polygons, counter-clockwise, that make up the polygon of (n, 2) corners.

    A convex polygon is its own piece; of another, ears are cut off one after the other.

    Source: [Meisters1975] the two ears theorem.
    """
    left = [np.asarray(c, dtype=float) for c in corners]
    area = sum(_turn(left[0], a, b) for a, b in pairwise(left[1:]))
    if area < 0.0:
        left.reverse()
    extent = np.ptp(np.array(left), axis=0)
    small = FLAT * float(extent @ extent)
    turns = [_turn(left[k - 2], left[k - 1], left[k]) for k in range(len(left))]
    if min(turns) >= -small:
        return [hull(np.array(left))]
    pieces: list[Floats] = []
    while len(left) > 3:
        k = _ear(left, small)
        if k is None:
            break
        a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
        if _turn(a, b, c) > small:
            pieces.append(np.array([a, b, c]))
        del left[k]
    return [*pieces, hull(np.array(left))]


def _ear(left: list[Floats], small: float) -> int | None:
    """A corner whose triangle with its neighbours holds no other corner; None where there is none,
    as of an outline that crosses itself.
    """
    for k in range(len(left)):
        a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
        if _turn(a, b, c) < -small:
            continue
        others = [p for p in left if not any(p is q for q in (a, b, c))]
        if not any(
            _turn(a, b, p) >= 0.0 and _turn(b, c, p) >= 0.0 and _turn(c, a, p) >= 0.0
            for p in others
            if not (np.array_equal(p, a) or np.array_equal(p, b) or np.array_equal(p, c))
        ):
            return k
    return None


def hull_edges(points: Floats) -> list[list[list[float]]]:
    """The edges of the convex hull of (n, 3) points, two ends each; those between faces in one
    plane are left out.
    """
    from scipy.spatial import ConvexHull, QhullError

    try:
        found = ConvexHull(points)
    except QhullError:  # all in one plane
        return []
    faces: dict[tuple[int, int], list[Floats]] = {}
    for face, equation in zip(found.simplices.tolist(), found.equations, strict=True):
        for a, b in ((face[0], face[1]), (face[1], face[2]), (face[2], face[0])):
            faces.setdefault((min(a, b), max(a, b)), []).append(equation[:3])
    return [
        [points[a].tolist(), points[b].tolist()]
        for (a, b), normals in faces.items()
        if len(normals) != 2 or float(normals[0] @ normals[1]) < BENT
    ]
