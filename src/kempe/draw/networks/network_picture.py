"""Networks on paper: where the vertices stand, and the boxes and lines between them as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np

from kempe.draw.scene.shapes import FloatArray
from kempe.draw.view import pen
from kempe.draw.view.paper import Text, svg_page
from kempe.draw.view.picture import Item
from kempe.draw.view.theme import tone_class
from kempe.frames.networks.network import Network, Tree, levels

STEPS = 300  # of the spring layout; each makes the stress smaller, the last ones by nothing visible
APART = 1.6  # distance of pieces of a network that no edge joins, in edges
LETTER, LINE = 7.0, 26.0  # px: width of a letter, about, and height of a box
PAD, ROUND = 12.0, 7.0  # px: beside a word in its box, and the radius of the box's corners
MARGIN = 28.0  # px around everything
LONGEST = 28  # letters of a name that are shown


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


@final
@dataclass(frozen=True, slots=True)
class Box:
    """A vertex: its name, where its middle is (px), and how it is drawn."""

    name: str
    x: float
    y: float
    tone: int | None = None  # index into the palette; None is the colour of steel
    is_ground: bool = False  # hatched below
    is_double: bool = False  # with a second outline

    @property
    def word(self) -> str:
        """The name, shortened where it is too long for a box."""
        return self.name if len(self.name) <= LONGEST else self.name[: LONGEST - 1] + "…"

    @property
    def width(self) -> float:
        """Of the box, px."""
        return LETTER * len(self.word) + 2.0 * PAD


@final
@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """An edge as a line through points (px), with a word at its middle."""

    points: FloatArray  # (n, 2)
    word: str = ""
    at: tuple[float, float] = (0.0, 0.0)  # of the word, px
    tone: int | None = None
    is_dashed: bool = False


def network_svg(title: str, boxes: Sequence[Box], links: Sequence[Link]) -> str:
    """A stand-alone SVG, light or dark as its reader prefers, just as large as needed."""
    low, high = _extent(boxes, links)
    width, height = (high - low + 2.0 * MARGIN).tolist()
    shift = MARGIN - low
    items: list[Item] = []
    texts: list[Text] = []
    for link in links:
        kind = f"line {tone_class(link.tone)}" + " dashed" * link.is_dashed
        items.append(Item("network", kind, pen.polyline(link.points + shift)))
        if link.word:
            x, y = np.array(link.at) + shift
            texts.append(Text("tick", link.word, float(x), float(y) + 3.5))
    for box in boxes:
        x, y = (np.array([box.x, box.y]) + shift).tolist()
        tone = tone_class(box.tone)
        if box.is_double:
            items.append(Item("network", f"line {tone}", _box(x, y, box.width + 8.0, LINE + 8.0)))
        items.append(Item("network", "solid", _box(x, y, box.width, LINE)))
        if box.is_ground:
            a = np.array([x - 0.5 * box.width, y + 0.5 * LINE + 5.0])
            b = a + np.array([box.width, 0.0])
            items.append(Item("network", "floor", pen.polyline([a, b])))
            items.append(Item("network", "hatch", pen.hatching(a, b, np.array([0.0, 1.0]), 1.0)))
        texts.append(Text(f"name {tone}", box.word, x, y + 4.0))
    return svg_page(title, width, height, items, texts)


def _extent(boxes: Sequence[Box], links: Sequence[Link]) -> tuple[FloatArray, FloatArray]:
    half = [(0.5 * box.width, 0.5 * LINE + 8.0) for box in boxes]
    sides = [(box, w, h, s) for box, (w, h) in zip(boxes, half, strict=True) for s in (-1, 1)]
    corners = [(box.x + s * w, box.y + s * h) for box, w, h, s in sides]
    points = np.array([*corners, *(tuple(p) for link in links for p in link.points)], dtype=float)
    points = points.reshape(-1, 2) if len(points) else np.zeros((1, 2))
    return points.min(axis=0), points.max(axis=0)


def _box(x: float, y: float, width: float, height: float) -> str:
    """A rectangle with round corners about a place."""
    r, n = ROUND, pen.number
    left, right, top, bottom = x - width / 2, x + width / 2, y - height / 2, y + height / 2
    arc = f"A{n(r)} {n(r)} 0 0 1 "
    return (
        f"M{n(left + r)} {n(top)}H{n(right - r)}{arc}{n(right)} {n(top + r)}V{n(bottom - r)}"
        f"{arc}{n(right - r)} {n(bottom)}H{n(left + r)}{arc}{n(left)} {n(bottom - r)}"
        f"V{n(top + r)}{arc}{n(left + r)} {n(top)}Z"
    )
