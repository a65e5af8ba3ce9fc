"""Forms in the plane: convex polygons and discs, measured exactly."""

from collections.abc import Sequence
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from kempe.geometry.solids import ConvexPart
from kempe.geometry.solids.polygons import hull
from kempe.interference.form import AbstractForm, Gaps

FloatArray = NDArray[np.float64]


@final
class Footprint(NamedTuple):
    """A convex polygon, a line or a point of the plane, rounded by a radius, and its layer."""

    corners: FloatArray  # (n, 2), counter-clockwise
    axes: FloatArray  # (k, 2): unit vectors in which it may be parted from another
    radius: float  # m
    centre: FloatArray  # (2,)
    reach: float  # m
    layer: tuple[float, float]  # m, along z


def footprint_of(part: ConvexPart, layer: tuple[float, float]) -> Footprint:
    """What a part covers of the plane."""
    flat = part.footprint()
    corners = hull(flat.points[:, :2])
    centre = (corners.min(axis=0) + corners.max(axis=0)) / 2.0
    reach = float(np.linalg.norm(corners - centre, axis=1).max()) + flat.radius
    return Footprint(corners, _normals(corners[None])[0], flat.radius, centre, reach, layer)


@final
class PlanarForm(AbstractForm):
    """Convex footprints; what lies in layers beside each other does not touch.

    The distance of two convex polygons is that of a corner and an edge. Where they overlap, the
    least translation that parts them is along the normal of one of their edges.

    Source: [Ericson2005] sections 5.2 and 9.2, the separating axis.
    """

    def __init__(self, body: str, name: str, parts: Sequence[ConvexPart], *, is_flat: bool) -> None:
        self.body, self.name, self.is_convex = body, name, len(parts) == 1
        endless = (-np.inf, np.inf)
        self.footprints = [footprint_of(p, endless if is_flat else p.height) for p in parts]
        self._enclose([ConvexPart(_flat(f.corners), f.radius) for f in self.footprints])

    def gaps(self, other: AbstractForm, p: FloatArray, R: FloatArray) -> Gaps:
        assert isinstance(other, PlanarForm)
        best = np.full(len(p), np.inf)
        first, second = np.full((len(p), 2), np.nan), np.full((len(p), 2), np.nan)
        for a in self.footprints:
            for b in other.footprints:
                if not _share_a_layer(a.layer, b.layer):
                    continue
                middle = p[:, :2] + R[:, :2, :2] @ b.centre
                least = np.linalg.norm(middle - a.centre, axis=1) - a.reach - b.reach
                near = np.flatnonzero(least < best)
                if len(near):
                    found = _measured(a, b, p[near, :2], R[near, :2, :2])
                    is_less = found[0] < best[near]
                    chosen = near[is_less]
                    best[chosen] = found[0][is_less]
                    first[chosen], second[chosen] = found[1][is_less], found[2][is_less]
        return Gaps(best, _flat(first), _flat(second))

    def holds(self, point: FloatArray, within: float) -> bool:
        spot = footprint_of(ConvexPart(point.reshape(1, 3)), (-np.inf, np.inf))
        still = np.zeros((1, 2)), np.eye(2).reshape(1, 2, 2)
        return any(_measured(a, spot, *still)[0][0] <= within for a in self.footprints)

    def shares_a_layer(self, other: "PlanarForm") -> bool:
        """Whether any of its footprints lies in a layer of the other's."""
        pairs = ((a, b) for a in self.footprints for b in other.footprints)
        return any(_share_a_layer(a.layer, b.layer) for a, b in pairs)


def _flat(points: FloatArray) -> FloatArray:
    return np.column_stack([points, np.zeros(len(points))])


def signed_distances(a: FloatArray, b: FloatArray) -> FloatArray:
    """Of convex polygons (m, n, 2) and (m, k, 2), counter-clockwise: how far apart (m,), each pair.

    Below 0 they overlap, by the least translation that parts them. A line is a polygon of two
    corners, a point one of one.
    """
    apart, _, _ = _nearest(a, b)
    deep, _ = _separation(a, _normals(a), b, _normals(b))
    return np.where(deep <= 0.0, deep, apart)


