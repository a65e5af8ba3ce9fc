"""Polygons taken apart: convex hulls, and triangles of any outline that does not cross itself."""

from collections.abc import Sequence
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


def bridged(outline: Floats, holes: Sequence[Floats]) -> Floats:
    """One ring (m, 2) that goes round an outline and, over bridges to and fro, round its holes.

    The outline goes round counter-clockwise, holes clockwise; they neither touch nor hold each
    other. Every corner of a bridge occurs twice.

    Own: a bridge from each hole's rightmost corner to the nearest one that it can see.
    """
    ring = [tuple(p) for p in np.asarray(outline, dtype=float).tolist()]
    for hole in sorted(holes, key=lambda h: -float(np.asarray(h)[:, 0].max())):
        corners = [tuple(p) for p in np.asarray(hole, dtype=float).tolist()]
        first = max(range(len(corners)), key=lambda k: corners[k])
        turned = corners[first:] + corners[: first + 1]
        at = _visible(ring, turned[0])
        ring = [*ring[: at + 1], *turned, *ring[at:]]
    return np.array(ring)


def _visible(ring: list[tuple[float, ...]], point: tuple[float, ...]) -> int:
    """A corner of a ring that can be seen from a point inside, to its right where there is one."""
    p = np.array(point)
    order = sorted(range(len(ring)), key=lambda k: float(np.hypot(*(np.array(ring[k]) - p))))
    for k in order:
        if ring[k][0] >= point[0] and _sees(ring, k, p):
            return k
    return order[0]


def _sees(ring: list[tuple[float, ...]], k: int, p: Floats) -> bool:
    """Whether no edge of the ring comes between a point and corner k, which it sees from inside."""
    q = np.array(ring[k])
    before, after = np.array(ring[k - 1]), np.array(ring[(k + 1) % len(ring)])
    inside = _turn(before, q, p) > 0.0 and _turn(q, after, p) > 0.0
    if _turn(before, q, after) < 0.0:
        inside = _turn(before, q, p) > 0.0 or _turn(q, after, p) > 0.0
    if not inside:
        return False
    for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
        u, v = np.array(a), np.array(b)
        if np.array_equal(u, q) or np.array_equal(v, q):
            continue
        if _turn(p, q, u) * _turn(p, q, v) <= 0.0 and _turn(u, v, p) * _turn(u, v, q) <= 0.0:
            return False
    return True
