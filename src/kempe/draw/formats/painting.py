"""Frames of a scene as pictures of pixels: the paths of the stills, painted with Pillow."""

import math
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kempe.draw.formats.svg import scene_items
from kempe.draw.scene.scene import Scene
from kempe.draw.scene.shapes import FloatArray
from kempe.draw.view.camera import fitted
from kempe.draw.view.paper import Text, grid
from kempe.draw.view.picture import Item
from kempe.draw.view.theme import LIGHT, style_of
from kempe.geometry.solids.facets import cut_out

if TYPE_CHECKING:
    from PIL.Image import Image as Page

FINE = 2  # the picture is painted larger by this and then reduced, so that edges are smooth
SHORTEST, LONGEST = 1.0, 10.0  # s that a moving picture plays: in between it plays in real time
ARC_STEP = math.radians(8.0)  # between the corners that stand for an arc

_COMMAND = re.compile(r"([MLHVAZ])([^MLHVAZ]*)")
_NUMBER = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e-?[0-9]+)?")


def playing_time(scene: Scene) -> float:
    """How long (s) a moving picture of the scene plays: as long as the motion, from 1 to 10 s."""
    return min(max(float(scene.times[-1] - scene.times[0]), SHORTEST), LONGEST)


def even_samples(times: FloatArray, count: int) -> list[int]:
    """The samples nearest to times that are evenly spaced."""
    wanted = np.linspace(times[0], times[-1], count)
    after = np.clip(np.searchsorted(times, wanted), 1, len(times) - 1)
    nearer = wanted - times[after - 1] < times[after] - wanted
    return [int(k) for k in np.where(nearer, after - 1, after)]


def painted(scene: Scene, chosen: Sequence[int], width: int, height: int) -> "Iterator[Page]":
    """Pages (RGB) of `width` by `height` px of the scene at the `chosen` samples, in turn."""
    from PIL import Image, ImageDraw

    camera = fitted(scene, width, height)
    squares, texts = grid(scene, camera, width, height)
    paper = Image.new("RGB", (FINE * width, FINE * height), LIGHT.paper)
    pen = ImageDraw.Draw(paper)
    for item in squares:
        _paint(pen, item)
    for text in texts:
        _write(pen, text)
    for index in chosen:
        page = paper.copy()
        pen = ImageDraw.Draw(page)
        for item in scene_items(scene, camera, index):
            _paint(pen, item)
        yield page.reduce(FINE)


def _paint(pen: Any, item: Item) -> None:
    """One path, filled and stroked as the theme says for its classes."""
    style = style_of(item.kind)
    fill = _colour(style, "fill")
    stroke = _colour(style, "stroke")
    width = item.width if item.width is not None else float(style.get("stroke-width", "1"))
    dashes = [float(x) for x in style.get("stroke-dasharray", "").split()]
    is_round = style.get("stroke-linecap") != "butt"
    lines = outlines(item.d)
    has_holes = fill is not None and item.kind.startswith("rim ") and len(lines) > 1
    if has_holes:
        rings = [FINE * np.array(line) for line, _ in lines]
        pen.polygon([tuple(p) for p in cut_out(rings[0], rings[1:]).tolist()], fill=fill)
    for line, is_closed in lines:
        corners = [(FINE * x, FINE * y) for x, y in line]
        if fill is not None and len(corners) > 2 and not has_holes:
            pen.polygon(corners, fill=fill)
        if stroke is None or width <= 0.0:
            continue
        closed = [*corners, corners[0]] if is_closed else corners
        for piece in _dashed(closed, [FINE * x for x in dashes]):
            _stroke(pen, piece, stroke, FINE * width, is_round=is_round)


def _stroke(
    pen: Any, line: Sequence[tuple[float, float]], colour: Any, width: float, *, is_round: bool
) -> None:
    if len(line) > 1:
        pen.line(line, fill=colour, width=max(1, round(width)), joint="curve")
    if is_round and width > 2.0:
        r = 0.5 * width
        for x, y in (line[0], line[-1]):
            pen.ellipse((x - r, y - r, x + r, y + r), fill=colour)


