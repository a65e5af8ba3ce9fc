"""Colours and line styles, light and dark, of every picture: one list, written out as CSS.

The rules name colours outright instead of by CSS variables, because the programs that turn SVG
into print know none; the dark ones follow in a media query that such programs skip.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from typing import final

Rules = tuple[tuple[str, str], ...]  # selectors and what they set
SHADES = 8  # of the faces of solids
STEEL = "cn"  # the class of a body without a colour of its own


@final
@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of one picture, as ``#rrggbb``."""

    paper: str
    panel: str  # controls and plots
    ink: str  # outlines of pins, ground, text
    muted: str  # secondary text
    grid: str
    axis: str
    hatch: str
    stand: str  # the fill of ground brackets
    accent: str
    steel: str
    load: str  # arrows of forces
    tones: tuple[str, ...]  # of bodies 0, 1, 2, ...; then from the start again
    tint: float  # share of paper in the fill of a body
    shades: tuple[float, float]  # share of paper in a face in the dark, and in one in the light

    def shaded(self, tone: str, level: int) -> str:
        """The fill of a face of a solid, `level` 0 (turned from the light) to SHADES - 1."""
        share = self.shades[0] + (self.shades[1] - self.shades[0]) * level / (SHADES - 1)
        pairs = zip(_channels(tone), _channels(self.paper), strict=True)
        mixed = [round((1.0 - share) * a + share * b) for a, b in pairs]
        return "#" + "".join(f"{channel:02x}" for channel in mixed)

    def filling(self, tone: str) -> str:
        """The fill that goes with an outline: the same tone thinned with paper."""
        pairs = zip(_channels(tone), _channels(self.paper), strict=True)
        mixed = [round((1.0 - self.tint) * a + self.tint * b) for a, b in pairs]
        return "#" + "".join(f"{channel:02x}" for channel in mixed)


LIGHT = Theme(
    paper="#fcfbf8",
    panel="#f4f2ec",
    ink="#1c2430",
    muted="#5c6570",
    grid="#ece8df",
    axis="#d9d3c5",
    hatch="#57606b",
    stand="#e6e2d8",
    accent="#1d5fa6",
    steel="#4b5563",
    load="#c4122f",
    tones=("#1d5fa6", "#bd4426", "#2c7a4b", "#75479c", "#a96a10", "#0c7a82", "#b23468", "#5b6b1e"),
    tint=0.74,
    shades=(0.42, 0.9),
)
DARK = Theme(
    paper="#11151b",
    panel="#191f27",
    ink="#e4e8ee",
    muted="#9aa5b1",
    grid="#1d242d",
    axis="#2c3642",
    hatch="#8b96a3",
    stand="#2a323c",
    accent="#6fb0f2",
    steel="#aab4c0",
    load="#ff7b8a",
    tones=("#6fb0f2", "#f08a6c", "#6fc793", "#be97e6", "#e3b04f", "#55c4cb", "#ee86ae", "#b3c464"),
    tint=0.68,
    shades=(0.82, 0.3),
)


def tone_class(colour: int | None) -> str:
    """The CSS class of a body's colour."""
    return STEEL if colour is None else f"c{colour % len(LIGHT.tones)}"


def theme_css(scope: str = ".kempe", kinds: Iterable[str] | None = None) -> str:
    """Rules for everything drawn inside elements that match ``scope``.

    With ``kinds``, the class attributes that occur on a picture, the rules for others are left out.
    """
    used = None if kinds is None else {frozenset(kind.split()) for kind in kinds}
    dark = "".join(f"{rule}\n" for rule in _written(_colour_rules(DARK), scope, used))
    return "\n".join(
        [
            *_written(_LINE_RULES, scope, used),
            *_written(_colour_rules(LIGHT), scope, used),
            f"@media (prefers-color-scheme: dark) {{\n{dark}}}\n",
        ]
    )


def _written(rules: Rules, scope: str, used: Collection[frozenset[str]] | None) -> list[str]:
    """The rules as text, without the selectors that match nothing that is used."""

    def matches(part: str) -> bool:
        wanted = set(part.split(".")[1:])  # none for a plain element
        return used is None or not wanted or any(wanted <= kind for kind in used)

    lines = []
    for selector, body in rules:
        parts = [f"{scope} {part}" for part in selector.split(", ") if matches(part)]
        if parts:
            lines.append(f"{', '.join(parts)} {{{body}}}")
    return lines


@cache
def style_of(kind: str, element: str = "path", *, dark: bool = False) -> dict[str, str]:
    """What the light theme, or the dark one, sets for an element with these classes, by property.

    For painters that know no CSS; later rules win over earlier ones, as in a style sheet.
    """
    classes = set(kind.split())
    style: dict[str, str] = {}
    for selector, body in (*_LINE_RULES, *_colour_rules(DARK if dark else LIGHT)):
        parts = [part.split(".") for part in selector.split(", ")]
        if any(head in ("", element) and classes >= set(names) for head, *names in parts):
            style |= dict(rule.split(":", 1) for rule in body.split(";"))
    return style


