"""Small multiples: the same kind of picture many times, one beside the other, at one scale."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.draw.formats.svg import Curve, drawn
from kempe.draw.scene.shapes import FloatArray
from kempe.draw.view import pen
from kempe.draw.view.camera import View
from kempe.draw.view.item import Item
from kempe.draw.view.meshes import MOST_FACETS, mesh_items, thinned
from kempe.draw.view.paper import Text, svg_page

WIDTH = 960.0  # px of the page
LEAST, MOST = 210.0, 760.0  # px of a panel's side
MARGIN, HEAD, CAPTION = 12.0, 40.0, 24.0  # px around panels, above them, and below each
DOT = 2.4  # px, the radius of dots
SHAPE = 0.78  # height over width of a panel


@final
@dataclass(frozen=True, slots=True, eq=False)
class MeshShown:
    """A surface on a panel: corners (v, 3), triangles (f, 3), and the number of its colour.

    `names` are what the three directions are called; nothing is written where there are none.
    """

    points: FloatArray
    triangles: NDArray[np.int64]
    colour: int = 0
    names: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """One of many pictures: flat curves, or surfaces in space; and what is written below."""

    caption: str
    curves: Sequence[Curve] = ()
    meshes: Sequence[MeshShown] = field(default=())


def panels_svg(panels: Sequence[Panel], *, title: str, view: View | None = None) -> str:
    """All panels on one page, as SVG: curves as they lie, surfaces as a reader at `view` sees them.

    Every panel has the scale of the others; with curves also their middle, with surfaces its own.
    """
    rows = (view or View()).rows
    count = max(1, len(panels))
    across = max(1, min(count, int(WIDTH // LEAST), math.ceil(math.sqrt(count))))
    wide = min(MOST, (WIDTH - MARGIN) / across - MARGIN)
    high = SHAPE * wide
    seen = [_seen(panel, rows) for panel in panels]
    if not any(panel.meshes for panel in panels):  # what stands keeps its place
        seen = [np.concatenate(seen)] * len(seen) if seen else seen
    spans = [np.ptp(p, axis=0) for p in seen if len(p)]
    widest = np.max(spans, axis=0) if spans else np.ones(2)
    room = np.array([wide - 24.0, high - 2.0 * CAPTION])
    scale = float(np.min(room / np.maximum(widest, 1e-12 * max(1.0, float(widest.max())) + 1e-300)))
    items: list[Item] = []
    texts = [Text("name", title, 0.5 * WIDTH, 24.0)]
    left = 0.5 * (WIDTH - across * (wide + MARGIN) + MARGIN)
    most = MOST_FACETS // count
    for k, (panel, points) in enumerate(zip(panels, seen, strict=True)):
        x = left + (k % across) * (wide + MARGIN)
        y = HEAD + (k // across) * (high + MARGIN)
        frame = np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]])
        items.append(Item("sheet", "grid", pen.polyline(frame, closed=True)))
        middle = 0.5 * (points.min(axis=0) + points.max(axis=0)) if len(points) else np.zeros(2)
        centre = np.array([x + 0.5 * wide, y + 0.5 * (high - CAPTION)])
        placed = _Placed(rows, middle, scale, centre)
        for mesh in panel.meshes:
            corners, triangles = thinned(mesh.points, mesh.triangles, most)
            items += mesh_items(placed.in_space(corners), triangles, mesh.colour)
            words, lines = _axes(placed, mesh)
            items += lines
            texts += words
        for curve in panel.curves:
            items.append(Item("sheet", curve.css, drawn(placed.flat(curve.points), curve, DOT)))
        texts.append(Text("tick", panel.caption, x + 0.5 * wide, y + high - 9.0))
    height = HEAD + math.ceil(count / across) * (high + MARGIN)
    return svg_page(title, WIDTH, round(height), items, texts)


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """Where numbers lie on the page."""

    rows: FloatArray  # right, up, near
    middle: FloatArray  # (2,) of what is seen, in the middle of the panel
    scale: float  # px a unit
    centre: FloatArray  # (2,) px

    def flat(self, points: FloatArray) -> FloatArray:
        """Points (k, 2) in px."""
        away = self.scale * (points - self.middle)
        placed: FloatArray = self.centre + away * np.array([1.0, -1.0])
        return placed

    def in_space(self, points: FloatArray) -> FloatArray:
        """Points (k, 3) in px: right, down, near."""
        seen = points @ self.rows.T
        return np.column_stack([self.flat(seen[:, :2]), self.scale * seen[:, 2]])


def _seen(panel: Panel, rows: FloatArray) -> FloatArray:
    """All that a panel shows (k, 2), not yet in px."""
    flat = [curve.points for curve in panel.curves]
    for mesh in panel.meshes:
        if len(mesh.points):
            around = _box(mesh.points) if mesh.names else mesh.points
            flat.append(around @ rows[:2].T)
    return np.concatenate([np.empty((0, 2)), *flat])


def _box(points: FloatArray) -> FloatArray:
    """The corners (8, 3) of the box around points."""
    ends = np.array([points.min(axis=0), points.max(axis=0)])
    picks = np.indices((2, 2, 2)).reshape(3, 8).T
    corners: FloatArray = ends[picks, np.arange(3)]
    return corners


def _axes(placed: _Placed, mesh: MeshShown) -> tuple[list[Text], list[Item]]:
    """Three edges of the box around a surface, each with its name and range."""
    if not mesh.names or not len(mesh.points):
        return [], []
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    texts, items = list[Text](), list[Item]()
    middle = placed.in_space(0.5 * (low + high)[None])[0]
    for k, name in enumerate(mesh.names):
        start = low.copy()
        if k == 1:
            start[0] = high[0]
        stop = start.copy()
        stop[k] = high[k]
        line = placed.in_space(np.array([start, stop]))
        items.append(Item("sheet", "axis", pen.polyline(line[:, :2])))
        at = line[:, :2].mean(axis=0)
        away = at - middle[:2]
        at = at + 14.0 * away / max(float(np.linalg.norm(away)), 1e-9)
        anchor = "start" if away[0] > 0.0 else "end"
        said = f"{name}  {low[k]:.4g} \N{HORIZONTAL ELLIPSIS} {high[k]:.4g}"
        texts.append(Text("tick", said, float(at[0]), float(at[1]) + 4.0, anchor))  # type: ignore[arg-type]
    return texts, items