def _dashed(
    line: Sequence[tuple[float, float]], dashes: Sequence[float]
) -> list[list[tuple[float, float]]]:
    """The pieces of a line that dashes leave: drawn, skipped, drawn, ..."""
    if not dashes or len(line) < 2:
        return [list(line)]
    points = np.array(line)
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    starts = np.cumsum([0.0, *dashes])[:-1]
    pieces = []
    for turn in range(math.ceil(way[-1] / sum(dashes))):
        for begin, length in list(zip(starts, dashes, strict=True))[::2]:
            a = turn * sum(dashes) + begin
            b = min(a + length, way[-1])
            if a >= way[-1]:
                break
            inside = points[(way > a) & (way < b)]
            ends = [[np.interp(s, way, points[:, k]) for k in (0, 1)] for s in (a, b)]
            whole = [ends[0], *inside.tolist(), ends[1]]
            pieces.append([(float(x), float(y)) for x, y in whole])
    return pieces


def _write(pen: Any, text: Text) -> None:
    from PIL import ImageFont

    style = style_of(text.kind, element="text")
    size = float(style.get("font-size", "12px").removesuffix("px"))
    anchor = {"start": "ls", "middle": "ms", "end": "rs"}[text.anchor]
    place = (FINE * text.x, FINE * text.y)
    font = ImageFont.load_default(FINE * size)
    words = text.text.replace("\N{MINUS SIGN}", "-")  # which Pillow's own font lacks
    pen.text(place, words, fill=style.get("fill", LIGHT.ink), font=font, anchor=anchor)


def _colour(style: dict[str, str], word: str) -> tuple[int, ...] | None:
    """A colour of the theme, thinned with paper where it lets things shine through."""
    colour = style.get(word, "none")
    if colour == "none":
        return None
    share = float(style.get(f"{word}-opacity", "1"))
    mixed = zip(bytes.fromhex(colour[1:]), bytes.fromhex(LIGHT.paper[1:]), strict=True)
    return tuple(round(share * a + (1.0 - share) * b) for a, b in mixed)


def outlines(d: str) -> list[tuple[list[tuple[float, float]], bool]]:
    """The lines of path data as corners (px), and whether each is closed; arcs become chords."""
    lines: list[tuple[list[tuple[float, float]], bool]] = []
    line: list[tuple[float, float]] = []
    for command, rest in _COMMAND.findall(d):
        given = [float(x) for x in _NUMBER.findall(rest)]
        if command == "M":
            if line:
                lines.append((line, False))
            line = [(given[0], given[1])]
        elif command == "L":
            line += list(zip(given[::2], given[1::2], strict=True))
        elif command == "H":
            line.append((given[0], line[-1][1]))
        elif command == "V":
            line.append((line[-1][0], given[0]))
        elif command == "A":
            line += _arc(line[-1], given)
        elif line:  # Z
            lines.append((line, True))
            line = []
    return [*lines, (line, False)] if line else lines


def _arc(start: tuple[float, float], given: Sequence[float]) -> list[tuple[float, float]]:
    """Corners after `start` of an elliptic arc.

    Source: SVG 2, appendix B.2.4, from end points to centre.
    """
    rx, ry, degrees, is_large, is_positive, x, y = given
    end = (x, y)
    if rx == 0.0 or ry == 0.0 or start == end:
        return [end]
    turn = complex(math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
    half = (complex(*start) - complex(*end)) / 2.0 / turn
    u, v = half.real / rx, half.imag / ry
    size = math.hypot(u, v)
    grown = max(size, 1.0)  # radii that are too short for the chord are lengthened
    u, v = u / grown, v / grown
    rest = math.sqrt(max(1.0 / max(u * u + v * v, 1e-300) - 1.0, 0.0))
    sign = 1.0 if bool(is_large) != bool(is_positive) else -1.0
    cu, cv = sign * rest * v, -sign * rest * u
    first = math.atan2(v - cv, u - cu)
    swept = math.atan2(-v - cv, -u - cu) - first
    if is_positive and swept < 0.0:
        swept += math.tau
    elif not is_positive and swept > 0.0:
        swept -= math.tau
    count = max(1, math.ceil(abs(swept) / ARC_STEP))
    middle = (complex(*start) + complex(*end)) / 2.0
    corners = []
    for k in range(1, count):
        at = first + swept * k / count
        local = complex(grown * rx * (cu + math.cos(at)), grown * ry * (cv + math.sin(at)))
        seen = middle + local * turn
        corners.append((seen.real, seen.imag))
    return [*corners, end]
