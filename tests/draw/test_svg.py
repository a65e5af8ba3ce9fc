"""Still pictures."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from kempe import draw, gallery
from kempe.draw.formats.svg import scene_items
from kempe.draw.view.camera import fitted
from kempe.draw.view.picture import joint_items
from kempe.draw.view.theme import theme_css
from kempe.pictures.animation import standing

CLASSES = re.compile(r"\.kempe \.([\w.-]+)")
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title><script>alert(1)</script> & ]]> \u0000 \u0008 \"'"


def paths(svg, kind):
    """The path data of every element that has a CSS class."""
    return [
        path.get("d", "")
        for path in ET.fromstring(svg).iter(f"{SVG}path")
        if kind in path.get("class", "").split()
    ]


@pytest.mark.parametrize("which", ["fourbar", "slider_crank", "rssr"])
def test_a_picture_is_well_formed_and_asks_for_nothing(which, request):
    svg = draw.scene_svg(request.getfixturevalue(which), index=20, ghosts=(0, 60), names=True)
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert svg.count("http") == 1  # the name of the SVG language itself
    assert "url(" not in svg
    assert "nan" not in svg


def test_every_kind_of_shape_and_symbol_is_drawn_in_the_plane_and_in_space():
    still = draw.PoseSeries(np.zeros((1, 3)), np.zeros(1))
    shapes = [
        draw.Bar((0, 0), (1, 0)),
        draw.Polyline([(0, 0), (1, 1), (2, 0)], closed=True),
        draw.Polygon([(0, 0), (1, 0), (0, 1)]),
        draw.Polygon([(0, 0), (1, 0), (0, 1)], rim=False),
        draw.Disc((0, 0), 0.5),
        draw.Disc((1, 0), 0.5, teeth=12),
    ]
    body = draw.DrawnBody("part", still, shapes, {"P": (1, 1)}, colour=11)
    for plane in (True, False):
        for symbol in draw.SYMBOLS:
            frames = (draw.Frame(None, (0, 0)), draw.Frame.along("part", (1, 0), (1, 0, 0)))
            scene = draw.Scene(
                symbol,
                plane,
                [0.0],
                [body],
                [
                    draw.JointSymbol("A", symbol, *frames),
                    draw.JointSymbol("B", symbol, *frames[::-1]),
                ],
                draw.Ground(pivots=[(2, 2)], lines=[[(0, -1), (1, -1), (1, -2)]]),
            )
            svg = draw.scene_svg(scene, names=True)
            ET.fromstring(svg)
            assert "nan" not in svg
            assert bool(paths(svg, "solid"))


def test_hostile_names_are_only_words():
    body = draw.DrawnBody(
        HOSTILE, draw.PoseSeries([[0, 0]], [0.0]), [draw.Bar((0, 0), (1, 0))], {HOSTILE: (1, 0)}
    )
    root = ET.fromstring(
        draw.scene_svg(draw.Scene(HOSTILE, True, [0.0], [body], unit=HOSTILE), names=True)
    )
    assert not list(root.iter(f"{SVG}script"))
    words = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert any("<script>alert(1)</script>" in word for word in words)


def test_another_sample_is_another_picture(fourbar):
    first, later = draw.scene_svg(fourbar, 0), draw.scene_svg(fourbar, 30)
    assert paths(first, "edge") != paths(later, "edge")
    assert paths(first, "stand") == paths(later, "stand")
    assert draw.scene_svg(fourbar, -1) == draw.scene_svg(fourbar, len(fourbar.times) - 1)


def test_ghosts_show_every_body_faintly(fourbar):
    assert len(paths(draw.scene_svg(fourbar, ghosts=(10, 20)), "ghost")) == 2 * len(fourbar.bodies)
    assert not paths(draw.scene_svg(fourbar), "ghost")


def test_a_trace_grows_to_the_whole_curve(fourbar):
    last = draw.scene_svg(fourbar, -1)
    assert paths(last, "trace") == paths(last, "trace-all")
    assert len(paths(draw.scene_svg(fourbar, 30), "trace")[0]) < len(paths(last, "trace")[0])


def test_another_view_is_another_picture_in_space_only(fourbar, rssr):
    assert draw.scene_svg(rssr, view=draw.View(10, 50)) != draw.scene_svg(rssr)
    assert draw.scene_svg(fourbar, view=draw.View(10, 50)) == draw.scene_svg(fourbar)


@pytest.mark.parametrize("index", [121, -122])
def test_a_sample_that_does_not_exist_is_refused(fourbar, index):
    with pytest.raises(ValueError, match=rf"sample {index} does not exist: the scene has 121"):
        draw.scene_svg(fourbar, index)
    with pytest.raises(ValueError, match="does not exist"):
        draw.scene_svg(fourbar, 0, ghosts=[index])


def test_a_picture_carries_only_the_rules_it_uses():
    full, used = theme_css(), theme_css(kinds={"paper", "solid c0", "tick"})
    assert ".kempe .solid.c0" in used
    assert ".kempe .tick" in used
    assert ".c1" in full
    assert ".c1" not in used
    assert ".hatch" not in used
    assert theme_css(kinds=[kind.replace(".", " ") for kind in CLASSES.findall(full)]) == full


def test_in_space_a_joint_on_a_sliding_block_is_drawn_in_front_of_it():
    motion = gallery.spatial_slider_crank().kinematics(until=1.0, steps=24)
    scene = standing(motion, ())
    camera = fitted(scene, 960, 600)
    joints = {joint.symbol: joint for joint in scene.joints}
    for index in range(len(scene.times)):
        drawn = [item.d for item in scene_items(scene, camera, index)]
        block, cross = (
            [
                drawn.index(item.d)
                for item in joint_items(scene, camera, joints[symbol], index)
                if item.kind.startswith("solid")
            ]
            for symbol in ("slider", "universal")
        )
        assert max(block) < min(cross), index
