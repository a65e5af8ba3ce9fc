"""Frames as arrows: where they are, which way they point, and what they hang on."""

import re

import numpy as np
import pytest

import kempe
from kempe.draw import axes_scene, player_html, scene_svg
from kempe.errors import BadNumber
from kempe.frames import ByFormula, FrameGraph, Rigid

ROUNDING = 1e-12


@pytest.fixture
def crane() -> FrameGraph:
    graph = FrameGraph("ground")
    graph.add(
        "boom",
        "ground",
        ByFormula(lambda t: kempe.Pose(kempe.Vector(0, 0, 3), kempe.Rotation.planar(0.2 * t))),
    )
    graph.add("camera", "boom", Rigid([4, 0, 0], kempe.Rotation.about([0, 1, 0], 0.5)))
    graph.close("camera", "ground", Rigid([4, 0.1, 3]))
    return graph


def test_arrows_stand_where_the_frames_are_and_point_along_their_axes(crane) -> None:
    t = np.linspace(0.0, 2.0, 5)
    scene = axes_scene(crane, t, length=0.5)
    for name in ("ground", "boom", "camera"):
        body, state = scene.body(name), crane.state(name, "ground", t)
        tips = np.stack([shape.corners[1] for shape in body.shapes])
        seen = body.motion.carried(tips)
        expected = state.position[:, None] + 0.5 * state.rotation.swapaxes(1, 2)
        np.testing.assert_allclose(seen, expected, atol=ROUNDING)
        assert [shape.colour for shape in body.shapes] == [1, 2, 0]  # red, green, blue


def test_what_is_seen_from_a_moving_frame_moves_the_other_way(crane) -> None:
    scene = axes_scene(crane, 1.0, seen_from="camera")
    np.testing.assert_allclose(
        scene.body("ground").motion.position[0],
        crane.state("ground", "camera", 1.0).position,
        atol=1e-12,
    )
    assert np.allclose(scene.body("camera").motion.position, 0.0)


def test_frames_are_tied_to_their_parents_and_loops_are_dashed(crane) -> None:
    ties = {(tie.i.body, tie.j.body, tie.symbol) for tie in axes_scene(crane).joints}
    assert ties == {
        ("ground", "boom", "tie"),
        ("boom", "camera", "tie"),
        ("ground", "camera", "coupled"),
    }


def test_frames_that_coincide_are_drawn_once_with_all_their_names() -> None:
    graph = FrameGraph("a")
    for name in "bcde":
        graph.add(name, "a")
    graph.add("f", "a", Rigid([1, 0, 0]))
    assert [body.name for body in axes_scene(graph).bodies] == ["a, b, c and 2 more", "f"]


def test_x_y_and_z_can_be_told_apart_without_colours(crane) -> None:
    heads = [(len(s.corners) - 2) // 5 for s in axes_scene(crane).body("boom").shapes]
    assert heads == [1, 2, 3]


def test_a_still_picture_and_a_page_name_every_frame(crane) -> None:
    picture = scene_svg(axes_scene(crane), names=True)
    for name in crane:
        assert len(re.findall(rf">{name}</text>", picture)) == 1
    page = player_html(axes_scene(crane, [0.0, 1.0]))
    assert '"names":true' in page
    assert "http://" not in page.replace("http://www.w3.org", "")


def test_too_many_frames_and_none_are_refused() -> None:
    graph = FrameGraph("f0")
    with pytest.raises(BadNumber, match="no frame"):
        axes_scene(FrameGraph())
    for k in range(500):
        graph.add(f"f{k + 1}", f"f{k}", Rigid([1, 0, 0]))
    with pytest.raises(BadNumber, match=r"501 frames are too many.*choose some"):
        axes_scene(graph)
    assert len(axes_scene(graph, frames=["f0", "f500"]).bodies) == 2
