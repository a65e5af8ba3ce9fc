"""The paper of every picture: the grid with its numbers, names, and the page as SVG."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, final
from xml.sax.saxutils import escape

import numpy as np

from kempe.draw.scene.parts import BodyPose, DrawnBody
from kempe.draw.scene.scene import Scene
from kempe.draw.scene.shapes import FloatArray
from kempe.draw.scene.symbols import SIZES
from kempe.draw.view import pen
from kempe.draw.view.camera import Camera
from kempe.draw.view.picture import Item
from kempe.draw.view.theme import theme_css, tone_class

STEPS = (1.0, 2.0, 5.0, 10.0)


@final
@dataclass(frozen=True, slots=True)
class Text:
    """A word on the picture at x, y in px."""

    kind: str
    text: str
    x: float
    y: float
    anchor: Literal["start", "middle", "end"] = "middle"


def svg_page(
    title: str, width: float, height: float, items: Sequence[Item], texts: Sequence[Text]
) -> str:
    """A stand-alone SVG of so many px, light or dark as its reader prefers."""
    kinds = {"paper", *(item.kind for item in items), *(text.kind for text in texts)}
    across, down = pen.number(width), pen.number(height)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="kempe" role="img" '
            f'viewBox="0 0 {across} {down}" width="{across}" height="{down}">',
            f"<title>{escape(_printable(title))}</title>",
            f"<style>{theme_css(kinds=kinds)}</style>",
            f'<rect class="paper" width="{across}" height="{down}"/>',
            *map(_path, items),
            *map(_words, texts),
            "</svg>\n",
        ]
    )


def _path(item: Item) -> str:
    width = "" if item.width is None else f' stroke-width="{pen.number(item.width)}"'
    return f'<path class="{item.kind}" d="{item.d}"{width}/>'


def _words(text: Text) -> str:
    return (
        f'<text class="{text.kind}" x="{pen.number(text.x)}" y="{pen.number(text.y)}" '
        f'text-anchor="{text.anchor}">{escape(_printable(text.text))}</text>'
    )


def _printable(name: str) -> str:
    """A name without the control characters that XML cannot hold."""
    return "".join(c if c.isprintable() or c == " " else "\N{REPLACEMENT CHARACTER}" for c in name)


def nice_step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is not below ``least``."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in STEPS if step * power >= least * (1.0 - 1e-9))


def multiples(step: float, low: float, high: float) -> list[float]:
    """Multiples of a step between two bounds."""
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def grid(
    scene: Scene, camera: Camera, width: float, height: float
) -> tuple[list[Item], list[Text]]:
    """Squared paper with numbers in the plane; a squared floor in space."""
    if not scene.plane:
        arrows, letters = _triad(camera, scene.world, height)
        return _floor(scene, camera) + arrows, letters
    x0, y0 = camera.origin[0], camera.origin[1]
    s = camera.scale
    step = nice_step(SIZES.tick / s * scene.unit_scale) / scene.unit_scale
    left, right = camera.focus[0] - x0 / s, camera.focus[0] + (width - x0) / s
    bottom, top = camera.focus[1] - (height - y0) / s, camera.focus[1] + y0 / s
    items: list[Item] = []
    texts = [Text("tick", scene.unit, 8.0, height - 8.0, "start")]
    for x in multiples(step, left, right):
        px = x0 + s * (x - camera.focus[0])
        kind = "axis" if x == 0.0 else "grid"
        items.append(Item("grid", kind, f"M{pen.number(px)} 0V{pen.number(height)}"))
        if 40.0 < px < width - 16.0:
            texts.append(Text("tick", _shown(x * scene.unit_scale), px, height - 8.0))
    for y in multiples(step, bottom, top):
        py = y0 - s * (y - camera.focus[1])
        kind = "axis" if y == 0.0 else "grid"
        items.append(Item("grid", kind, f"M0 {pen.number(py)}H{pen.number(width)}"))
        if 46.0 < py < height - 26.0:
            texts.append(Text("tick", _shown(y * scene.unit_scale), 8.0, py + 3.5, "start"))
    return sorted(items, key=lambda item: item.kind == "axis"), texts


def _shown(value: float) -> str:
    return f"{value:.6g}".replace("-", "\N{MINUS SIGN}")


def _floor(scene: Scene, camera: Camera) -> list[Item]:
    """The floor below a spatial scene, in squares of a round length."""
    low, high = camera.low[:2], camera.high[:2]
    reach = max(float(np.linalg.norm(camera.high - camera.low)), 1e-9)
    low, high = low - SIZES.apron * reach, high + SIZES.apron * reach
    least = float((high - low).max()) / SIZES.floor_lines * scene.unit_scale
    step = nice_step(least) / scene.unit_scale
    first, last = np.floor(low / step) * step, np.ceil(high / step) * step
    words = []
    for x in multiples(step, first[0] - 1e-9 * step, last[0] + 1e-9 * step):
        ends = np.array([[x, first[1], camera.floor], [x, last[1], camera.floor]])
        words.append(pen.polyline(camera.project(ends)))
    for y in multiples(step, first[1] - 1e-9 * step, last[1] + 1e-9 * step):
        ends = np.array([[first[0], y, camera.floor], [last[0], y, camera.floor]])
        words.append(pen.polyline(camera.project(ends)))
    return [Item("grid", "axis", "".join(words))]


def _triad(camera: Camera, world: FloatArray, height: float) -> tuple[list[Item], list[Text]]:
    """The world's axes, small, in the lower left corner."""
    origin = np.array([SIZES.triad_place, height - SIZES.triad_place])
    items, texts = [], []
    for k, letter in enumerate("xyz"):
        way = camera.rows[:2] @ world[:, k] * np.array([1.0, -1.0])
        items.append(Item("grid", "triad", pen.polyline([origin, origin + SIZES.triad * way])))
        if np.hypot(*way) < SIZES.flat:
            continue
        x, y = (origin + (SIZES.triad + 9.0) * way).tolist()
        texts.append(Text("tick letter", letter, x, y + 3.5))
    return items, texts


