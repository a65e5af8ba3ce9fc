"""Plots show the numbers of the samples, with units, one panel for every unit."""

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from PIL import Image

import kempe
from kempe.draw.view.theme import DARK, LIGHT
from kempe.errors import FileError, ModelError, UnitError, UnknownName
from kempe.export.dark import darkened
from kempe.export.plots import picture_bytes, write_plot

DEGREES = 180 / np.pi


@pytest.fixture(autouse=True)
def _no_pyplot() -> Iterator[None]:
    """A plot opens no window and leaves nothing behind: it never asks for pyplot."""
    before = "matplotlib.pyplot" in sys.modules
    yield
    assert before or "matplotlib.pyplot" not in sys.modules


def lines(figure: Figure) -> dict[str, np.ndarray]:
    """What is drawn: label -> (n, 2)."""
    return {
        str(line.get_label()): np.asarray(line.get_xydata())
        for axes in figure.axes
        for line in axes.get_lines()
    }


def labels(figure: Figure) -> list[str]:
    return [axes.get_ylabel() for axes in figure.axes]


def test_a_line_goes_through_the_samples(turn: kempe.Trajectory) -> None:
    drawn = lines(turn.plot("rocker.angle"))["rocker.angle"]
    np.testing.assert_array_equal(drawn[:, 0], turn.t)
    np.testing.assert_array_equal(drawn[:, 1], turn["rocker.angle"].values * DEGREES)


def test_axes_say_what_they_show_and_in_which_unit(turn: kempe.Trajectory) -> None:
    figure = turn.plot("rocker.angle", rate=True, acceleration=True)
    assert labels(figure) == [
        "rocker.angle [deg]",
        "rocker.angle.rate [deg/s]",
        "rocker.angle.acceleration [deg/s²]",
    ]
    assert figure.axes[-1].get_xlabel() == "t [s]"
    assert figure.get_suptitle() == "four-bar"


def test_quantities_of_one_unit_share_a_panel(turn: kempe.Trajectory) -> None:
    figure = turn.plot("rocker.angle", "coupler.P", "coupler.angle")
    assert labels(figure) == ["angle [deg]", "position [mm]"]
    texts = [[text.get_text() for text in axes.get_legend().get_texts()] for axes in figure.axes]
    assert texts == [["rocker.angle", "coupler.angle"], ["coupler.P.x", "coupler.P.y"]]


def test_lines_of_a_panel_differ_in_more_than_colour(turn: kempe.Trajectory) -> None:
    figure = turn.plot("crank.angle", "coupler.angle", "rocker.angle", rate=True)
    for axes in figure.axes:
        assert len({line.get_linestyle() for line in axes.get_lines()}) > 1
        assert len({line.get_color() for line in axes.get_lines()}) == 3
    above, below = ([line.get_color() for line in axes.get_lines()] for axes in figure.axes)
    assert above == below  # a rate has the colour of what it is the rate of


def test_units_are_chosen(turn: kempe.Trajectory) -> None:
    figure = turn.plot("rocker.angle", "coupler.P.vx", units=("rad", "inch", "ms"))
    assert labels(figure) == ["rocker.angle [rad]", "coupler.P.vx [inch/s]"]
    assert figure.axes[-1].get_xlabel() == "t [ms]"
    assert lines(figure)["rocker.angle"][-1, 0] == 1000.0
    with pytest.raises(UnitError):
        turn.plot("rocker.angle", units=("kg",))


def test_a_quantity_is_plotted_against_another(turn: kempe.Trajectory) -> None:
    figure = turn.plot("rocker.angle", against="crank.angle")
    drawn = lines(figure)["rocker.angle"]
    np.testing.assert_array_equal(drawn[:, 0], turn["crank.angle"].values * DEGREES)
    assert figure.axes[0].get_xlabel() == "crank.angle [deg]"


def test_a_path_is_drawn_to_scale(turn: kempe.Trajectory) -> None:
    figure = turn.plot("coupler.P.y", against="coupler.P.x")
    assert figure.axes[0].get_aspect() == 1.0
    np.testing.assert_array_equal(lines(figure)["coupler.P.y"], turn["coupler.P"].to("mm"))


def test_a_constant_does_not_get_an_axis_of_its_rounding(turn: kempe.Trajectory) -> None:
    low, high = turn.plot("crank.angle.rate").axes[0].get_ylim()
    assert low < 300 < 360 < 420 < high


