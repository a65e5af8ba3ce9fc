"""Plots of interference: how the gaps of shapes change over time."""

from typing import TYPE_CHECKING

import numpy as np

from kempe.draw.view.theme import LIGHT
from kempe.errors import BadNumber, printable
from kempe.export.linear_plots import titled_figure
from kempe.export.plots import DASHES, RULES
from kempe.results.interference import Interference
from kempe.units import factor

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_CURVES = 5  # the deepest and the nearest pairs
SAMPLES = 800


def gap_figure(found: Interference) -> "Figure":
    """The gaps of the nearest pairs over time; below zero, where it is shaded, they overlap."""
    if not found.pairs:
        raise BadNumber(f"no pair of shapes of {found.name!r} was looked at: nothing to plot.")
    t = np.linspace(found.t[0], found.t[-1], SAMPLES)
    matplotlib, drawn = titled_figure(f"{found.name}: gaps between shapes", 1)
    with matplotlib.rc_context(RULES):
        axes = drawn.subplots()
        for k, pair in enumerate(found.pairs[:MOST_CURVES]):
            dash, tone = DASHES[k // len(LIGHT.tones)], LIGHT.tones[k % len(LIGHT.tones)]
            gap = pair.gaps(t) * factor("m", found.unit)
            axes.plot(t, gap, linestyle=dash, color=tone, label=printable(pair.name))
            for touch in pair.touches:
                axes.axvspan(touch.start, touch.end, color=tone, alpha=0.15, linewidth=0.0)
        axes.axhline(0.0, color=LIGHT.axis, linewidth=1.0)
        axes.set_xlabel("t [s]")
        axes.set_ylabel(f"gap [{found.unit}]")
        axes.legend()
    return drawn
