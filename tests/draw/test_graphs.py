"""Drawings of frame graphs and of bodies and joints."""

import re
from xml.etree import ElementTree

import pytest

import kempe
from kempe.draw import bodies_graph_svg, frame_graph_svg
from kempe.errors import BadNumber
from kempe.frames import FrameGraph, Rigid, Uniform

SPACE = "{http://www.w3.org/2000/svg}"


def drawn(text: str) -> tuple[list[str], list[str]]:
    """Classes of the paths, and the words."""
    root = ElementTree.fromstring(text)
    paths = [path.get("class", "") for path in root.iter(f"{SPACE}path")]
    return paths, [word.text or "" for word in root.iter(f"{SPACE}text")]


@pytest.fixture
def crane() -> FrameGraph:
    graph = FrameGraph("ground")
    graph.add("boom", "ground", Uniform(Rigid([0, 0, 2]), angular_velocity=[0, 0, 0.5]))
    graph.add("camera", "boom", Rigid([10, 0, 0]))
    graph.add("hook & eye", "boom", Rigid([9, 0, 0]))
    graph.close("camera", "ground", Rigid([10, 0, 2.25]))
    graph.add("elsewhere")
    return graph


def test_every_frame_has_a_box_every_edge_a_line_and_every_loop_its_error(crane) -> None:
    paths, words = drawn(frame_graph_svg(crane))
    assert paths.count("solid") == len(crane)
    assert sum(kind.startswith("line") for kind in paths) == 4
    assert sum("dashed" in kind for kind in paths) == 1
    assert paths.count("hatch") == 2  # two roots
    assert {*crane, "uniform", "0.25 m, 0 rad"} == set(words)


def test_no_two_boxes_touch(crane) -> None:
    root = ElementTree.fromstring(frame_graph_svg(crane))
    boxes = []
    for path in root.iter(f"{SPACE}path"):
        if path.get("class") == "solid":
            d = path.get("d", "")
            left, top = (float(x) for x in re.findall(r"M([\d.]+) ([\d.]+)", d)[0])
            right = float(re.findall(r"H([\d.]+)", d)[0])
            boxes.append((left, top, right))
    for k, (left, top, right) in enumerate(boxes):
        for other, (l, t, r) in enumerate(boxes):
            assert k == other or abs(top - t) > 26 or right < l or r < left


def test_the_graph_of_bodies_names_bodies_and_joints_and_colours_loops() -> None:
    paths, words = drawn(kempe.gallery.excavator_arm().graph_svg())
    model = kempe.gallery.excavator_arm().model
    assert {"ground", *(body.name for body in model.moving)} < set(words)
    assert sum(word.endswith("(revolute)") for word in words) == sum(
        type(joint).__name__ == "Revolute" for joint in model.joints
    )
    lines = [kind for kind in paths if kind.startswith("line")]
    assert {"line c0", "line c1", "line c2", "line c3"} <= set(lines)  # four loops
    assert lines.count("line cn") == 2  # the second outlines of boom and stick, which alone hold


def test_drives_and_couplers_are_shown_too() -> None:
    paths, words = drawn(kempe.gallery.planetary_train().graph_svg())
    couplers = kempe.gallery.planetary_train().model.couplers
    assert sum("dashed" in kind for kind in paths) >= len(couplers) > 0
    assert {coupler.name for coupler in couplers} <= set(words)
    _, words = drawn(kempe.gallery.slider_crank().graph_svg())
    assert sum(word.endswith(", driven)") for word in words) == 1


def test_two_joints_of_the_same_bodies_do_not_hide_each_other() -> None:
    m = kempe.Builder("twice", plane=True)
    bar = m.bar("bar", 1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.revolute(m.ground.at(1, 0), bar.end)
    root = ElementTree.fromstring(bodies_graph_svg(m.build().model))
    lines = [p.get("d") for p in root.iter(f"{SPACE}path") if "line" in p.get("class", "")]
    assert len(set(lines)) == 2


def test_too_many_frames_for_a_picture_are_refused() -> None:
    graph = FrameGraph("f0")
    for k in range(700):
        graph.add(f"f{k + 1}", f"f{k}")
    with pytest.raises(BadNumber, match="701 frames are too many"):
        frame_graph_svg(graph)
