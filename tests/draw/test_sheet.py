"""Sheets: what is drawn is where the numbers say, and stays a picture."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from kempe.draw import Curve, SheetAxes, sheet_svg

SVG = "{http://www.w3.org/2000/svg}"


def paths(text, kind):
    root = ElementTree.fromstring(text)
    return [p.get("d") for p in root.iter(f"{SVG}path") if p.get("class", "").startswith(kind)]


def numbers(d):
    return np.array(re.findall(r"-?[0-9.]+", d), dtype=float).reshape(-1, 2)


def test_a_circle_on_equal_axes_is_round_and_within_the_sheet():
    t = np.linspace(0.0, 2 * np.pi, 100)
    circle = Curve(np.column_stack([3.0 + np.cos(t), np.sin(t)]), 1, is_closed=True)
    (d,) = paths(sheet_svg([circle], width=400, height=300), "trace")
    points = numbers(d.replace("M", "").replace("Z", "").replace("L", " "))
    extent = np.ptp(points, axis=0)
    assert extent[0] == pytest.approx(extent[1], rel=1e-2)
    assert (points >= 0).all()
    assert (points <= [400, 300]).all()
    assert d.endswith("Z")


def test_plots_have_axes_of_their_own_scale_and_names():
    line = Curve(np.array([[0.0, 0.0], [1000.0, 1.0]]))
    text = sheet_svg([line], SheetAxes("drive (deg)", "output (mm)", is_equal=False), title="a < b")
    (d,) = paths(text, "trace")
    points = numbers(d.replace("M", "").replace("L", " "))
    assert np.ptp(points, axis=0).min() > 300
    assert "drive (deg)" in text
    assert "a &lt; b" in text


def test_every_kind_has_a_style_and_dots_are_circles():
    points = np.array([[0.0, 0.0], [1.0, 1.0]])
    kinds = ("trace", "ghost", "rail", "line", "dashed", "dot")
    text = sheet_svg([Curve(points, k, kind) for k, kind in enumerate(kinds)], legend=["one"])
    for kind in ("trace", "ghost", "rail", "line", "dot"):
        assert f".kempe .{kind}" in text
    assert len(paths(text, "dot")[0].split("M")) == 3
    assert "one" in text


def test_an_empty_sheet_is_still_paper():
    assert ElementTree.fromstring(sheet_svg([])).tag == f"{SVG}svg"


def test_one_point_is_drawn_without_dividing_by_its_extent():
    text = sheet_svg([Curve(np.array([[2.0, 2.0]]), 0, "dot")])
    assert "nan" not in text
    assert "inf" not in text