def _normals(corners: FloatArray) -> FloatArray:
    """Unit vectors (m, k, 2) in which polygons (m, n, 2) may be parted from others, outward."""
    if corners.shape[1] == 1:
        return np.zeros((len(corners), 0, 2))
    edges = np.roll(corners, -1, axis=1) - corners
    if corners.shape[1] == 2:  # both ends part it from what lies in line with it
        edges = np.concatenate([edges, edges @ np.array([[0.0, 1.0], [-1.0, 0.0]])], axis=1)
    normals = np.stack([edges[..., 1], -edges[..., 0]], axis=-1)
    return np.asarray(normals / np.linalg.norm(normals, axis=2, keepdims=True))


def _share_a_layer(a: tuple[float, float], b: tuple[float, float]) -> bool:
    return max(a[0], b[0]) < min(a[1], b[1]) or a == b


def _measured(a: Footprint, b: Footprint, p: FloatArray, R: FloatArray) -> tuple[Any, Any, Any]:
    """Signed distances (m,) and nearest points (m, 2) of two footprints, b at p and R in a."""
    corners = p[:, None] + np.einsum("mij,nj->mni", R, b.corners)
    still = np.broadcast_to(a.corners, (len(p), *a.corners.shape))
    apart, on_a, on_b = _nearest(still, corners)
    axes = np.broadcast_to(a.axes, (len(p), *a.axes.shape))
    deep, normal = _separation(still, axes, corners, np.einsum("mij,kj->mki", R, b.axes))
    is_inside = deep <= 0.0
    if is_inside.any():
        foot = _support(corners[is_inside], -normal[is_inside])
        on_b[is_inside] = foot
        on_a[is_inside] = foot - deep[is_inside, None] * normal[is_inside]
        apart[is_inside] = deep[is_inside]
    way = on_b - on_a
    long = np.linalg.norm(way, axis=1, keepdims=True)
    unit = np.divide(way, long, out=np.zeros_like(way), where=long > 0.0)
    unit[is_inside] = normal[is_inside]
    return apart - a.radius - b.radius, on_a + a.radius * unit, on_b - b.radius * unit


def _separation(
    a: FloatArray, a_axes: FloatArray, b: FloatArray, b_axes: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The largest separation (m,) along any axis, and that axis (m, 2), from a to b.

    Points have no axis: two of them never overlap.
    """
    m = len(b)
    normals = np.concatenate([a_axes, -b_axes], axis=1)
    if not normals.shape[1]:
        return np.full(m, np.inf), np.zeros((m, 2))
    gap = np.einsum("mki,mni->mkn", normals, b).min(axis=2)
    gap = gap - np.einsum("mki,mni->mkn", normals, a).max(axis=2)
    chosen = gap.argmax(axis=1)
    rows = np.arange(m)
    return gap[rows, chosen], normals[rows, chosen]


def _support(corners: FloatArray, way: FloatArray) -> FloatArray:
    """The middle of those corners (m, n, 2) that reach farthest along a way (m, 2)."""
    reach = np.einsum("mi,mni->mn", way, corners)
    far = reach >= reach.max(axis=1, keepdims=True) - 1e-9 * np.ptp(reach, axis=1, keepdims=True)
    return np.asarray((corners * far[..., None]).sum(axis=1) / far.sum(axis=1)[:, None])


def _nearest(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Distance (m,) and nearest points of the edges of a (m, n, 2) and of b (m, k, 2)."""
    from_b, foot_a, tip_b = _to_edges(a, b)
    from_a, foot_b, tip_a = _to_edges(b, a)
    is_b = (from_b <= from_a)[:, None]
    return np.minimum(from_a, from_b), np.where(is_b, foot_a, tip_a), np.where(is_b, tip_b, foot_b)


def _to_edges(polygon: FloatArray, points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The least distance (m,) of points (m, k, 2) to edges of (m, n, 2), the foot and the point."""
    start = polygon[:, :, None]
    along = np.roll(polygon, -1, axis=1)[:, :, None] - start
    square = np.maximum((along**2).sum(axis=-1), 1e-300)
    s = np.clip(((points[:, None] - start) * along).sum(axis=-1) / square, 0.0, 1.0)
    feet = start + s[..., None] * along
    d = np.linalg.norm(points[:, None] - feet, axis=-1)
    m, _, k = d.shape
    least = d.reshape(m, -1).argmin(axis=1)
    rows = np.arange(m)
    return (
        d.reshape(m, -1)[rows, least],
        feet.reshape(m, -1, 2)[rows, least],
        points[rows, least % k],
    )
