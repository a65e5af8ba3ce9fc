"""Arrows and axes on top of a picture."""

import numpy as np
import pytest

from kempe.draw import Arrow, AxisLine, DrawnBody, PoseSeries, Scene, link, scene_svg
from kempe.draw.view import pen
from kempe.draw.view.arrows import overlay_items
from kempe.draw.view.camera import fitted


@pytest.fixture
def scene():
    bar = DrawnBody("bar", PoseSeries([[0.0, 0.0]], [0.0]), link([(0, 0), (1, 0)]), colour=0)
    return Scene("one bar", True, [0.0], [bar])


def test_an_arrow_ends_where_it_is_sent(scene):
    camera = fitted(scene, 400, 300)
    shaft, head = overlay_items(camera, [Arrow([(0, 0, 0), (0.5, 0.0, 0)], 2)])
    tip = camera.project(np.array([[0.5, 0.0, 0.0]]))[0]
    assert head.d.startswith(f"M{pen.number(tip[0])} {pen.number(tip[1])}")
    assert "c2" in shaft.kind
    assert "c2" in head.kind


def test_a_picture_has_room_for_its_arrows(scene):
    tip = (0.5, 3.0, 0.0)
    arrow = Arrow([(0.5, 0.0, 0.0), tip])
    camera = fitted(scene, 400, 300, also=np.array([tip]))
    x, y, _ = camera.project(np.array([tip]))[0]
    assert 0.0 < x < 400.0
    assert 0.0 < y < 300.0
    assert f"M{x:.4g}"[:4] in scene_svg(scene, width=400, height=300, marks=[arrow])


def test_an_axis_towards_the_reader_is_a_circle_and_any_other_a_dashed_line(scene):
    camera = fitted(scene, 400, 300)
    towards, across = (
        overlay_items(camera, [AxisLine((0.5, 0, 0), way, 0.4)])[0]
        for way in ((0, 0, 1), (0, 1, 0))
    )
    assert "A" in towards.d
    assert "dashed" in across.kind


def test_what_lies_far_away_and_what_has_no_length_is_left_out(scene):
    camera = fitted(scene, 400, 300)
    far = [AxisLine((50, 0, 0), (0, 0, 1), 1.0), Arrow([(0, 0, 0), (0, 0, 0)])]
    assert overlay_items(camera, far) == []
