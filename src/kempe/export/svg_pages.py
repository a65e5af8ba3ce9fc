"""Pictures that kempe draws as SVG, written as PNG and PDF too: paths and words, painted again.

Only pages of `kempe.draw` are read: paths and words with the classes of its theme.
"""

import io
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kempe.disk import replace_file
from kempe.draw.formats.painting import outlines
from kempe.draw.view.theme import DARK, LIGHT, style_of
from kempe.endings import PICTURES, refuse_unwritable
from kempe.extras import extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CSS_DOTS = 96.0  # px an inch
POINTS = 0.75  # of a px
SHARP = 2.0  # dots of a PNG for a px
FAMILIES = ("Helvetica Neue", "Helvetica", "Arial", "DejaVu Sans")


def write_picture(path: str | Path, picture: str, *, dark: bool = False) -> Path:
    """Write a picture, the text of an SVG page, by the ending of its file: .svg, .png or .pdf.

    The last two are painted by matplotlib, of the extra `plot`, on light paper or on `dark`; an
    SVG is either, as whoever looks at it prefers.
    """
    target = Path(path)
    refuse_unwritable(target, PICTURES, "a picture")
    ending = target.suffix.lower()
    if ending == ".svg":
        return replace_file(target, picture.encode())
    return replace_file(target, picture_file(picture, ending, dark=dark))


def picture_file(picture: str, ending: str, *, dark: bool = False) -> bytes:
    """The bytes of an SVG page as .png or .pdf, on light paper or on `dark`."""
    matplotlib = extra("matplotlib", "plot", f"a {ending} file")
    rules = {"path.simplify": False, "lines.scale_dashes": False, "text.parse_math": False}
    with matplotlib.rc_context(rules | {"font.sans-serif": FAMILIES, "pdf.fonttype": 42}):
        page = _painted(picture, dark=dark)
        buffer = io.BytesIO()
        dated = {"CreationDate": None} if ending == ".pdf" else {}
        page.savefig(buffer, format=ending[1:], dpi=SHARP * CSS_DOTS, metadata=dated)
    return buffer.getvalue()


def _painted(picture: str, *, dark: bool) -> "Figure":
    figure = extra("matplotlib.figure", "plot", "a picture")
    root = ET.fromstring(picture)
    wide, high = float(root.get("width", "0")), float(root.get("height", "0"))
    paper = (DARK if dark else LIGHT).paper
    page: Figure = figure.Figure(figsize=(wide / CSS_DOTS, high / CSS_DOTS), facecolor=paper)
    axes = page.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0.0, wide), ylim=(high, 0.0))
    axes.axis("off")
    for order, part in enumerate(root.iter()):
        word = part.tag.rpartition("}")[2]
        if word == "path":
            _path(axes, part, order, style_of(part.get("class", ""), dark=dark))
        elif word == "text":
            _word(axes, part, order, style_of(part.get("class", ""), "text", dark=dark))
    return page


def _path(axes: Any, part: ET.Element, order: int, style: dict[str, str]) -> None:
    patches, paths = (
        extra("matplotlib.patches", "plot", "a picture"),
        extra("matplotlib.path", "plot", "a picture"),
    )
    corners: list[tuple[float, float]] = []
    codes: list[int] = []
    for line, is_closed in outlines(part.get("d", "")):
        closed = [*line, line[0]] if is_closed else line
        corners += closed
        codes += [1, *[2] * (len(line) - 1), *([79] if is_closed else [])]  # move, line, close
    if not corners:
        return
    width = POINTS * float(
        part.get("stroke-width", style.get("stroke-width", "1")).removesuffix("px")
    )
    stroke, fill = _colour(style, "stroke"), _colour(style, "fill")
    dashes = tuple(POINTS * float(x) for x in style.get("stroke-dasharray", "").split())
    cap = {"butt": "butt"}.get(style.get("stroke-linecap", ""), "round")
    axes.add_patch(
        patches.PathPatch(
            paths.Path(corners, codes),
            facecolor=fill or "none",
            edgecolor=stroke or "none",
            linewidth=width if stroke else 0.0,
            linestyle=(0, dashes) if dashes else "solid",
            capstyle=cap,
            joinstyle="round",
            zorder=order,
            clip_on=False,
        )
    )


def _word(axes: Any, part: ET.Element, order: int, style: dict[str, str]) -> None:
    effects = extra("matplotlib.patheffects", "plot", "a picture")
    anchor = {"middle": "center", "end": "right"}.get(part.get("text-anchor", ""), "left")
    word = axes.text(
        float(part.get("x", "0")),
        float(part.get("y", "0")),
        "".join(part.itertext()),
        color=style.get("fill", LIGHT.ink),
        fontsize=POINTS * float(style.get("font-size", "12px").removesuffix("px")),
        fontstyle=style.get("font-style", "normal"),
        fontfamily="serif"
        if "serif" in style.get("font-family", "").split(",")[-1:]
        else "sans-serif",
        ha=anchor,
        va="baseline",
        zorder=order,
    )
    if "stroke" in style:
        wide = POINTS * float(style.get("stroke-width", "1").removesuffix("px"))
        halo = effects.Stroke(linewidth=wide, foreground=style["stroke"])
        word.set_path_effects([halo, effects.Normal()])


def _colour(style: dict[str, str], word: str) -> tuple[float, ...] | None:
    """Red, green, blue and how much it covers, each from 0 to 1."""
    colour = style.get(word, "none")
    if colour == "none":
        return None
    share = float(style.get(f"{word}-opacity", "1")) * float(style.get("opacity", "1"))
    return (*(channel / 255.0 for channel in bytes.fromhex(colour[1:])), share)
