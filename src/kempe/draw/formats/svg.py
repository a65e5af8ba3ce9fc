"""Pictures that stand still, as SVG: a moment of a scene, or curves on squared paper."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.draw.scene.scene import Scene
from kempe.draw.scene.shapes import FloatArray
from kempe.draw.view import pen
from kempe.draw.view.arrows import Arrow, AxisLine, load_items, overlay_items, overlay_points
from kempe.draw.view.camera import Camera, View, fitted
from kempe.draw.view.paper import Text, body_names, grid, kept_apart, multiples, nice_step, svg_page
from kempe.draw.view.picture import (
    LAYERS,
    Item,
    body_items,
    ghost_items,
    ground_items,
    joint_items,
    point_items,
    shadow_items,
    trace_items,
)
from kempe.draw.view.theme import tone_class

DEPTH_DIGITS = 1  # nearness in px: what differs by less counts as equally near
SORTED_IN_SPACE = ("under", "bodies", "top")  # one heap in space, sorted from far to near
MARGIN = 46.0  # px
TICK = 70.0  # px between lines of the paper, at least
ROOM = 0.04  # of the width and height, around what is drawn
TITLE, LEGEND = 20.0, 18.0  # px from the top, and a line


def scene_items(scene: Scene, camera: Camera, index: int, ghosts: Iterable[int] = ()) -> list[Item]:
    """Every path of the mechanism at one sample, from back to front."""
    poses = [body.motion.pose(index) for body in scene.bodies]
    items = ground_items(scene, camera)
    if not scene.plane:
        items += shadow_items(scene, camera, poses)
    moving = [body for body in scene.bodies if not body.motion.stays]
    for other in ghosts:
        for body in moving:
            items += ghost_items(scene, camera, body, body.motion.pose(other))
    for body, at in zip(scene.bodies, poses, strict=True):
        items += body_items(scene, camera, body, at) + point_items(camera, body, at)
    for joint in scene.joints:
        items += joint_items(scene, camera, joint, index)
    items += trace_items(scene, camera, index) + load_items(scene, camera, index)
    return _back_to_front(items, in_space=not scene.plane)


def _back_to_front(items: Sequence[Item], *, in_space: bool) -> list[Item]:
    """Layer by layer; in space what is solid goes from far to near. Equals keep their order."""
    if not in_space:
        return sorted(items, key=lambda item: LAYERS.index(item.layer))

    def order(item: Item) -> tuple[int, float]:
        if item.layer in SORTED_IN_SPACE:
            return LAYERS.index("bodies"), round(item.near, DEPTH_DIGITS)
        return LAYERS.index(item.layer), 0.0

    return sorted(items, key=order)


def scene_svg(
    scene: Scene,
    index: int = 0,
    ghosts: Sequence[int] = (),
    *,
    width: int = 960,
    height: int = 600,
    view: View | None = None,
    names: bool = False,
    marks: Sequence[Arrow | AxisLine] = (),
) -> str:
    """One sample of a scene as a stand-alone SVG (px), light or dark as its reader prefers.

    ``ghosts`` are samples shown faintly besides; ``view`` is where the reader of a spatial scene
    stands; ``names`` writes the names of bodies and points; ``marks`` are drawn on top.
    """
    for sample in (index, *ghosts):
        if not -len(scene.times) <= sample < len(scene.times):
            raise ValueError(
                f"sample {sample} does not exist: the scene has {len(scene.times)}, counted from 0."
            )
    index %= len(scene.times)
    camera = fitted(scene, width, height, view, overlay_points(marks))
    squares, texts = grid(scene, camera, width, height)
    named: list[Text] = []
    if names:
        for body in scene.bodies:
            named += body_names(camera, body, body.motion.pose(index))
    items = [*squares, *scene_items(scene, camera, index, ghosts), *overlay_items(camera, marks)]
    words = [*texts, *kept_apart(named, width, height)]
    return svg_page(scene.title, width, height, items, words)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A line through points (n, 2) in the colour of a number, drawn as one `kind` of the theme.

    Kinds: trace (a result), ghost (a faint one), rail (a track), line (a bar), dashed (a flexible
    bar), dot (points, filled), ground (corners of filled quadrangles, four and four), facet (the
    same of a surface, as bright as `level` says).
    """

    points: FloatArray
    colour: int | None = 0  # None: steel
    kind: str = "trace"
    is_closed: bool = False
    level: int = 0

    @property
    def css(self) -> str:
        """The classes of its path."""
        kind = {"dashed": "line dashed", "ground": "face"}.get(self.kind, self.kind)
        bright = f" s{self.level}" if kind == "facet" else ""
        return f"{kind} {tone_class(self.colour)}{bright}"


