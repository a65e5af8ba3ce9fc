"""What a page plots: what is asked for, else what says most."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, UnknownName
from kempe.geometry.solids import SlenderBar
from kempe.pictures.animation import points_of_interest, standing


def four_bar(*, heavy: bool = False, outputs: tuple[str, ...] = ()):
    m = kempe.Builder("four-bar", plane=True, units="mm", gravity=(0, -9.81) if heavy else (0, 0))
    lengths = {"crank": 30, "coupler": 90, "rocker": 70}
    points = {"coupler": {"P": (45, 40)}}
    bars = {}
    for name, length in lengths.items():
        inertia = SlenderBar(f"{length} mm").inertia(mass=1.0) if heavy else None
        bars[name] = m.bar(name, length, points=points.get(name), inertia=inertia)
    m.revolute(m.ground.at(0, 0), bars["crank"].start)
    m.revolute(bars["crank"].end, bars["coupler"].start)
    m.revolute(bars["coupler"].end, bars["rocker"].end)
    m.revolute(bars["rocker"].start, m.ground.at(100, 0))
    m.drive(bars["crank"].angle, rpm=60)
    for name in outputs:
        m.output(name)
    return m.build().kinematics(until=1.0, steps=24)


def names(motion, plots=()):
    return [(series.name, series.unit) for series in standing(motion, (), plots).series]


def test_outputs_of_the_machine_come_before_its_input():
    assert names(four_bar()) == [
        ("coupler.angle", "deg"),
        ("rocker.angle", "deg"),
        ("crank.angle", "deg"),
    ]


def test_what_a_drive_must_give_comes_first_where_there_is_mass():
    assert names(four_bar(heavy=True))[0] == ("crank.angle.effort", "N m")


def test_what_the_model_names_is_plotted_and_nothing_else():
    assert names(four_bar(outputs=("rocker.angle", "coupler.P.speed"))) == [
        ("rocker.angle", "deg"),
        ("coupler.P.speed", "m/s"),
    ]


def test_names_and_formulas_are_plotted_as_they_are_asked_for():
    motion = four_bar()
    plots = ["sin(rocker.angle)", "coupler.P", "crank.angle"]
    series = {s.name: s for s in standing(motion, (), plots).series}
    assert list(series) == ["sin(rocker.angle)", "coupler.P.x", "coupler.P.y", "crank.angle"]
    assert series["sin(rocker.angle)"].values == pytest.approx(
        np.sin(np.asarray(motion["rocker.angle"].values)), abs=1e-12
    )
    assert series["coupler.P.x"].values == pytest.approx(
        1000.0 * np.asarray(motion["coupler.P"].position)[:, 0]
    )
    turned = np.asarray(series["crank.angle"].values)
    assert turned[-1] - turned[0] == pytest.approx(math.degrees(math.tau))


def test_a_name_that_is_none_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(UnknownName, match="rocker"):
        four_bar().animate(tmp_path / "a.html", plots=["rocket.angle"])
    with pytest.raises(BadNumber, match="13 plots do not fit"):
        four_bar().animate(tmp_path / "a.html", plots=["crank.angle"] * 13)
    assert not list(tmp_path.iterdir())


def test_a_lone_free_point_is_followed_and_corners_of_an_outline_are_not():
    assert points_of_interest(four_bar()) == ("coupler.P",)
    assert "piston.a" not in points_of_interest(
        kempe.gallery.engine().simulate(until=0.01, steps=2)
    )


def test_places_of_points_are_plotted_by_the_names_of_the_points():
    motion = kempe.gallery.barton_chain().kinematics(until=1.0, steps=4)
    shown = [name for name, _ in names(motion)]
    assert "P.x" in shown
    assert not [name for name in shown if "_upright" in name]
