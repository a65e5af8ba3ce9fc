"""Singular places: unresolved boxes and the ends of arcs that lead into them, put together."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core, native_tape
from kempe.motion.equations.system import Block
from kempe.motion.search.search import CRUMB, EndKind, Found
from kempe.motion.search.sheets import freedoms_at, point_near
from kempe.results.maps.motion_map import SingularPlace

FloatArray = NDArray[np.float64]
Labels = NDArray[np.int64]

# Boxes and ends this many resolutions apart belong to one place.
TOUCHING = 32.0
WIDE = 2.0 * CRUMB  # resolutions: boxes wider than this lie on sheets
PROBE = 1e-6  # of an unknown, for the Jacobian
LOOKS = 9  # boxes of a sheet at which its freedom is told


def singular_places(found: Found, resolution: float) -> list[SingularPlace]:
    """The places of one block where a promise does not hold; `q` is left to the caller."""
    ends = [
        (number, side, end.x)
        for number, curve in enumerate(found.components)
        for side, end in enumerate(curve.ends)
        if end.kind in (EndKind.stuck, EndKind.unfinished, EndKind.joined)
        and not curve.closed
        and found.block.freedom == 1
    ]
    lows, highs = (np.vstack(b) for b in zip(found.unresolved, found.sheets, strict=True))
    if not len(lows) and not ends:
        return []
    points = np.array([x for _, _, x in ends]).reshape(len(ends), lows.shape[1])
    n_boxes = len(lows)
    lows, highs = np.vstack([lows, points]), np.vstack([highs, points])
    places = []
    for members in _groups(lows, highs, resolution):
        branches = tuple(ends[k - n_boxes][:2] for k in members if k >= n_boxes)
        places.append(_place(found.block, lows[members], highs[members], branches, resolution))
    return places


def _place(
    block: Block,
    low: FloatArray,
    high: FloatArray,
    branches: tuple[tuple[int, int], ...],
    resolution: float,
) -> SingularPlace:
    bottom, top = low.min(axis=0), high.max(axis=0)
    middle, freedom = 0.5 * (bottom + top), 0
    width = float((high - low).max(initial=0.0))
    if width > WIDE * resolution:  # a sheet: its hull's middle may be far from it
        wide = np.flatnonzero((high - low).max(axis=1) > 0.5 * width)
        chosen = wide[np.linspace(0, len(wide) - 1, LOOKS).astype(int)]
        looks = [point_near(block, 0.5 * (low[k] + high[k])) for k in chosen]
        told = [freedoms_at(block, x).shape[1] for x in looks]
        freedom = max(set(told), key=told.count)
        middle = looks[told.index(freedom)]
    return SingularPlace(
        low=bottom,
        high=top,
        q=np.zeros(0),
        size=max(0.0, float((top - bottom).max())),
        boxes=len(low) - len(branches),
        branches=branches,
        singular_value=smallest_singular_value(block, middle),
        lows=low,
        highs=high,
        middle=middle,
        width=width,
        freedom=freedom,
    )


def _groups(low: FloatArray, high: FloatArray, resolution: float) -> list[list[int]]:
    """Boxes that are within reach of each other, directly or by way of others.

    Small ones are put into cells, so that a hundred thousand of them along a curve take no longer
    than they must; wide ones, which lie on sheets or beside them, are compared with each other.
    """
    reach = TOUCHING * resolution
    is_wide = (high - low).max(axis=1) > WIDE * resolution
    label = np.full(len(low), -1, dtype=np.int64)
    small, wide = np.flatnonzero(~is_wide), np.flatnonzero(is_wide)
    label[small] = _in_cells(low[small], high[small], reach)
    count = int(label.max(initial=-1)) + 1
    if len(wide):
        # boxes beside a sheet, which could not be told from it, lie within their own width
        aside = float((high - low)[wide].max())
        label[wide] = count + core.box_groups(low[wide], high[wide], aside)
        for g in range(count):
            mine = label == g
            bottom, top = low[mine].min(axis=0) - reach, high[mine].max(axis=0) + reach
            touched = ((low[wide] <= top) & (high[wide] >= bottom)).all(axis=1)
            if touched.any():
                label[mine] = label[wide[touched]][0]
        label = np.unique(label, return_inverse=True)[1].ravel()
        count = int(label.max()) + 1
    order = np.argsort(label, kind="stable")
    parts = np.split(order, np.searchsorted(label[order], range(1, count)))
    return [g.tolist() for g in parts if len(g)]


def _in_cells(low: FloatArray, high: FloatArray, reach: float) -> Labels:
    """A label for every small box: neighbouring cells belong together."""
    from scipy.spatial import cKDTree

    if not len(low):
        return np.zeros(0, dtype=np.int64)
    apart = float((high - low).max(initial=0.0)) + reach
    cells, member = np.unique(np.floor(0.5 * (low + high) / apart), axis=0, return_inverse=True)
    tree: Any = cKDTree(cells)
    pairs = tree.query_pairs(1.0, p=np.inf, output_type="ndarray")
    return _connected(len(cells), pairs)[member.ravel()]


def _connected(count: int, pairs: NDArray[np.int64]) -> Labels:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    label: Labels = connected_components(graph, directed=False)[1].astype(np.int64)
    return label


def smallest_singular_value(block: Block, x: FloatArray) -> float:
    """Of the Jacobian of a block's equations at x, numerically."""
    if not block.equations:
        return 0.0
    probes = np.vstack([x + PROBE * np.eye(len(x)), x - PROBE * np.eye(len(x))])
    rows = block.tape.outputs[: len(block.equations)]
    values = native_tape(block.tape).evaluate(np.ascontiguousarray(probes), rows)
    jacobian = (values[: len(x)] - values[len(x) :]).T / (2.0 * PROBE)
    if not np.isfinite(jacobian).all():
        return 0.0
    return float(np.linalg.svd(jacobian, compute_uv=False).min())
