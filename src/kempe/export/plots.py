"""Plots of a trajectory: quantities over time, or one against another.

Figures are made without pyplot: nothing is global, no window opens, nothing needs closing.
"""

import io
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kempe.disk import replace_file
from kempe.draw.view.theme import LIGHT
from kempe.endings import refuse_unwritable
from kempe.errors import ModelError, UnknownName, printable
from kempe.extras import extra
from kempe.names import refuse_no_texts
from kempe.readings.reading import Column, named_columns
from kempe.readings.unit_choice import UnitChoice, unit_choice

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]
Style = dict[tuple[str, str], dict[str, Any]]  # (channel, axis) -> colour and dash

ENDINGS = (".png", ".svg", ".pdf")
WIDTH, PANEL, MARGIN = 7.2, 2.3, 0.9  # inches
PATH = (5.6, 5.6)  # of a figure that shows the path of a point, inches
DOTS = 160  # an inch
# Colour is never the only difference: lines also differ in their dashes.
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)))
# What a panel shows, where it shows more than one thing.
WORDS = {
    "m": "position",
    "m/s": "velocity",
    "m/s**2": "acceleration",
    "rad": "angle",
    "rad/s": "angular velocity",
    "rad/s**2": "angular acceleration",
    "N": "force",
    "N m": "torque",
    "W": "power",
    "J": "energy",
}
SQUEEZED = 25.0  # by so much a panel may be higher than one of its curves
LEVEL = 1e-9  # a share of its size by which a constant may waver: no axis of 1e-13 is wanted
DEGREES = (10, 15, 30, 45, 60, 90, 180, 360)  # steps between ticks of an axis in degrees
MOST_STEPS = 7  # between ticks
MOST_NAMED = 4  # singular positions, or events, whose marks carry a word
MOST_MARKED = 60  # events that are marked: of more the first
RULES = {
    "axes.edgecolor": LIGHT.axis,
    "axes.facecolor": "#ffffff",
    "axes.grid": True,
    "axes.labelcolor": LIGHT.ink,
    "axes.labelsize": 9.5,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.axisbelow": True,
    "figure.facecolor": "#ffffff",
    "font.size": 9.5,
    "grid.color": LIGHT.grid,
    "grid.linewidth": 0.9,
    "legend.fontsize": 9,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "svg.hashsalt": "kempe",  # equal plots give equal files
    "text.color": LIGHT.ink,
    "text.parse_math": False,  # a name is a name, also one with dollars in it
    "xtick.color": LIGHT.muted,
    "ytick.color": LIGHT.muted,
}

# Components in these units over one another are drawn to scale: paths, hodographs, polar diagrams.
TO_SCALE = ("m", "m/s", "m/s**2", "N", "N*m")


def figure(
    trajectory: "Trajectory",
    names: Sequence[str],
    against: str,
    orders: Sequence[int],
    units: Iterable[str],
    title: str | None,
) -> "Figure":
    """One panel for every unit, one line for every quantity; angles in deg if not chosen."""
    matplotlib = extra("matplotlib", "plot", "a plot")
    choice = unit_choice(units, (trajectory.subject.length_unit, "deg"))
    across = _across(trajectory, against)
    panels = _panels(trajectory, names, orders)
    is_path = len(panels) == 1 and across.unit == panels[0][0].unit in TO_SCALE
    style = _style(panels)
    with matplotlib.rc_context(RULES):
        size = PATH if is_path else (WIDTH, MARGIN + PANEL * len(panels))
        drawn = empty_figure(size)
        shown = printable(trajectory.subject.name if title is None else title)
        drawn.suptitle(shown, x=0.01, ha="left", fontsize=11, fontweight="bold")
        rows = list(drawn.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0])
        for axes, panel in zip(rows, panels, strict=True):
            _draw(axes, across, panel, choice, style)
        rows[-1].set_xlabel(f"{across.name} [{pretty(choice.shown(across.unit))}]")
        _settle_across(rows, across, choice)
        if is_path:
            rows[0].set_aspect("equal", adjustable="datalim")
            if across.unit != "m":  # in a hodograph the distance from nothing counts
                rows[0].plot(0.0, 0.0, "+", color=LIGHT.muted, markersize=11.0)
        if across.name == "t" and len(trajectory):
            _mark_times(rows, trajectory, choice.factor("s"))
    return drawn