def test_an_early_end_is_marked(stuck: kempe.Trajectory, turn: kempe.Trajectory) -> None:
    figure = stuck.plot("body5.angle")
    assert [text.get_text() for text in figure.axes[0].texts] == ["DeadPoint"]
    assert not turn.plot("rocker.angle").axes[0].texts


def test_forces_are_plotted(heavy: kempe.Trajectory) -> None:
    figure = heavy.plot("A.force", "A.force.magnitude", "crank.angle.effort")
    assert labels(figure) == ["force [N]", "crank.angle.effort [N·m]"]
    drawn = lines(figure)["A.force.magnitude"][:, 1]
    np.testing.assert_array_equal(drawn, heavy["A.force"].magnitude.values)


def test_a_saved_motion_is_plotted_as_before(turn: kempe.Trajectory, tmp_path: Path) -> None:
    again = kempe.Trajectory.load(turn.save(tmp_path / "turn.npz"))
    before, after = (
        lines(turn.plot("coupler.P", rate=True)),
        lines(again.plot("coupler.P", rate=True)),
    )
    assert before.keys() == after.keys()
    for name in before:
        np.testing.assert_array_equal(before[name], after[name])


def test_names_that_cannot_be_plotted_are_refused(turn: kempe.Trajectory) -> None:
    with pytest.raises(UnknownName, match=r"rocker\.angle"):
        turn.plot("rocker.angel")
    with pytest.raises(ModelError, match="name a quantity"):
        turn.plot()
    with pytest.raises(UnknownName, match=r"'coupler\.P\.x' or 'coupler\.P\.y'"):
        turn.plot("rocker.angle", against="coupler.P")


def test_the_picture_is_drawn_in_the_colours_of_the_house(turn: kempe.Trajectory) -> None:
    content = picture_bytes(turn.plot("rocker.angle"), ".png")
    image = Image.open(BytesIO(content)).convert("RGB")
    width, height = image.size
    assert width > 2 * height
    counted = {colour: n for n, colour in image.getcolors(1 << 24)}
    assert counted[255, 255, 255] > 0.8 * width * height
    assert counted[0x1D, 0x5F, 0xA6] > width  # a line from left to right


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_equal_plots_give_equal_files(turn: kempe.Trajectory, tmp_path: Path, ending: str) -> None:
    files = [write_plot(turn.plot("rocker.angle"), tmp_path / f"{k}{ending}") for k in "ab"]
    first, second = (file.read_bytes() for file in files)
    assert first == second
    assert first[:5] in (b"\x89PNG\r", b"<?xml", b"%PDF-")
    assert len(list(tmp_path.iterdir())) == 2


def test_another_ending_is_refused(turn: kempe.Trajectory, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"a plot is written to \.png, \.svg, \.pdf"):
        write_plot(turn.plot("rocker.angle"), tmp_path / "plot.gif")


EVERY_PLOT = {
    "over time": lambda turn: turn.plot("rocker.angle", "coupler.P", rate=True),
    "a path": lambda turn: turn.plot("coupler.P.y", against="coupler.P.x"),
    "a hodograph": lambda turn: turn.pictures.hodograph("coupler.P"),
    "a polygon": lambda turn: turn.pictures.accelerations(),
}


@pytest.mark.parametrize("plot", EVERY_PLOT)
def test_no_colour_of_the_light_theme_is_left_in_the_dark(
    turn: kempe.Trajectory, plot: str
) -> None:
    """Pixels are looked at, so that what is only made while a figure is drawn counts too."""
    light = EVERY_PLOT[plot](turn)
    dark = Image.open(BytesIO(picture_bytes(light.dark(), ".png"))).convert("RGB")
    counted = {colour: n for n, colour in dark.getcolors(maxcolors=1 << 24) or []}
    assert max(counted, key=counted.__getitem__) == channels(DARK.paper)
    assert counted[channels(DARK.paper)] > 0.6 * sum(counted.values())
    shown = [getattr(LIGHT, name) for name in ("ink", "grid", "axis", "muted")]
    for colour in ("#ffffff", "#000000", *shown, *LIGHT.tones):
        assert counted.get(channels(colour), 0) == 0, colour
    assert to_hex(light.get_facecolor()) == "#ffffff", "the light one stays as it is"


def test_colours_of_a_reader_stay_in_the_dark(turn: kempe.Trajectory) -> None:
    figure = turn.plot("rocker.angle")
    figure.axes[0].axhline(0.0, color="#12ab34")
    kept = [line.get_color() for line in darkened(figure).axes[0].get_lines()]
    assert "#12ab34" in kept
    assert to_hex(turn.plot("rocker.angle", dark=True).get_facecolor()) == DARK.paper


def channels(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))
