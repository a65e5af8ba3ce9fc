"""What a gradient says in words and as a picture: which parameters matter, and how much."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from kempe.draw.view.theme import LIGHT
from kempe.errors import printable
from kempe.export.linear_plots import titled_figure
from kempe.export.plots import RULES
from kempe.gradients.asking import Gradient

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PERCENT: Final = 0.01


@final
@dataclass(frozen=True, slots=True)
class Effect:
    """How a reading follows one parameter: its largest slope along the motion, and when."""

    parameter: str
    value: float  # of the parameter, in its own unit
    largest: float  # |slope| of the reading, of a point the length of the vector
    t: float | None  # s; None of a number that has no time
    of_a_percent: float  # what one percent of the parameter changes at most

    def facts(self) -> dict[str, object]:
        """As data."""
        return {
            "parameter": self.parameter,
            "value": self.value,
            "largest": self.largest,
            "t": self.t,
            "of_a_percent": self.of_a_percent,
        }


def effects(gradient: Gradient) -> list[Effect]:
    """The effects of all parameters, the largest of one percent first."""
    found = []
    for name, value in zip(gradient.by, gradient.at.tolist(), strict=True):
        sizes = np.abs(gradient[name])
        over_time = sizes.ndim > 0 and len(sizes) == len(gradient.t)
        if over_time and sizes.ndim > 1:
            sizes = np.linalg.norm(sizes.reshape(len(sizes), -1), axis=1)
        k = int(sizes.argmax()) if over_time else 0
        largest = float(sizes.max(initial=0.0))
        t = float(gradient.t[k]) if over_time else None
        found.append(Effect(name, value, largest, t, PERCENT * abs(value) * largest))
    return sorted(found, key=lambda e: (-e.of_a_percent, -e.largest, e.parameter))


def sensitivity_words(gradient: Gradient) -> str:
    """The effects as a table."""
    unit = gradient.unit or "1"
    rows = [("parameter", "value", f"largest slope [{unit} per unit]", "at t [s]", "1 % changes")]
    for one in effects(gradient):
        t = "" if one.t is None else f"{one.t:.4g}"
        change = f"{one.of_a_percent:.4g} {gradient.unit}".rstrip()
        rows.append((one.parameter, f"{one.value:.6g}", f"{one.largest:.6g}", t, change))
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = [f"{gradient.of}:"]
    for row in rows:
        cells = [
            row[0].ljust(widths[0]),
            *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)),
        ]
        lines.append("  " + "  ".join(cells).rstrip())
    return printable("\n".join([*lines, *gradient.notes]))


def sensitivity_figure(gradient: Gradient) -> "Figure":
    """Bars: what one percent of every parameter changes at most, the largest on top."""
    found = effects(gradient)[::-1]
    matplotlib, drawn = titled_figure(f"{gradient.of}: what 1 % of a parameter changes at most", 1)
    with matplotlib.rc_context(RULES):
        axes = drawn.subplots()
        axes.barh(
            [printable(one.parameter) for one in found],
            [one.of_a_percent for one in found],
            color=LIGHT.tones[0],
            height=0.6,
        )
        axes.set_xlabel(f"[{gradient.unit}]" if gradient.unit else "")
    return drawn
