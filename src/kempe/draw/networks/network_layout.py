"""Where the vertices of a network stand on paper: as a tree, or spread out by springs."""

from itertools import pairwise

import numpy as np

from kempe.draw.scene.coordinates import FloatArray
from kempe.frames.networks.network import Network, Tree, levels

STEPS = 300  # of the spring layout; each makes the stress smaller, the last ones by nothing visible
APART = 1.6  # distance of pieces of a network that no edge joins, in edges


def tree_layout(tree: Tree) -> dict[str, tuple[int, float]]:
    """Column and row of every vertex: depth from the root, and leaves one below the other.

    A parent stands in the middle of its children; trees of a forest follow each other. Own.
    """
    column: dict[str, int] = {}
    children: dict[str, list[str]] = {}
    for name, up in tree.parent.items():
        column[name] = 0 if up is None else column[up[0]] + 1
        if up is not None:
            children.setdefault(up[0], []).append(name)
    row: dict[str, float] = {}
    free = 0
    stack = [(root, False) for root in reversed(tree.roots)]
    while stack:
        name, is_done = stack.pop()
        below = children.get(name, [])
        if is_done:
            row[name] = 0.5 * (row[below[0]] + row[below[-1]])
        elif below:
            stack.append((name, True))
            stack += [(child, False) for child in reversed(below)]
        else:
            row[name] = float(free)
            free += 1
    return {name: (column[name], row[name]) for name in tree.parent}


def spring_layout(network: Network) -> dict[str, tuple[float, float]]:
    """Places at which distances on paper are as nearly as possible those along edges.

    least  sum over pairs (|x_i - x_j| - d_ij)^2 / d_ij^2, from a ring, by majorisation

    Source: [GansnerKorenNorth]. The first vertex is put to the lower left, so that the picture
    does not depend on rounding.
    """
    names = list(network.steps)
    n = len(names)
    if n < 2:
        return dict.fromkeys(names, (0.0, 0.0))
    d = _distances(network, names)
    angle = 2.0 * np.pi * np.arange(n) / n + 0.25 * np.pi
    X = 0.25 * float(d.max()) * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    weight = 1.0 / np.where(d > 0.0, d, 1.0) ** 2
    np.fill_diagonal(weight, 0.0)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    solver = np.linalg.pinv(laplacian)
    for _ in range(STEPS):
        apart = np.linalg.norm(X[:, None] - X[None], axis=2)
        pull = weight * d / np.where(apart > 1e-9, apart, 1e-9)
        np.fill_diagonal(pull, 0.0)
        X = solver @ (np.diag(pull.sum(axis=1)) - pull) @ X
    X = _upright(X)
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, X, strict=True)}


def _distances(network: Network, names: list[str]) -> FloatArray:
    """Edges between any two vertices; pieces stand clear of each other."""
    number = {name: k for k, name in enumerate(names)}
    d = np.full((len(names), len(names)), np.inf)
    for name in names:
        for step, level in enumerate(levels(network, name)):
            d[number[name], [number[v] for v in level]] = step
    reach = float(d[np.isfinite(d)].max())
    return np.where(np.isfinite(d), d, reach + APART)


def _upright(X: FloatArray) -> FloatArray:
    """Places turned so that the longest side lies across and the first vertex to the lower left."""
    X = X - X.mean(axis=0)
    _, _, axes = np.linalg.svd(X, full_matrices=False)
    X = X @ axes.T
    flips = np.where(X[0] > 1e-9, -1.0, 1.0)
    return np.asarray(X * flips)


def curved(a: FloatArray, b: FloatArray, bend: float) -> FloatArray:
    """Points (9, 2) of a shallow arc from a to b that leaves the straight line by `bend`."""
    x = np.linspace(0.0, 1.0, 9)[:, None]
    across = np.array([a[1] - b[1], b[0] - a[0]])
    length = float(np.hypot(*across)) or 1.0
    return np.asarray(a + x * (b - a) + 4.0 * bend * x * (1.0 - x) * across / length)


def middle_of(points: FloatArray) -> tuple[float, float]:
    """The place half way along a line."""
    steps = np.array([np.hypot(*(q - p)) for p, q in pairwise(points)])
    way = np.concatenate([[0.0], np.cumsum(steps)])
    half = 0.5 * way[-1]
    return float(np.interp(half, way, points[:, 0])), float(np.interp(half, way, points[:, 1]))
