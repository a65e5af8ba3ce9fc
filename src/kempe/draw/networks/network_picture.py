"""Vertices in boxes and the lines between them, as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final
from xml.sax.saxutils import escape

import numpy as np

from kempe.draw.scene.coordinates import FloatArray
from kempe.draw.view import pen
from kempe.draw.view.theme import theme_css, tone_class

LETTER, LINE = 7.0, 26.0  # px: width of a letter, about, and height of a box
PAD, ROUND = 12.0, 7.0  # px: beside a word in its box, and the radius of the box's corners
MARGIN = 28.0  # px around everything
LONGEST = 28  # letters of a name that are shown


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
    paths: list[tuple[str, str]] = []
    texts: list[tuple[str, str, float, float]] = []
    for link in links:
        kind = f"line {tone_class(link.tone)}" + " dashed" * link.is_dashed
        paths.append((kind, pen.polyline(link.points + shift)))
        if link.word:
            x, y = np.array(link.at) + shift
            texts.append(("tick", link.word, float(x), float(y) + 3.5))
    for box in boxes:
        x, y = (np.array([box.x, box.y]) + shift).tolist()
        tone = tone_class(box.tone)
        if box.is_double:
            paths.append((f"line {tone}", _box(x, y, box.width + 8.0, LINE + 8.0)))
        paths.append(("solid", _box(x, y, box.width, LINE)))
        if box.is_ground:
            a = np.array([x - 0.5 * box.width, y + 0.5 * LINE + 5.0])
            b = a + np.array([box.width, 0.0])
            paths.append(("floor", pen.polyline([a, b])))
            paths.append(("hatch", pen.hatching(a, b, np.array([0.0, 1.0]), 1.0)))
        texts.append((f"name {tone}", box.word, x, y + 4.0))
    kinds = {"paper", *(kind for kind, _ in paths), *(text[0] for text in texts)}
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="kempe" role="img" '
            f'viewBox="0 0 {pen.number(width)} {pen.number(height)}" '
            f'width="{pen.number(width)}" height="{pen.number(height)}">',
            f"<title>{escape(_printable(title))}</title>",
            f"<style>{theme_css(kinds=kinds)}</style>",
            f'<rect class="paper" width="{pen.number(width)}" height="{pen.number(height)}"/>',
            *(f'<path class="{kind}" d="{d}"/>' for kind, d in paths),
            *(
                f'<text class="{kind}" x="{pen.number(x)}" y="{pen.number(y)}" '
                f'text-anchor="middle">{escape(_printable(word))}</text>'
                for kind, word, x, y in texts
            ),
            "</svg>\n",
        ]
    )


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


def _printable(name: str) -> str:
    return "".join(c if c.isprintable() or c == " " else "\N{REPLACEMENT CHARACTER}" for c in name)