def theme_variables(scope: str = ".kempe") -> str:
    """The colours as CSS variables, for the furniture around a picture."""
    names = ("paper", "panel", "ink", "muted", "axis", "accent", "load")

    def block(theme: Theme) -> str:
        return "".join(f"--{name}: {getattr(theme, name)}; " for name in names)

    return (
        f"{scope} {{ color-scheme: light dark; {block(LIGHT)}}}\n"
        f"@media (prefers-color-scheme: dark) {{ {scope} {{ {block(DARK)}}} }}\n"
    )


_LINE_RULES: Rules = tuple(
    {
        "path": "fill:none;stroke-linejoin:round;stroke-linecap:round",
        ".face": "fill-opacity:.55",
        ".grid, .axis": "stroke-width:1;stroke-linecap:butt",
        ".line, .stroke, .span, .rail": "stroke-width:1.8",
        ".solid, .stand, .foot, .rim": "stroke-width:1.5",
        ".hatch": "stroke-width:1.1;stroke-linecap:butt",
        ".floor": "stroke-width:1.7",
        ".behind": "stroke-width:1.2;stroke-opacity:.5",
        ".tube": "stroke-width:1.4;stroke-opacity:.75",
        ".dashed": "stroke-dasharray:9 4 2 4;stroke-width:1.2",
        ".mark": "stroke-width:1.2;stroke-opacity:.55",
        ".shadow": "stroke-opacity:.07",
        ".shadow-fill": "fill-opacity:.07",
        ".facet": "stroke-width:1",
        ".crease": "stroke-width:1.2",
        ".ghost": "stroke-opacity:.16",
        ".trace-all": "stroke-width:1.9;stroke-opacity:.6;stroke-dasharray:.1 5",
        ".trace": "stroke-width:2.2",
        ".load": "stroke-width:2.4;stroke-linecap:butt",
        ".load-value": "stroke-width:3.5px;paint-order:stroke;stroke-linejoin:round",
        ".apart": "opacity:.14",
        "text": "font-family:'Helvetica Neue',Helvetica,'Segoe UI',Arial,sans-serif;font-size:12px",
        ".tick": "font-size:10.5px;stroke-width:3px;paint-order:stroke",
        ".letter": "font-family:Georgia,'Times New Roman',serif;font-style:italic;font-size:13px",
        ".triad": "stroke-width:1.5",
        ".name": "stroke-width:3.5px;paint-order:stroke;stroke-linejoin:round",
        ".point": "font-family:Georgia,'Times New Roman',serif;font-style:italic;font-size:15px",
    }.items()
)


def _colour_rules(theme: Theme) -> Rules:
    plain = {
        ".paper, .halo-fill": f"fill:{theme.paper}",
        ".halo": f"stroke:{theme.paper}",
        ".grid": f"stroke:{theme.grid}",
        ".axis": f"stroke:{theme.axis}",
        ".hatch": f"stroke:{theme.hatch}",
        ".stand, .foot": f"fill:{theme.stand};stroke:{theme.ink}",
        ".post": f"fill:{theme.stand};stroke:{theme.hatch};stroke-width:1.2",
        ".floor, .behind, .stroke, .span, .solid": f"stroke:{theme.ink}",
        ".solid": f"fill:{theme.paper}",
        ".solid.ink": f"fill:{theme.ink}",
        ".slot": f"fill:{theme.paper}",
        ".shadow": f"stroke:{theme.ink}",
        ".shadow-fill": f"fill:{theme.ink}",
        ".tick": f"fill:{theme.muted};stroke:{theme.paper}",
        ".triad": f"stroke:{theme.muted}",
        ".load": f"stroke:{theme.load}",
        ".load-head": f"fill:{theme.load}",
        ".load-value": f"fill:{theme.load};stroke:{theme.paper}",
        ".name": f"fill:{theme.ink};stroke:{theme.paper}",
    }
    rules = [*plain.items()]
    tones = {f"c{k}": tone for k, tone in enumerate(theme.tones)}
    for name, tone in {**tones, STEEL: theme.steel}.items():
        fill = theme.filling(tone)
        roles = {
            "edge line rim tube mark trace trace-all rail slot ghost crease": f"stroke:{tone}",
            "face": f"fill:{fill};stroke:{fill}",
            "solid rim face-fill": f"fill:{fill}",
            "dot edge-fill ghost-fill name": f"fill:{tone}",
        }
        for parts, body in roles.items():
            selector = ", ".join(f".{part}.{name}" for part in parts.split())
            rules.append((selector, body))
        rules.append((f".lit.{name}", f"fill:{theme.shaded(tone, SHADES - 1)}"))
        for level in range(SHADES):
            colour = theme.shaded(tone, level)
            rules.append((f".facet.{name}.s{level}", f"fill:{colour};stroke:{colour}"))
    return tuple(rules)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