def empty_figure(size: tuple[float, float]) -> "Figure":
    """A figure of that size (inches), without pyplot, that a notebook shows as it is."""
    extra("matplotlib.figure", "plot", "a plot")
    from kempe.export.shown_figure import ShownFigure

    return ShownFigure(figsize=size, dpi=DOTS, layout="constrained")


def picture_bytes(drawn: "Figure", ending: str) -> bytes:
    """The file of a figure: .png, .svg or .pdf."""
    matplotlib = extra("matplotlib", "plot", "a plot")
    buffer = io.BytesIO()
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(ending, {})
    with matplotlib.rc_context(RULES):
        drawn.savefig(buffer, format=ending[1:], dpi=DOTS, metadata=undated)
    return buffer.getvalue()


def write_plot(drawn: "Figure", path: Path) -> Path:
    """Write a figure by the ending of its file, whole or not at all."""
    refuse_unwritable(path, ENDINGS, "a plot")
    return replace_file(path, picture_bytes(drawn, path.suffix.lower()))


def _across(trajectory: "Trajectory", against: str) -> Column:
    refuse_no_texts([against])
    named = named_columns(trajectory, against)
    found = [c for c in named if c.order == 0] or named
    if len(found) > 1:
        parts = " or ".join(repr(c.name) for c in found)
        raise UnknownName(f"{against!r} has {len(found)} coordinates to plot against: take {parts}")
    return found[0]


def _panels(
    trajectory: "Trajectory", names: Sequence[str], orders: Sequence[int]
) -> list[list[Column]]:
    """Columns by unit, the derivatives after what they are derivatives of."""
    if not names:
        raise ModelError(
            "nothing to plot: name a quantity, such as 'rocker.angle'. There are:"
            f" {', '.join(trajectory.names[:12])}, ..."
        )
    refuse_no_texts(names)
    columns: dict[str, Column] = {}
    for name in dict.fromkeys(names):
        for one in trajectory.registry.expanded(name):
            columns |= {c.name: c for c in _wanted(trajectory, one, orders)}
    panels: dict[str, list[Column]] = {}
    for column in sorted(columns.values(), key=lambda c: c.order):
        panels.setdefault(column.unit, []).append(column)
    return [part for panel in panels.values() for part in _apart(panel)]


def _apart(panel: Sequence[Column]) -> list[list[Column]]:
    """Columns of one unit in as few panels as none is squeezed in.

    What belongs together stays so: components of one vector, and energies, which are added up.
    """
    if len(panel) < 2 or panel[0].unit == "J":
        return [list(panel)]
    spans: dict[str, tuple[float, float]] = {}
    for column in panel:
        values = column.values[np.isfinite(column.values)]
        low, high = spans.get(column.channel, (math.inf, -math.inf))
        if len(values):
            low, high = min(low, float(values.min())), max(high, float(values.max()))
        spans[column.channel] = (low, high)
    parts: list[tuple[float, float, float, list[str]]] = []  # low, high, least span, channels
    for channel in sorted(spans, key=lambda c: spans[c][1] - spans[c][0], reverse=True):
        low, high = spans[channel]
        own = high - low
        seen = own if own > LEVEL * max(abs(low), abs(high)) else math.inf  # a level has no height
        for k, (a, b, least, members) in enumerate(parts):
            wide, thin = max(b, high) - min(a, low), min(least, seen)
            if wide <= SQUEEZED * thin:
                parts[k] = (min(a, low), max(b, high), thin, [*members, channel])
                break
        else:
            parts.append((low, high, seen, [channel]))
    made = [[c for c in panel if c.channel in members] for _, _, _, members in parts]
    return sorted(made, key=lambda part: panel.index(part[0]))


def _wanted(trajectory: "Trajectory", name: str, orders: Sequence[int]) -> list[Column]:
    """What a name stands for: a channel at all orders, a column at its own and higher ones."""
    named = named_columns(trajectory, name)
    if name in trajectory:
        return [c for c in named if c.order in orders]
    (own,) = named
    alike = named_columns(trajectory, own.channel) if own.channel in trajectory else named
    higher = {own.order, *(k for k in orders if k > own.order)}
    return [c for c in alike if c.axis == own.axis and c.order in higher]


