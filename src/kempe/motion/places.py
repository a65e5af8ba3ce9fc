"""Singular places: unresolved boxes and the ends of arcs that lead into them, put together."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import native_tape
from kempe.motion.search import Found
from kempe.motion.system import Block
from kempe.results.motion_map import SingularPlace

FloatArray = NDArray[np.float64]

# Boxes and ends this many resolutions apart belong to one place.
TOUCHING = 32.0
PROBE = 1e-6  # of an unknown, for the Jacobian


def singular_places(found: Found, resolution: float) -> list[SingularPlace]:
    """The places of one block where a promise does not hold; `q` is left to the caller."""
    low, high = found.unresolved
    ends = [
        (number, side, end["x"])
        for number, component in enumerate(found.components)
        for side, end in enumerate(component["ends"])
        if end["kind"] in ("stuck", "unfinished", "joined")
        and not component["closed"]
        and found.block.freedom == 1
    ]
    if not len(low) and not ends:
        return []
    points = np.array([x for _, _, x in ends]).reshape(len(ends), low.shape[1])
    all_low, all_high = np.vstack([low, points]), np.vstack([high, points])
    places = []
    for members in _groups(all_low, all_high, TOUCHING * resolution):
        bottom, top = all_low[members].min(axis=0), all_high[members].max(axis=0)
        branches = [ends[k - len(low)][:2] for k in members if k >= len(low)]
        places.append(
            SingularPlace(
                low=bottom,
                high=top,
                q=np.zeros(0),
                size=max(0.0, float((top - bottom).max())),
                boxes=sum(k < len(low) for k in members),
                branches=tuple(branches),
                singular_value=smallest_singular_value(found.block, 0.5 * (bottom + top)),
            )
        )
    return places


def _groups(low: FloatArray, high: FloatArray, reach: float) -> list[list[int]]:
    """Boxes that are within reach of each other, directly or by way of others.

    They are put into cells of that size; neighbouring cells belong together. So a hundred thousand
    boxes along a curve take no longer than they must.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    apart = float((high - low).max(initial=0.0)) + reach
    cells, member = np.unique(np.floor(0.5 * (low + high) / apart), axis=0, return_inverse=True)
    tree: Any = cKDTree(cells)
    pairs = tree.query_pairs(1.0, p=np.inf, output_type="ndarray")
    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(cells),) * 2)
    count, label = connected_components(graph, directed=False)
    of_box = label[member.ravel()]
    order = np.argsort(of_box, kind="stable")
    return [g.tolist() for g in np.split(order, np.searchsorted(of_box[order], range(1, count)))]


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