def body_names(camera: Camera, body: DrawnBody, at: BodyPose) -> list[Text]:
    """A body's name beside its middle, and its points' names away from it.

    A point that is called like the body carries the name for both.
    """
    corners = [shape.corners for shape in body.shapes] or [np.zeros((1, 3))]
    outline = camera.project(at.carry(np.concatenate(corners)))[:, :2]
    middle = outline.mean(axis=0)
    aside = _aside(outline)
    away = np.zeros(2) if len(outline) > 2 else aside
    texts = []
    if body.name not in body.points:
        texts.append(_beside(f"name {tone_class(body.colour)}", body.name, middle, away))
    for name, point in _told_apart(camera, body):
        seen = camera.project(at.carry(np.array([point])))[0, :2]
        out = seen - middle
        length = float(np.hypot(*out))
        out = -aside if length < SIZES.label else out / length
        texts.append(_beside("name point", name, seen, out))
    return texts


def _told_apart(camera: Camera, body: DrawnBody) -> list[tuple[str, FloatArray]]:
    """The points of a body that have room for a name: none nearer to one before it than a word."""
    chosen: list[tuple[str, FloatArray]] = []
    for name, place in body.points.items():
        point = np.array(place)
        gaps = [camera.scale * float(np.linalg.norm(point - other)) for _, other in chosen]
        if min(gaps, default=SIZES.crowd) >= SIZES.crowd:
            chosen.append((name, point))
    return chosen


def kept_apart(texts: Sequence[Text], width: float, height: float) -> list[Text]:
    """Words moved off each other where they overlap, and into the paper: the least way.

    Own: a few rounds over all pairs, which leaves words that do not touch where they are.
    """
    half = [(0.5 * _letter(t) * len(t.text) + SIZES.word_gap, 0.5 * SIZES.word) for t in texts]
    places = [[t.x, t.y] for t in texts]
    for _ in range(SIZES.rounds):
        moved = False
        for i in range(len(texts)):
            for j in range(i):
                moved = _pushed(places[i], places[j], half[i], half[j]) or moved
        for place, (long, high) in zip(places, half, strict=True):
            inside = [
                min(max(place[0], long), max(width - long, long)),
                min(max(place[1], 2.0 * high), max(height - high, high)),
            ]
            moved = moved or inside != place
            place[:] = inside
        if not moved:
            break
    return [replace(t, x=x, y=y) for t, (x, y) in zip(texts, places, strict=True)]


def _letter(text: Text) -> float:
    """The width of a letter of a text, about, px."""
    return SIZES.point_letter if "point" in text.kind else SIZES.letter


def _pushed(p: list[float], q: list[float], a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Push two boxes at p and q, of half sizes a and b (px), apart; whether they overlapped."""
    over = [a[k] + b[k] - abs(p[k] - q[k]) for k in (0, 1)]
    if min(over) <= SIZES.touching:
        return False
    k = 0 if over[0] < over[1] else 1
    side = 1.0 if p[k] >= q[k] else -1.0
    p[k] += 0.5 * side * over[k]
    q[k] -= 0.5 * side * over[k]
    return True


def _beside(kind: str, text: str, point: FloatArray, away: FloatArray) -> Text:
    """A word some way from a point. It circles with the direction and never jumps."""
    half = 0.5 * SIZES.letter * len(text)
    x = float(point[0] + (SIZES.label + half) * away[0])
    y = float(point[1] + SIZES.label * away[1])
    return Text(kind, text, x, y + 4.0)


def _aside(outline: FloatArray) -> FloatArray:
    """The direction to the left of a bar as one goes along it; upwards where there is no bar."""
    if len(outline) < 2:
        return np.array([0.0, -1.5])
    d = outline[1] - outline[0]
    return np.array([d[1], -d[0]]) / max(float(np.hypot(*d)), 1e-9)