def _style(panels: Iterable[Sequence[Column]]) -> Style:
    """A colour for everything that is drawn, and a dash by its place in its first panel."""
    style: Style = {}
    for panel in panels:
        for place, column in enumerate(panel):
            tone = LIGHT.tones[len(style) % len(LIGHT.tones)]
            line = {"color": tone, "linestyle": DASHES[place % len(DASHES)]}
            style.setdefault((column.channel, column.axis), line)
    return style


def _draw(
    axes: "Axes", across: Column, panel: Sequence[Column], choice: UnitChoice, style: Style
) -> None:
    unit = panel[0].unit
    x = across.values * choice.factor(across.unit)
    for column in panel:
        y = _finite(column.values * choice.factor(unit))
        axes.plot(x, y, label=column.name, **style[column.channel, column.axis])
    word = panel[0].name if len(panel) == 1 else WORDS.get(unit, "")
    shown = choice.shown(unit)
    axes.set_ylabel(f"{word} [{pretty(shown)}]" if shown else word)
    if len(panel) > 1:
        axes.legend(
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            ncols=4,
            borderaxespad=0.2,
            handlelength=2.6,
        )
    axes.tick_params(length=0)
    axes.margins(y=0.08)
    values = np.concatenate([c.values for c in panel]) * choice.factor(unit)
    values = values[np.isfinite(values)]
    _settle_level(axes, values)
    if choice.shown(unit) == "deg":
        _degree_ticks(axes.yaxis, values)


def _finite(values: FloatArray) -> FloatArray:
    """What is at infinity leaves a gap in its line."""
    return np.where(np.isfinite(values), values, np.nan)


def _settle_level(axes: "Axes", values: FloatArray) -> None:
    """Give a constant an axis of its own size instead of one of its rounding."""
    if not len(values):
        return
    low, high = float(values.min()), float(values.max())
    size = max(abs(low), abs(high))
    if high - low <= LEVEL * size or size == 0.0:
        middle, half = 0.5 * (low + high), 0.25 * size or 1.0
        axes.set_ylim(middle - half, middle + half)


def _settle_across(rows: Sequence["Axes"], across: Column, choice: UnitChoice) -> None:
    for axes in rows if across.name == "t" else ():
        axes.margins(x=0.0)
    if choice.shown(across.unit) == "deg":
        _degree_ticks(rows[-1].xaxis, across.values * choice.factor("rad"))


def _degree_ticks(axis: Any, values: FloatArray) -> None:
    """Ticks at round angles, where the axis is wide enough for such."""
    span = float(np.ptp(values)) if len(values) else 0.0
    fitting = [step for step in DEGREES if step <= span <= MOST_STEPS * step]
    if fitting:
        ticker = extra("matplotlib.ticker", "plot", "a plot")
        axis.set_major_locator(ticker.MultipleLocator(fitting[0]))


def _mark_times(rows: Sequence["Axes"], trajectory: "Trajectory", factor: float) -> None:
    """Lines where singular positions were passed, at events, and where the run ended early."""
    few = len(trajectory.passes) <= MOST_NAMED
    for passed in trajectory.passes:
        _mark(rows, passed.t * factor, f"{passed.ending} passed" if few else "")
    moments = {event.t: event for event in reversed(trajectory.events)}
    few = len(moments) <= MOST_NAMED
    for event in list(reversed(moments.values()))[:MOST_MARKED]:
        _mark(rows, event.t * factor, printable(event.name) if few else "")
    if not trajectory.outcome.is_done:
        _mark(rows, float(trajectory.t[-1]) * factor, trajectory.outcome.name)


def _mark(rows: Sequence["Axes"], t: float, name: str) -> None:
    """A line at a time, with a word."""
    for axes in rows:
        axes.axvline(t, color=LIGHT.muted, linewidth=1.0, linestyle=":")
    rows[0].annotate(
        name,
        (t, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(-4, -4),
        textcoords="offset points",
        ha="right",
        va="top",
        color=LIGHT.muted,
        fontsize=8.5,
    )


def pretty(unit: str) -> str:
    """A unit as plots write it."""
    return unit.replace("**2", "²").replace("N m", "N·m")
