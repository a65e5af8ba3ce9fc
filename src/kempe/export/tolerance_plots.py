"""What a tolerance analysis says as a picture: a band about a curve, and who is to blame."""

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from kempe.draw.view.theme import LIGHT
from kempe.errors import printable
from kempe.export.linear_plots import titled_figure
from kempe.export.plots import DASHES, RULES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kempe.front.tolerances import Spread

FloatArray = NDArray[np.float64]

MOST_LINES: Final = 12  # machines that are drawn by themselves
MOST_SHARES: Final = 8


def tolerance_figure(spread: "Spread") -> "Figure":
    """What a reading is off over time, coordinate by coordinate, then the largest shares."""
    value = spread.value.reshape(len(spread.t), -1)
    axes_names = ["x", "y", "z"][: value.shape[1]] if value.shape[1] > 1 else [""]
    title = f"{spread.name}: what it may be off"
    matplotlib, drawn = titled_figure(title, value.shape[1] + 1)
    with matplotlib.rc_context(RULES):
        rows = drawn.subplots(value.shape[1] + 1, 1, squeeze=False)[:, 0]
        for k, axis in enumerate(axes_names):
            _band(rows[k], spread, k, f"{axis} off [{spread.unit}]".strip())
        rows[0].legend(fontsize=8, ncols=2)
        rows[-2].set_xlabel("t [s]")
        found = spread.by_size()[:MOST_SHARES][::-1]
        sizes = [np.abs(x).reshape(len(spread.t), -1) for _, x in found]
        rows[-1].barh(
            [printable(name) for name, _ in found],
            [float(np.linalg.norm(x, axis=1).max()) for x in sizes],
            color=LIGHT.tones[0],
            height=0.6,
        )
        rows[-1].set_xlabel(f"share of the worst case [{spread.unit}]")
    return drawn


def _band(axes: object, spread: "Spread", k: int, label: str) -> None:
    """One coordinate: machines, three standard deviations, the worst case, what is proved."""
    draw: Any = axes

    def column(x: FloatArray) -> FloatArray:
        return x.reshape(len(spread.t), -1)[:, k]

    value = column(spread.value)
    if spread.drawn is not None:
        some = spread.drawn[:MOST_LINES].reshape(-1, len(spread.t), spread.value[0].size)
        for number, one in enumerate(some):
            named = "machines drawn" if not number else None
            draw.plot(
                spread.t, one[:, k] - value, color=LIGHT.ink, linewidth=0.4, alpha=0.35, label=named
            )
    middle, sigma = column(spread.shift), 3.0 * column(spread.sigma)
    draw.fill_between(
        spread.t,
        middle - sigma,
        middle + sigma,
        color=LIGHT.tones[0],
        alpha=0.25,
        label="3 standard deviations",
    )
    for end, named in ((spread.above, "worst case, to first order"), (spread.under, None)):
        draw.plot(spread.t, column(end), color=LIGHT.tones[0], label=named)
    if spread.low is not None and spread.high is not None:
        for bound, named in ((spread.high, "proved bounds"), (spread.low, None)):
            finite = np.where(np.isfinite(column(bound)), column(bound), np.nan)
            draw.plot(spread.t, finite - value, color=LIGHT.ink, linestyle=DASHES[2], label=named)
    draw.set_ylabel(label)
