"""Plots of equilibria and of small motions: paths, modes, frequency response."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kempe.draw.view.theme import LIGHT
from kempe.errors import BadNumber, UnknownName, printable
from kempe.export.plots import DASHES, MARGIN, PANEL, RULES, WIDTH, empty_figure
from kempe.extras import extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kempe.front.equilibrium import EquilibriumPath
    from kempe.front.linearization import Linearization

FloatArray = NDArray[np.float64]

AROUND = 30.0  # times below the slowest and above the fastest mode, where no frequencies are named
SAMPLES = 600


def titled_figure(title: str, rows: int) -> tuple[Any, "Figure"]:
    """Matplotlib, and an empty figure with a title and room for so many panels."""
    matplotlib = extra("matplotlib", "plot", "a plot")
    with matplotlib.rc_context(RULES):
        drawn = empty_figure((WIDTH, MARGIN + PANEL * rows))
        drawn.suptitle(printable(title), x=0.01, ha="left", fontsize=11, fontweight="bold")
    return matplotlib, drawn


def path_figure(path: "EquilibriumPath", names: Sequence[str]) -> "Figure":
    """Numbers over what changes, a panel each; unstable stretches are dashed."""
    if not names:
        raise UnknownName("which numbers? Name some, such as plot('hinge.angle').")
    if not len(path):
        raise BadNumber(f"there is no equilibrium to plot: {path.outcome}")
    columns = path.columns(*names)
    shown = [name for name in columns if name not in (path.what, "stable")]
    matplotlib, drawn = titled_figure(f"equilibria over {path.what}", len(shown))
    with matplotlib.rc_context(RULES):
        rows = drawn.subplots(len(shown), 1, sharex=True, squeeze=False)[:, 0]
        for axes, name in zip(rows, shown, strict=True):
            for wanted, dash in ((True, "-"), (False, DASHES[2])):
                mine = np.where(path.stable == wanted, columns[name], np.nan)
                word = "stable" if wanted else "not stable"
                axes.plot(path.values, mine, linestyle=dash, color=LIGHT.tones[0], label=word)
            axes.set_ylabel(printable(name))
        if not path.stable.all():
            rows[0].legend()
        rows[-1].set_xlabel(printable(path.what))
    return drawn


def modes_figure(linear: "Linearization") -> "Figure":
    """Eigenvalues in the complex plane above, frequencies and damping ratios below."""
    if not linear.modes:
        raise BadNumber("nothing can move: there is no mode to plot.")
    matplotlib, drawn = titled_figure(f"modes of {linear.state.trajectory.subject.name}", 2)
    s = linear.eigenvalues
    with matplotlib.rc_context(RULES):
        above, below = drawn.subplots(2, 1)
        above.axvline(0.0, color=LIGHT.axis, linewidth=1.0)
        above.plot(s.real, s.imag, "x", color=LIGHT.tones[0])
        above.set_xlabel("real part [1/s]")
        above.set_ylabel("imaginary part [1/s]")
        number = np.arange(1, len(linear.modes) + 1)
        below.bar(number, linear.frequencies, color=LIGHT.tones[0], width=0.6)
        for k, mode in zip(number, linear.modes, strict=True):
            if mode.damping:
                below.annotate(
                    f"{mode.damping:.3g}", (k, mode.frequency), ha="center", va="bottom", fontsize=8
                )
        below.set_xlabel("mode (its damping ratio above the bar)")
        below.set_ylabel("frequency [Hz]")
        below.xaxis.get_major_locator().set_params(integer=True)
    return drawn


def response_figure(
    linear: "Linearization",
    output: str | None,
    input: str | None,
    frequencies: Sequence[float] | FloatArray | None,
) -> "Figure":
    """Size and phase of a response over frequency."""
    given = asked_frequencies(linear) if frequencies is None else np.asarray(frequencies, float)
    answer = linear.response(given, output, input)
    into, out = input or linear.inputs[0], output or linear.outputs[0]
    matplotlib, drawn = titled_figure(f"{out} by an effort along {into}", 2)
    with matplotlib.rc_context(RULES):
        above, below = drawn.subplots(2, 1, sharex=True)
        above.loglog(given, np.abs(answer), color=LIGHT.tones[0])
        above.set_ylabel("amplitude by effort [SI]")
        below.semilogx(given, np.degrees(np.unwrap(np.angle(answer))), color=LIGHT.tones[0])
        below.set_ylabel("phase [deg]")
        below.set_xlabel("frequency [Hz]")
    return drawn


def asked_frequencies(linear: "Linearization") -> FloatArray:
    """Frequencies (Hz) around all modes that swing, evenly on a logarithmic scale."""
    swings = [f for f in linear.frequencies if f > 0.0] or [1.0]
    found = np.geomspace(min(swings) / AROUND, max(swings) * AROUND, SAMPLES)
    near = np.abs(found[:, None] / np.array(swings) - 1.0) < 1e-9
    return np.asarray(np.where(near.any(axis=1), found * (1.0 + 1e-6), found))
