"""A plot on dark paper: every colour of the light theme gives way to its counterpart.

Plots are drawn once, in light; what a reader added in colours of their own keeps them.
"""

import pickle
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

from kempe.draw.view.theme import DARK, LIGHT
from kempe.extras import extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WHITE, BLACK = "#ffffff", "#000000"  # matplotlib's own, where a plot names no colour
# What an artist may be coloured by: `get_` reads it, `set_` changes it.
COLOURED = ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor")


def darkened(figure: "Figure") -> "Figure":
    """A copy of a figure on dark paper.

    Own: colours are told by what they are, so that it works on every plot of kempe.
    """
    copy: Figure = pickle.loads(pickle.dumps(figure))
    for artist in copy.findobj():
        arrow = getattr(artist, "arrow_patch", None)  # of an annotation; not found by itself
        for part in (artist, *(() if arrow is None else (arrow,))):
            _darken(part)
    for axes in copy.axes:  # ticks that are made when the figure is drawn
        axes.tick_params(which="both", color=DARK.muted, labelcolor=DARK.muted)
        axes.tick_params(which="both", grid_color=DARK.grid)
    return copy


@cache
def _counterparts() -> dict[str, str]:
    """Dark colours by light ones."""
    found = {WHITE: DARK.paper, BLACK: DARK.ink}
    for field in fields(LIGHT):
        light, dark = getattr(LIGHT, field.name), getattr(DARK, field.name)
        if isinstance(light, str):
            found[light] = dark
        elif isinstance(light, tuple):
            found |= {a: b for a, b in zip(light, dark, strict=True) if isinstance(a, str)}
    return found


def _darken(artist: Any) -> None:
    for word in COLOURED:
        read, change = (getattr(artist, f"{verb}_{word}", None) for verb in ("get", "set"))
        if read is None or change is None or _is_mapped(artist, word):
            continue
        now = read()
        then = _dark(now)
        if then is not None:
            change(then)
    for effect in artist.get_path_effects() or ():
        given = getattr(effect, "_gc", {})
        if "foreground" in given:  # the halo of a word
            given["foreground"] = _dark(given["foreground"]) or given["foreground"]


def _is_mapped(artist: Any, word: str) -> bool:
    """Whether an artist has its colours from numbers: they stay."""
    numbers = getattr(artist, "get_array", None)
    return word != "edgecolor" and numbers is not None and numbers() is not None


def _dark(colour: Any) -> Any:
    """What a colour, or an array of them, is in the dark; None where it is none of the theme."""
    colours = extra("matplotlib.colors", "plot", "a plot")
    if isinstance(colour, str) and colour in ("none", "auto"):
        return None
    rows = colours.to_rgba_array(colour)
    turned = [_counterparts().get(colours.to_hex(row)) for row in rows]
    if not any(turned):
        return None
    made = [
        tuple(row) if dark is None else colours.to_rgba(dark, float(row[3]))
        for row, dark in zip(rows, turned, strict=True)
    ]
    return made if len(made) > 1 else made[0]
