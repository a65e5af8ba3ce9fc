"""Analyses are columns like any other: by name, in tables and plots."""

import csv
import json

import numpy as np
import pytest

import kempe
from kempe.draw import scene_svg
from kempe.errors import KempeError
from kempe.export.plots import picture_bytes
from kempe.export.summary import Extremes, transmitted
from kempe.export.tables import json_bytes
from kempe.pictures.animation import scene_of
from kempe.pictures.rolling_curves import rolling_svg
from kempe.readings.reading import named_columns


@pytest.fixture(scope="module")
def turn() -> kempe.Trajectory:
    return kempe.gallery.four_bar().kinematics(until=1.0, steps=72)


@pytest.fixture(scope="module")
def bennett() -> kempe.Trajectory:
    return kempe.gallery.bennett().kinematics(until=1.0, steps=24)


def test_a_name_gives_what_the_analysis_gives(turn: kempe.Trajectory) -> None:
    transmission, centre = turn.transmission, turn.relative("coupler").instant_centre
    rocker, crank = turn["rocker.angle"], turn["crank.angle"]
    expected = {
        "transmission.angle": (transmission.angle().values, "rad"),
        "transmission.pressure_angle": (transmission.pressure_angle().values, "rad"),
        "transmission.condition": (transmission.condition().number, ""),
        "transmission.dead_point_distance": (transmission.dead_point_distance().values, "rad"),
        "d(rocker.angle)/d(crank.angle)": (rocker.rate / crank.rate, ""),
        "rocker.end.curvature": (np.full(73, 1.0 / 3.0), "1/m"),  # bends towards its pivot
        "coupler.P.radius": (turn["coupler.P"].curvature.radius, "m"),
        "coupler.centre.x": (centre.point[:, 0], "m"),
        "coupler.centre.y": (centre.point[:, 1], "m"),
    }
    for name, (values, unit) in expected.items():
        (column,) = named_columns(turn, name)
        found = np.abs(column.values) if name == "rocker.end.curvature" else column.values
        np.testing.assert_allclose(found, values, rtol=1e-9, err_msg=name)
        assert (column.name, column.unit) == (name, unit)


def test_a_body_in_space_has_a_pitch(bennett: kempe.Trajectory) -> None:
    (column,) = named_columns(bennett, "link2.pitch")
    np.testing.assert_array_equal(column.values, bennett.relative("link2").screw_axis.pitch)
    with pytest.raises(KempeError, match="screw axis"):
        named_columns(bennett, "link2.centre.x")


@pytest.mark.parametrize(
    "name", ["transmission.angel", "rocker.angle/", "rocker/crank", "nobody.pitch", "P.curvature"]
)
def test_a_name_that_means_nothing_is_refused(turn: kempe.Trajectory, name: str) -> None:
    with pytest.raises(KempeError, match=r"there is no|is no name and no formula|is no single"):
        named_columns(turn, name)


def test_they_go_into_tables_and_plots(turn: kempe.Trajectory, tmp_path) -> None:
    names = ("transmission.angle", "d(rocker.angle)/d(crank.angle)", "coupler.centre.x")
    path = turn.to_csv(tmp_path / "t.csv", *names, units=("deg",))
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [
        "t [s]",
        "transmission.angle [deg]",
        "d(rocker.angle)/d(crank.angle)",
        "coupler.centre.x [m]",
    ]
    assert float(rows[0]["transmission.angle [deg]"]) == pytest.approx(54.3147, abs=1e-3)
    drawn = turn.plot(*names)
    assert [axes.get_ylabel() for axes in drawn.axes][1] == "d(rocker.angle)/d(crank.angle)"
    assert len(picture_bytes(drawn, ".png")) > 10_000


def test_what_is_infinite_is_null_in_json_and_a_gap_in_a_plot() -> None:
    slide = kempe.gallery.slider_crank().kinematics(until=1.0, steps=12)
    name = "slider.centre.y"  # it never turns
    data = json.loads(json_bytes(slide, (name,), ()))
    assert data["columns"][name] == [None] * 13
    assert len(picture_bytes(slide.plot(name), ".svg")) > 1000


def test_spans_know_when_the_extremes_are_met(turn: kempe.Trajectory) -> None:
    found = transmitted(turn, ratios=["d(rocker.angle)/d(crank.angle)"])
    assert found.angle is not None
    assert (found.angle.least_at, found.angle.largest_at) == (0.0, 0.5)
    assert found.ratios[0].largest == pytest.approx(1.0 / 3.0, rel=1e-3)
    assert "good" in str(found)


def test_a_span_of_nothing_finite_says_so() -> None:
    span = Extremes.of("way", "m", np.zeros(3), np.full(3, np.inf))
    assert span.least is None
    assert str(span) == "way: none along this motion"


def test_without_a_loop_there_is_no_angle_but_a_reason() -> None:
    found = transmitted(kempe.gallery.stewart().kinematics(until=0.2, steps=4))
    assert found.angle is None
    assert found.dead_point is None  # six drives
    assert "No transmission angle: no loop of four" in str(found)


@pytest.mark.parametrize("base", ["ground", "rocker"])
def test_centrodes_are_drawn_on_both_bodies(turn: kempe.Trajectory, base: str) -> None:
    plain = scene_svg(scene_of(turn)).count("<path")
    assert rolling_svg(turn, "coupler", base).count("<path") >= plain + 2


def test_screw_axes_are_drawn_in_space(bennett: kempe.Trajectory) -> None:
    assert "<svg" in rolling_svg(bennett, "link2")
    with pytest.raises(KempeError, match="there is no body 'link9'"):
        rolling_svg(bennett, "link9")
