"""Plots of a sweep: parallel coordinates, a scatter matrix, Sobol' indices as bars."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kempe.draw.view.theme import LIGHT
from kempe.errors import BadNumber, printable
from kempe.export.plots import RULES, empty_figure
from kempe.extras import extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kempe.front.sweep import Sweep
    from kempe.sweeps.sensitivity import SobolIndices

FloatArray = NDArray[np.float64]

MOST_LINES, MOST_DOTS = 2000, 5000  # variants that are drawn: of more an even choice
MOST_PANELS = 7  # columns of a scatter matrix
COLOURS = "viridis"


def parallel_coordinates(sweep: "Sweep", names: Sequence[str], by: str | None) -> "Figure":
    """One line for each variant that is done, across axes for the columns named."""
    columns, colour = _columns(sweep, names, by, MOST_LINES)
    matplotlib = extra("matplotlib", "plot", "a plot")
    collections = extra("matplotlib.collections", "plot", "a plot")
    told, count = list(columns), len(next(iter(columns.values())))
    lows = {name: float(x.min()) for name, x in columns.items()}
    spans = {name: float(np.ptp(x)) or 1.0 for name, x in columns.items()}
    scaled = np.array([(columns[n] - lows[n]) / spans[n] for n in told])  # (axes, variants)
    with matplotlib.rc_context({**RULES, "axes.grid": False}):
        size = (1.4 + 1.5 * len(told), 4.2)
        drawn = empty_figure(size)
        axes = drawn.subplots()
        lines = [np.column_stack([np.arange(len(told)), scaled[:, k]]) for k in range(count)]
        alpha = float(np.clip(60.0 / count, 0.08, 0.8))
        found = collections.LineCollection(lines, cmap=COLOURS, linewidths=1.1, alpha=alpha)
        found.set_array(columns[colour])
        axes.add_collection(found)
        for place, name in enumerate(told):
            axes.axvline(place, color=LIGHT.axis, linewidth=1.0)
            ends = ((0.0, lows[name], "top", -4), (1.0, lows[name] + spans[name], "bottom", 4))
            for y, value, side, off in ends:
                axes.annotate(
                    f"{value:.4g}",
                    (place, y),
                    (0, off),
                    textcoords="offset points",
                    ha="center",
                    va=side,
                    fontsize=8,
                    color=LIGHT.muted,
                )
        axes.set_xlim(-0.3, len(told) - 0.7)
        axes.set_ylim(-0.08, 1.08)
        axes.set_xticks(range(len(told)), [_broken(name) for name in told])
        axes.set_yticks([])
        axes.tick_params(length=0)
        axes.spines[["left", "bottom"]].set_visible(False)
        _colour_bar(drawn, found, axes, colour)
        _title(drawn, sweep, count)
    return drawn


def scatter_matrix(sweep: "Sweep", names: Sequence[str], by: str | None) -> "Figure":
    """Each column against each, and how often it takes which values on the diagonal."""
    columns, colour = _columns(sweep, names, by, MOST_DOTS)
    told = list(columns)
    if len(told) > MOST_PANELS:
        if names:
            raise BadNumber(f"a scatter matrix has {MOST_PANELS} columns at most: name fewer.")
        told = told[-MOST_PANELS:]
    matplotlib = extra("matplotlib", "plot", "a plot")
    count, size = len(next(iter(columns.values()))), len(told)
    shade = columns[colour]
    bins = int(np.clip(np.sqrt(count), 6, 24))
    dots = float(np.clip(2000.0 / count, 2.0, 14.0))
    with matplotlib.rc_context({**RULES, "axes.labelsize": 8.5, "font.size": 8}):
        drawn = empty_figure((1.2 + 1.6 * size, 0.7 + 1.6 * size))
        grid = drawn.subplots(size, size, squeeze=False)
        shown = None
        for row, y in enumerate(told):
            for column, x in enumerate(told):
                axes = grid[row, column]
                axes.tick_params(length=0)
                if row == column:
                    axes.hist(columns[x], bins=bins, color=LIGHT.muted)
                    axes.set_yticks([])
                else:
                    shown = axes.scatter(
                        columns[x],
                        columns[y],
                        c=shade,
                        cmap=COLOURS,
                        s=dots,
                        linewidths=0,
                        rasterized=True,
                    )
                if row == size - 1:
                    axes.set_xlabel(_broken(x))
                else:
                    axes.set_xticklabels([])
                if column == 0:
                    axes.set_ylabel(_broken(y))
                elif row != column:
                    axes.set_yticklabels([])
        if shown is not None:
            _colour_bar(drawn, shown, list(grid.flat), colour)
        _title(drawn, sweep, count)
    return drawn


def sobol_bars(indices: "Sequence[SobolIndices]") -> "Figure":
    """First-order and total indices, a panel for each number."""
    if not indices:
        raise BadNumber("this sweep has no numbers to tell Sobol' indices of.")
    matplotlib = extra("matplotlib", "plot", "a plot")
    with matplotlib.rc_context(RULES):
        drawn = empty_figure((6.4, 0.8 + len(indices) * (0.7 + 0.42 * len(indices[0].names))))
        rows = drawn.subplots(len(indices), 1, squeeze=False, sharex=True)[:, 0]
        for axes, one in zip(rows, indices, strict=True):
            places = np.arange(len(one.names))[::-1]
            axes.barh(places + 0.19, one.first, 0.36, label="first order", color=LIGHT.ink)
            axes.barh(
                places - 0.19,
                one.total,
                0.36,
                label="total",
                color="#ffffff",
                edgecolor=LIGHT.ink,
                hatch="////",
            )
            axes.set_yticks(places, one.names)
            axes.set_title(printable(one.of), loc="left", fontsize=9.5)
            axes.grid(axis="y", visible=False)
            axes.tick_params(length=0)
        rows[0].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)
        rows[-1].set_xlabel("share of the variance")
    return drawn


def _columns(
    sweep: "Sweep", names: Sequence[str], by: str | None, most: int
) -> tuple[dict[str, FloatArray], str]:
    """Columns of numbers of variants that are done, an even choice of many, and which colours."""
    wanted = names or [*sweep.parameters, *(n for n in sweep.results if _is_number(sweep, n))]
    for name in (*wanted, *(() if by is None else (by,))):
        if not _is_number(sweep, name):
            raise BadNumber(f"{name!r} is no column of numbers, one for each variant.", name=name)
    which = sweep.is_done.copy()
    for name in wanted:
        which &= np.isfinite(np.asarray(sweep[name], dtype=np.float64))
    rows = np.flatnonzero(which)
    if not len(rows):
        raise BadNumber("no variant of this sweep has come to its end: there is nothing to plot.")
    if len(rows) > most:
        rows = rows[np.linspace(0, len(rows) - 1, most).astype(int)]
    colour = by or wanted[-1]
    if colour not in wanted:
        raise BadNumber(f"the colour {colour!r} must be one of the columns drawn.", name=colour)
    every = dict.fromkeys(wanted)
    found = {name: np.asarray(sweep[name], dtype=np.float64)[rows] for name in every}
    return found, colour


def _is_number(sweep: "Sweep", name: str) -> bool:
    column = sweep[name]
    return column.ndim == 1 and column.dtype.kind in "fiub"


def _broken(name: str) -> str:
    """A long name in two lines."""
    return printable(name.replace("(", "(\n", 1) if len(name) > 14 and "(" in name else name)


def _colour_bar(drawn: Any, shown: Any, axes: Any, name: str) -> None:
    bar = drawn.colorbar(shown, ax=axes, pad=0.02, aspect=30)
    bar.solids.set_alpha(1.0)
    bar.set_label(printable(name))
    bar.outline.set_visible(False)


def _title(drawn: Any, sweep: "Sweep", count: int) -> None:
    shown = f"{sweep.manifest['mechanism']}: {count:,} of {sweep.size:,} variants"
    drawn.suptitle(printable(shown), x=0.01, ha="left", fontsize=11, fontweight="bold")