@final
@dataclass(frozen=True, slots=True)
class SheetAxes:
    """What is read along and up the paper, and whether both have one scale."""

    along: str = ""
    up: str = ""
    is_equal: bool = True


def sheet_svg(
    curves: Sequence[Curve],
    axes: SheetAxes | None = None,
    *,
    title: str = "",
    legend: Sequence[str] = (),
    width: int = 760,
    height: int = 560,
) -> str:
    """The curves on squared paper of so many px, as SVG; the legend names colours 0, 1, ..."""
    shown = axes or SheetAxes()
    points = [c.points for c in curves if len(c.points)]
    every = np.concatenate(points) if points else np.array([[0.0, 0.0], [1.0, 1.0]])
    view = _View.fitted(every, shown, width, height)
    items, texts = view.paper(shown)
    items += [Item("sheet", c.css, drawn(view.at(c.points), c)) for c in curves]
    if title:
        texts.append(Text("name", title, width / 2, TITLE))
    for k, name in enumerate(legend):
        y = TITLE + LEGEND * (k + 1)
        texts.append(Text(f"name {tone_class(k)}", name, width - 12.0, y, "end"))
    return svg_page(title or "a sheet of curves", width, height, items, texts)


def drawn(points: FloatArray, curve: Curve, dot: float = 3.2) -> str:
    """The data of a curve's path, its points (n, 2) and the radius of its dots in px."""
    if curve.kind == "dot":
        return "".join(pen.circle(float(x), float(y), dot) for x, y in points)
    if curve.kind in ("ground", "facet"):
        return "".join(pen.polyline(ends, closed=True) for ends in points.reshape(-1, 4, 2))
    return pen.polyline(points, closed=curve.is_closed)


@final
@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """Where numbers lie on the paper: px = origin + scale (number - low)."""

    low: FloatArray
    high: FloatArray
    scale: FloatArray  # px a unit
    size: tuple[float, float]

    @classmethod
    def fitted(cls, points: FloatArray, axes: SheetAxes, width: float, height: float) -> "_View":
        low, high = points.min(axis=0), points.max(axis=0)
        extent = np.maximum(high - low, 1e-9 * max(1.0, float(np.abs(points).max())))
        low, extent = low - ROOM * extent, (1.0 + 2.0 * ROOM) * extent
        room = np.array([width, height]) - 2.0 * MARGIN
        scale = room / extent
        if axes.is_equal:
            scale[:] = scale.min()
        wide = room / scale
        low = low - 0.5 * (wide - extent)
        return cls(low, low + wide, scale, (width, height))

    def at(self, points: FloatArray) -> FloatArray:
        """Points in px."""
        x = MARGIN + self.scale[0] * (points[:, 0] - self.low[0])
        y = self.size[1] - MARGIN - self.scale[1] * (points[:, 1] - self.low[1])
        placed: FloatArray = np.column_stack([x, y])
        return placed

    def paper(self, axes: SheetAxes) -> tuple[list[Item], list[Text]]:
        """Lines and numbers of the squares."""
        lines, words = [], []
        for k in range(2):
            step = nice_step(TICK / float(self.scale[k]))
            for value in multiples(step, float(self.low[k]), float(self.high[k])):
                ends = np.array([self.low, self.high])
                ends[:, k] = value
                line = self.at(ends)
                kind = "axis" if value == 0.0 else "grid"
                lines.append(Item("sheet", kind, pen.polyline(line)))
                shown = f"{value:.6g}"
                if k == 0:
                    words.append(Text("tick", shown, float(line[0, 0]), self.size[1] - 30.0))
                else:
                    words.append(Text("tick", shown, MARGIN - 6.0, float(line[0, 1]) + 4.0, "end"))
        if axes.along:
            words.append(Text("tick", axes.along, self.size[0] / 2, self.size[1] - 10.0))
        if axes.up:
            words.append(Text("tick", axes.up, 10.0, MARGIN - 14.0, "start"))
        return lines, words
